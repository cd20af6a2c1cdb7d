/// What a move is worth to the side that makes it, with its unit. Values of different units cannot be compared.
///
/// ```
/// use emilia_query::Value;
/// assert_eq!(Value::Discs(4.0).negated(), Value::Discs(-4.0));
/// assert_eq!((Value::Discs(4.0).discs(), Value::Points(4.0).discs()), (Some(4.0), None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Discs by which the game is expected, or proven, to be won in the end, empty squares to the winner.
    Discs(f64),
    /// Points of a textbook evaluator, each of which has a scale of its own.
    Points(f64),
    /// The mean result of random games, from -1 (all lost) to 1 (all won).
    Games(f64),
}

/// What a value says about the truth at its depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The move is worth at least that.
    Lower,
    /// The move is worth at most that.
    Upper,
}

impl Value {
    /// The number without its unit.
    #[must_use]
    pub const fn number(self) -> f64 {
        match self {
            Value::Discs(number) | Value::Points(number) | Value::Games(number) => number,
        }
    }

    /// The number if it counts discs.
    #[must_use]
    pub const fn discs(self) -> Option<f64> {
        match self {
            Value::Discs(discs) => Some(discs),
            Value::Points(_) | Value::Games(_) => None,
        }
    }

    /// The same for the other side.
    #[must_use]
    pub fn negated(self) -> Value {
        // Taking from zero keeps -0 out.
        match self {
            Value::Discs(discs) => Value::Discs(0.0 - discs),
            Value::Points(points) => Value::Points(0.0 - points),
            Value::Games(games) => Value::Games(0.0 - games),
        }
    }

    /// The word for its unit in messages.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Value::Discs(_) => "discs",
            Value::Points(_) => "points",
            Value::Games(_) => "games",
        }
    }
}

impl Bound {
    /// Its word in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }
    }

    /// The same bound seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Bound {
        match self {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }
    }
}
