use clap::Args;
use emilia_engine::Candidate;
use emilia_protocol::nboard::Server;

use crate::conversation::converse;
use crate::files::open_named;
use crate::{Failure, Streams};

/// Talk to NBoard and programs like it
///
/// Versions 1 and 2 of the protocol. A ping ends whatever is being thought about; "set depth" sets the level of Emilia
/// herself, while other players keep to their settings.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia nboard                     the strongest play
  emilia nboard --player s3         one of the textbook players
  printf 'nboard 2\\nset depth 8\\ngo\\n' | emilia nboard")]
pub(crate) struct NBoard {
    /// Who chooses the moves
    #[arg(long, value_name = "PLAYER", default_value = "emilia")]
    player: String,

    /// Think while the other side does
    #[arg(long)]
    ponder: bool,
}

impl NBoard {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let candidate = Candidate::parse(&self.player, &open_named).map_err(Failure::usage)?;
        let mut session = Server::new(&super::spoken_name(&self.player)).pondering(self.ponder);
        converse(&mut session, vec![candidate.player(0)], streams)
    }
}
