//! Running the server: connections in, a clean end.

use std::fs::{File, TryLockError};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::Config;
use crate::analyst::Analysts;
use crate::app::{App, Connections, Peer, Shared, until_ending};
use crate::confine::Confinement;
use crate::connection::Connection;
use crate::games::Games;
use crate::library::Library;
use crate::memory::Memory;
use crate::metrics::Metrics;
use crate::player_cache::PlayerCache;
use crate::pool::Pool;
use crate::profile_tables::Room;
use crate::profiles::Profiles;
use crate::rate::Rates;
use crate::routes;
use crate::schema::StoreError;
use crate::store::Store;

/// Why the server cannot run.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen on {addr}: {error}")]
    Listen {
        /// Which address.
        addr: SocketAddr,
        /// What the system said.
        error: std::io::Error,
    },
    /// The folder for the games cannot be made.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// Which folder.
        folder: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Another server keeps its games in this folder.
    #[error("{}: another server keeps its games there", folder.display())]
    InUse {
        /// Which folder.
        folder: PathBuf,
    },
    /// The file with the games is empty, but what was written last is beside it.
    #[error("{}: is empty or missing although there are games in {} beside it; put it back or move both away", file.display(), log.display())]
    Emptied {
        /// The file with the games.
        file: PathBuf,
        /// What was written last.
        log: PathBuf,
    },
    /// The file with the games cannot be used.
    #[error("the file with the games: {0}")]
    Store(#[from] StoreError),
    /// The threads cannot be started.
    #[error("cannot start: {0}")]
    Runtime(std::io::Error),
}

/// Tells a running server to end.
#[derive(Clone, Debug)]
pub struct Handle(watch::Sender<bool>);

impl Handle {
    /// Ends the server soon: requests under way are answered, games are on disk.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Bytes that the program, its weights and its threads take without any game: measured, rather too many than too few.
const ALWAYS: u64 = 40 << 20;
/// Bytes that a game takes with those who look on, and games that are kept however little memory there is.
const BYTES_FOR_EACH_GAME: u64 = 16 << 10;
const FEWEST_GAMES: usize = 500;
/// Longest that open requests may take after the server was told to end.
const FAREWELL: Duration = Duration::from_secs(3);
/// Longest that a client may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often games are looked through for those that nobody needs, at least.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// Runs the server until its handle, Ctrl-C or the system says stop. `ready` is told the address when it answers.
pub fn serve(config: Config, ready: impl FnOnce(SocketAddr, Handle)) -> Result<(), ServeError> {
    Listener::bind(config)?.serve(ready)
}

/// A server that listens, and does not answer yet.
#[derive(Debug)]
pub struct Listener {
    config: Config,
    socket: std::net::TcpListener,
    addr: SocketAddr,
    /// Held until the end: the system lets go of it even after a crash.
    _lock: Option<File>,
}

impl Listener {
    /// Takes the folder and the port.
    pub fn bind(config: Config) -> Result<Listener, ServeError> {
        let lock = config.data.as_deref().map(take_folder).transpose()?;
        let unusable = |error| ServeError::Listen { addr: config.addr, error };
        let socket = bind(config.addr, config.ports).map_err(unusable)?;
        socket.set_nonblocking(true).map_err(unusable)?;
        let addr = socket.local_addr().map_err(unusable)?;
        Ok(Listener { config, socket, addr, _lock: lock })
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Gives up whatever the server does not need from now on: writing outside its folder, connecting to anybody, and
    /// starting programs. That concerns the whole process, and there must not be other threads yet.
    pub fn confine(&self) -> Confinement {
        Confinement::begin(self.config.data.as_deref())
    }

    /// Runs the server until its handle, Ctrl-C or the system says stop. `ready` is told the address when it answers.
    pub fn serve(self, ready: impl FnOnce(SocketAddr, Handle)) -> Result<(), ServeError> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(ServeError::Runtime)?;
        let result = runtime.block_on(run(self, ready));
        // Searches stop by themselves; nobody waits for them.
        runtime.shutdown_timeout(Duration::from_millis(100));
        result
    }
}

async fn run(listener: Listener, ready: impl FnOnce(SocketAddr, Handle)) -> Result<(), ServeError> {
    let Listener { config, socket, addr, _lock } = listener;
    let listener = TcpListener::from_std(socket).map_err(ServeError::Runtime)?;
    let file = config.data.as_deref().map(database).transpose()?;
    let (heavy, most) = shares(&config);
    let (store, unfinished, writer) = Store::open(file.as_deref(), most)?;
    let (end, mut ending) = watch::channel(false);
    let metrics: Arc<Metrics> = Arc::default();
    let pool = Pool::new(config.threads, heavy, Arc::clone(&metrics));
    let players = PlayerCache::new(Memory::new(heavy));
    let counted = Arc::clone(&metrics);
    let kept = config.limits.finished_kept;
    let games = Games::new(store.clone(), pool.clone(), players.clone(), counted, most, kept);
    games.restore(&unfinished);
    tracing::info!(%addr, games = unfinished.len(), threads = config.threads, "listening");
    let room = Room { profiles: config.limits.profiles, cards: config.limits.cards };
    let app: Shared = Arc::new(App {
        profiles: Profiles::new(store.clone(), room),
        store: store.clone(),
        rates: Rates::new(&config.limits),
        connections: Connections::default(),
        ending: ending.clone(),
        players,
        analysts: Analysts::default(),
        library: Arc::new(Library::new(config.data.as_deref())),
        config,
        games: games.clone(),
        pool,
        metrics,
    });
    ready(addr, Handle(end.clone()));
    let sweeper = tokio::spawn(async move {
        loop {
            tokio::time::sleep(SWEEP_EVERY.min(kept / 4)).await;
            games.sweep();
        }
    });
    let signals = tokio::spawn(async move {
        signal().await;
        end.send_replace(true);
    });
    let mut connections = JoinSet::new();
    let router = routes::router(Arc::clone(&app));
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    connections.spawn(serve_connection(Arc::clone(&app), router.clone(), stream, peer));
                }
                Err(error) => {
                    // Out of file descriptors, usually: others have to hang up first.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            Some(_) = connections.join_next() => {}
            () = until_ending(&mut ending) => break,
        }
    }
    tracing::info!("ending");
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, async { while connections.join_next().await.is_some() {} }).await;
    connections.shutdown().await;
    sweeper.abort();
    signals.abort();
    store.close();
    let _ = tokio::task::spawn_blocking(move || writer.join()).await;
    tracing::info!("ended");
    Ok(())
}

/// How the memory is shared: bytes for heavy work, and games that are kept.
fn shares(config: &Config) -> (u64, usize) {
    let shared = config.memory.saturating_sub(ALWAYS);
    let heavy = shared / 4 * 3;
    let room = usize::try_from((shared - heavy) / BYTES_FOR_EACH_GAME).unwrap_or(usize::MAX);
    (heavy, config.limits.games_kept.min(room.max(FEWEST_GAMES)))
}

/// Makes the folder for the games, and sees to it that no other server uses it at the same time.
fn take_folder(folder: &Path) -> Result<File, ServeError> {
    let failed = |error| ServeError::Folder { folder: folder.to_owned(), error };
    make_folder(folder).map_err(failed)?;
    let lock = File::create(folder.join("emilia.lock")).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(ServeError::InUse { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Makes a folder, with those above it, so that it is still there after a power cut: a new name is certain only when the
/// folder that holds it was synced.
pub(crate) fn make_folder(folder: &Path) -> std::io::Result<()> {
    let new: Vec<&Path> = folder.ancestors().take_while(|path| !path.exists()).collect();
    std::fs::create_dir_all(folder)?;
    if cfg!(unix) {
        for parent in new.iter().filter_map(|path| path.parent()) {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            File::open(parent)?.sync_all()?;
        }
    }
    Ok(())
}

/// The file with the games in this folder. SQLite takes an empty file for a new one and throws away what is in its
/// log, so that a file that was emptied or lost is noticed here.
fn database(folder: &Path) -> Result<PathBuf, ServeError> {
    let [file, log] = ["emilia.sqlite", "emilia.sqlite-wal"].map(|name| folder.join(name));
    let has_content = |path: &Path| std::fs::metadata(path).is_ok_and(|found| found.len() > 0);
    if !has_content(&file) && has_content(&log) {
        return Err(ServeError::Emptied { file, log });
    }
    Ok(file)
}

/// Listens on this port, or on the next free one of so many.
fn bind(addr: SocketAddr, ports: u16) -> std::io::Result<std::net::TcpListener> {
    use std::net::TcpListener;
    let last = addr.port().saturating_add(ports.saturating_sub(1));
    for port in addr.port()..last {
        match TcpListener::bind(SocketAddr::new(addr.ip(), port)) {
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {}
            other => return other,
        }
    }
    TcpListener::bind(SocketAddr::new(addr.ip(), last))
}

/// Talks to one client until it hangs up.
async fn serve_connection(app: Shared, router: Router, stream: TcpStream, peer: SocketAddr) {
    let (limits, address) = (app.config.limits, peer.ip().to_canonical());
    // All connections of a public server are those of its proxy.
    let each = match &app.config.public {
        Some(public) if !public.proxies.contains(&address) => {
            tracing::debug!(%address, "this is not the proxy");
            return;
        }
        Some(_) => limits.connections,
        None => limits.connections_each,
    };
    let Some(_permit) = app.connections.enter(address, each, limits.connections) else { return };
    let _counted = app.metrics.connections.hold();
    // Moves are small and wanted at once.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router.layer(axum::Extension(Peer(address))));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(Connection::new(stream, limits.unread)), service)
        .with_upgrades();
    tokio::pin!(connection);
    let mut ending = app.ending.clone();
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = until_ending(&mut ending) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a connection broke");
    }
}

/// Waits until somebody presses Ctrl-C or the system asks us to end.
async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // Without signals only the handle ends the server.
        std::future::pending::<()>().await;
    }
}
