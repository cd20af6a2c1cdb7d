use crate::Fault;

/// The first 16 bytes of every WTHOR file, whole numbers with the lowest byte first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Century of creation: 20.
    pub century: u8,
    /// Year of creation in its century.
    pub year: u8,
    /// Month of creation, 1…12.
    pub month: u8,
    /// Day of creation, 1…31.
    pub day: u8,
    /// Number of games or solitaires.
    pub games: u32,
    /// Number of names; in solitaires, the empty squares of every position.
    pub names: u16,
    /// Year in which the games were played.
    pub played: u16,
    /// Side of the board; 0 means 8.
    pub size: u8,
    /// 1 for solitaires.
    pub kind: u8,
    /// Empty squares from which the theoretical score is computed; 0 means 22.
    pub depth: u8,
    /// Without meaning.
    pub reserved: u8,
}

impl Header {
    /// Bytes of a header.
    pub const LENGTH: usize = 16;

    /// Reads the first 16 bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Header, Fault> {
        let Some(head) = bytes.first_chunk::<{ Header::LENGTH }>() else {
            return Err(Fault::Length { expected: Header::LENGTH as u64, length: bytes.len() as u64 });
        };
        let [century, year, month, day, g0, g1, g2, g3, n0, n1, p0, p1, size, kind, depth, reserved] = *head;
        Ok(Header {
            century,
            year,
            month,
            day,
            games: u32::from_le_bytes([g0, g1, g2, g3]),
            names: u16::from_le_bytes([n0, n1]),
            played: u16::from_le_bytes([p0, p1]),
            size,
            kind,
            depth,
            reserved,
        })
    }

    /// The 16 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Header::LENGTH] {
        let [g0, g1, g2, g3] = self.games.to_le_bytes();
        let [n0, n1] = self.names.to_le_bytes();
        let [p0, p1] = self.played.to_le_bytes();
        let Header { century, year, month, day, size, kind, depth, reserved, .. } = *self;
        [century, year, month, day, g0, g1, g2, g3, n0, n1, p0, p1, size, kind, depth, reserved]
    }

    /// Whether this can be the head of a WTHOR file at all: a date that exists.
    pub(crate) fn is_plausible(&self) -> bool {
        (19..=21).contains(&self.century) && self.year < 100 && self.month <= 12 && self.day <= 31
    }
}
