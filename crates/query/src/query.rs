use emilia_rules::{GridPosition, IllegalMove, Move, Objective, Playable, Point};

use crate::{Limits, Report};

/// What is asked of a player: a position and how it came about, how long to think, and what to find out.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    start: GridPosition,
    moves: Vec<Move<Point>>,
    position: GridPosition,
    /// When to end.
    pub limits: Limits,
    /// How many of the best moves are to be judged.
    pub lines: usize,
    /// The only moves to consider; all if there is no list, or if none of them is legal.
    pub among: Option<Vec<Move<Point>>>,
    /// Whether most or fewest discs win, if not as the player's own settings say.
    pub objective: Option<Objective>,
    /// What is to be found out, if not what the player's own settings say.
    pub aim: Option<Aim>,
}

/// What is to be found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// By how many discs the game is won.
    #[default]
    Score,
    /// Only who wins: a proven win is reported as one by two discs or more.
    Outcome,
}

impl Query {
    /// The best move of a position, by the player's own settings.
    #[must_use]
    pub fn new(start: GridPosition) -> Query {
        Query {
            start,
            moves: Vec::new(),
            position: start,
            limits: Limits::default(),
            lines: 1,
            among: None,
            objective: None,
            aim: None,
        }
    }

    /// The best move after these moves, passes included.
    pub fn of_game(
        start: GridPosition,
        moves: impl IntoIterator<Item = Move<Point>>,
    ) -> Result<Query, IllegalMove<Point>> {
        let mut query = Query::new(start);
        moves.into_iter().try_for_each(|mv| query.play(mv))?;
        Ok(query)
    }

    /// The same within these limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Query {
        Query { limits, ..self }
    }

    /// The same, with this many of the best moves judged.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Query {
        Query { lines, ..self }
    }

    /// Where the game began.
    #[must_use]
    pub fn start(&self) -> &GridPosition {
        &self.start
    }

    /// What was played since, passes included.
    #[must_use]
    pub fn moves(&self) -> &[Move<Point>] {
        &self.moves
    }

    /// Where that has led: the position that is asked about.
    #[must_use]
    pub fn position(&self) -> &GridPosition {
        &self.position
    }

    /// Plays on.
    pub fn play(&mut self, mv: Move<Point>) -> Result<(), IllegalMove<Point>> {
        self.position = self.position.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back; whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        self.position = self.moves.iter().fold(self.start, |position, mv| position.played(*mv));
        true
    }

    /// The position that is expected next if what was found here is played: after the best move and the reply to it,
    /// as far as a reply is expected that does not end the game. None if the move ends it.
    #[must_use]
    pub fn expected(&self, found: &Report) -> Option<Query> {
        let mut next = self.clone();
        next.play(found.best_move()?).ok().filter(|()| !next.position.is_over())?;
        let mut replied = next.clone();
        let reply = found.line().get(1).and_then(|reply| replied.play(*reply).ok());
        Some(if reply.is_some() && !replied.position.is_over() { replied } else { next })
    }

    /// The legal moves that are to be considered.
    #[must_use]
    pub fn candidates(&self) -> Vec<Move<Point>> {
        let wanted = |mv: &Move<Point>| self.among.as_ref().is_none_or(|among| among.contains(mv));
        let chosen: Vec<_> = self.position.moves().filter(wanted).collect();
        if chosen.is_empty() { self.position.moves().collect() } else { chosen }
    }

    /// Whether the one best move of all is wanted, which every player can tell.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let all = self.position.moves().count();
        self.candidates().len() == all && (self.lines <= 1 || all <= 1)
    }
}

#[cfg(test)]
mod tests {
    use emilia_rules::{Size, parse_move};

    use super::*;
    use crate::MoveReport;

    fn mv(text: &str) -> Move<Point> {
        parse_move(text, Size::EIGHT).unwrap()
    }

    #[test]
    fn the_position_is_always_where_the_moves_lead() {
        let mut query = Query::of_game(GridPosition::default(), ["f5", "d6"].map(mv)).unwrap();
        let before = query.clone();
        assert!(query.play(mv("a1")).is_err());
        assert_eq!(query, before);
        query.play(mv("c3")).unwrap();
        assert!(query.undo());
        assert_eq!(query, before);
        assert!(query.undo() && query.undo() && !query.undo());
        assert_eq!(query, Query::new(GridPosition::default()));
        assert!(Query::of_game(GridPosition::default(), [mv("a1")]).is_err());
    }

    #[test]
    fn what_is_expected_is_the_reply_to_the_best_move() {
        let query = Query::new(GridPosition::default());
        let found = |line: &[&str]| {
            let line: Vec<_> = line.iter().copied().map(mv).collect();
            Report::of(vec![MoveReport { line: line.clone(), ..MoveReport::new(line[0]) }])
        };
        let expected = |line: &[&str]| query.expected(&found(line)).map(|next| next.moves().to_vec());
        assert_eq!(expected(&["f5", "d6", "c3"]), Some(vec![mv("f5"), mv("d6")]));
        assert_eq!(expected(&["f5"]), Some(vec![mv("f5")]));
        assert_eq!(expected(&["f5", "f5"]), Some(vec![mv("f5")]), "that is no reply");
        assert_eq!(query.expected(&Report::default()), None);
        // The shortest game: the ninth move takes every disc.
        let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7"].map(mv);
        let mut short = Query::of_game(GridPosition::default(), moves).unwrap();
        assert_eq!(short.expected(&found(&["f5", "c5"])).unwrap().moves().len(), 8);
        short.play(mv("f5")).unwrap();
        assert_eq!(short.expected(&found(&["c5"])), None);
    }

    #[test]
    fn a_list_without_a_legal_move_leaves_all() {
        let mut query = Query::new(GridPosition::default());
        assert!(query.is_plain());
        query.among = Some(vec![mv("f5"), mv("a1")]);
        assert_eq!((query.candidates(), query.is_plain()), (vec![mv("f5")], false));
        query.among = Some(vec![mv("a1")]);
        assert_eq!((query.candidates().len(), query.is_plain()), (4, true));
        query.lines = 2;
        assert!(!query.is_plain());
    }
}
