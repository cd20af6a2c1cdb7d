use std::num::NonZeroUsize;

use clap::Args;
use emilia_engine::{Candidate, Player};
use emilia_protocol::Identity;
use emilia_protocol::jsonl::Desk;

use crate::conversation::converse;
use crate::files::open_named;
use crate::{Failure, Streams};

/// Answer questions about positions, as JSON lines
///
/// Each line of the input is a question about one or several turns of a game, or an action such as cancel; each line
/// of the output is a report, a final answer or an error. Questions may be asked without waiting for answers. At the
/// end of the input all that was asked is still answered. docs/protocol.md describes the messages.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia jsonl --workers 4 < questions.jsonl > answers.jsonl
  echo '{\"id\":\"a\",\"moves\":\"f5d6c3\",\"level\":10,\"lines\":3}' | emilia jsonl")]
pub(crate) struct Jsonl {
    /// Who judges the positions
    #[arg(long, value_name = "PLAYER", default_value = "emilia")]
    player: String,

    /// Turns that are judged at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    workers: NonZeroUsize,
}

impl Jsonl {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        /// More workers than any machine has use for.
        const MOST_WORKERS: usize = 1024;
        let candidate = Candidate::parse(&self.player, &open_named).map_err(Failure::usage)?;
        let workers = self.workers.get().min(MOST_WORKERS);
        let players: Vec<Box<dyn Player>> =
            (0..workers).map(|number| candidate.player(number as u64)).collect();
        let identity =
            Identity { name: &super::spoken_name(&self.player), version: env!("CARGO_PKG_VERSION") };
        converse(&mut Desk::new(identity, workers), players, streams)
    }
}
