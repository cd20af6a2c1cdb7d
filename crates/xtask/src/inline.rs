//! Nothing hot is called out of line: in a release build, what is compiled for a kind of processor contains no call of
//! a vector instruction's function or of `array::from_fn`. Such a call means that the compiler gave up inlining, and
//! costs more than the work itself.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::chore::{ChoreError, command, show};
use crate::web;

/// The examples of the search that between them hold all of it: every board, every kind of processor.
const EXAMPLES: [&str; 2] = ["bench", "grid_fit"];
/// Parts of the names of the functions into which everything hot is inlined, one for each kind of processor, and of the
/// kernels' own operations, should part of one be left outside of them.
const HOT: [&str; 5] =
    ["with_sse4", "with_avx2", "with_avx512", "portable..Portable", "emilia_simd..kernel..Kernel$GT$"];
/// Parts of the names, as they stand in a program, of functions that must not be called there.
const LEFT_OVER: [&[&str]; 2] = [&["4core9core_arch"], &["4core5array", "from_fn"]];

/// Calls by caller and callee, and how many there are.
type Calls = BTreeMap<(String, String), usize>;

/// Builds the search as it is released, reads its machine code and names each call that is left.
pub fn run() -> Result<(), ChoreError> {
    if !web::works("objdump") {
        return Err(ChoreError::Partly {
            what: "the check for calls in hot code, which needs objdump".to_owned(),
        });
    }
    let build = ["build", "--quiet", "--release", "--package", "emilia-search"];
    show(command("cargo", &build).args(EXAMPLES.iter().flat_map(|example| ["--example", example])))?;
    // This program is in a folder beside the one of releases.
    let ours =
        std::env::current_exe().map_err(|error| ChoreError::Start { program: "xtask".to_owned(), error })?;
    let folder = ours.with_file_name("../release/examples");
    let programs = EXAMPLES.map(|example| folder.join(example));
    MachineCode { objdump: "objdump", hot: &HOT, left_over: &LEFT_OVER }.check(&programs)
}

/// How machine code is read, and what is looked for in it.
pub struct MachineCode<'s> {
    /// The program that disassembles.
    pub objdump: &'s str,
    /// Parts of names, any of which makes a function a hot one.
    pub hot: &'s [&'s str],
    /// Parts of names, all of which make a function one that hot ones must not call.
    pub left_over: &'s [&'s [&'s str]],
}

impl MachineCode<'_> {
    /// Reads programs, in which there must be hot functions, and names each call that is left.
    pub fn check(&self, programs: &[PathBuf]) -> Result<(), ChoreError> {
        let (mut hot, mut left) = (0, Calls::new());
        for program in programs {
            hot += self.read(program, &mut left)?;
        }
        if hot == 0 {
            let what = format!("no function in the search is called {} any more", self.hot.join(" or "));
            return Err(ChoreError::Missing { what });
        }
        if left.is_empty() {
            return Ok(());
        }
        let each =
            left.iter().map(|((caller, callee), times)| format!("{caller} calls {callee} {times} times"));
        Err(ChoreError::OutOfLine { calls: each.collect::<Vec<_>>().join("; ") })
    }

    /// Disassembles a program and adds what is called in its hot functions, of which it returns the number.
    fn read(&self, program: &Path, left: &mut Calls) -> Result<usize, ChoreError> {
        let name = program.to_string_lossy();
        let error = |error| ChoreError::Start { program: self.objdump.to_owned(), error };
        let mut objdump = command(self.objdump, &["--disassemble", "--no-show-raw-insn", &name])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(error)?;
        let lines = objdump
            .stdout
            .take()
            .into_iter()
            .flat_map(|out| BufReader::new(out).lines().map_while(Result::ok));
        let hot = self.collect(lines, left);
        if objdump.wait().map_err(error)?.success() {
            return Ok(hot);
        }
        Err(ChoreError::Failed { command: format!("{} {name}", self.objdump) })
    }

    /// Reads a listing: functions begin with `ADDRESS <NAME>:`, calls and jumps end with `<NAME>` or `<NAME+OFFSET>`.
    fn collect(&self, lines: impl Iterator<Item = String>, left: &mut Calls) -> usize {
        let (mut hot, mut caller) = (0, None);
        for line in lines {
            let Some((_, name)) = line.rsplit_once('<') else { continue };
            if let Some(name) = name.strip_suffix(">:") {
                caller = self.hot.iter().any(|part| name.contains(part)).then(|| plain(name));
                hot += usize::from(caller.is_some());
            } else if let (Some(caller), Some(callee)) = (&caller, name.strip_suffix('>'))
                && self.left_over.iter().any(|parts| parts.iter().all(|part| callee.contains(part)))
            {
                *left.entry((caller.clone(), plain(callee))).or_default() += 1;
            }
        }
        hot
    }
}

/// A name without the hash at its end, which is another in each build.
fn plain(name: &str) -> String {
    name.rsplit_once("17h").map_or(name, |(name, _)| name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_in_hot_functions_count() {
        let listing = "\
0000000000001000 <_ZN12emilia_rules6kernel3x869with_avx217h0123456789abcdefE>:
    1000:\tcall   2000 <_ZN4core5array11try_from_fn17hc79cd5cd4367825fE>
    1005:\tcall   2000 <_ZN4core5array11try_from_fn17hc79cd5cd4367825fE>
    100a:\tje     1000 <_ZN12emilia_rules6kernel3x869with_avx217h0123456789abcdefE+0x5>
    100f:\tcall   3000 <_ZN13emilia_search5split17h0123456789abcdefE>
0000000000002000 <_ZN4core5array11try_from_fn17hc79cd5cd4367825fE>:
    2000:\tcall   4000 <_RNvNtNtNtCsgEm_4core9core_arch3x864avx216__mm256_and_si256>
0000000000005000 <_ZN12emilia_rules6kernel3x8611with_avx51217h0123456789abcdefE>:
    5000:\tjmp    4000 <_RNvNtNtNtCsgEm_4core9core_arch3x864avx216__mm256_and_si256>
0000000000006000 <_ZN70_$LT$emilia_simd..x86..Avx2$u20$as$u20$emilia_simd..kernel..Kernel$GT$5weigh28_$u7b$17h01E>:
    6000:\tcall   4000 <_RNvNtNtNtCsgEm_4core9core_arch3x864avx216__mm256_and_si256>";
        let mut left = Calls::new();
        let code = MachineCode { objdump: "objdump", hot: &HOT, left_over: &LEFT_OVER };
        assert_eq!(code.collect(listing.lines().map(str::to_owned), &mut left), 3);
        let found: Vec<(&str, usize)> =
            left.iter().map(|((_, callee), times)| (callee.as_str(), *times)).collect();
        let vector = "_RNvNtNtNtCsgEm_4core9core_arch3x864avx216__mm256_and_si256";
        assert_eq!(found, [(vector, 1), ("_ZN4core5array11try_from_fn", 2), (vector, 1)]);
    }
}
