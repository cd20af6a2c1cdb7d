use std::collections::VecDeque;
use std::io;

use emilia_query::{Fault, Level, Limits, Query, Report};
use emilia_record::sgf;
use emilia_rules::{Color, Playable, Size, Status};

use super::analysis::{Analysis, Dialect, picture};
use super::command::{Command, Reply, framed};
use super::game::Game;
use super::refusal::Refusal;
use super::time::{TimeControl, seconds};
use super::vertex::{Letters, color};
use crate::pondering::Pondering;
use crate::{Identity, Order, Session, clip};

/// The engine's side of GTP: keeps a game and answers commands, one after the other.
///
/// Commands that come while a move is being report about wait for their turn, as the protocol demands; `quit` ends
/// the thinking and any command ends a running analysis.
pub struct Server {
    name: String,
    version: String,
    letters: Letters,
    game: Game,
    time: TimeControl,
    level: Option<Level>,
    busy: Option<Busy>,
    pondering: Pondering,
    searches: u64,
    /// The command whose file is being read.
    loading: Option<Command>,
    waiting: VecDeque<Command>,
    input_ended: bool,
}

/// The search that is running and what it is for.
struct Busy {
    search: u64,
    id: String,
    purpose: Purpose,
    /// It has come to its end, but the answer ends only with the next command: an analysis that solved the position.
    done: bool,
}

enum Purpose {
    /// A move for this side, to be played or only told.
    Move { color: Color, passes: usize, play: bool },
    /// Lines until the next command.
    Analysis(Analysis),
    /// A picture for GoGui.
    Picture,
}

/// Commands that may wait while a search is running.
const MOST_WAITING: usize = 1000;
/// Best moves shown in a picture.
const PICTURE_MOVES: usize = 8;

/// Every command, in the order in which they are listed.
const COMMANDS: [&str; 34] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "set_game",
    "list_games",
    "loadsgf",
    "final_score",
    "set_level",
    "gogui-rules_game_id",
    "gogui-rules_board_size",
    "gogui-rules_board",
    "gogui-rules_side_to_move",
    "gogui-rules_legal_moves",
    "gogui-rules_final_result",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "analyze",
    "lz-analyze",
    "kata-analyze",
    "emilia-best_moves",
    "emilia-ponder",
];

impl Server {
    /// A session with an empty 8×8 game.
    #[must_use]
    pub fn new(identity: Identity<'_>) -> Server {
        Server {
            name: identity.name.to_owned(),
            version: identity.version.to_owned(),
            letters: Letters::Plain,
            game: Game::new(Size::EIGHT),
            time: TimeControl::None,
            level: None,
            busy: None,
            pondering: Pondering::default(),
            searches: 0,
            loading: None,
            waiting: VecDeque::new(),
            input_ended: false,
        }
    }

    /// With columns called so.
    #[must_use]
    pub fn lettered(self, letters: Letters) -> Server {
        Server { letters, ..self }
    }

    /// Thinking while the other side does, or not.
    #[must_use]
    pub fn pondering(mut self, on: bool) -> Server {
        self.pondering.set(on);
        self
    }

    /// Takes the game of the file that `loadsgf FILE [MOVE]` named, up to before the move of that number.
    fn load(&mut self, command: &Command, text: io::Result<String>) -> Reply {
        let game = sgf::parse(&text?)?;
        let until = match command.argument(1) {
            none if none.is_empty() => usize::MAX,
            number => number.parse().map_err(|_| Refusal::Invalid("move number"))?,
        };
        let most = until.saturating_sub(1);
        self.game = Game::from_moves(*game.start(), game.main_line().take(most));
        Ok(String::new())
    }

    /// Begins a search.
    fn think(&mut self, id: &str, purpose: Purpose, query: Query) -> Vec<Order> {
        self.searches += 1;
        self.busy = Some(Busy { search: self.searches, id: id.to_owned(), purpose, done: false });
        vec![Order::Think(self.searches, Box::new(query))]
    }

    /// The position as it is, with what limits thinking about it.
    fn query(&self) -> Query {
        let mut limits = self.time.limits(self.game.position().turn());
        limits.level = self.level;
        self.game.query.clone().within(limits)
    }

    /// The same orders, and to think on while the other side does if there is nothing else to do.
    fn and_ponder(&mut self, mut orders: Vec<Order>) -> Vec<Order> {
        let idle = self.busy.is_none() && self.loading.is_none() && self.waiting.is_empty();
        if idle && orders.last() != Some(&Order::Quit) {
            let (time, level) = (self.time, self.level);
            let limits = |own| Limits { level, ..time.limits(own) };
            orders.extend(self.pondering.begin(self.game.position(), limits, &mut self.searches));
        }
        orders
    }

    /// Does a command now.
    fn execute(&mut self, command: &Command) -> Vec<Order> {
        let started = match command.name.as_str() {
            "genmove" => self.begin_move(command, true),
            "reg_genmove" => self.begin_move(command, false),
            "analyze" | "lz-analyze" => self.begin_analysis(command, Dialect::Leela),
            "kata-analyze" => self.begin_analysis(command, Dialect::Kata),
            "emilia-best_moves" if !self.game.position().is_over() => {
                let query = self.query().with_lines(PICTURE_MOVES);
                self.pondering.forget();
                Ok(self.think(&command.id, Purpose::Picture, query))
            }
            "quit" => {
                return vec![Order::Say(framed(&command.id, &Ok(String::new()))), Order::Quit];
            }
            "loadsgf" if !command.arguments.is_empty() => {
                self.loading = Some(command.clone());
                return vec![Order::Read(command.arguments[0].clone())];
            }
            "clear_board" => {
                self.game = Game::new(self.game.size());
                return vec![Order::Forget, Order::Say(framed(&command.id, &Ok(String::new())))];
            }
            _ => Err(self.simple(command)),
        };
        match started {
            Ok(orders) => orders,
            Err(reply) => vec![Order::Say(framed(&command.id, &reply))],
        }
    }

    /// Begins to look for a move; or the answer, where no thinking is needed.
    fn begin_move(&mut self, command: &Command, play: bool) -> Result<Vec<Order>, Reply> {
        let side = color(&command.argument(0)).ok_or(Err(Refusal::Color))?;
        if self.game.position().is_over() {
            if play {
                // The controller will count this pass, and may want to undo it.
                let _ = self.game.made(0);
            }
            return Err(Ok("pass".to_owned()));
        }
        let passes = self.game.turn_to(side).map_err(Err)?;
        if self.game.position().status() == Status::MustPass {
            let reply = if play { self.game.play(side, emilia_rules::Move::Pass) } else { Ok(String::new()) };
            return Err(reply.map(|_| "pass".to_owned()));
        }
        let query = self.query();
        Ok(self.think(&command.id, Purpose::Move { color: side, passes, play }, query))
    }

    fn begin_analysis(&mut self, command: &Command, dialect: Dialect) -> Result<Vec<Order>, Reply> {
        let analysis = Analysis::parse(command, dialect);
        let turn = self.game.position().turn();
        if self.game.position().is_over() {
            return Err(Err(Refusal::Over));
        }
        if analysis.color.is_some_and(|color| color != turn) {
            return Err(Err(Refusal::Turn(turn)));
        }
        self.pondering.forget();
        let query = self.game.query.clone().within(Limits::endless()).with_lines(analysis.moves);
        let mut orders = vec![Order::Say(format!("={}", command.id))];
        orders.extend(self.think(&command.id, Purpose::Analysis(analysis), query));
        Ok(orders)
    }

    /// Commands that are answered at once.
    fn simple(&mut self, command: &Command) -> Reply {
        let first = command.argument(0);
        match command.name.as_str() {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(self.name.clone()),
            "version" => Ok(self.version.clone()),
            "known_command" => Ok(COMMANDS.contains(&first.as_str()).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "boardsize" => self.board_size(command),
            "komi" | "gogui-interrupt" => Ok(String::new()),
            "play" => {
                let side = color(&first).ok_or(Refusal::Color)?;
                let mv = self.letters.read(&command.argument(1), self.game.size());
                let mv = mv.ok_or_else(|| Refusal::Vertex(clip(&command.argument(1))))?;
                self.game.play(side, mv)
            }
            "undo" => self.game.undo(),
            "showboard" => Ok(format!("\n{}", self.picture())),
            "time_settings" => {
                let time = |number| seconds(&command.argument(number)).ok_or(Refusal::Invalid("time"));
                let stones = command.argument(2).parse().map_err(|_| Refusal::Invalid("number of stones"))?;
                self.time = TimeControl::settings(time(0)?, time(1)?, stones);
                Ok(String::new())
            }
            "time_left" => {
                let side = color(&first).ok_or(Refusal::Color)?;
                let time = seconds(&command.argument(1)).ok_or(Refusal::Invalid("time"))?;
                let stones = match command.argument(2) {
                    none if none.is_empty() => 0,
                    word => word.parse().map_err(|_| Refusal::Invalid("number of stones"))?,
                };
                self.time.set_left(side, time, stones);
                Ok(String::new())
            }
            "set_game" if first == "othello" => Ok(String::new()),
            "set_game" => Err(Refusal::OtherGame),
            "list_games" | "gogui-rules_game_id" => Ok("Othello".to_owned()),
            "loadsgf" => Err(Refusal::NoFile),
            "final_score" => self.game.score(),
            "set_level" => {
                let level = first.parse().map_err(|_| Refusal::Invalid("level"))?;
                self.level = Some(Level::new(level)?);
                Ok(String::new())
            }
            "emilia-ponder" => {
                self.pondering.set(match first.as_str() {
                    "on" => true,
                    "off" => false,
                    _ => return Err(Refusal::OnOrOff),
                });
                Ok(String::new())
            }
            "gogui-rules_board_size" => Ok(self.game.size().get().to_string()),
            "gogui-rules_board" => Ok(self.game.rows()),
            "gogui-rules_side_to_move" => Ok(self.game.position().turn().to_string()),
            "gogui-rules_legal_moves" => {
                let moves = self.game.position().moves().map(|mv| self.letters.write(mv));
                Ok(moves.collect::<Vec<_>>().join(" "))
            }
            "gogui-rules_final_result" => Ok(self.game.result()),
            "gogui-analyze_commands" => Ok("gfx/Best Moves/emilia-best_moves\n\
                 string/Legal Moves/gogui-rules_legal_moves\n\
                 string/Final Score/final_score\n\
                 string/Result/gogui-rules_final_result"
                .to_owned()),
            "emilia-best_moves" => Err(Refusal::Over),
            _ => Err(Refusal::UnknownCommand),
        }
    }

    fn board_size(&mut self, command: &Command) -> Reply {
        let letters = match command.argument(1).as_str() {
            "" => self.letters,
            "skip-i" => Letters::SkipI,
            "plain" => Letters::Plain,
            _ => return Err(Refusal::Columns),
        };
        let side = command.argument(0).parse().map_err(|_| Refusal::Invalid("size"))?;
        let size = Size::new(side).ok().filter(|size| letters.reach(*size)).ok_or(Refusal::Size)?;
        self.letters = letters;
        self.game = Game::new(size);
        Ok(String::new())
    }

    /// The board for people: row 1 above, as Othello is drawn.
    fn picture(&self) -> String {
        let text = emilia_record::draw::Text::new(self.game.position(), emilia_record::draw::Style::Letters);
        let turn = self.game.position().turn();
        // An empty line would end the answer.
        let lines: Vec<String> =
            text.to_string().lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        format!("{}\n{turn} to move, {}", lines.join("\n"), self.game.position().counts())
    }

    /// Goes on with what is waiting, as long as nothing is searched or read. What waits behind a search ends it as if
    /// it came only now: nobody else would.
    fn go_on(&mut self) -> Vec<Order> {
        let mut orders = Vec::new();
        while self.busy.is_none() && self.loading.is_none() && orders.last() != Some(&Order::Quit) {
            match self.waiting.pop_front() {
                Some(command) => orders.extend(self.execute(&command)),
                None if self.input_ended => orders.push(Order::Quit),
                None => break,
            }
        }
        if let Some(Busy { search, purpose, .. }) = &self.busy {
            let quits = self.waiting.back().is_some_and(|command| command.name == "quit");
            let heard = self.input_ended || !self.waiting.is_empty();
            if quits || heard && matches!(purpose, Purpose::Analysis(_)) {
                orders.push(Order::Stop(*search));
            }
        }
        orders
    }

    /// Ends the answer of an analysis that has come to its end.
    fn close_analysis(&mut self) -> Vec<Order> {
        let done = self.busy.take_if(|busy| busy.done);
        done.map(|_| Order::Say(String::new())).into_iter().collect()
    }

    /// What a search was for, if it is the one that is wanted.
    fn take_busy(&mut self, search: u64) -> Option<Busy> {
        self.busy.take_if(|busy| busy.search == search)
    }

    /// The answer to a finished search.
    fn answer(&mut self, busy: Busy, found: Result<Report, Fault>) -> String {
        let found = found.map_err(Refusal::Failed);
        let reply = match busy.purpose {
            // The answer began long ago; an empty line ends it.
            Purpose::Analysis(_) => return String::new(),
            Purpose::Picture => found.map(|report| picture(&report, self.letters)),
            Purpose::Move { color, passes, play } => {
                let reply = found.and_then(|report| self.take_move(color, play, &report));
                match (&reply, play) {
                    (Ok(_), true) => {
                        let _ = self.game.made(passes + 1);
                    }
                    // The board stays as it was before the command.
                    _ if passes > 0 => {
                        self.game.query.undo();
                    }
                    _ => {}
                }
                reply
            }
        };
        framed(&busy.id, &reply)
    }

    /// The move that was found, played if that was wanted.
    fn take_move(&mut self, color: Color, play: bool, report: &Report) -> Reply {
        let best = report.best().ok_or(Refusal::NoMove)?;
        if play {
            let asked = self.game.query.clone();
            self.game.query.play(best.mv).map_err(Refusal::Cheated)?;
            self.pondering.expect(&asked, report, *self.game.position());
            self.time.spend(color, report.time);
        }
        Ok(self.letters.write(best.mv))
    }

    /// A command has come: it is done now, or waits.
    fn hear(&mut self, command: Command) -> Vec<Order> {
        let mut orders = self.close_analysis();
        let Some(busy) = &self.busy else {
            orders.extend(self.execute(&command));
            return orders;
        };
        let stops = matches!(busy.purpose, Purpose::Analysis(_)) || command.name == "quit";
        let stop = stops.then_some(Order::Stop(busy.search));
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push_back(command);
            stop.into_iter().collect()
        } else if command.name == "quit" {
            self.waiting.clear();
            self.waiting.push_back(command);
            stop.into_iter().collect()
        } else {
            vec![Order::Say(framed(&command.id, &Err(Refusal::TooMany)))]
        }
    }
}

impl Session for Server {
    fn line(&mut self, line: &str) -> Vec<Order> {
        let Some(command) = Command::parse(line) else { return Vec::new() };
        let mut orders: Vec<Order> = self.pondering.interrupt().into_iter().collect();
        orders.extend(self.hear(command));
        self.and_ponder(orders)
    }

    fn too_long(&mut self, bytes: usize) -> Vec<Order> {
        vec![Order::Say(framed("", &Err(Refusal::TooLong(bytes))))]
    }

    fn progress(&mut self, search: u64, report: &Report) -> Vec<Order> {
        let letters = self.letters;
        let Some(Busy { search: wanted, purpose: Purpose::Analysis(analysis), .. }) = &mut self.busy else {
            return Vec::new();
        };
        if *wanted == search && !report.moves.is_empty() && analysis.is_due(report.time) {
            vec![Order::Say(analysis.line(report, letters))]
        } else {
            Vec::new()
        }
    }

    fn finished(&mut self, search: u64, found: Result<Report, Fault>) -> Vec<Order> {
        let mut orders = Vec::new();
        if let (Some(Busy { search: wanted, purpose: Purpose::Analysis(analysis), done, .. }), Ok(report)) =
            (&mut self.busy, &found)
            && *wanted == search
            && self.waiting.is_empty()
            && !self.input_ended
        {
            *done = true;
            return vec![Order::Say(analysis.line(report, self.letters))];
        }
        let Some(busy) = self.take_busy(search) else { return self.go_on() };
        orders.push(Order::Say(self.answer(busy, found)));
        orders.extend(self.go_on());
        self.and_ponder(orders)
    }

    fn ended(&mut self) -> Vec<Order> {
        self.input_ended = true;
        let mut orders: Vec<Order> = self.pondering.interrupt().into_iter().collect();
        orders.extend(self.close_analysis());
        match &self.busy {
            Some(Busy { search, purpose: Purpose::Analysis(_), .. }) => orders.push(Order::Stop(*search)),
            Some(_) => {}
            None => orders.extend(self.go_on()),
        }
        orders
    }

    fn listens(&self) -> bool {
        self.waiting.back().is_none_or(|command| command.name != "quit")
    }

    fn file(&mut self, text: io::Result<String>) -> Vec<Order> {
        let Some(command) = self.loading.take() else { return Vec::new() };
        let reply = self.load(&command, text);
        let mut orders = vec![Order::Say(framed(&command.id, &reply))];
        orders.extend(self.go_on());
        orders
    }
}
