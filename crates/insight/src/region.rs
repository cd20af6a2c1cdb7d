use emilia_rules::{Playable, SquareSet};

/// The empty squares that hang together with one of them, in all eight directions; nothing if it holds a disc.
pub fn region_of<P: Playable>(position: &P, square: P::Square) -> P::Set {
    let empties = position.empties();
    let mut region = P::Set::only(square) & empties;
    loop {
        let wider = region.grown() & empties;
        if wider == region {
            return region;
        }
        region = wider;
    }
}

/// All regions of empty squares.
///
/// ```
/// use emilia_insight::regions;
/// use emilia_rules::{Setup, SquareSet};
/// // a1 and b2 touch by their corners; d4 is alone.
/// let position = "-XOX X-XX OOXO XXX- X".parse::<Setup>()?.position()?;
/// assert_eq!(regions(&position).iter().map(|region| region.count()).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn regions<P: Playable>(position: &P) -> Vec<P::Set> {
    let mut rest = position.empties();
    let mut regions = Vec::new();
    while let Some(first) = rest.into_iter().next() {
        let region = region_of(position, first);
        rest = rest - region;
        regions.push(region);
    }
    regions
}
