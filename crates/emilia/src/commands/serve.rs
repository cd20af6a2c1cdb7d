use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use clap::Args;
use emilia_eval::Learned;
use emilia_server::{Config, InvitationError, Limits, Listener, Public, ServeError};
use tracing_subscriber::filter::LevelFilter;

use super::{health, window};
use crate::{Failure, Streams};

/// Serve the web page: play, watch and analyse in a browser
///
/// Everything is inside this program; nothing is fetched from the network. Games are kept on disk and go on after a
/// restart. Only this machine can connect unless another address is given. Once it listens, the server can write to
/// its folder only and start no programs, where Linux sees to that. Ctrl-C ends the server.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia serve                             on http://127.0.0.1:8000
  emilia serve --window                    in a window of its own, until it is closed
  emilia serve --addr 0.0.0.0:8000         for everybody in the house
  emilia serve --ephemeral --no-open       games in memory, no browser
  emilia serve --public --host othello.example --proxy 127.0.0.1 --invitations /etc/emilia/invitations
                                           for strangers, behind a proxy that speaks TLS

docs/server.md says how to run a server for others.")]
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

    /// Open the page in a window of its own, without the bars of a browser (Chromium, Chrome, Edge, Brave or Vivaldi; any
    /// other browser if there is none of these), and end when it is closed. If Emilia runs already, it gets another window
    #[arg(long, conflicts_with_all = ["open", "no_open", "public"])]
    window: bool,

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
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(128..=1 << 20))]
    memory: Option<u64>,

    /// Another name by which browsers call this machine; can be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// For strangers: all come through a proxy that speaks TLS, heavy work needs an invitation, limits are tight.
    /// Needs --host, --proxy and --invitations
    #[arg(long)]
    public: bool,

    /// The address of the proxy, which alone may connect and is believed whom it names in X-Forwarded-For; can be given
    /// several times
    #[arg(long = "proxy", value_name = "ADDRESS", requires = "public")]
    proxies: Vec<IpAddr>,

    /// A file with secrets, one a line: who opens the link /invitation/SECRET may ask for heavy work
    #[arg(long, value_name = "FILE", requires = "public")]
    invitations: Option<PathBuf>,

    /// How much to tell on stderr: off, error, warn, info, debug
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log: LevelFilter,
}

/// The user's data folder is not known.
#[derive(Debug, thiserror::Error)]
#[error("there is no folder for data on this system; give one with --data, or --ephemeral")]
struct NoDataFolder;

/// A server for strangers that lacks something.
#[derive(Debug, thiserror::Error)]
enum NotPublic {
    #[error("--public needs {0}; docs/server.md says why")]
    Lacks(String),
    #[error("{}: line {line}: {error}", file.display())]
    Line { file: PathBuf, line: usize, error: InvitationError },
    #[error("{}: there is no invitation in it", file.display())]
    Empty { file: PathBuf },
}

impl Serve {
    /// What a server for strangers needs, if it is to be one.
    fn public(&self) -> Result<Option<Public>, Failure> {
        if !self.public {
            return Ok(None);
        }
        let needed = [
            (self.hosts.is_empty(), "--host with the name that browsers use"),
            (self.proxies.is_empty(), "--proxy with the address of the proxy that speaks TLS"),
            (self.invitations.is_none(), "--invitations with a file of secrets"),
        ];
        let lacks: Vec<&str> = needed.iter().filter(|(lacks, _)| *lacks).map(|(_, what)| *what).collect();
        let Some(file) = self.invitations.as_ref().filter(|_| lacks.is_empty()) else {
            return Err(Failure::usage(NotPublic::Lacks(lacks.join(", and "))));
        };
        let text = std::fs::read_to_string(file).map_err(|error| Failure::file(file, error))?;
        let lines = (1..).zip(text.lines().map(str::trim));
        let secrets = lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
        let wrong = |line, error| Failure::usage(NotPublic::Line { file: file.clone(), line, error });
        let invitations = secrets
            .map(|(line, text)| text.parse().map_err(|error| wrong(line, error)))
            .collect::<Result<Vec<_>, _>>()?;
        if invitations.is_empty() {
            return Err(Failure::usage(NotPublic::Empty { file: file.clone() }));
        }
        let proxies = self.proxies.iter().map(IpAddr::to_canonical).collect();
        Ok(Some(Public { proxies, invitations }))
    }

    /// Where the page is to be seen.
    fn view(&self, interactive: bool) -> View {
        if self.window {
            return View::Window;
        }
        let browser = self.open || (!self.no_open && !self.public && interactive);
        if browser { View::Browser } else { View::Nowhere }
    }

    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let view = self.view(streams.interactive);
        let usual = self.addr.unwrap_or(health::USUAL_ADDRESS);
        if view == View::Window && health::ask(usual).is_ok() {
            view.open(usual);
            return Ok(());
        }
        let mut config = Config::ephemeral();
        config.public = self.public()?;
        if config.public.is_some() {
            config.limits = Limits::public();
        }
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
        match listen(config.clone(), view, streams) {
            Err(Stopped::Serve(ServeError::InUse { folder })) if !own_folder => {
                writeln!(
                    streams.err,
                    "another Emilia keeps its games in {}; those of this one are in memory only",
                    folder.display()
                )?;
                config.data = None;
                Ok(listen(config, view, streams)?)
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

/// Where the page is to be seen once the server answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Nowhere,
    Browser,
    Window,
}

impl View {
    /// Opens the page of the server at this address; the window, if it is one whose end can be waited for.
    fn open(self, addr: SocketAddr) -> Option<Child> {
        let address = format!("http://{}", spelled(addr));
        let folder = data_folder().map(|folder| folder.join("window"));
        let window = if self == View::Window { window::open(&address, folder.as_deref()) } else { None };
        if self != View::Nowhere && window.is_none() {
            open_browser(&address);
        }
        window
    }
}

/// Runs the server and says where it is.
fn listen(config: Config, view: View, streams: &mut Streams<'_>) -> Result<(), Stopped> {
    let wanted = config.addr.port();
    let listener = Listener::bind(config).map_err(Stopped::Serve)?;
    // The browser is a program too, so it is called before none can be started any more.
    let window = view.open(listener.addr());
    listener.confine();
    // The first game need not wait until the weights are unpacked.
    std::thread::spawn(Learned::embedded);
    let mut printed = Ok(());
    let served = listener.serve(|addr, server| {
        if let Some(mut window) = window {
            std::thread::spawn(move || {
                let _ = window.wait();
                server.stop();
            });
        }
        if wanted != 0 && addr.port() != wanted {
            let _ = writeln!(streams.err, "port {wanted} is taken, so port {} is used", addr.port());
        }
        printed = writeln!(streams.out, "http://{}", spelled(addr)).and_then(|()| streams.out.flush());
    });
    printed.map_err(Stopped::Print)?;
    served.map_err(Stopped::Serve)
}

/// An address that a browser on this machine can open.
fn spelled(addr: SocketAddr) -> String {
    if addr.ip().is_unspecified() { format!("localhost:{}", addr.port()) } else { addr.to_string() }
}

/// Where programs keep their data for this user.
pub(super) fn data_folder() -> Option<PathBuf> {
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
