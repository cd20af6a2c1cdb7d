//! Games in the terminal in the two styles of the programs that came before: lettered and numbered.

mod lettered;
mod numbered;
mod texts;

use std::io;

use clap::{Args, ValueEnum};
use emilia_engine::{Candidate, Player};
use emilia_query::{Query, Stop, Value};
use emilia_rules::{Color, GridPosition, Move, Objective, Outcome, Playable, Point, Size, Start, parse_move};

use crate::files::open_named;
use crate::position::parse_size;
use crate::seed::{SeedArg, seeded};
use crate::{Failure, Streams};
use texts::Language;

/// Play line by line, in the lettered or the numbered style of classic course programs
///
/// What is not given as an option is asked. The end of the input ends the game without an error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia console                                      asks for the board and for the computer's colour
  emilia console --size 6 --computer W                6×6, the computer is White
  emilia console --style numbered --language zh       the numbered style in Chinese
  emilia console --computer both --player greedy      watch the computer play itself
  printf '4\\nB\\nac\\n' | emilia console               scripted")]
pub(crate) struct Console {
    /// How the board looks and what is said
    #[arg(long, value_enum, default_value_t = Style::Lettered, value_name = "STYLE")]
    style: Style,

    /// Side of the board: an even number from 4 to 26 (asked in the lettered style, 6 in the numbered one)
    #[arg(long, value_name = "N", value_parser = parse_size)]
    size: Option<Size>,

    /// Which sides the computer plays: B, W, both or none (asked if missing)
    #[arg(long, value_name = "SIDE", ignore_case = true)]
    computer: Option<Sides>,

    /// Who the computer is; "emilia players" lists the choice (default: the style's own, with a time limit)
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    /// What an illegal move costs: the game, or another try (default: forfeit if lettered, retry if numbered)
    #[arg(long, value_enum, value_name = "RULE")]
    illegal: Option<Illegal>,

    /// How the four discs in the middle lie
    #[arg(long, value_enum, default_value_t = Layout::Standard, value_name = "LAYOUT")]
    start: Layout,

    /// Play for the fewest discs
    #[arg(long)]
    fewest: bool,

    /// Language of the numbered style
    #[arg(long, value_enum, default_value_t = Language::En, value_name = "LANGUAGE")]
    language: Language,

    #[command(flatten)]
    seed: SeedArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Style {
    /// Squares are two letters, row then column; cells are U, B and W
    Lettered,
    /// Squares are two numbers, row then column; discs are ● and ○
    Numbered,
}

impl Style {
    /// The player of the program that had this style. It has a time limit because the board may be large; where
    /// that suffices it plays as the original did.
    fn own_player(self) -> &'static str {
        match self {
            Style::Lettered => "iterative:time=1s,depth=6,eval=ideal",
            Style::Numbered => "iterative:time=2s,depth=10,eval=myjudge,order=rings",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sides {
    #[value(name = "B", alias = "black")]
    Black,
    #[value(name = "W", alias = "white")]
    White,
    Both,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Illegal {
    /// The game is lost
    Forfeit,
    /// The move is asked for again
    Retry,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// White on the diagonal from the top left
    Standard,
    /// Black there
    Mirrored,
}

impl Console {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        // Made before anything is asked, so that a wrong name is found at once.
        let name = self.player.as_deref().unwrap_or(self.style.own_player());
        let candidate = Candidate::parse(name, &open_named).map_err(Failure::usage)?;
        let done = match self.style {
            Style::Lettered => lettered::run(&self, &candidate, streams),
            Style::Numbered => numbered::run(&self, &candidate, streams),
        }?;
        if done == Done::InputEnded {
            writeln!(streams.out)?;
        }
        Ok(())
    }

    /// A player for this game, counted from 0; where its dice begin is said, for who wants the game again.
    fn player(
        &self,
        candidate: &Candidate,
        game: u64,
        streams: &mut Streams<'_>,
    ) -> io::Result<Box<dyn Player>> {
        let seed = self.seed.of_game(game);
        if candidate.is_unseeded() {
            writeln!(streams.out, "{}", self.language.dice(seed))?;
        }
        Ok(seeded(candidate, seed))
    }

    fn objective(&self) -> Objective {
        if self.fewest { Objective::Fewest } else { Objective::Most }
    }

    fn start(&self, size: Size) -> GridPosition {
        let layout = match self.start {
            Layout::Standard => Start::Standard,
            Layout::Mirrored => Start::Mirrored,
        };
        GridPosition::start_as(size, layout)
    }
}

impl Sides {
    fn include(self, color: Color) -> bool {
        match self {
            Sides::Black => color == Color::Black,
            Sides::White => color == Color::White,
            Sides::Both => true,
            Sides::None => false,
        }
    }
}

/// How a conversation came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    GameOver,
    InputEnded,
}

/// Who has won, counted as the game was meant.
fn outcome(position: &GridPosition, objective: Objective) -> Outcome {
    position.counts().outcome(objective)
}

/// A typed move, if it can be read and played.
fn typed_move(position: &GridPosition, text: &str) -> Option<(Point, GridPosition)> {
    let Ok(Move::Place(point)) = parse_move(text, position.size()) else { return None };
    Some((point, position.play(Move::Place(point)).ok()?))
}

/// What the computer plays where it has a move to choose.
fn chosen_move(
    player: &mut dyn Player,
    position: &GridPosition,
    objective: Objective,
) -> Result<Option<(Point, Option<Value>, GridPosition)>, Failure> {
    let mut query = Query::new(*position);
    query.objective = Some(objective);
    let report = player.answer(&query, &Stop::default(), &mut ()).map_err(Failure::failed)?;
    let next = |mv: Move<Point>| Some((mv.square()?, report.value(), position.play(mv).ok()?));
    Ok(report.best_move().and_then(next))
}
