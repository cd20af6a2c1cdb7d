//! Othello over HTTP and WebSocket: games that survive a crash, computer players, analysis, and the web page.
//!
//! [`serve`] runs the whole server until it is told to stop. `docs/api.md` describes what it answers. Inside, a
//! `GameState` is one game with its seats, `Games` holds all of them, the `Store` writes them to disk, and the `Pool`
//! lets every computer player think in turn.
//!
//! ```
//! use std::io::{Read, Write};
//! use emilia_server::{serve, Config};
//!
//! let config = Config { addr: "127.0.0.1:0".parse()?, ..Config::ephemeral() };
//! serve(config, |addr, handle| {
//!     std::thread::spawn(move || {
//!         let mut stream = std::net::TcpStream::connect(addr).unwrap();
//!         stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
//!         let mut answer = String::new();
//!         stream.read_to_string(&mut answer).unwrap();
//!         assert!(answer.starts_with("HTTP/1.1 200 OK"));
//!         handle.stop();
//!     });
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod analyst;
mod app;
mod attempt_tables;
mod config;
mod confine;
mod connection;
mod error;
mod games;
mod insight_tables;
mod library;
mod listen;
mod live_game;
mod memory;
mod metrics;
mod middleware;
mod move_job;
mod openings_folder;
mod page;
mod player_cache;
mod pool;
mod profile_tables;
mod profiles;
mod rate;
mod routes;
mod schema;
mod store;
mod study_tables;
mod time;
mod visitor;

pub use config::{Config, Limits};
pub use confine::Confinement;
pub use emilia_service::explored::{Explored, ExploredGame, ExploredMove, TallyAnswer, ValueAnswer};
pub use emilia_service::openings::TOURNAMENTS;
use emilia_service::{answers, catalogue, game, names, request_error, review, token};
pub use library::{Library, LibraryError, MY_GAMES, Opened, SELF_PLAY};
pub use listen::{Handle, Listener, ServeError, serve};
pub use openings_folder::{OpeningsFolder, OpeningsLock};
pub use schema::StoreError;
pub use visitor::{Invitation, InvitationError, Public};
