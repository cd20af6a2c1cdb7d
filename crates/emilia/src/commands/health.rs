use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use clap::Args;
use serde::Deserialize;

use crate::{Failure, Streams};

/// Ask a running server whether it is well
///
/// Prints `ok`. The exit status is 1 if no server of Emilia answers there, or if it cannot write to its disk: what the
/// health check of a container or a monitor needs, where no other program is at hand.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia health                            the server at 127.0.0.1:8000
  emilia health 127.0.0.1:8001")]
pub(crate) struct Health {
    /// Where it listens
    #[arg(value_name = "ADDRESS", default_value_t = USUAL_ADDRESS)]
    address: SocketAddr,
}

/// Where a server listens if nothing else is said.
pub(super) const USUAL_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8000);

/// A server that is well answers within milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Longer than the answer ever is.
const LONGEST: u64 = 10_000;

/// Why a server cannot be said to be well.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unwell {
    #[error("no server answers at {address}: {error}")]
    Silent { address: SocketAddr, error: std::io::Error },
    #[error("what answers at {address} is no server of Emilia")]
    Stranger { address: SocketAddr },
    #[error("the server at {address} is {status}: it cannot write to its disk")]
    Degraded { address: SocketAddr, status: String },
}

/// What a server says of itself.
#[derive(Deserialize)]
struct Answer {
    status: String,
    #[serde(rename = "games")]
    _games: u64,
}

impl Health {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        ask(self.address).map_err(Failure::failed)?;
        Ok(writeln!(streams.out, "ok")?)
    }
}

/// Asks the server at this address whether it is well.
pub(super) fn ask(address: SocketAddr) -> Result<(), Unwell> {
    let text = answer(address).map_err(|error| Unwell::Silent { address, error })?;
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    match serde_json::from_str::<Answer>(body) {
        Ok(answer) if answer.status == "ok" => Ok(()),
        Ok(answer) => Err(Unwell::Degraded { address, status: answer.status }),
        Err(_) => Err(Unwell::Stranger { address }),
    }
}

fn answer(address: SocketAddr) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // In this version of HTTP the answer comes in one piece, and then the connection is closed.
    stream.write_all(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
    let mut text = Vec::new();
    stream.take(LONGEST).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
