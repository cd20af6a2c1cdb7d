use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use emilia_eval::Learned;
use emilia_server::{Config, ServeError, serve};
use tracing_subscriber::filter::LevelFilter;

use crate::{Failure, Streams};

/// Serve the web page: play, watch and analyse in a browser
///
/// Everything is inside this program; nothing is fetched from the network. Games are kept on disk and go on after a
/// restart. Only this machine can connect unless another address is given. Ctrl-C ends the server.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia serve                             on http://127.0.0.1:8000
  emilia serve --addr 0.0.0.0:8000         for everybody in the house
  emilia serve --ephemeral --no-open       games in memory, no browser")]
pub(crate) struct Serve {
    /// Where to listen; port 0 takes any free one [default: 127.0.0.1:8000, or the next port that is free]
    #[arg(long, value_name = "ADDRESS")]
    addr: Option<SocketAddr>,

    /// Open the page in a browser; the usual in a terminal
    #[arg(long, overrides_with = "no_open")]
    open: bool,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,

    /// Folder for the games; the user's data folder if nothing is said
    #[arg(long, value_name = "DIR", conflicts_with = "ephemeral")]
    data: Option<PathBuf>,

    /// Keep games in memory only
    #[arg(long)]
    ephemeral: bool,

    /// Searches that run at the same moment; one for each core if nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Megabytes of memory that the server may take; when they are taken, new work is refused and players of games
    /// get less [default: a quarter of the machine, at most 1024]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(64..=1 << 20))]
    memory: Option<u64>,

    /// Another name by which browsers call this machine; can be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// How much to tell on stderr: off, error, warn, info, debug
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log: LevelFilter,
}

/// The user's data folder is not known.
#[derive(Debug, thiserror::Error)]
#[error("there is no folder for data on this system; give one with --data, or --ephemeral")]
struct NoDataFolder;

impl Serve {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mut config = Config::ephemeral();
        match self.addr {
            Some(addr) => config.addr = addr,
            None => config.ports = PORTS,
        }
        config.hosts = self.hosts;
        if let Some(threads) = self.threads {
            config.threads = threads.into();
        }
        config.memory = self.memory.map_or_else(usual_memory, |megabytes| megabytes << 20);
        let own_folder = self.data.is_some();
        if !self.ephemeral {
            let folder = self.data.or_else(data_folder);
            config.data = Some(folder.ok_or_else(|| Failure::usage(NoDataFolder))?);
        }
        // Somebody else may have set up the log already; then that one is used.
        let _ = tracing_subscriber::fmt()
            .with_max_level(self.log)
            .with_writer(std::io::stderr)
            .with_ansi(streams.color)
            .try_init();
        // The first game need not wait until the weights are unpacked.
        std::thread::spawn(Learned::embedded);
        let open = self.open || (!self.no_open && streams.interactive);
        match listen(config.clone(), open, streams) {
            Err(Stopped::Serve(ServeError::InUse { folder })) if !own_folder => {
                writeln!(
                    streams.err,
                    "another Emilia keeps its games in {}; those of this one are in memory only",
                    folder.display()
                )?;
                config.data = None;
                Ok(listen(config, open, streams)?)
            }
            other => Ok(other?),
        }
    }
}

/// A quarter of the machine, as far as the system tells how much it has, and at most 1 GiB.
fn usual_memory() -> u64 {
    const MOST: u64 = 1 << 30;
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes =
        |line: &str| line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok();
    told.lines().find_map(kibibytes).map_or(MOST, |total| ((total / 4) << 10).min(MOST))
}

/// Ports that are tried if none is asked for.
const PORTS: u16 = 20;

/// Why the server ended although nobody asked it to.
enum Stopped {
    Serve(ServeError),
    Print(std::io::Error),
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Failure {
        match stopped {
            Stopped::Serve(error) => Failure::failed(error),
            Stopped::Print(error) => error.into(),
        }
    }
}

/// Runs the server and says where it is.
fn listen(config: Config, open: bool, streams: &mut Streams<'_>) -> Result<(), Stopped> {
    let wanted = config.addr.port();
    let mut printed = Ok(());
    let served = serve(config, |addr, _| {
        if wanted != 0 && addr.port() != wanted {
            let _ = writeln!(streams.err, "port {wanted} is taken, so port {} is used", addr.port());
        }
        printed = writeln!(streams.out, "http://{}", spelled(addr)).and_then(|()| streams.out.flush());
        if open {
            open_browser(&format!("http://{}", spelled(addr)));
        }
    });
    printed.map_err(Stopped::Print)?;
    served.map_err(Stopped::Serve)
}

/// An address that a browser on this machine can open.
fn spelled(addr: SocketAddr) -> String {
    if addr.ip().is_unspecified() { format!("localhost:{}", addr.port()) } else { addr.to_string() }
}

/// Where programs keep their data for this user.
fn data_folder() -> Option<PathBuf> {
    let folder =
        |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA").or_else(|| folder("APPDATA"))
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("emilia"))
}

/// Asks the system to show the page. Without a browser the printed address has to do.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let _ = Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}
