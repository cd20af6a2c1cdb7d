//! What a player sees on a board: where both could move, which discs are exposed, which are safe, which gaps are odd.

use emilia_classic::{Stability, View};
use emilia_rules::{Color, Grid, GridPosition, Playable, SquareSet};
use serde::Serialize;

use crate::answers::{Sides, squares};

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overlays {
    mobility: Sides<Vec<String>>,
    frontier: Sides<Vec<String>>,
    stability: Sides<StabilityAnswer>,
    regions: Vec<Region>,
}

/// Which discs of one side are safe.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Stability"))]
struct StabilityAnswer {
    stable: Vec<String>,
    semi_stable: Vec<String>,
    unstable: Vec<String>,
}

/// Empty squares that touch each other.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Region {
    squares: Vec<String>,
    odd: bool,
}

impl Overlays {
    pub fn new(position: &GridPosition) -> Overlays {
        let by_color = |own: Grid, opponent: Grid| {
            Sides::of(|color| squares(if color == position.turn() { own } else { opponent }))
        };
        let open = position.empties().grown();
        let (own, opponent) = Stability::both(&View::new(position));
        let stability = |color: Color| {
            let of = if color == position.turn() { &own } else { &opponent };
            StabilityAnswer {
                stable: squares(of.stable),
                semi_stable: squares(of.semi_stable),
                unstable: squares(of.unstable),
            }
        };
        Overlays {
            mobility: by_color(position.placements(), position.passed().placements()),
            frontier: by_color(position.own() & open, position.opponent() & open),
            stability: Sides::of(stability),
            regions: regions(position),
        }
    }
}

/// The connected groups of empty squares, in all eight directions.
fn regions(position: &GridPosition) -> Vec<Region> {
    let mut rest = position.empties();
    let mut regions = Vec::new();
    while let Some(first) = rest.into_iter().next() {
        let mut region = Grid::only(first);
        loop {
            let wider = region.grown() & rest;
            if wider == region {
                break;
            }
            region = wider;
        }
        rest = rest - region;
        regions.push(Region { squares: squares(region), odd: region.count() % 2 == 1 });
    }
    regions
}
