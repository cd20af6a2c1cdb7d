//! Boards with a word of 32 bits a row, as all boards of more than 8×8 are kept: what happens along a row and from one
//! row to the next.

/// Squares behind a run of opposing discs that starts beside an own disc in the same row, both ways.
#[inline(always)]
#[must_use]
pub(crate) fn along_row(own: u32, opponent: u32) -> u32 {
    // To the right the carry of an addition runs through the discs; to the left the run is doubled step by step.
    let right = ((own << 1) & opponent).wrapping_add(opponent);
    let mut run = (own >> 1) & opponent;
    let mut solid = opponent;
    for step in [1, 2, 4, 8, 16] {
        run |= solid & (run >> step);
        solid &= solid >> step;
    }
    right | (run >> 1)
}

/// Opposing discs in the row that are closed in between `column` (0…31) and an own disc.
#[inline(always)]
#[must_use]
pub(crate) fn flips_in_row(own: u32, opponent: u32, column: u32) -> u32 {
    let column = column & 31;
    let right = u32::MAX << column << 1;
    let left = (1 << column) - 1;
    let end = !opponent & right;
    let end = end & end.wrapping_neg() & own;
    let right_flips = if end == 0 { 0 } else { (end - 1) & right };
    let start = (!opponent & left).checked_ilog2().map_or(0, |bit| 1u32 << bit) & own;
    let left_flips = if start == 0 { 0 } else { left & !(start | (start - 1)) };
    right_flips | left_flips
}

/// Runs of opposing discs that began beside an own disc and cross from one row into the next: straight on, one column
/// to the right, one to the left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    own: u32,
    straight: u32,
    rightward: u32,
    leftward: u32,
}

impl Sweep {
    /// Goes on to the next row; returns the squares there that runs from behind lead to.
    #[inline(always)]
    pub(crate) fn enter(&mut self, own: u32, opponent: u32) -> u32 {
        let behind = self.straight | (self.rightward << 1) | (self.leftward >> 1);
        self.straight = (self.own | self.straight) & opponent;
        self.rightward = ((self.own | self.rightward) << 1) & opponent;
        self.leftward = ((self.own | self.leftward) >> 1) & opponent;
        self.own = own;
        behind
    }
}
