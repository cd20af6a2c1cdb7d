//! All faults of a crate in one program, each behind a switch: compiled once, and tried by the tests that reach it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use quote::ToTokens;
use serde_json::Value;

use super::rewrite::Guilty;
use super::trial::{Crew, Verdict};
use super::{Fault, Place, rewrite};
use crate::chore::{ChoreError, capture, command, root};

/// Where the copy of the repository with all faults is, and what became of each.
const COPY: &str = "target/switched";
const OUTCOME: &str = "target/switched.tsv";
/// Rounds of compiling in which faults that do not compile are taken out. One round hides the errors of the next.
const ROUNDS: usize = 20;

/// Tries all faults, or only those that were missed the last time, and says which no test noticed.
pub fn run(name: &str, faults: &[Fault], only_missed: bool) -> Result<(), ChoreError> {
    let copy = Copy::new(name, faults)?;
    let mut outcome = Outcome::new(faults, only_missed);
    let Switched { placed, unbuilt, .. } = copy.switch()?;
    println!("{} faults, {} behind switches, {} do not compile", faults.len(), placed.len(), unbuilt.len());
    for number in unbuilt {
        outcome.add(number, &Verdict::DoesNotCompile.to_string())?;
    }
    let crew = Crew::new(copy.tests()?, copy.package())?;
    let wanted = placed.into_iter().filter(|number| outcome.is_open(*number)).collect();
    crew.try_each(&wanted, |number, verdict| outcome.add(number, &verdict.to_string()))?;
    outcome.print();
    Ok(())
}

/// Which faults can be switched on.
#[derive(Default)]
struct Switched {
    /// All that are to be, …
    on: BTreeSet<usize>,
    /// … those of them that have a place in the program, …
    placed: BTreeSet<usize>,
    /// … and those that do not compile.
    unbuilt: BTreeSet<usize>,
    /// Functions that constants call: nothing can be switched there.
    constant: BTreeSet<String>,
}

/// A copy of the repository in which one crate has faults.
struct Copy<'f> {
    name: String,
    faults: &'f [Fault],
    /// The files that can have faults, as they were.
    originals: BTreeMap<String, String>,
}

impl<'f> Copy<'f> {
    fn new(name: &str, faults: &'f [Fault]) -> Result<Copy<'f>, ChoreError> {
        let mut originals = BTreeMap::new();
        let library = format!("crates/{name}/src/lib.rs");
        for file in faults.iter().map(|fault| &fault.file).chain([&library]) {
            let text = read(&root().join(file))?;
            originals.insert(file.clone(), String::from_utf8_lossy(&text).into_owned());
        }
        let listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
        let files = capture(&mut command("git", &listed))?.stdout;
        let folder = root().join(COPY);
        for file in String::from_utf8_lossy(&files).lines() {
            if root().join(file).is_file() && !originals.contains_key(file) {
                write(&folder.join(file), &read(&root().join(file))?)?;
            }
        }
        Ok(Copy { name: name.to_owned(), faults, originals })
    }

    /// The folder of the crate.
    fn package(&self) -> PathBuf {
        root().join(COPY).join("crates").join(&self.name)
    }

    /// Puts every fault into the copy that can be switched on. What comes out as it was before need not be compiled again.
    fn switch(&self) -> Result<Switched, ChoreError> {
        let before: Vec<_> =
            self.originals.keys().map(|file| Stamped::of(&root().join(COPY).join(file))).collect();
        let switched = self.switch_most()?;
        before.into_iter().flatten().for_each(|stamped| stamped.restore());
        Ok(switched)
    }

    /// Tries it with all faults, and takes out those that the compiler does not like until it likes the rest.
    fn switch_most(&self) -> Result<Switched, ChoreError> {
        write(&self.package().join("src/switch.rs"), rewrite::SWITCH.as_bytes())?;
        let mut switched = Switched { on: (0..self.faults.len()).collect(), ..Switched::default() };
        for _ in 0..ROUNDS {
            self.write(&mut switched)?;
            let errors = self.cargo(&["check", "--tests"])?.errors;
            if errors.is_empty() {
                return Ok(switched);
            }
            let before = (switched.on.len(), switched.constant.len());
            for error in &errors {
                self.settle(error, &mut switched)?;
            }
            println!("{} errors, {} faults left", errors.len(), switched.on.len());
            if (switched.on.len(), switched.constant.len()) == before {
                return Err(ChoreError::Missing { what: errors[0].text.clone() });
            }
        }
        Err(ChoreError::Missing { what: "there is always one more fault that does not compile".to_owned() })
    }

    /// Takes out what an error comes from.
    fn settle(&self, error: &CompileError, switched: &mut Switched) -> Result<(), ChoreError> {
        // A constant calls a function that is none: `cannot call non-const function `name` in constants`.
        if error.text.contains("cannot call non-const") {
            let path = error.text.split('`').nth(1).unwrap_or_default();
            let name = path.rsplit("::").next().unwrap_or_default();
            switched.constant.insert(name.to_owned());
            return Ok(());
        }
        for (file, place) in &error.places {
            let text = read(&root().join(COPY).join(file))?;
            match rewrite::guilty(&String::from_utf8_lossy(&text), *place).unwrap_or_default() {
                Guilty::Fault(number) => {
                    switched.on.remove(&number);
                    switched.unbuilt.insert(number);
                }
                Guilty::Choice(numbers) => switched.on.retain(|number| !numbers.contains(number)),
                Guilty::Nobody => {}
            }
        }
        Ok(())
    }

    /// Writes the files with the faults that are to be switched on, and forgets those that have no place.
    fn write(&self, switched: &mut Switched) -> Result<(), ChoreError> {
        let mut done = BTreeSet::new();
        for (file, text) in &self.originals {
            let numbered = self.faults.iter().enumerate();
            let here: Vec<(usize, &Fault)> = numbered
                .filter(|(number, fault)| fault.file == *file && switched.on.contains(number))
                .collect();
            let unreadable = |error| ChoreError::Missing { what: format!("{file}: {error}") };
            let (mut tree, found) = rewrite::rewrite(text, &here, &switched.constant).map_err(unreadable)?;
            if file.ends_with("/src/lib.rs") {
                tree.attrs.push(syn::parse_quote! {
                    #![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]
                });
                tree.items.push(syn::parse_quote! { mod switch; });
            }
            done.extend(found);
            let text = tree.into_token_stream().to_string();
            write(&root().join(COPY).join(file), text.as_bytes())?;
        }
        // Functions that become constant again bring back none of those forgotten: each round finds the places anew.
        switched.placed = done;
        Ok(())
    }

    /// Compiles the tests and gives their programs.
    fn tests(&self) -> Result<BTreeMap<String, PathBuf>, ChoreError> {
        let built = self.cargo(&["test", "--no-run", "--lib", "--tests"])?;
        match built.errors.first() {
            Some(error) => Err(ChoreError::Missing { what: error.text.clone() }),
            None => Ok(built.programs),
        }
    }

    /// Lets cargo work on the copy.
    fn cargo(&self, arguments: &[&str]) -> Result<Built, ChoreError> {
        let package = format!("emilia-{}", self.name);
        let mut cargo = command("cargo", arguments);
        cargo.args(["--package", &package, "--message-format", "json"]).current_dir(root().join(COPY));
        // Compiled once, and run thousands of times.
        cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "none");
        let output = capture(&mut cargo)?;
        let mut built = Built::default();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            built.hear(&serde_json::from_str(line)?);
        }
        if !output.status.success() && built.errors.is_empty() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(ChoreError::Missing { what: text });
        }
        Ok(built)
    }
}

/// A file, and when it was written.
struct Stamped {
    file: PathBuf,
    bytes: Vec<u8>,
    modified: SystemTime,
}

impl Stamped {
    fn of(file: &Path) -> Option<Stamped> {
        let modified = fs::metadata(file).and_then(|data| data.modified()).ok()?;
        Some(Stamped { file: file.to_owned(), bytes: fs::read(file).ok()?, modified })
    }

    /// If it is the same again, it was written when it was first written.
    fn restore(&self) {
        if fs::read(&self.file).is_ok_and(|bytes| bytes == self.bytes)
            && let Ok(file) = fs::File::options().write(true).open(&self.file)
        {
            // If that is not possible, it is only compiled once more.
            let _ = file.set_modified(self.modified);
        }
    }
}

/// What cargo said.
#[derive(Default)]
struct Built {
    errors: Vec<CompileError>,
    /// Test programs by the names of what they test.
    programs: BTreeMap<String, PathBuf>,
}

struct CompileError {
    text: String,
    places: Vec<(String, Place)>,
}

impl Built {
    fn hear(&mut self, message: &Value) {
        if let (Some(program), Some(true)) =
            (message["executable"].as_str(), message["profile"]["test"].as_bool())
        {
            let target = message["target"]["name"].as_str().unwrap_or_default();
            self.programs.insert(target.to_owned(), program.into());
        }
        let said = &message["message"];
        if said["level"] == "error" {
            let places = said["spans"].as_array().into_iter().flatten();
            let places: Vec<_> = places.filter(|span| span["is_primary"] == true).filter_map(place).collect();
            let text = format!("{}: {places:?}", said["message"]);
            self.errors.push(CompileError { text, places });
        }
    }
}

/// Where an error is; one inside a macro is where that is called.
fn place(span: &Value) -> Option<(String, Place)> {
    let mut span = span;
    while span["expansion"]["span"].is_object() {
        span = &span["expansion"]["span"];
    }
    let number = |name: &str| span[name].as_u64().map(|number| number as usize);
    let place = Place { line: number("line_start")?, column: number("column_start")? };
    Some((span["file_name"].as_str()?.to_owned(), place))
}

/// What became of each fault, in a file that grows while they are tried.
struct Outcome<'f> {
    faults: &'f [Fault],
    verdicts: BTreeMap<usize, String>,
}

impl<'f> Outcome<'f> {
    /// Nothing yet, or what was noticed the last time.
    fn new(faults: &'f [Fault], only_missed: bool) -> Outcome<'f> {
        let mut verdicts = BTreeMap::new();
        let text = fs::read_to_string(root().join(OUTCOME)).unwrap_or_default();
        let known = text.lines().filter_map(|line| line.rsplit_once('\t'));
        for (verdict, name) in known.filter(|(verdict, _)| only_missed && !verdict.starts_with("missed")) {
            if let Some(number) = faults.iter().position(|fault| fault.name == name) {
                verdicts.insert(number, verdict.to_owned());
            }
        }
        Outcome { faults, verdicts }
    }

    /// Whether nothing is known of a fault yet.
    fn is_open(&self, number: usize) -> bool {
        !self.verdicts.contains_key(&number)
    }

    fn add(&mut self, number: usize, verdict: &str) -> Result<(), ChoreError> {
        self.verdicts.insert(number, verdict.to_owned());
        if self.verdicts.len().is_multiple_of(100) {
            println!("{} of {}", self.verdicts.len(), self.faults.len());
        }
        let lines = self.verdicts.iter();
        let lines: String =
            lines.map(|(number, verdict)| format!("{verdict}\t{}\n", self.faults[*number].name)).collect();
        // As a whole, so that nothing is lost if this ends here.
        let (file, new) = (root().join(OUTCOME), root().join(OUTCOME).with_extension("new"));
        write(&new, lines.as_bytes())?;
        fs::rename(&new, &file).map_err(|error| ChoreError::File { file: file.display().to_string(), error })
    }

    /// A line for each file, and the faults that no test noticed.
    fn print(&self) {
        let mut files: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for (number, verdict) in &self.verdicts {
            let kind = verdict.split('\t').next().unwrap_or_default();
            *files.entry(&self.faults[*number].file).or_default().entry(kind).or_default() += 1;
        }
        for (file, kinds) in files {
            println!("{file}: {kinds:?}");
        }
        for (number, fault) in self.faults.iter().enumerate() {
            match self.verdicts.get(&number) {
                Some(verdict) if verdict.starts_with("missed") => println!("missed: {}", fault.name),
                None => println!("no switch is possible: {}", fault.name),
                Some(_) => {}
            }
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, ChoreError> {
    fs::read(file).map_err(|error| ChoreError::File { file: file.display().to_string(), error })
}

/// Writes a file, unless it is so already: what did not change need not be compiled again.
fn write(file: &Path, bytes: &[u8]) -> Result<(), ChoreError> {
    if fs::read(file).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = file.parent().unwrap_or(file);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(file, bytes));
    written.map_err(|error| ChoreError::File { file: file.display().to_string(), error })
}
