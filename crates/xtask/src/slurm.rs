//! A Slurm cluster of one machine, with Slurm's own daemons, that runs an array of work units by the script of the
//! documentation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::chore::{ChoreError, capture, command, root, show};
use crate::web;

/// Where the cluster keeps everything.
const HOME: &str = "target/slurm";
/// Longest that daemons may take to come up, or the array to run: only what never ends takes longer.
const LONGEST: Duration = Duration::from_secs(300);
/// The plan that is run, of five units.
const TASK: [&str; 9] = ["selfplay", "--games", "20", "--shard", "4", "--depth", "4", "--exact-from", "10"];

/// Daemons that are ended with the chore.
struct Daemons(Vec<Child>);

impl Drop for Daemons {
    fn drop(&mut self) {
        for daemon in self.0.iter_mut().rev() {
            // One that has ended by itself is just as well.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Runs an array on such a cluster, and compares the result with that of one process.
pub fn run() -> Result<(), ChoreError> {
    if !web::works("slurmctld") && capture(&mut command("slurmctld", &["-V"])).is_err() {
        web::install(&["slurmctld", "slurmd", "slurm-client", "munge"]);
    }
    let home = root().join(HOME);
    if home.exists() {
        fs::remove_dir_all(&home).map_err(failed)?;
    }
    fs::create_dir_all(home.join("state")).map_err(failed)?;
    let home = fs::canonicalize(home).map_err(failed)?;
    show(&mut command("cargo", &["build", "--quiet", "--package", "emilia"]))?;
    let emilia = fs::canonicalize(root().join("target/debug/emilia")).map_err(failed)?;
    let config = configure(&home)?;
    let _daemons = start(&home, &config)?;
    for folder in ["array", "alone"] {
        let folder = home.join(folder);
        show(Command::new(&emilia).args(["work", "plan"]).arg(&folder).args(TASK))?;
    }
    show(Command::new(&emilia).args(["work", "run", "--all", "--dir"]).arg(home.join("alone")))?;
    submit(&home, &config, &emilia)?;
    for folder in ["array", "alone"] {
        show(Command::new(&emilia).args(["work", "merge"]).arg(home.join(folder)))?;
    }
    let sums = |folder: &str| fs::read_to_string(home.join(folder).join("SHA256SUMS")).map_err(failed);
    if sums("array")? == sums("alone")? {
        println!("the array of jobs and one process have made the same files");
        return Ok(());
    }
    Err(ChoreError::Missing { what: "the array of jobs has made other files than one process".to_owned() })
}

fn failed(error: std::io::Error) -> ChoreError {
    ChoreError::File { file: HOME.to_owned(), error }
}

/// A cluster of this machine alone, with ports and a key of its own.
fn configure(home: &Path) -> Result<PathBuf, ChoreError> {
    let name = String::from_utf8_lossy(&capture(&mut command("hostname", &["-s"]))?.stdout).trim().to_owned();
    let at = home.display();
    let text = format!(
        "ClusterName=emilia\nSlurmctldHost={name}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
         AuthType=auth/munge\nAuthInfo=socket={at}/munge.socket\nSlurmctldPort=16817\nSlurmdPort=16818\n\
         StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\nSlurmctldPidFile={at}/slurmctld.pid\n\
         SlurmdPidFile={at}/slurmd.pid\nSlurmctldLogFile={at}/slurmctld.log\nSlurmdLogFile={at}/slurmd.log\n\
         ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n\
         SelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\n\
         NodeName={name} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\nPartitionName=all Nodes=ALL Default=YES State=UP\n"
    );
    let config = home.join("slurm.conf");
    fs::write(&config, text).map_err(failed)?;
    Ok(config)
}

/// Starts the daemons and waits until there is a machine for jobs.
fn start(home: &Path, config: &Path) -> Result<Daemons, ChoreError> {
    let at = home.display();
    // Any bytes that differ from run to run: the key keeps nobody out of a cluster that nobody else can reach.
    let key: Vec<u8> = (0..1024u32)
        .map(|at| (at ^ std::process::id()).wrapping_mul(2_654_435_761).to_le_bytes()[3])
        .collect();
    fs::write(home.join("munge.key"), key).map_err(failed)?;
    show(&mut command("chmod", &["600", &format!("{at}/munge.key")]))?;
    let munge: Vec<String> = [
        "key-file=munge.key",
        "socket=munge.socket",
        "pid-file=munged.pid",
        "log-file=munged.log",
        "seed-file=munge.seed",
    ]
    .iter()
    .filter_map(|option| option.split_once('='))
    .map(|(option, file)| format!("--{option}={at}/{file}"))
    .collect();
    let mut daemons = Daemons(Vec::new());
    for (program, words) in [
        ("munged", [&["--force".to_owned(), "--foreground".to_owned()], &munge[..]].concat()),
        ("slurmctld", vec!["-D".to_owned()]),
        ("slurmd", vec!["-D".to_owned()]),
    ] {
        let mut daemon = Command::new(program);
        daemon.args(words).env("SLURM_CONF", config).stdout(Stdio::null()).stderr(Stdio::null());
        let started =
            daemon.spawn().map_err(|error| ChoreError::Start { program: program.to_owned(), error })?;
        daemons.0.push(started);
        if program == "munged" {
            until("munged is up", || Ok(home.join("munge.socket").exists()))?;
        }
    }
    until("there is a machine for jobs", || {
        let mut sinfo = command("sinfo", &["--noheader", "--format=%t"]);
        let state = capture(sinfo.env("SLURM_CONF", config))?;
        Ok(String::from_utf8_lossy(&state.stdout).trim() == "idle")
    })?;
    Ok(daemons)
}

/// Submits the script of the documentation as an array, and waits for it.
fn submit(home: &Path, config: &Path, emilia: &Path) -> Result<(), ChoreError> {
    let page = fs::read_to_string(root().join("docs/cluster.md")).map_err(failed)?;
    let script = page.split("```bash\n").nth(1).and_then(|rest| rest.split("```").next());
    let script =
        script.ok_or_else(|| ChoreError::Missing { what: "docs/cluster.md has no job script".to_owned() })?;
    fs::write(home.join("emilia.sbatch"), script).map_err(failed)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let here = emilia.parent().map(Path::to_owned).into_iter();
    let path = std::env::join_paths(here.chain(std::env::split_paths(&path))).unwrap_or(path);
    let mut sbatch = Command::new("sbatch");
    sbatch.args(["--array=0-4%2", "--wait", "emilia.sbatch", "array"]).current_dir(home);
    let mut waiting = sbatch
        .env("SLURM_CONF", config)
        .env("PATH", path)
        .spawn()
        .map_err(|error| ChoreError::Start { program: "sbatch".to_owned(), error })?;
    until("the array of jobs has run", || Ok(waiting.try_wait().map_err(failed)?.is_some()))
}

/// Waits until something is so.
fn until(what: &str, mut so: impl FnMut() -> Result<bool, ChoreError>) -> Result<(), ChoreError> {
    let begin = Instant::now();
    while !so()? {
        if begin.elapsed() > LONGEST {
            return Err(ChoreError::Missing { what: format!("in vain: {what}") });
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
