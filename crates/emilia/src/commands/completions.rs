use clap::Args;
use clap_complete::Shell;

use crate::{Failure, Streams};

/// Print a completion script for your shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia completions bash > ~/.local/share/bash-completion/completions/emilia
  emilia completions zsh > ~/.zfunc/_emilia
  emilia completions fish > ~/.config/fish/completions/emilia.fish")]
pub(crate) struct Completions {
    /// The shell that is to complete
    pub(crate) shell: Shell,
}

impl Completions {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::command(), "emilia", &mut script);
        streams.out.write_all(&script)?;
        Ok(())
    }
}
