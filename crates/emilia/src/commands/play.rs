use std::io;
use std::path::Path;

use clap::Args;
use emilia_engine::{Candidate, Player};
use emilia_query::{Query, Report, Source, Stop};
use emilia_record::draw::{Style, Text};
use emilia_record::{Format, Game, GameResult, WriteOptions, tag};
use emilia_rules::{
    Color, GridPosition, Move, Objective, Outcome, Playable, Point, Size, Start, Status, parse_move,
};

use crate::files::{open_named, write_file};
use crate::number;
use crate::position::parse_size;
use crate::seed::{SeedArg, seeded};
use crate::{Failure, Streams};

/// Play a game in the terminal
///
/// Type a square such as d3 to move; "help" lists what else can be typed. Passes are made for you. "emilia tui" takes the whole
/// terminal.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia play                                     you are Black
  emilia play --black alphabeta --white human     the computer begins
  emilia play --size 10 --white human             two people on 10×10
  emilia play --white emilia:time=5s --ponder     it thinks while you do
  emilia play --black s4-judge --white s4-myjudge --size 6
                                                  watch two players")]
pub(crate) struct Play {
    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8")]
    size: Size,

    /// Who plays Black: "human", or a player that "emilia players" lists
    #[arg(long, value_name = "WHO", default_value = HUMAN)]
    black: String,

    /// Who plays White
    #[arg(long, value_name = "WHO", default_value = COMPUTER)]
    white: String,

    /// Begin with the mirrored middle
    #[arg(long)]
    mirrored: bool,

    /// Play for the fewest discs
    #[arg(long)]
    fewest: bool,

    /// The computer thinks while you do, if it plays by time
    #[arg(long)]
    ponder: bool,

    #[command(flatten)]
    seed: SeedArg,
}

/// A person at the keyboard.
const HUMAN: &str = "human";

/// The computer unless another player is named; also who gives hints.
const COMPUTER: &str = "emilia:time=1s";

const HELP: &str = "\
  d3          place a disc on d3
  moves       list your legal moves
  hint        ask the computer
  undo, redo  take back to your last move, and forward again
  save FILE   keep the game; the ending says how, such as .ggf or .pgn
  board       print the position as text that other programs read
  new         begin again
  quit        leave";

impl Play {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let seat = |who: &str| match who {
            HUMAN => Ok(Seat::Human),
            name => Candidate::for_people(name, &open_named).map(Seat::Computer).map_err(Failure::usage),
        };
        let seats = [seat(&self.black)?, seat(&self.white)?];
        let mut session = Session {
            game: self.game(),
            options: &self,
            seats,
            players: [None, None],
            expected: None,
            begun: 0,
        };
        session.run(streams)
    }

    fn objective(&self) -> Objective {
        if self.fewest { Objective::Fewest } else { Objective::Most }
    }

    fn game(&self) -> Game {
        let layout = if self.mirrored { Start::Mirrored } else { Start::Standard };
        let mut game = Game::with_start(self.size, layout);
        game.objective = self.objective();
        game.tags.set(tag::PLACE, "Emilia");
        game.tags.set(tag::BLACK, &self.black);
        game.tags.set(tag::WHITE, &self.white);
        game
    }
}

/// Who sits at one side of the board.
enum Seat {
    Human,
    Computer(Candidate),
}

impl Seat {
    fn player(&self, seed: u64) -> Option<Box<dyn Player>> {
        match self {
            Seat::Human => None,
            Seat::Computer(candidate) => Some(seeded(candidate, seed)),
        }
    }

    fn is_unseeded(&self) -> bool {
        matches!(self, Seat::Computer(candidate) if candidate.is_unseeded())
    }
}

/// A board, the game on it, and who plays.
struct Session<'a> {
    options: &'a Play,
    game: Game,
    seats: [Seat; 2],
    players: [Option<Box<dyn Player>>; 2],
    /// What is expected after the computer's last move, if it is to think about that, and where the move has led.
    expected: Option<(Query, GridPosition)>,
    /// Games begun.
    begun: u64,
}

impl Session<'_> {
    fn run(&mut self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        writeln!(streams.out, "Type a square such as d3 to move, or help.")?;
        self.begin(streams)?;
        loop {
            match self.game.position().status() {
                Status::MustPass => {
                    writeln!(streams.out, "{} has no move and passes.", capital(self.turn()))?;
                    self.make(Move::Pass)?;
                    continue;
                }
                Status::ToPlace if self.computer_moves(streams)? => {
                    self.draw(streams)?;
                    continue;
                }
                Status::ToPlace => {}
                Status::Over(_) => {
                    self.declare(streams)?;
                    if self.seats.iter().all(|seat| matches!(seat, Seat::Computer(_))) {
                        return Ok(());
                    }
                }
            }
            write!(streams.out, "{}> ", self.turn())?;
            let Some(line) = self.read_line(streams)? else {
                writeln!(streams.out)?;
                return Ok(());
            };
            let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            match word.to_ascii_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(()),
                "help" | "?" => writeln!(streams.out, "{HELP}")?,
                "moves" => writeln!(streams.out, "{}", self.legal_moves())?,
                "hint" => self.hint(streams)?,
                "undo" => self.back_or_forward(Game::undo, "There is nothing to take back.", streams)?,
                "redo" => self.back_or_forward(Game::redo, "There is nothing to play again.", streams)?,
                "save" => self.save(rest.trim(), streams)?,
                "board" => writeln!(streams.out, "{}", self.game.position())?,
                "new" => self.begin(streams)?,
                _ => self.human_moves(line.trim(), streams)?,
            }
        }
    }

    /// The next line; until it comes, the computer thinks about what it expects if that is wanted.
    fn read_line(&mut self, streams: &mut Streams<'_>) -> io::Result<Option<String>> {
        let other = !self.turn() as usize;
        let expected = self.expected.as_ref().filter(|(_, moved)| moved == self.game.position());
        let (Some((query, _)), Some(player)) = (expected, &mut self.players[other]) else {
            return streams.read_line();
        };
        let stop = Stop::default();
        std::thread::scope(|scope| {
            // A player that cannot ponder says why when it is to move.
            scope.spawn(|| drop(player.ponder(query, &stop, &mut ())));
            let line = streams.read_line();
            stop.request();
            line
        })
    }

    /// Sets up a new game with fresh players.
    fn begin(&mut self, streams: &mut Streams<'_>) -> io::Result<()> {
        let seed = self.options.seed.of_game(self.begun);
        self.begun += 1;
        self.game = self.options.game();
        self.players = self.seats.each_ref().map(|seat| seat.player(seed));
        if self.seats.iter().any(Seat::is_unseeded) {
            writeln!(streams.out, "The dice of this game: --seed {seed}")?;
        }
        self.draw(streams)
    }

    fn turn(&self) -> Color {
        self.game.position().turn()
    }

    /// Lets the computer move if it is its turn.
    fn computer_moves(&mut self, streams: &mut Streams<'_>) -> Result<bool, Failure> {
        let (color, query) = (self.turn(), self.query()?);
        let Some(player) = &mut self.players[color as usize] else { return Ok(false) };
        streams.out.flush()?;
        let report = player.answer(&query, &Stop::default(), &mut ()).map_err(Failure::failed)?;
        let Some(mv) = report.best_move() else { return Ok(false) };
        let &Report { depth, nodes, time, source, .. } = &report;
        write!(streams.out, "{} plays {mv}", capital(color))?;
        if let Some(value) = report.value() {
            let (score, seconds) = (number::score(value), time.as_secs_f64());
            match source {
                Source::Book => write!(streams.out, " (score {score}, from the book)")?,
                _ => write!(streams.out, " (score {score}, depth {depth}, {nodes} nodes, {seconds:.1} s)")?,
            }
        }
        writeln!(streams.out)?;
        self.make(mv)?;
        self.game.note_mut().time = Some(time);
        let expected = if self.options.ponder { query.expected(&report) } else { None };
        self.expected = expected.map(|query| (query, *self.game.position()));
        Ok(true)
    }

    /// The game so far as a question.
    fn query(&self) -> Result<Query, Failure> {
        let mut query = Query::of_game(*self.game.start(), self.game.moves()).map_err(Failure::failed)?;
        query.objective = Some(self.options.objective());
        Ok(query)
    }

    fn human_moves(&mut self, text: &str, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let mv = match parse_move(text, self.game.size()) {
            Ok(mv) => mv,
            Err(error) => return Ok(writeln!(streams.out, "{error} (help lists what can be typed)")?),
        };
        match self.game.play(mv) {
            Ok(()) => self.draw(streams)?,
            Err(error) => writeln!(streams.out, "{error}; you can play {}", self.legal_moves())?,
        }
        Ok(())
    }

    /// Makes a move that is known to be legal.
    fn make(&mut self, mv: Move<Point>) -> Result<(), Failure> {
        self.game.play(mv).map_err(Failure::failed)
    }

    /// Moves through the game until a person is to move.
    fn back_or_forward(
        &mut self,
        step: fn(&mut Game) -> bool,
        nothing: &str,
        streams: &mut Streams<'_>,
    ) -> io::Result<()> {
        let before = self.game.cursor();
        while step(&mut self.game) {
            let human = self.players[self.turn() as usize].is_none();
            if human && self.game.position().status() == Status::ToPlace {
                return self.draw(streams);
            }
        }
        if self.game.position().is_over() && self.game.cursor() != before {
            return self.draw(streams);
        }
        self.game.go(&before);
        writeln!(streams.out, "{nothing}")
    }

    fn hint(&mut self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        streams.out.flush()?;
        let candidate = Candidate::parse(COMPUTER, &open_named).map_err(Failure::failed)?;
        let answer = candidate.player(0).answer(&self.query()?, &Stop::default(), &mut ());
        match answer.map_err(Failure::failed)?.best() {
            Some(best) => {
                let line: Vec<String> = best.line.iter().map(Move::to_string).collect();
                writeln!(streams.out, "I would play {} (expecting {})", best.mv, line.join(" "))?;
            }
            None => writeln!(streams.out, "The game is over.")?,
        }
        Ok(())
    }

    /// Saves the game; what goes wrong is said and changes nothing.
    fn save(&self, file: &str, streams: &mut Streams<'_>) -> io::Result<()> {
        let Some(format) = Format::of_file_name(file) else {
            return writeln!(streams.out, "Say a file with one of the endings {}.", Format::endings());
        };
        let mut game = self.game.clone();
        if game.position().is_over() {
            game.result = Some(GameResult::counted(game.position().counts().margin()));
        }
        let bytes = match emilia_record::write(format, &[game], &WriteOptions::default()) {
            Ok(bytes) => bytes,
            Err(error) => return writeln!(streams.out, "{error}"),
        };
        match write_file(Path::new(file), &bytes) {
            Ok(()) => writeln!(streams.out, "Saved as {format}."),
            Err(error) => writeln!(streams.out, "{file}: {error}"),
        }
    }

    fn legal_moves(&self) -> String {
        let moves: Vec<String> = self.game.position().moves().map(|mv| mv.to_string()).collect();
        if moves.is_empty() { "nothing, the game is over".to_owned() } else { moves.join(" ") }
    }

    fn draw(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        let position = self.game.position();
        let style = if streams.color { Style::Discs } else { Style::Letters };
        let last = self.game.last_move().and_then(Move::square);
        let text = Text { legal: true, last, ansi: streams.color, ..Text::new(position, style) };
        let counts = position.counts();
        let mark = |color| if streams.color { String::new() } else { format!(" ({})", Color::symbol(color)) };
        let (black, white) = (mark(Color::Black), mark(Color::White));
        writeln!(streams.out, "\n{text}Black{black} {}   White{white} {}", counts.black, counts.white)
    }

    fn declare(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        let counts = self.game.position().counts();
        match counts.outcome(self.game.objective) {
            Outcome::Win(color) => writeln!(streams.out, "Game over: {} wins {counts}.", capital(color)),
            Outcome::Draw => writeln!(streams.out, "Game over: a draw, {counts}."),
        }
    }
}

fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
