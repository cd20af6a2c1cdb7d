use super::Header;
use crate::Fault;

/// What a list of names is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamesKind {
    /// Players (`.jou`), 20 bytes a name.
    Players,
    /// Tournaments (`.trn`), 26 bytes a name.
    Tournaments,
}

impl NamesKind {
    /// Bytes of a name, the closing zero included.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            NamesKind::Players => 20,
            NamesKind::Tournaments => 26,
        }
    }
}

/// A list of names as its file keeps it: fixed width, ISO 8859-1, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    kind: NamesKind,
    header: Header,
    bytes: Vec<u8>,
}

impl Names {
    /// An empty list.
    #[must_use]
    pub fn new(kind: NamesKind, header: Header) -> Names {
        Names { kind, header: Header { names: 0, ..header }, bytes: Vec::new() }
    }

    /// Reads a file. Its length tells players and tournaments apart.
    pub fn parse(bytes: &[u8]) -> Result<Names, Fault> {
        let header = Header::parse(bytes)?;
        let rest = &bytes[Header::LENGTH..];
        let names = usize::from(header.names);
        for kind in [NamesKind::Players, NamesKind::Tournaments] {
            if rest.len() == kind.width() * names {
                return Ok(Names { kind, header, bytes: rest.to_vec() });
            }
        }
        let expected = (Header::LENGTH + NamesKind::Players.width() * names) as u64;
        Err(Fault::Length { expected, length: bytes.len() as u64 })
    }

    /// Whether players or tournaments.
    #[must_use]
    pub fn kind(&self) -> NamesKind {
        self.kind
    }

    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.kind.width()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The name with this number.
    #[must_use]
    pub fn name(&self, number: u16) -> Option<String> {
        self.bytes.chunks_exact(self.kind.width()).nth(usize::from(number)).map(text)
    }

    /// All names in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = String> {
        self.bytes.chunks_exact(self.kind.width()).map(text)
    }

    /// The number of this name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u16> {
        self.iter().position(|known| known == name).and_then(|at| u16::try_from(at).ok())
    }

    /// Adds a name and gives its number, unless the list is full. The name is cut to the width of the format, and
    /// characters that ISO 8859-1 does not have become question marks.
    pub fn add(&mut self, name: &str) -> Option<u16> {
        let number = self.header.names;
        self.header.names = number.checked_add(1)?;
        let width = self.kind.width();
        let latin = |character: char| u8::try_from(u32::from(character)).ok().filter(|byte| *byte != 0);
        let mut entry: Vec<u8> = name.chars().take(width - 1).map(|c| latin(c).unwrap_or(b'?')).collect();
        entry.resize(width, 0);
        self.bytes.extend(entry);
        Some(number)
    }

    /// The file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.header.to_bytes().as_slice(), &self.bytes].concat()
    }
}

/// The characters before the first zero.
fn text(entry: &[u8]) -> String {
    entry.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}

/// The two lists that the numbers in games refer to, where they are at hand.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// Players.
    pub players: Option<Names>,
    /// Tournaments.
    pub tournaments: Option<Names>,
}

impl Directory {
    /// Puts a list where it belongs.
    pub fn add(&mut self, names: Names) {
        match names.kind() {
            NamesKind::Players => self.players = Some(names),
            NamesKind::Tournaments => self.tournaments = Some(names),
        }
    }

    pub(crate) fn player(&self, number: u16) -> Option<String> {
        self.players.as_ref()?.name(number)
    }

    pub(crate) fn tournament(&self, number: u16) -> Option<String> {
        self.tournaments.as_ref()?.name(number)
    }
}
