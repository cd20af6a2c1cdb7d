use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use emilia_engine::ReviewedMove;
use emilia_insight::Explanation;
use emilia_query::Report;
use emilia_record::{Game, GameResult, Path};
use emilia_rules::{Color, Move, Outcome, Playable, Point, Status};

use crate::{Clock, Seat, Setup, Ticket};

/// All there is to know about a session: what is drawn, and what is waited for.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) setup: Setup,
    pub(crate) game: Game,
    pub(crate) clock: Option<Clock>,
    /// Whose time has run out.
    pub(crate) late: Option<Color>,
    /// Columns and rows of the terminal.
    pub(crate) area: (u16, u16),
    pub(crate) focus: Focus,
    pub(crate) cursor: Point,
    /// What was typed of a square.
    pub(crate) typed: String,
    /// What was typed of a file's name, while one is asked for.
    pub(crate) file: Option<String>,
    pub(crate) message: String,
    pub(crate) help: bool,
    pub(crate) paused: bool,
    /// What a player is asked, and what it has said so far.
    pub(crate) thinking: Option<(Ticket, Option<Report>)>,
    /// How long the last move has been on the board.
    pub(crate) shown: Duration,
    /// What the judge is asked, and what it has said of this position.
    pub(crate) study: Study,
    pub(crate) judging: Option<Ticket>,
    pub(crate) report: Option<Report>,
    /// Where the judge would play.
    pub(crate) hint: Option<Point>,
    /// A search tree of this depth, line by line.
    pub(crate) tree: Option<(u32, Vec<String>)>,
    /// Black's prospects in discs after the moves that lead there.
    pub(crate) values: HashMap<Vec<u32>, f64>,
    /// What the review says of the moves of the main line, by their number from 1.
    pub(crate) reviewed: BTreeMap<usize, ReviewedMove>,
    /// How many moves were reviewed, and how little each side gave away in them.
    pub(crate) accuracy: Option<(usize, [f64; 2])>,
    /// The line of moves that one steps along, beyond the position that is shown, and the way to its end.
    pub(crate) line: Vec<Move<Point>>,
    pub(crate) path: Vec<u32>,
    pub(crate) games: u64,
    pub(crate) tickets: u64,
}

/// What the arrows move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The cursor on the board.
    Board,
    /// The place in the game.
    Moves,
}

/// What the judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Study {
    Nothing,
    Hint,
    Analysis,
    Tree,
    Review,
}

impl State {
    /// What a session begins with. The first event sets the players thinking.
    #[must_use]
    pub fn new(setup: Setup) -> State {
        let game = setup.game.clone();
        let has_moves = game.move_count() > 0;
        let middle = game.size().get() / 2;
        let mut state = State {
            clock: setup.timing.map(Clock::new),
            game,
            setup,
            late: None,
            area: (80, 24),
            focus: if has_moves { Focus::Moves } else { Focus::Board },
            cursor: Point::new(middle, middle).unwrap_or_else(first_square),
            typed: String::new(),
            file: None,
            message: String::new(),
            help: false,
            paused: false,
            thinking: None,
            shown: Duration::ZERO,
            study: Study::Nothing,
            judging: None,
            report: None,
            hint: None,
            tree: None,
            values: HashMap::new(),
            reviewed: BTreeMap::new(),
            accuracy: None,
            line: Vec::new(),
            path: Vec::new(),
            games: 0,
            tickets: 0,
        };
        if has_moves {
            state.message =
                "Step through the game with the arrows; V reviews it, ? says what else there is.".to_owned();
        }
        state.refresh();
        state
    }

    /// The game as it stands.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What there is to say at the moment.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether a player is being waited for.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// Whether something goes on by itself that will end: a player's move, a hint, a review.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        let is_players_turn = self.is_live() && !self.seat(self.turn()).is_person();
        let is_judging = self.judging.is_some() && matches!(self.study, Study::Hint | Study::Review);
        self.thinking.is_some() || is_players_turn || is_judging
    }

    pub(crate) fn seat(&self, side: Color) -> &Seat {
        &self.setup.seats[side as usize]
    }

    pub(crate) fn turn(&self) -> Color {
        self.game.position().turn()
    }

    /// Whether two players play and nobody else does.
    pub(crate) fn is_watched(&self) -> bool {
        self.setup.seats.iter().all(|seat| !seat.is_person())
    }

    /// Whether the position that is shown is the last one of its line, where the game goes on.
    pub(crate) fn is_at_the_end(&self) -> bool {
        self.game.ply() == self.line.len()
    }

    /// Whether clocks run and players may move.
    pub(crate) fn is_live(&self) -> bool {
        let over = matches!(self.game.position().status(), Status::Over(_)) || self.late.is_some();
        self.is_at_the_end() && !self.paused && !over && !self.help && self.file.is_none()
    }

    /// How the game ended, in words.
    pub(crate) fn ending(&self) -> Option<String> {
        if let Some(late) = self.late {
            return Some(format!("{} has no time left: {} wins.", capital(late), !late));
        }
        let position = self.game.position();
        if !position.is_over() {
            return None;
        }
        let counts = position.counts();
        Some(match counts.outcome(self.game.objective) {
            Outcome::Win(color) => format!("Game over: {} wins {counts}.", capital(color)),
            Outcome::Draw => format!("Game over: a draw, {counts}."),
        })
    }

    /// The game as it is to be saved.
    pub(crate) fn finished_game(&self) -> Game {
        let mut game = self.game.clone();
        if game.result.is_none() && game.position().is_over() {
            game.result = Some(GameResult::counted(game.position().counts().margin()));
        }
        game
    }

    /// Black's prospects after each move of the line, from the start on, as far as they are known.
    pub(crate) fn prospects(&self) -> Vec<Option<f64>> {
        (0..=self.path.len()).map(|ply| self.values.get(&self.path[..ply]).copied()).collect()
    }

    /// Why the move that led to a ply of the line is bad, if the review says that it is.
    pub(crate) fn why(&self, ply: usize) -> Option<Explanation> {
        let reviewed = self.verdict(ply)?;
        let before = self.game.position_at(&Path::main(ply.checked_sub(1)?))?;
        Explanation::of_review(&before, self.game.objective, reviewed)
    }

    /// What the review says of the move that led to a ply of the line, if it is the line that was reviewed.
    pub(crate) fn verdict(&self, ply: usize) -> Option<&ReviewedMove> {
        let on_main_line = self.path.get(..ply)?.iter().all(|step| *step == 0);
        self.reviewed.get(&ply).filter(|_| on_main_line)
    }

    /// How little a side gave away, if the game is still the one that was reviewed.
    pub(crate) fn accuracy(&self, side: Color) -> Option<f64> {
        let (moves, accuracy) = self.accuracy?;
        (moves == self.game.main_line().count()).then_some(accuracy[side as usize])
    }

    /// Looks again at which line one steps along.
    pub(crate) fn refresh(&mut self) {
        let mut game = self.game.clone();
        game.to_end();
        self.line = game.moves().collect();
        self.path = game.cursor().steps().to_vec();
    }

    /// A number for a piece of work.
    pub(crate) fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }
}

/// Every board has it.
fn first_square() -> Point {
    emilia_rules::Size::MIN.points().next().unwrap_or_else(|| unreachable!("a board has squares"))
}

pub(crate) fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// A number of discs with its sign.
pub(crate) fn signed(discs: f64) -> String {
    // Adding 0 turns -0 into 0.
    format!("{:+.1}", discs + 0.0)
}
