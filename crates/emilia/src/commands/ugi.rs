use clap::Args;
use emilia_engine::Candidate;
use emilia_protocol::ugi::Server;

use crate::conversation::converse;
use crate::files::open_named;
use crate::{Failure, Streams};

/// Talk to other programs over UGI, the Universal Game Interface
///
/// What chess programs speak, for Othello: player 1 is Black, a pass is 0000, scores are hundredths of a disc.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia ugi                           the strongest play
  emilia ugi --player mcts:playouts=5000
  printf 'position startpos moves f5\\ngo depth 8\\n' | emilia ugi")]
pub(crate) struct Ugi {
    /// Who chooses the moves
    #[arg(long, value_name = "PLAYER", default_value = "emilia")]
    player: String,

    /// Think while the other side does, also where the other side never says "go ponder"
    #[arg(long)]
    ponder: bool,
}

impl Ugi {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let candidate = Candidate::parse(&self.player, &open_named).map_err(Failure::usage)?;
        let mut session = Server::new(&super::spoken_name(&self.player)).pondering(self.ponder);
        converse(&mut session, vec![candidate.player(0)], streams)
    }
}
