//! Players that are other programs: started here, asked over a protocol, never left behind.

mod guard;
#[cfg(target_os = "linux")]
mod keeper;
mod player;
mod process;

use std::time::Duration;

use emilia_protocol::{Client, gtp, nboard, ugi};

use crate::PlayerError;
#[cfg(target_os = "linux")]
pub use keeper::keep_program;
pub(crate) use player::OutsidePlayer;

/// Another program that plays: what it speaks and how it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    protocol: Protocol,
    command: Vec<String>,
    /// How long it may be late before it counts as hung.
    pub(crate) grace: Duration,
}

/// How long other programs may be late unless somebody says otherwise.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    Gtp,
    NBoard,
    Ugi,
}

impl Program {
    /// Reads `gtp:COMMAND`, `nboard:COMMAND` or `ugi:COMMAND`. Nothing if it is another kind of player.
    pub(crate) fn parse(text: &str) -> Option<Result<Program, PlayerError>> {
        let (kind, command) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let protocol = match kind.trim().to_ascii_lowercase().as_str() {
            "gtp" => Protocol::Gtp,
            "nboard" => Protocol::NBoard,
            "ugi" => Protocol::Ugi,
            _ => return None,
        };
        let words = split(command).ok_or_else(|| PlayerError::OpenQuote(command.trim().to_owned()));
        Some(words.and_then(|command| match command.is_empty() {
            true => Err(PlayerError::NoCommand(kind.trim().to_ascii_lowercase())),
            false => Ok(Program { protocol, command, grace: GRACE }),
        }))
    }

    fn client(&self) -> Box<dyn Client> {
        match self.protocol {
            Protocol::Gtp => Box::new(gtp::Client::new()),
            Protocol::NBoard => Box::new(nboard::Client::new()),
            Protocol::Ugi => Box::new(ugi::Client::new()),
        }
    }
}

/// The words of a command line: separated by blanks, which quotes or a backslash keep together. Nothing if a quote is
/// left open.
fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(letters.next()),
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_apart_as_in_a_shell() {
        let words = |text| split(text).unwrap();
        assert_eq!(words(" edax  -gtp -l 5 "), ["edax", "-gtp", "-l", "5"]);
        assert_eq!(words(r#"'my edax' "a \"b\"" c\ d ''"#), ["my edax", "a \"b\"", "c d", ""]);
        assert_eq!(split("'open"), None);
    }

    #[test]
    fn only_three_kinds_are_programs() {
        assert!(Program::parse("alphabeta:depth=3").is_none());
        assert!(matches!(Program::parse("GTP: "), Some(Err(PlayerError::NoCommand(name))) if name == "gtp"));
        let program = Program::parse("ugi:a:b,c=d").unwrap().unwrap();
        assert_eq!((program.protocol, program.command), (Protocol::Ugi, vec!["a:b,c=d".to_owned()]));
    }
}
