use clap::Args;
use emilia_engine::Candidate;
use emilia_protocol::Identity;
use emilia_protocol::gtp::{Letters, Server};

use crate::conversation::converse;
use crate::files::open_named;
use crate::{Failure, Streams};

/// Talk to other programs over GTP, version 2
///
/// Commands are read from standard input and answered on standard output until "quit" or the end of the input. Besides
/// the usual commands there are the rules extensions of GoGui and lz-analyze, which analyses until another command
/// comes. Rows count from the top, as everywhere in Othello.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia gtp                                         the strongest play
  emilia gtp --player alphabeta:depth=6,eval=kukreja
  printf 'play black f5\\ngenmove white\\n' | emilia gtp")]
pub(crate) struct Gtp {
    /// Who chooses the moves
    #[arg(long, value_name = "PLAYER", default_value = "emilia")]
    player: String,

    /// Think while the other side does; also "emilia-ponder on"
    #[arg(long)]
    ponder: bool,

    /// Leave out the letter I among the columns of boards beyond 8×8, as programs made for Go do
    #[arg(long)]
    skip_i: bool,
}

impl Gtp {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let candidate = Candidate::parse(&self.player, &open_named).map_err(Failure::usage)?;
        let identity =
            Identity { name: &super::spoken_name(&self.player), version: env!("CARGO_PKG_VERSION") };
        let letters = if self.skip_i { Letters::SkipI } else { Letters::Plain };
        let mut session = Server::new(identity).lettered(letters).pondering(self.ponder);
        converse(&mut session, vec![candidate.player(0)], streams)
    }
}
