//! The engine for the browser: the modules that a page loads, and what they are held to.

use std::fs;
use std::io::Read;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;

use crate::chore::{ChoreError, Log, capture, command, root, show};
use crate::compiler;
use crate::dist::tree;
use crate::toolchain::{Target, Toolchain};
use crate::web;

/// A module to be built.
struct Module {
    name: &'static str,
    /// Instructions that not every browser has.
    features: &'static str,
    /// What threads need.
    link: &'static str,
}

/// With vectors and threads, and for browsers that lack either.
const MODULES: [Module; 2] = [
    Module {
        name: "threads",
        features: "-C target-feature=+simd128,+atomics,+bulk-memory,+mutable-globals",
        // Memory that workers share must say how large it may become.
        link: "-C link-arg=--shared-memory -C link-arg=--import-memory -C link-arg=--max-memory=536870912 \
               -C link-arg=--export=__wasm_init_tls -C link-arg=--export=__tls_size \
               -C link-arg=--export=__tls_align -C link-arg=--export=__tls_base",
    },
    Module { name: "plain", features: "", link: "" },
];

/// A search of sixty plies in a debug build needs more than the megabyte there is otherwise.
const STACK: &str = "-C link-arg=-zstack-size=4194304";

/// What is stripped of names still says what it needs of a browser, by which its memory is shared.
const NEEDS: &str = "-C link-arg=--keep-section=target_features";

/// The weights and other tables that a page fetches: what they are called there, and where they are.
const WEIGHTS: [(&str, &str); 4] = [
    ("network.bin", "crates/eval/weights/network.bin"),
    ("small.bin", "crates/eval/weights/small.bin"),
    ("people.bin", "crates/human/weights/human.bin"),
    ("tournaments.summary", "data/openings/tournaments.summary"),
];

/// How much care is taken of speed and size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    /// What is shipped.
    Release,
    /// What tests need: compiled quickly.
    Test,
}

/// What zopfli does of itself, with a third of the rounds: more of them, or more blocks, gain nothing.
const SQUEEZE: zopfli::Options = zopfli::Options {
    iteration_count: NonZeroU64::new(5).expect("5 is not 0"),
    iterations_without_improvement: NonZeroU64::MAX,
    maximum_block_splits: 15,
};

/// Where everything for tests is compiled.
const TESTED: &str = "target/wasm/test";

/// Where the engine is built that is shipped, unless another folder is named.
pub const SHIPPED: &str = "target/engine";

/// Builds the modules into a folder, each in its own with the script that loads it, and the weights beside them.
pub fn run(folder: &str) -> Result<(), ChoreError> {
    let folder = root().join(folder);
    let toolchain = Toolchain::find(Target::Browser)?;
    install_optimiser()?;
    build(&toolchain, &folder)?;
    puzzles(&folder, &mut pack_example())?;
    let files = tree::files(&folder)?;
    let packed = files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "gz"));
    at_once(
        packed
            .map(|file| folder.join(file))
            .map(|file| Box::new(move || squeeze(&file)) as Work<'_>)
            .collect(),
    )?;
    for file in files {
        let size = folder.join(&file).metadata().map_or(0, |metadata| metadata.len());
        println!("{size:>9} bytes  {}", file.display());
    }
    Ok(())
}

/// Work that is done at the same time as other work.
type Work<'w> = Box<dyn FnOnce() -> Result<(), ChoreError> + Send + 'w>;

/// Does everything at once: each compilation ends with crates that wait for each other, and leaves cores to the others.
fn at_once(all: Vec<Work<'_>>) -> Result<(), ChoreError> {
    let log = Log::current();
    std::thread::scope(|scope| {
        let logged = |work: Work<'_>| match &log {
            Some(log) => log.keep(work),
            None => work(),
        };
        let begun: Vec<_> = all.into_iter().map(|work| scope.spawn(move || logged(work))).collect();
        let ended: Vec<_> = begun.into_iter().map(|work| work.join()).collect();
        ended.into_iter().try_for_each(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// The modules that can be built.
fn wanted(toolchain: &Toolchain) -> impl Iterator<Item = &'static Module> {
    MODULES.iter().filter(|module| module.link.is_empty() || toolchain.has_threads())
}

/// Compiles the program that makes of a module what a page loads, and runs it.
fn bindgen() -> Command {
    command("cargo", &["run", "--quiet", "--package", "xtask", "--example", "bindgen", "--"])
}

/// Builds the modules as they are shipped, all at the same time, and packs the weights.
fn build(toolchain: &Toolchain, folder: &Path) -> Result<(), ChoreError> {
    let work = |module: &'static Module| {
        Box::new(move || {
            let built = module.compile(toolchain, Care::Release)?;
            module.bind(&built, folder, &mut bindgen(), Care::Release)
        }) as Work<'_>
    };
    at_once(wanted(toolchain).map(work).collect())?;
    weights(folder)
}

/// Packs the weights beside the modules.
fn weights(folder: &Path) -> Result<(), ChoreError> {
    let weights = folder.join("weights");
    make(&weights)?;
    for (name, from) in WEIGHTS {
        pack(&root().join(from), &weights.join(format!("{name}.gz")))?;
    }
    Ok(())
}

/// Compiles and runs the program that packs the puzzles.
pub fn pack_example() -> Command {
    command("cargo", &["run", "--quiet", "--package", "emilia-puzzle", "--example", "pack"])
}

/// Writes the puzzles beside the modules: only what does not follow from the rest travels, as `pack` prints it.
pub fn puzzles(folder: &Path, pack: &mut Command) -> Result<(), ChoreError> {
    let packed = capture(pack)?;
    if !packed.status.success() {
        return Err(ChoreError::Missing { what: "the puzzles cannot be packed".to_owned() });
    }
    let file = folder.join("weights/puzzles.txt.gz");
    fs::write(&file, tree::compressed(&packed.stdout)?).map_err(|error| file_error(&file, error))
}

impl Module {
    /// Compiles it and says where it is.
    fn compile(&self, toolchain: &Toolchain, care: Care) -> Result<PathBuf, ChoreError> {
        let (profile, target, link) = match care {
            Care::Release => ("web", root().join("target/wasm").join(self.name), STACK.to_owned()),
            // In one folder, so that what runs while they are built, such as macros, is compiled once for all of them.
            Care::Test => ("web-test", root().join(TESTED), format!("{STACK} {NEEDS}")),
        };
        let flags = format!("{} {} {link} {}", self.features, self.link, toolchain.without_paths()?);
        let arguments = ["build", "--quiet", "--package", "emilia-wasm", "--profile", profile];
        let mut cargo = toolchain.cargo(&arguments, &flags, !self.link.is_empty());
        if care == Care::Test {
            as_the_others(&mut cargo).env("RUSTC_WORKSPACE_WRAPPER", compiler::plain_path()?);
        }
        show(cargo.env("CARGO_TARGET_DIR", &target))?;
        let built = target.join(Target::Browser.name()).join(profile).join("emilia_wasm.wasm");
        if care == Care::Release {
            return Ok(built);
        }
        // The next one takes its place.
        let copy = self.compiled();
        fs::copy(&built, &copy).map_err(|error| file_error(&built, error))?;
        Ok(copy)
    }

    /// Where it is once it is compiled for tests.
    fn compiled(&self) -> PathBuf {
        root().join(TESTED).join(self.name).with_extension("wasm")
    }

    /// Makes of what was compiled what a page loads.
    fn bind(&self, built: &Path, folder: &Path, bindgen: &mut Command, care: Care) -> Result<(), ChoreError> {
        let folder = folder.join(self.name);
        make(&folder)?;
        show(bindgen.arg(built).arg(&folder))?;
        let module = folder.join("emilia_bg.wasm");
        if care == Care::Release {
            optimise(&module, self)?;
        }
        let packed = folder.join("emilia.wasm.gz");
        pack(&module, &packed)?;
        remove(&module)
    }
}

/// Where the packages are that only WebAssembly needs.
const PACKAGES: &str = "crates/wasm";
/// A program for Node that makes modules smaller and faster.
const OPTIMISER: &str = "crates/wasm/node_modules/binaryen/bin/wasm-opt";

/// Sees to it that the optimiser is there.
fn install_optimiser() -> Result<(), ChoreError> {
    if root().join(OPTIMISER).is_file() {
        return Ok(());
    }
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" }, &["ci", "--silent", "--no-audit"]);
    show(npm.current_dir(root().join(PACKAGES)))
}

/// What a compiler leaves over, another that knows nothing but WebAssembly finds.
fn optimise(module: &Path, kind: &Module) -> Result<(), ChoreError> {
    let mut wasm_opt = command("node", &[OPTIMISER, "-O3", "--enable-bulk-memory", "--enable-sign-ext"]);
    wasm_opt.args([
        "--enable-mutable-globals",
        "--enable-nontrapping-float-to-int",
        "--enable-reference-types",
    ]);
    wasm_opt.args(["--enable-multivalue"]);
    if !kind.features.is_empty() {
        wasm_opt.args(["--enable-simd", "--enable-threads"]);
    }
    show(wasm_opt.arg(module).arg("-o").arg(module))
}

/// The folder with the modules that the tests in the browser use.
pub fn tested() -> PathBuf {
    root().join("target/engine-test")
}

/// What the suite holds the engine for the browser to: the laws of its kind of processor, and that it can be compiled. The
/// tests in the browser use what is compiled here.
pub fn check() -> Result<(), ChoreError> {
    match Toolchain::find(Target::Browser) {
        Ok(toolchain) => {
            laws(&toolchain)?;
            wanted(&toolchain).try_for_each(|module| module.compile(&toolchain, Care::Test).map(drop))
        }
        Err(missing) if std::env::var_os("CI").is_some() => Err(missing),
        Err(missing) => Err(ChoreError::Partly { what: format!("the engine for the browser: {missing}") }),
    }
}

/// Makes of the modules that were compiled for tests, if any, what a page loads, with the weights beside them, by a program
/// that was compiled already or else compiles itself.
pub fn bind_tested(program: Option<&Path>) -> Result<(), ChoreError> {
    let compiled: Vec<_> = MODULES.iter().filter(|module| module.compiled().is_file()).collect();
    for module in &compiled {
        let mut bindgen = program.map_or_else(bindgen, |program| command(&program.to_string_lossy(), &[]));
        module.bind(&module.compiled(), &tested(), &mut bindgen, Care::Test)?;
    }
    if compiled.is_empty() { Ok(()) } else { weights(&tested()) }
}

/// One module needs what is not stable yet. Macros ask for that too, and would be compiled anew for those that do not.
fn as_the_others(cargo: &mut Command) -> &mut Command {
    cargo.env("RUSTC_BOOTSTRAP", "1")
}

/// The law tests that every kind of processor is held to, by the engine of a browser.
fn laws(toolchain: &Toolchain) -> Result<(), ChoreError> {
    if !web::works("node") {
        web::install(&["nodejs", "npm"]);
    }
    let runner = format!("node {}", root().join("crates/wasm/tests/harness.mjs").display());
    let flags = "-C target-feature=+simd128";
    let arguments = ["test", "--quiet", "--profile", "web-test", "--package", "emilia-simd", "--test", "it"];
    let mut cargo = toolchain.cargo(&arguments, flags, false);
    as_the_others(cargo.env(Target::Browser.variable("RUNNER"), &runner));
    show(cargo.env("CARGO_TARGET_DIR", root().join(TESTED)))
}

fn make(folder: &Path) -> Result<(), ChoreError> {
    fs::create_dir_all(folder).map_err(|error| file_error(folder, error))
}

fn remove(file: &Path) -> Result<(), ChoreError> {
    fs::remove_file(file).map_err(|error| file_error(file, error))
}

fn file_error(file: &Path, error: std::io::Error) -> ChoreError {
    ChoreError::File { file: file.display().to_string(), error }
}

/// Packs a file anew, slowly: what every visitor fetches is worth a minute here, and becomes 3 % smaller.
fn squeeze(file: &Path) -> Result<(), ChoreError> {
    let named = |error| file_error(file, error);
    let (packed, mut bytes) = (fs::read(file).map_err(named)?, Vec::new());
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).map_err(named)?;
    let mut smaller = Vec::new();
    zopfli::compress(SQUEEZE, zopfli::Format::Gzip, &bytes[..], &mut smaller).map_err(named)?;
    fs::write(file, smaller).map_err(named)
}

/// Writes a file compressed, as it travels: hosts differ in what they compress, and in whether they do at all.
fn pack(from: &Path, to: &Path) -> Result<(), ChoreError> {
    let bytes = fs::read(from).map_err(|error| file_error(from, error))?;
    fs::write(to, tree::compressed(&bytes)?).map_err(|error| file_error(to, error))
}
