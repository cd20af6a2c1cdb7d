use std::fmt;
use std::str::FromStr;

use emilia_rules::{Playable, Size};
use thiserror::Error;

use crate::regions;

/// In which order the moves of a position are tried. The first of several best moves is played.
///
/// ```
/// use emilia_classic::Order;
/// assert_eq!("rings".parse(), Ok(Order::Rings));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Row by row from the top left.
    #[default]
    RowMajor,
    /// The border first, the ring next to it last, everything inside in between; row by row in each.
    Rings,
    /// The best looking first: as the evaluator judges the position after each; row by row among those that look the same.
    Looks,
}

/// A word that names no order.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("moves are tried in the order \"rows\", \"rings\" or \"looks\", not {0:?}")]
pub struct OrderError(pub String);

impl Order {
    /// The squares to try first, next, and last.
    pub(crate) fn groups<P: Playable>(self, size: Size) -> [P::Set; 3] {
        let group = |wanted: u8| {
            regions::squares_where::<P>(size, |point| {
                let group = match (self, regions::ring(point, size)) {
                    (Order::RowMajor | Order::Looks, _) | (Order::Rings, 0) => 0,
                    (Order::Rings, 1) => 2,
                    (Order::Rings, _) => 1,
                };
                group == wanted
            })
        };
        [group(0), group(1), group(2)]
    }
}

impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Order, OrderError> {
        match text {
            "rows" => Ok(Order::RowMajor),
            "rings" => Ok(Order::Rings),
            "looks" => Ok(Order::Looks),
            _ => Err(OrderError(text.chars().take(24).collect())),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Order::RowMajor => "rows",
            Order::Rings => "rings",
            Order::Looks => "looks",
        })
    }
}
