use std::fmt;
use std::io;
use std::str::FromStr;
use std::string::FromUtf8Error;
use std::time::Duration;

use emilia_book::BookError;
use emilia_classic::{GenesError, SetWeightsError};
use emilia_eval::WeightsError;
use emilia_rules::Objective;
use thiserror::Error;

use crate::catalogue::{Kind, Setting};

/// A player's name taken apart: `alphabeta:depth=10,eval=myjudge` is the kind `alphabeta` with two settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What comes before the colon.
    pub kind: String,
    /// What comes after it, in order.
    pub settings: Vec<(String, String)>,
}

/// Why a name is no player.
#[derive(Debug, Error)]
pub enum PlayerError {
    /// Nothing was written.
    #[error("a player needs a name, such as alphabeta:depth=6")]
    Empty,
    /// No player is called that.
    #[error("there is no player {name:?}{}; \"emilia players\" lists them", hint(.nearest))]
    UnknownPlayer {
        /// What was written.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// The player has no such setting.
    #[error("{player} has no setting {setting:?}{}; it has {known}", hint(.nearest))]
    UnknownSetting {
        /// The kind of player.
        player: String,
        /// What was written.
        setting: String,
        /// What may have been meant.
        nearest: Option<String>,
        /// What there is, separated by commas.
        known: String,
    },
    /// A setting without a value.
    #[error("{0:?} should be a setting and its value, such as depth=6")]
    NoValue(String),
    /// A setting given twice.
    #[error("{0} is set twice")]
    Repeated(String),
    /// A value that does not fit.
    #[error("{setting}={value}: {fault}")]
    BadValue {
        /// Which setting.
        setting: String,
        /// What was written.
        value: String,
        /// What is wrong with it.
        fault: ValueFault,
    },
    /// A program from outside without the command that starts it.
    #[error("{0}: say how the engine is started, such as {0}:edax -{0}")]
    NoCommand(String),
    /// A command with a quote that is not closed.
    #[error("{0:?} has a quote that is not closed")]
    OpenQuote(String),
    /// A file with weights cannot be used.
    #[error("{file}: {fault}")]
    File {
        /// Which file.
        file: String,
        /// What is wrong with it.
        fault: FileFault,
    },
}

/// What is wrong with the value of a setting.
#[derive(Debug, Error)]
pub enum ValueFault {
    /// It is something else.
    #[error("expected {0}")]
    Expected(&'static str),
    /// It cannot be set beside others that are.
    #[error("choose one of level, game, or limits for a move (depth, nodes, time)")]
    SeveralLimits,
    /// A setting that goes with a limit for a move, without one.
    #[error("goes with a limit for a move (depth, nodes, time)")]
    WithoutLimit,
    /// The evaluator cannot have these weights.
    #[error(transparent)]
    Weights(#[from] SetWeightsError),
}

/// What is wrong with a file that a player names.
#[derive(Debug, Error)]
pub enum FileFault {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// It holds no weights of Emilia.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// It holds no book.
    #[error(transparent)]
    Book(#[from] BookError),
    /// It is no text.
    #[error("this is no text")]
    NotText(#[from] FromUtf8Error),
    /// It holds no six weights.
    #[error(transparent)]
    Genes(#[from] GenesError),
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(", did you mean {name}?"))
}

impl FromStr for Spec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Spec, PlayerError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        if kind.trim().is_empty() {
            return Err(PlayerError::Empty);
        }
        let mut settings: Vec<(String, String)> = Vec::new();
        for part in rest.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or_else(|| PlayerError::NoValue(part.to_owned()))?;
            let name = name.trim().to_ascii_lowercase();
            if settings.iter().any(|(known, _)| *known == name) {
                return Err(PlayerError::Repeated(name));
            }
            settings.push((name, value.trim().to_owned()));
        }
        Ok(Spec { kind: kind.trim().to_ascii_lowercase(), settings })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        for (index, (name, value)) in self.settings.iter().enumerate() {
            write!(f, "{}{name}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// The settings of a player as its kind defines them: what was given, else the default.
pub(crate) struct Settings<'a> {
    kind: &'static Kind,
    spec: &'a Spec,
}

impl<'a> Settings<'a> {
    /// Checks that the kind knows every setting.
    pub(crate) fn new(kind: &'static Kind, spec: &'a Spec) -> Result<Settings<'a>, PlayerError> {
        for (name, _) in &spec.settings {
            if kind.setting(name).is_none() {
                let names = || kind.settings.iter().map(|setting| setting.name);
                return Err(PlayerError::UnknownSetting {
                    player: kind.name.to_owned(),
                    setting: name.clone(),
                    nearest: nearest(name, names()),
                    known: match names().collect::<Vec<_>>().join(", ") {
                        list if list.is_empty() => "none".to_owned(),
                        list => list,
                    },
                });
            }
        }
        Ok(Settings { kind, spec })
    }

    /// The kind of player they belong to.
    pub(crate) fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// Whether there is such a setting and nothing was said about it.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.kind.setting(name).is_some() && !self.spec.settings.iter().any(|(known, _)| known == name)
    }

    /// The text of a setting.
    pub(crate) fn text(&self, name: &str) -> &'a str {
        let given =
            self.spec.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        given.unwrap_or_else(|| self.kind.setting(name).map_or("", |setting| setting.default))
    }

    /// A setting read by this function.
    pub(crate) fn parsed<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, PlayerError> {
        let value = self.text(name);
        read(value).ok_or_else(|| {
            let expects = self.kind.setting(name).map_or("a value", |setting: &Setting| setting.expects);
            self.bad_value(name, ValueFault::Expected(expects))
        })
    }

    /// A whole number within these bounds.
    pub(crate) fn number(&self, name: &str, low: u64, high: u64) -> Result<u64, PlayerError> {
        self.parsed(name, |text| text.parse().ok().filter(|number| (low..=high).contains(number)))
    }

    /// A decimal number within these bounds.
    pub(crate) fn decimal(&self, name: &str, low: f64, high: f64) -> Result<f64, PlayerError> {
        self.parsed(name, |text| text.parse().ok().filter(|number| (low..=high).contains(number)))
    }

    /// A length of time such as `5s`, `250ms` or `2m`; a bare number is seconds.
    pub(crate) fn time(&self, name: &str) -> Result<Duration, PlayerError> {
        self.parsed(name, parse_time)
    }

    /// Whether most or fewest discs win.
    pub(crate) fn objective(&self, name: &str) -> Result<Objective, PlayerError> {
        self.parsed(name, |text| match text {
            "most" => Some(Objective::Most),
            "fewest" => Some(Objective::Fewest),
            _ => None,
        })
    }

    pub(crate) fn bad_value(&self, name: &str, fault: ValueFault) -> PlayerError {
        PlayerError::BadValue { setting: name.to_owned(), value: self.text(name).to_owned(), fault }
    }
}

/// Reads a length of time such as `5s`, `250ms` or `2m`; a bare number is seconds. Nothing longer than a day.
#[must_use]
pub fn parse_time(text: &str) -> Option<Duration> {
    const DAY: f64 = 86_400.0;
    let (number, unit) = match text {
        _ if text.ends_with("ms") => (&text[..text.len() - 2], 0.001),
        _ if text.ends_with('s') => (&text[..text.len() - 1], 1.0),
        _ if text.ends_with('m') => (&text[..text.len() - 1], 60.0),
        _ => (text, 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok()? * unit;
    (0.0..=DAY).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The name most like this one, if any is like it at all.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    /// Typing errors that a short name may have and still be recognised.
    const SLIPS: usize = 2;
    // Nobody means a short name by a long text, and comparing takes time by the product of the lengths.
    const LONGEST: usize = 40;
    if name.len() > LONGEST {
        return None;
    }
    names
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(slips, known)| *slips <= SLIPS || known.starts_with(name))
        .min()
        .map(|(_, known)| known.to_owned())
}
