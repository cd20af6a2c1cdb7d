use emilia_rules::Color;

use crate::Ended;
use crate::batch::{When, Who};

/// Which games are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Part of the name of a player, in small or capital letters.
    pub player: Option<String>,
    /// The colour of that player.
    pub color: Option<Color>,
    /// Part of the name of the event.
    pub event: Option<String>,
    /// The earliest year. A game without a year is in none.
    pub from: Option<u16>,
    /// The latest year.
    pub to: Option<u16>,
    /// How the game ended.
    pub result: Option<Wanted>,
}

/// How a game is to have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Won by this colour.
    By(Color),
    /// Drawn.
    Draw,
    /// Won by the player that is asked for; by anybody if none is.
    Won,
    /// Lost by that player.
    Lost,
}

impl Filter {
    /// Whether all games are counted.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Filter::default()
    }

    /// Made ready for files with these names.
    pub(crate) fn prepared(&self, players: &[String], events: &[String]) -> Prepared<'_> {
        let matching = |wanted: &Option<String>, names: &[String]| {
            let wanted = wanted.as_ref()?.trim().to_lowercase();
            Some(names.iter().map(|name| name.to_lowercase().contains(&wanted)).collect())
        };
        Prepared {
            filter: self,
            players: matching(&self.player, players),
            events: matching(&self.event, events),
        }
    }
}

/// A filter with the numbers of the names that it takes.
pub(crate) struct Prepared<'f> {
    filter: &'f Filter,
    players: Option<Vec<bool>>,
    events: Option<Vec<bool>>,
}

impl Prepared<'_> {
    /// Whether names are asked for at all.
    pub(crate) fn asks_who(&self) -> bool {
        self.players.is_some() || self.events.is_some()
    }

    /// Whether any game with these names can be among those that are wanted.
    pub(crate) fn is_hopeless(&self) -> bool {
        let none = |names: &Option<Vec<bool>>| names.as_ref().is_some_and(|names| !names.contains(&true));
        none(&self.players) || none(&self.events)
    }

    /// Whether the game counts, by year and result alone.
    pub(crate) fn takes_when(&self, when: When) -> bool {
        let Filter { from, to, result, .. } = self.filter;
        let year_fits = match (from, to) {
            (None, None) => true,
            _ => when.year > 0 && (from.unwrap_or(0)..=to.unwrap_or(u16::MAX)).contains(&when.year),
        };
        let winner = Ended::of_code(when.ended).winner();
        year_fits
            && match result {
                None => true,
                Some(Wanted::By(color)) => winner == Some(Some(*color)),
                Some(Wanted::Draw) => winner == Some(None),
                Some(Wanted::Won | Wanted::Lost) => winner.flatten().is_some(),
            }
    }

    /// Whether the game counts, by its players and event, after [`Prepared::takes_when`].
    pub(crate) fn takes_who(&self, who: Who, when: When) -> bool {
        let is = |names: &Option<Vec<bool>>, number: u32| {
            names.as_ref().is_none_or(|names| names.get(number as usize).copied().unwrap_or(false))
        };
        let winner = Ended::of_code(when.ended).winner().flatten();
        let sits = |color: Color, number: u32| {
            is(&self.players, number)
                && self.filter.color.is_none_or(|wanted| wanted == color)
                && match self.filter.result {
                    Some(Wanted::Won) => winner == Some(color),
                    Some(Wanted::Lost) => winner == Some(!color),
                    _ => true,
                }
        };
        is(&self.events, who.event) && (sits(Color::Black, who.black) || sits(Color::White, who.white))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_found_by_part_of_their_name_with_colour_and_fate() {
        let players = ["Tamenori Hideshi".to_owned(), "Rose Brian".to_owned()];
        let who = Who { black: 0, white: 1, event: 0 };
        let black_won = When { year: 1990, ended: 6 };
        let takes = |filter: Filter| {
            let prepared = filter.prepared(&players, &["Mundial".to_owned()]);
            prepared.takes_when(black_won) && prepared.takes_who(who, black_won)
        };
        let rose = |change: fn(&mut Filter)| {
            let mut filter = Filter { player: Some("rose".to_owned()), ..Filter::default() };
            change(&mut filter);
            takes(filter)
        };
        assert!(rose(|_| {}));
        assert!(rose(|filter| filter.color = Some(Color::White)));
        assert!(!rose(|filter| filter.color = Some(Color::Black)));
        assert!(rose(|filter| filter.result = Some(Wanted::Lost)));
        assert!(!rose(|filter| filter.result = Some(Wanted::Won)));
        assert!(rose(|filter| filter.event = Some("MUND".to_owned())));
        assert!(!rose(|filter| filter.event = Some("open".to_owned())));
        assert!(rose(|filter| (filter.from, filter.to) = (Some(1990), Some(1990))));
        assert!(!rose(|filter| filter.from = Some(1991)));
        assert!(!takes(Filter { result: Some(Wanted::Draw), ..Filter::default() }));
        assert!(takes(Filter { result: Some(Wanted::By(Color::Black)), ..Filter::default() }));
    }
}
