//! Source code with all its faults at once, each behind the question whether it is switched on.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprIf, ExprStruct, ExprUnary, Item, ItemConst, Pat, Signature,
    Visibility,
};

use super::{Fault, Genre, Place};

/// What each switched crate gets beside its own files: `on` is asked wherever a fault may be. `FAULT` is the number of the
/// one that is switched on, or `note`: then the numbers that are asked for go to the file `FAULT_NOTES`.
pub const SWITCH: &str = r#"
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

static ON: AtomicU32 = AtomicU32::new(UNREAD);
static NOTED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];
const UNREAD: u32 = u32::MAX;
const NOTE: u32 = u32::MAX - 1;
const NONE: u32 = u32::MAX - 2;

#[inline(always)]
pub(crate) fn on(fault: u32) -> bool {
    let on = ON.load(Relaxed);
    if on >= NOTE { asked(fault) } else { on == fault }
}

#[cold]
#[inline(never)]
fn asked(fault: u32) -> bool {
    if ON.load(Relaxed) == UNREAD {
        let word = std::env::var("FAULT").unwrap_or_default();
        ON.store(if word == "note" { NOTE } else { word.parse().unwrap_or(NONE) }, Relaxed);
    }
    if ON.load(Relaxed) == NOTE && !NOTED[fault as usize].swap(true, Relaxed) {
        let path = std::env::var("FAULT_NOTES").unwrap();
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
        file.write_all(format!("{fault}\n").as_bytes()).unwrap();
    }
    ON.load(Relaxed) == fault
}
"#;

/// A file with the faults of these numbers, and the numbers of those that found their place. Functions of these names are
/// called by constants and stay constant.
pub fn rewrite(
    text: &str,
    faults: &[(usize, &Fault)],
    constant: &BTreeSet<String>,
) -> syn::Result<(syn::File, BTreeSet<usize>)> {
    let file = syn::parse_file(text)?;
    let mut constants = Constants { faults, names: BTreeMap::new() };
    constants.visit_file(&file);
    let (_, uses) = with_faults(file.clone(), faults, constants.names, constant);
    // A constant that is used where the compiler computes must stay one.
    let mut words = BTreeMap::new();
    count_words(file.to_token_stream(), &mut words);
    let run_time = uses.into_iter().filter(|(name, used)| words.get(name) == Some(&(used + 1)));
    let run_time: BTreeMap<String, usize> = run_time.map(|(name, _)| (name, 0)).collect();
    let (file, _) = with_faults(file, faults, run_time, constant);
    let mut asked = Asked::default();
    asked.visit_file(&file);
    Ok((file, asked.numbers))
}

/// The file with faults, and how often each of the constants that are to be computed at run time is used there.
fn with_faults(
    mut file: syn::File,
    faults: &[(usize, &Fault)],
    run_time: BTreeMap<String, usize>,
    constant: &BTreeSet<String>,
) -> (syn::File, BTreeMap<String, usize>) {
    let mut places: BTreeMap<(Place, u8), Vec<(usize, &Fault)>> = BTreeMap::new();
    for (number, fault) in faults {
        places.entry((fault.span.start, fault.genre as u8)).or_default().push((*number, fault));
    }
    let mut rewriter = Rewriter { places, run_time, constant };
    rewriter.visit_file_mut(&mut file);
    (file, rewriter.run_time)
}

/// The constants with faults that only this file can use.
struct Constants<'f> {
    faults: &'f [(usize, &'f Fault)],
    names: BTreeMap<String, usize>,
}

impl Constants<'_> {
    fn add(&mut self, visibility: &Visibility, name: &syn::Ident, value: &Expr) {
        let span = value.span();
        let inside = place(span.start())..place(span.end());
        let has_faults = self.faults.iter().any(|(_, fault)| inside.contains(&fault.span.start));
        if has_faults && matches!(visibility, Visibility::Inherited) && name != "_" {
            self.names.insert(name.to_string(), 0);
        }
    }
}

impl Visit<'_> for Constants<'_> {
    fn visit_item_const(&mut self, item: &ItemConst) {
        self.add(&item.vis, &item.ident, &item.expr);
    }

    fn visit_item_static(&mut self, item: &syn::ItemStatic) {
        self.add(&item.vis, &item.ident, &item.expr);
    }
}

fn count_words(tokens: TokenStream, words: &mut BTreeMap<String, usize>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => *words.entry(word.to_string()).or_default() += 1,
            TokenTree::Group(group) => count_words(group.stream(), words),
            _ => {}
        }
    }
}

/// The place of the first character of something.
fn place(at: LineColumn) -> Place {
    Place { line: at.line, column: at.column + 1 }
}

struct Rewriter<'f> {
    places: BTreeMap<(Place, u8), Vec<(usize, &'f Fault)>>,
    /// Constants that are computed at run time instead, so that they can have faults, and how often they were used.
    run_time: BTreeMap<String, usize>,
    /// Functions that constants call.
    constant: &'f BTreeSet<String>,
}

impl<'f> Rewriter<'f> {
    /// Whether a function is for the compiler; if not, it is none any more.
    fn is_constant(&self, signature: &mut Signature) -> bool {
        let constant = signature.constness.is_some() && self.constant.contains(&signature.ident.to_string());
        if !constant {
            signature.constness = None;
        }
        constant
    }

    /// A constant that is computed when it is first asked for.
    fn at_run_time(&mut self, name: &syn::Ident, ty: &syn::Type, value: &mut Expr) -> Item {
        self.visit_expr_mut(value);
        syn::parse_quote! {
            fn #name() -> &'static #ty {
                static VALUE: std::sync::OnceLock<#ty> = std::sync::OnceLock::new();
                VALUE.get_or_init(|| #value)
            }
        }
    }

    /// The faults of this kind that begin where something does.
    fn take(&mut self, begin: LineColumn, genre: Genre) -> Vec<(usize, &'f Fault)> {
        self.places.remove(&(place(begin), genre as u8)).unwrap_or_default()
    }

    /// Statements that return something else when they are told to. What `impl Trait` stands for cannot depend on a switch.
    fn returns(&mut self, signature: &Signature, block: &Block) -> Vec<syn::Stmt> {
        let output = signature.output.to_token_stream();
        let Some(first) = block.stmts.first() else { return Vec::new() };
        if output.into_iter().any(|token| token.to_string() == "impl") {
            return Vec::new();
        }
        let faults = self.take(first.span().start(), Genre::FnValue);
        let returns = faults.into_iter().filter_map(|(number, fault)| {
            let (on, value) = (on(number), code(&fault.replacement));
            let early = syn::parse2(quote! { if #on { return #value; } }).ok()?;
            Some(syn::Stmt::Expr(early, None))
        });
        returns.collect()
    }

    fn binary(&mut self, node: &ExprBinary) -> Option<TokenStream> {
        let faults = self.take(node.op.span().start(), Genre::BinaryOperator);
        if faults.is_empty() {
            return None;
        }
        let (left, right, op) = (&node.left, &node.right, &node.op);
        let each = |way: &dyn Fn(TokenStream) -> TokenStream| {
            let chosen = faults.iter().map(|(number, fault)| {
                let (on, way) = (on(*number), way(code(&fault.replacement)));
                quote! { if #on { #way } else }
            });
            let as_it_was = way(op.to_token_stream());
            quote! { #(#chosen)* { #as_it_was } }
        };
        Some(match node.op {
            BinOp::And(_) | BinOp::Or(_) => {
                let way = each(&|op| quote! { __left #op (#right) });
                quote! { match (#left) { __left => #way } }
            }
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                let way = each(&|op| quote! { *__left #op *__right });
                quote! { match (&(#left), &(#right)) { (__left, __right) => #way } }
            }
            op if is_assignment(&op) => {
                let way = each(&|op| quote! { #left #op __right });
                quote! { match (#right) { __right => #way } }
            }
            _ => {
                let way = each(&|op| quote! { __left #op __right });
                quote! { match (#left, #right) { (__left, __right) => #way } }
            }
        })
    }

    fn unary(&mut self, node: &ExprUnary) -> Option<TokenStream> {
        let faults = self.take(node.op.span().start(), Genre::UnaryOperator);
        let (number, _) = faults.first()?;
        let (on, op, value) = (on(*number), &node.op, &node.expr);
        Some(quote! { match (#value) { __value => if #on { __value } else { #op __value } } })
    }

    fn fields(&mut self, node: &ExprStruct) -> Option<TokenStream> {
        let mut chosen = TokenStream::new();
        for (at, field) in node.fields.iter().enumerate() {
            for (number, _) in self.take(field.span().start(), Genre::StructField) {
                let mut without = node.clone();
                let fields = node.fields.iter().enumerate().filter(|(other, _)| *other != at);
                without.fields = fields.map(|(_, field)| field.clone()).collect();
                if !without.fields.is_empty() {
                    without.fields.push_punct(Default::default());
                }
                let on = on(number);
                chosen.extend(quote! { if #on { #without } else });
            }
        }
        (!chosen.is_empty()).then(|| quote! { match () { () => #chosen { #node } } })
    }
}

impl VisitMut for Rewriter<'_> {
    // What is computed by the compiler, or is no expression, stays as it is.
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Const(ItemConst { ident, ty, expr, .. })
            | Item::Static(syn::ItemStatic { ident, ty, expr, .. }) => {
                if self.run_time.contains_key(&ident.to_string()) {
                    *item = self.at_run_time(ident, ty, expr);
                }
            }
            _ => visit_mut::visit_item_mut(self, item),
        }
    }

    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_trait_item_const_mut(&mut self, _: &mut syn::TraitItemConst) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}

    fn visit_expr_repeat_mut(&mut self, node: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut node.expr);
    }

    fn visit_item_fn_mut(&mut self, node: &mut syn::ItemFn) {
        if self.is_constant(&mut node.sig) {
            return;
        }
        let returns = self.returns(&node.sig, &node.block);
        visit_mut::visit_item_fn_mut(self, node);
        node.block.stmts.splice(..0, returns);
    }

    fn visit_impl_item_fn_mut(&mut self, node: &mut syn::ImplItemFn) {
        if self.is_constant(&mut node.sig) {
            return;
        }
        let returns = self.returns(&node.sig, &node.block);
        visit_mut::visit_impl_item_fn_mut(self, node);
        node.block.stmts.splice(..0, returns);
    }

    fn visit_trait_item_fn_mut(&mut self, node: &mut syn::TraitItemFn) {
        let returns = node.default.as_ref().map(|block| self.returns(&node.sig, block));
        visit_mut::visit_trait_item_fn_mut(self, node);
        if let (Some(block), Some(returns)) = (&mut node.default, returns) {
            block.stmts.splice(..0, returns);
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        let whole = self.take(arm.span().start(), Genre::MatchArm);
        let guards = match &arm.guard {
            Some((_, guard)) => self.take(guard.span().start(), Genre::MatchArmGuard),
            None => Vec::new(),
        };
        visit_mut::visit_arm_mut(self, arm);
        let guard = arm.guard.take().map(|(_, guard)| guard.into_token_stream());
        let mut guard = guard.map(|guard| quote! { (#guard) });
        for (number, fault) in guards {
            let on = on(number);
            guard = match fault.replacement.as_str() {
                "true" => Some(quote! { (#on || #guard) }),
                _ => Some(quote! { (!#on && #guard) }),
            };
        }
        if let Some((number, _)) = whole.first() {
            let on = on(*number);
            guard = Some(quote! { !#on });
        }
        if let Some(Ok(guard)) = guard.map(syn::parse2::<Expr>) {
            arm.guard = Some((Default::default(), Box::new(guard)));
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let new = match expr {
            Expr::Binary(node) if !is_let(&node.left) && !is_let(&node.right) => self.binary(node),
            Expr::Unary(node) => self.unary(node),
            Expr::Struct(node) => self.fields(node),
            Expr::Path(node) => {
                let name = node.path.get_ident().map(ToString::to_string);
                name.and_then(|name| self.run_time.get_mut(&name)).map(|used| {
                    *used += 1;
                    quote! { *#node() }
                })
            }
            _ => None,
        };
        if let Some(Ok(new)) = new.map(|new| syn::parse2(quote! { (#new) })) {
            *expr = new;
        }
    }
}

/// The question whether a fault is switched on.
fn on(number: usize) -> TokenStream {
    let number = number as u32;
    quote! { crate::switch::on(#number) }
}

/// Code that cargo-mutants wrote.
fn code(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// Whether this is, or contains beside `&&`, a pattern to be matched, which only stands in conditions.
fn is_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(node) => is_let(&node.left) || is_let(&node.right),
        _ => false,
    }
}

fn is_assignment(op: &BinOp) -> bool {
    op.to_token_stream().to_string().ends_with('=')
}

/// Which faults a file asks for.
#[derive(Default)]
struct Asked {
    numbers: BTreeSet<usize>,
}

impl Visit<'_> for Asked {
    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        self.numbers.extend(asked(call));
        visit::visit_expr_call(self, call);
    }
}

/// Whose fault it is that the compiler does not like a place.
#[derive(Clone, Debug, Default)]
pub enum Guilty {
    #[default]
    Nobody,
    /// The code of this fault alone.
    Fault(usize),
    /// The code that chooses between these.
    Choice(Vec<usize>),
}

/// Whose fault it is that the compiler does not like a place of a rewritten file.
pub fn guilty(text: &str, at: Place) -> syn::Result<Guilty> {
    let mut finder = Finder { at, innermost: Guilty::Nobody };
    finder.visit_file(&syn::parse_file(text)?);
    Ok(finder.innermost)
}

/// The innermost code around a place that belongs to a fault, or else chooses between several.
struct Finder {
    at: Place,
    innermost: Guilty,
}

impl Finder {
    fn holds(&self, node: &impl Spanned) -> bool {
        let span = node.span();
        (place(span.start())..place(span.end())).contains(&self.at)
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_expr_paren(&mut self, node: &'a syn::ExprParen) {
        if let Expr::Match(choice) = &*node.expr
            && let [Arm { body, .. }] = &choice.arms[..]
            && let Expr::If(first) = &**body
            && self.holds(node)
        {
            let numbers: Vec<usize> = std::iter::successors(Some(first), |last| match &last.else_branch {
                Some((_, next)) => match &**next {
                    Expr::If(next) => Some(next),
                    _ => None,
                },
                None => None,
            })
            .filter_map(condition)
            .collect();
            if !numbers.is_empty() {
                self.innermost = Guilty::Choice(numbers);
            }
        }
        visit::visit_expr_paren(self, node);
    }

    fn visit_expr_if(&mut self, node: &'a ExprIf) {
        if let Some(number) = condition(node)
            && self.holds(&node.then_branch)
        {
            self.innermost = Guilty::Fault(number);
        }
        visit::visit_expr_if(self, node);
    }
}

/// The number of the fault that a condition asks for.
fn condition(node: &ExprIf) -> Option<usize> {
    match &*node.cond {
        Expr::Call(call) => asked(call),
        _ => None,
    }
}

fn asked(call: &syn::ExprCall) -> Option<usize> {
    if call.func.to_token_stream().to_string() != "crate :: switch :: on" {
        return None;
    }
    call.args.first()?.to_token_stream().to_string().trim_end_matches("u32").parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TEXT: &str = "\
const TEN: i32 = -10;
const fn ten() -> i32 { TEN }
fn play(a: i32) -> i32 {
    match a {
        1 if a > 0 => a + ten(),
        2 => 3,
        _ => sum(Pair { x: 1, ..pair() }),
    }
}
";

    /// What stands in the text is replaced.
    fn fault(genre: Genre, old: &str, replacement: &str) -> Fault {
        let (before, _) = TEXT.split_once(old).unwrap();
        let line = before.lines().count().max(1);
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        let line = if before.ends_with('\n') { line + 1 } else { line };
        let span = super::super::Span { start: Place { line, column } };
        Fault { name: String::new(), file: String::new(), span, replacement: replacement.to_owned(), genre }
    }

    fn faults() -> Vec<Fault> {
        vec![
            fault(Genre::UnaryOperator, "-10", ""),
            fault(Genre::FnValue, "TEN }", "0"),
            fault(Genre::FnValue, "match a", "1"),
            fault(Genre::MatchArmGuard, "a > 0", "true"),
            fault(Genre::BinaryOperator, "> 0", "<"),
            fault(Genre::BinaryOperator, "+ ten", "-"),
            fault(Genre::MatchArm, "2 => 3", ""),
            fault(Genre::StructField, "x: 1", ""),
        ]
    }

    #[test]
    fn every_kind_of_fault_finds_its_place() {
        let faults = faults();
        let numbered: Vec<(usize, &Fault)> = faults.iter().enumerate().collect();
        let (file, placed) = rewrite(TEXT, &numbered, &BTreeSet::new()).unwrap();
        assert_eq!(placed, (0..8).collect());
        let text = file.into_token_stream().to_string();
        // Whatever the compiler does not like in the code of a fault is its own fault.
        for (number, code) in [(2, "return 1"), (5, "__left - __right"), (7, "Pair { .. pair ()")] {
            let place = Place { line: 1, column: text.find(code).unwrap() + 1 };
            assert!(
                matches!(guilty(&text, place).unwrap(), Guilty::Fault(found) if found == number),
                "{text}"
            );
        }
        let choice = Place { line: 1, column: text.find("__left + __right").unwrap() + 1 };
        assert!(matches!(guilty(&text, choice).unwrap(), Guilty::Choice(numbers) if numbers == [5]));
        let nobody = Place { line: 1, column: text.find("match a").unwrap() + 1 };
        assert!(matches!(guilty(&text, nobody).unwrap(), Guilty::Nobody));
    }

    #[test]
    fn what_the_compiler_computes_stays_as_it_is() {
        let faults = faults();
        let numbered: Vec<(usize, &Fault)> = faults.iter().enumerate().collect();
        let constant = BTreeSet::from(["ten".to_owned()]);
        let (file, placed) = rewrite(TEXT, &numbered, &constant).unwrap();
        assert_eq!(placed, (2..8).collect());
        assert!(file.into_token_stream().to_string().contains("const fn ten () -> i32 { TEN }"));
    }
}
