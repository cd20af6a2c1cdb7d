use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use emilia_arena::in_order;
use emilia_query::Stop;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::tasks::Found;
use crate::{Done, FileSum, Inputs, Plan, Receipt, Work, WorkError};

/// A folder with planned work: the plan, what it needs, and what its units have given. Any number of processes on any
/// number of machines may have it open at once.
///
/// ```text
/// plan.json         what is to be done
/// inputs/           the files it needs
/// units/000017.json the receipt of unit 17: it is done
/// …                 what units have given, and the result
/// manifest.json     what the result is, when all are merged
/// SHA256SUMS        its files, for sha256sum -c
/// ```
pub struct Folder {
    path: PathBuf,
    work: Work,
}

/// How a unit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is done.
    Done,
    /// It is to be done.
    Open,
    /// The result is known without it.
    NotNeeded,
}

/// What became of a unit that was to be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It was done now.
    Now,
    /// It was done before.
    Before,
    /// The result is known without it.
    NotNeeded,
    /// Somebody said stop.
    Stopped,
}

/// What the result is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Merged {
    /// What was done.
    pub plan: Plan,
    /// What there is to say about the result.
    pub about: serde_json::Value,
    /// Its files.
    pub files: Vec<FileSum>,
}

const PLAN: &str = "plan.json";
const UNITS: &str = "units";
const MANIFEST: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";

impl Folder {
    /// A folder with this plan and the files it needs. If it is there, it must be this very plan, and the work goes on.
    pub fn create(path: &Path, plan: Plan, inputs: Inputs) -> Result<Folder, WorkError> {
        let failed = |error| WorkError::file(path, error);
        fs::create_dir_all(path.join(UNITS)).map_err(failed)?;
        if path.join(PLAN).exists() {
            let folder = Folder::open(path)?;
            return if *folder.work.plan() == plan {
                Ok(folder)
            } else {
                Err(WorkError::OtherWork(path.to_owned()))
            };
        }
        for input in &plan.inputs {
            let content = inputs.get(&input.name).map_or(&[][..], Vec::as_slice);
            write(&path.join(&input.file.name), content, Wait::UntilOnDisk)?;
        }
        // Last, so that whoever sees the plan finds what it needs.
        write(&path.join(PLAN), plan.text().as_bytes(), Wait::UntilOnDisk)?;
        Ok(Folder { path: path.to_owned(), work: Work::new(plan, inputs)? })
    }

    /// The work that is planned in this folder.
    pub fn open(path: &Path) -> Result<Folder, WorkError> {
        let plan: Plan = json(&path.join(PLAN))?.ok_or_else(|| WorkError::NoPlan(path.to_owned()))?;
        let inputs = inputs(path, &plan)?;
        Ok(Folder { path: path.to_owned(), work: Work::new(plan, inputs)? })
    }

    /// The files that the plan needs, to send them elsewhere.
    pub fn inputs(&self) -> Result<Inputs, WorkError> {
        inputs(&self.path, self.work.plan())
    }

    /// The work itself.
    #[must_use]
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How every unit stands.
    pub fn states(&self) -> Result<Vec<State>, WorkError> {
        let receipts = Receipts::new(self);
        let needed = self.work.job().needed(&receipts)?;
        let state = |unit| {
            Ok(match receipts.get(unit)? {
                Some(_) => State::Done,
                None if needed.contains(unit) => State::Open,
                None => State::NotNeeded,
            })
        };
        (0..self.work.units()).map(state).collect()
    }

    /// The units that are to be done, in their order.
    pub fn open_units(&self) -> Result<Vec<u64>, WorkError> {
        let states = self.states()?;
        Ok((0..).zip(states).filter(|(_, state)| *state == State::Open).map(|(unit, _)| unit).collect())
    }

    /// Does a unit, unless it is done or not needed.
    pub fn run(&self, unit: u64, stop: &Stop) -> Result<Ran, WorkError> {
        self.work.check(unit)?;
        let receipts = Receipts::new(self);
        if receipts.get(unit)?.is_some() {
            return Ok(Ran::Before);
        }
        if !self.work.job().needed(&receipts)?.contains(unit) {
            return Ok(Ran::NotNeeded);
        }
        let Some(done) = self.work.run(unit, stop)? else { return Ok(Ran::Stopped) };
        self.keep(unit, &done)?;
        Ok(Ran::Now)
    }

    /// Does these units on so many threads, and tells what became of each, in their order. The first failure ends it.
    pub fn run_all(
        &self,
        units: &[u64],
        threads: usize,
        stop: &Stop,
        mut each: impl FnMut(u64, Ran),
    ) -> Result<(), WorkError> {
        let count = u32::try_from(units.len()).unwrap_or(u32::MAX);
        let mut failure = None;
        let work = |number: u32| {
            let unit = units[number as usize];
            match self.run(unit, stop) {
                Ok(Ran::Stopped) => None,
                ran => Some((unit, ran)),
            }
        };
        in_order(0..count, threads, stop, work, |(unit, ran)| match ran {
            Ok(ran) => {
                each(unit, ran);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        });
        failure.map_or(Ok(()), Err)
    }

    /// Keeps what a unit has given, here or elsewhere: its files first, then the receipt that says they are there.
    pub fn keep(&self, unit: u64, done: &Done) -> Result<Receipt, WorkError> {
        self.work.check(unit)?;
        let files = done.files.iter().map(|(name, content)| FileSum::of(name, content)).collect();
        write_all(&self.path, &done.files)?;
        let receipt = Receipt { unit, files, note: done.note.clone() };
        let text = serde_json::to_vec(&receipt).unwrap_or_default();
        // A receipt that a power cut takes away costs one unit; what it vouches for is on the disk.
        write(&self.receipt_path(unit), &text, Wait::No)?;
        Ok(receipt)
    }

    /// Makes the result of what the units have given, and says what it is. All that are needed must be done.
    pub fn merge(&self) -> Result<Merged, WorkError> {
        let receipts = Receipts::new(self);
        let summary = self.work.job().merge(&receipts)?;
        let mut files = Vec::new();
        if self.work.job().keeps_units() {
            for unit in 0..self.work.units() {
                for file in receipts.get(unit)?.map(|receipt| receipt.files).unwrap_or_default() {
                    let path = self.path.join(&file.name);
                    let length = fs::metadata(&path).map_err(|error| WorkError::file(&path, error))?.len();
                    if length != file.bytes {
                        return Err(WorkError::Damaged(path));
                    }
                    files.push(file);
                }
            }
        }
        for (name, content) in &summary.files {
            write(&self.path.join(name), content, Wait::UntilOnDisk)?;
            files.push(FileSum::of(name, content));
        }
        let merged = Merged { plan: self.work.plan().clone(), about: summary.about, files };
        let sums: String =
            merged.files.iter().map(|file| format!("{}  {}\n", file.sha256, file.name)).collect();
        write(&self.path.join(SUMS), sums.as_bytes(), Wait::UntilOnDisk)?;
        let text = serde_json::to_string_pretty(&merged).unwrap_or_default() + "\n";
        write(&self.path.join(MANIFEST), text.as_bytes(), Wait::UntilOnDisk)?;
        Ok(merged)
    }

    fn receipt_path(&self, unit: u64) -> PathBuf {
        self.path.join(UNITS).join(format!("{unit:06}.json"))
    }
}

/// What units have given, read when it is asked for.
struct Receipts<'f> {
    folder: &'f Folder,
    read: RefCell<HashMap<u64, Receipt>>,
}

impl<'f> Receipts<'f> {
    fn new(folder: &'f Folder) -> Receipts<'f> {
        Receipts { folder, read: RefCell::default() }
    }

    fn get(&self, unit: u64) -> Result<Option<Receipt>, WorkError> {
        if let Some(receipt) = self.read.borrow().get(&unit) {
            return Ok(Some(receipt.clone()));
        }
        let receipt: Option<Receipt> = json(&self.folder.receipt_path(unit))?;
        if let Some(receipt) = &receipt {
            self.read.borrow_mut().insert(unit, receipt.clone());
        }
        Ok(receipt)
    }
}

impl Found for Receipts<'_> {
    fn note(&self, unit: u64) -> Result<Option<serde_json::Value>, WorkError> {
        Ok(self.get(unit)?.map(|receipt| receipt.note))
    }

    fn content(&self, unit: u64) -> Result<Vec<u8>, WorkError> {
        let units = self.folder.work.units();
        let receipt = self.get(unit)?.ok_or(WorkError::Unfinished { missing: 1, first: unit, units })?;
        let Some(file) = receipt.files.first() else { return Ok(Vec::new()) };
        let path = self.folder.path.join(&file.name);
        let content = fs::read(&path).map_err(|error| WorkError::file(&path, error))?;
        if file.fits(&content) { Ok(content) } else { Err(WorkError::Damaged(path)) }
    }
}

/// The files that a plan needs, as its folder keeps them.
fn inputs(path: &Path, plan: &Plan) -> Result<Inputs, WorkError> {
    let input = |input: &crate::Input| {
        let path = path.join(&input.file.name);
        let content = fs::read(&path).map_err(|error| WorkError::file(&path, error))?;
        if input.file.fits(&content) {
            Ok((input.name.clone(), content))
        } else {
            Err(WorkError::Damaged(path))
        }
    };
    plan.inputs.iter().map(input).collect()
}

/// The object in a file, if the file is there.
fn json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, WorkError> {
    let text = match fs::read(path) {
        // The power failed before the disk had it: as if it had not been written.
        Ok(text) if text.is_empty() => return Ok(None),
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(WorkError::file(path, error)),
    };
    serde_json::from_slice(&text).map(Some).map_err(|error| WorkError::Json { path: path.to_owned(), error })
}

/// Writes files into a folder, each whole or not at all, and waits until the disk has them. It is told of all of them at once: a disk
/// that serves several threads in one go takes hardly longer for three files than for one.
fn write_all(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), WorkError> {
    let write = |(name, content): &(String, Vec<u8>)| write(&folder.join(name), content, Wait::UntilOnDisk);
    let Some((first, others)) = files.split_first() else { return Ok(()) };
    thread::scope(|scope| {
        let others: Vec<_> = others.iter().map(|file| scope.spawn(move || write(file))).collect();
        let mut result = write(first);
        for other in others {
            let other = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            result = result.and(other);
        }
        result
    })
}

/// Whether to wait until the disk has what was written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    UntilOnDisk,
    No,
}

/// Writes a file so that it is there whole or not at all, whoever writes it at the same time.
fn write(path: &Path, content: &[u8], until: Wait) -> Result<(), WorkError> {
    let failed = |error| WorkError::file(path, error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    // A name of its own: several machines may be at the same unit, and what they write is the same.
    let own = RandomState::new().hash_one(std::process::id());
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{own:016x}.unfinished"));
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(content)?;
        if until == Wait::UntilOnDisk {
            file.sync_data()?;
        }
        fs::rename(&unfinished, path)
    };
    write().map_err(|error| {
        // The first error is what is told; a leftover is the lesser trouble.
        let _ = fs::remove_file(&unfinished);
        failed(error)
    })
}
