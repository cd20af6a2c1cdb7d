use std::time::Duration;

use emilia_engine::Verdicts;
use emilia_query::{Fault, Limits, Query, Report};
use emilia_record::{Format, Game};
use emilia_rules::{Color, Move, Playable, Point, Status};

use crate::clock::Clock;
use crate::command::vim;
use crate::layout::Layout;
use crate::state::{Focus, Study, capital, signed};
use crate::{Command, Effect, Event, Key, Seat, State, Ticket};

/// How long is thought about a hint.
const HINT: Duration = Duration::from_secs(1);
/// Lines that an analysis shows.
const LINES: usize = 4;
/// Characters of a file's name that can be typed.
const LONGEST_NAME: usize = 200;

/// What is to be done elsewhere because of an event.
type Effects = Vec<Effect>;

impl State {
    /// Takes an event in and says what is to be done elsewhere.
    pub fn update(&mut self, event: Event) -> Effects {
        let mut effects = Effects::new();
        if self.games == 0 {
            self.seat_players(&mut effects);
        }
        let before = self.path_shown();
        self.take(event, &mut effects);
        self.refresh();
        self.pass_if_forced();
        if self.path_shown() != before {
            self.look_again(&mut effects);
        }
        self.let_players_move(&mut effects);
        effects
    }

    fn take(&mut self, event: Event, effects: &mut Effects) {
        match event {
            Event::Key(key) => self.key(key, effects),
            Event::Click(column, row) => self.click(column, row, effects),
            Event::Wheel(steps) => (0..steps.unsigned_abs()).for_each(|_| self.step(steps > 0)),
            Event::Command(command) => self.command(command, effects),
            Event::Resize(columns, rows) => self.area = (columns, rows),
            Event::Time(time) => self.pass_time(time, effects),
            Event::Progress(ticket, report) => self.progress(ticket, report),
            Event::Answer(ticket, answer) => self.answer(ticket, answer),
            Event::Tree(ticket, depth, lines) if self.judging == Some(ticket) => {
                self.tree = Some((depth, lines))
            }
            Event::Judged(ticket, reviewed) if self.judging == Some(ticket) => {
                self.message =
                    format!("Reviewed {} of {} moves …", reviewed.ply, self.game.main_line().count());
                if let Some(discs) = reviewed.discs {
                    self.values.insert(vec![0; reviewed.ply], discs);
                }
                self.reviewed.insert(reviewed.ply, *reviewed);
            }
            Event::Reviewed(ticket, verdicts) if self.judging == Some(ticket) => self.reviewed(verdicts),
            Event::Tree(..) | Event::Judged(..) | Event::Reviewed(..) => {}
            Event::Saved(Ok(format)) => self.message = format!("Saved as {format}."),
            Event::Saved(Err(reason)) => self.message = format!("Not saved: {reason}"),
        }
    }

    fn key(&mut self, key: Key, effects: &mut Effects) {
        if let (Some(file), false) = (&mut self.file, matches!(key, Key::Interrupt)) {
            match key {
                Key::Char(c) if file.chars().count() < LONGEST_NAME => file.push(c),
                Key::Backspace => drop(file.pop()),
                Key::Escape => self.file = None,
                Key::Enter => {
                    let file = self.file.take().unwrap_or_default();
                    self.command(Command::Save(file), effects);
                }
                _ => {}
            }
        } else if let Some(command) = Command::of_key(key, self.game.size()) {
            self.command(command, effects);
        }
    }

    fn click(&mut self, column: u16, row: u16, effects: &mut Effects) {
        let layout = Layout::of(self);
        if self.help {
            self.help = false;
        } else if let Some(point) = layout.square_at(column, row) {
            self.focus = Focus::Board;
            self.cursor = point;
            self.command(Command::Place(point), effects);
        } else if let Some(ply) = layout.ply_at(column, row, self) {
            self.go_to(ply);
        }
    }

    fn command(&mut self, command: Command, effects: &mut Effects) {
        if !matches!(command, Command::Type(_) | Command::Erase | Command::Confirm) {
            self.typed.clear();
        }
        match command {
            Command::Help => self.help = !self.help,
            Command::Cancel => (self.help, self.hint) = (false, None),
            Command::Quit => effects.push(Effect::Quit),
            _ if self.help => self.help = false,
            Command::Go(columns, rows) => self.go(columns, rows),
            Command::Type(c) => self.type_square(c),
            Command::Erase => drop(self.typed.pop()),
            Command::Confirm if !self.typed.is_empty() => self.play_typed(),
            Command::Confirm if self.focus == Focus::Moves => self.step(true),
            Command::Confirm => self.place(self.cursor),
            Command::Place(point) => self.place(point),
            Command::SwitchFocus => {
                self.focus = if self.focus == Focus::Board { Focus::Moves } else { Focus::Board };
            }
            Command::Undo => self.back_or_forward(Game::undo, "There is nothing to take back."),
            Command::Redo => self.back_or_forward(Game::redo, "There is nothing to play again."),
            Command::First => self.go_to(0),
            Command::Last => self.go_to(self.line.len()),
            Command::Hint => self.begin(Study::Hint, effects),
            Command::Analyse => self.begin(Study::Analysis, effects),
            Command::Tree => self.begin(Study::Tree, effects),
            Command::Review => self.begin(Study::Review, effects),
            Command::Pause => {
                self.paused = !self.paused;
                self.message = if self.paused { "Paused; P goes on." } else { "" }.to_owned();
            }
            Command::Swap => self.swap(effects),
            Command::New => self.renew(effects),
            Command::AskFile => self.file = Some(String::new()),
            Command::Save(file) => self.save(file, effects),
        }
    }
}

/// Moves of whoever is at the keyboard.
impl State {
    fn go(&mut self, columns: i8, rows: i8) {
        if self.focus == Focus::Moves {
            match (columns, rows) {
                (0, rows) => self.go_to(if rows < 0 { 0 } else { self.line.len() }),
                (columns, _) => self.step(columns > 0),
            }
            return;
        }
        let size = self.game.size();
        if let Some(point) = self.cursor.offset(columns, rows).filter(|point| size.contains(*point)) {
            self.cursor = point;
        }
    }

    /// A letter begins a square, digits end it; the letters of vi move the cursor too.
    fn type_square(&mut self, c: char) {
        if !c.is_ascii_digit() {
            if let Some(Command::Go(columns, rows)) = vim(c) {
                self.go(columns, rows);
            }
            self.typed = c.to_string();
            return;
        }
        if self.typed.is_empty() {
            self.message = "Type the letter of the square first, such as d3.".to_owned();
            return;
        }
        self.typed.push(c);
        let side = u32::from(self.game.size().get());
        let row: u32 = self.typed[1..].parse().unwrap_or(0);
        if row == 0 || row > side {
            self.message = format!("There is no row {row} on this board.");
            self.typed.clear();
        } else if row * 10 > side {
            // No further digit can follow.
            self.play_typed();
        }
    }

    fn play_typed(&mut self) {
        let typed = std::mem::take(&mut self.typed);
        match emilia_rules::parse_move(&typed, self.game.size()) {
            Ok(Move::Place(point)) => {
                self.cursor = point;
                self.place(point);
            }
            Ok(Move::Pass) => {}
            Err(error) => self.message = error.to_string(),
        }
    }

    fn place(&mut self, point: Point) {
        let side = self.turn();
        if self.late.is_some() || self.game.position().is_over() {
            self.message = self.ending().unwrap_or_default() + " N begins again.";
        } else if !self.seat(side).is_person() {
            self.message = format!("It is not your turn: {side} is played by {}.", self.name(side));
        } else if let Err(error) = self.game.play(Move::Place(point)) {
            self.message = format!("{error}; you can play {}", self.legal_moves());
        } else {
            self.made(side);
            self.message = format!("{} {point}", capital(side));
        }
    }

    fn legal_moves(&self) -> String {
        let moves: Vec<String> = self.game.position().moves().map(|mv| mv.to_string()).collect();
        moves.join(" ")
    }

    /// A side has moved.
    fn made(&mut self, side: Color) {
        if let Some(clock) = &mut self.clock {
            clock.moved(side);
        }
        self.shown = Duration::ZERO;
    }

    /// One move on or back.
    fn step(&mut self, forward: bool) {
        let stepped = if forward { self.game.redo() } else { self.game.undo() };
        // Whoever looks at what was played does not want it to go on meanwhile.
        self.paused |= stepped && self.is_watched();
    }

    fn go_to(&mut self, ply: usize) {
        while self.game.ply() > ply && self.game.undo() {}
        while self.game.ply() < ply && self.game.redo() {}
        self.paused |= self.is_watched() && ply < self.line.len();
    }

    /// Moves through the game until a person is to move.
    fn back_or_forward(&mut self, step: fn(&mut Game) -> bool, nothing: &str) {
        if self.is_watched() {
            self.paused = true;
            step(&mut self.game);
            return;
        }
        let before = self.game.cursor();
        self.late = None;
        while step(&mut self.game) {
            let is_persons = self.seat(self.turn()).is_person();
            if is_persons && self.game.position().status() == Status::ToPlace {
                self.message.clear();
                return;
            }
        }
        if !self.game.position().is_over() || self.game.cursor() == before {
            self.game.go(&before);
            self.message = nothing.to_owned();
        }
    }

    fn swap(&mut self, effects: &mut Effects) {
        self.setup.seats.swap(0, 1);
        self.message = format!("Black: {}. White: {}.", self.name(Color::Black), self.name(Color::White));
        self.seat_players(effects);
    }

    fn renew(&mut self, effects: &mut Effects) {
        let mut game = Game::from_position(*self.setup.game.start());
        game.objective = self.setup.game.objective;
        game.tags = self.setup.game.tags.clone();
        self.game = game;
        self.clock = self.setup.timing.map(Clock::new);
        (self.late, self.paused, self.accuracy, self.focus) = (None, false, None, Focus::Board);
        self.values.clear();
        self.reviewed.clear();
        self.message = "A new game.".to_owned();
        self.seat_players(effects);
        // Even if the position is the same as before: what was known belongs to the old game.
        self.look_again(effects);
    }

    fn save(&mut self, file: String, effects: &mut Effects) {
        if Format::of_file_name(&file).is_some() {
            effects.push(Effect::Save { file, game: Box::new(self.finished_game()) });
        } else {
            self.message = format!("Say a file with one of the endings {}.", Format::endings());
        }
    }
}

/// Players and time.
impl State {
    /// Who sits at a side, in words.
    pub(crate) fn name(&self, side: Color) -> String {
        match self.seat(side) {
            Seat::Person => self.game.tags.value(tag(side)).unwrap_or("you").to_owned(),
            Seat::Player(candidate) => candidate.name().to_owned(),
        }
    }

    fn seat_players(&mut self, effects: &mut Effects) {
        self.stop_thinking(effects);
        let seed = self.setup.seed.wrapping_add(self.games);
        self.games += 1;
        effects.push(Effect::Seat { seats: self.setup.seats.clone(), seed });
    }

    fn stop_thinking(&mut self, effects: &mut Effects) {
        if self.thinking.take().is_some() {
            effects.push(Effect::StopThinking);
        }
    }

    fn pass_time(&mut self, time: Duration, effects: &mut Effects) {
        self.shown += time;
        let (side, is_live) = (self.turn(), self.is_live());
        if is_live && self.clock.as_mut().is_some_and(|clock| clock.run(side, time)) {
            self.late = Some(side);
            self.stop_thinking(effects);
            self.message = self.ending().unwrap_or_default();
        }
    }

    fn pass_if_forced(&mut self) {
        if self.is_at_the_end() && self.game.position().status() == Status::MustPass {
            self.message = format!("{} has no move and passes.", capital(self.turn()));
            // It is legal: that is what the status says.
            if self.game.play(Move::Pass).is_ok() {
                self.refresh();
            }
        }
    }

    fn let_players_move(&mut self, effects: &mut Effects) {
        let side = self.turn();
        if !self.is_live() || self.seat(side).is_person() {
            // Somebody looks elsewhere, or it is not a player's turn: what it thinks is not wanted.
            return self.stop_thinking(effects);
        }
        let must_wait = self.is_watched() && self.game.ply() > 0 && self.shown < self.setup.pace;
        if self.thinking.is_some() || must_wait {
            return;
        }
        let Some(mut query) = self.query() else { return };
        query.limits.clocks = self.clock.map(|clock| clock.as_seen_by(side));
        let ticket = self.ticket();
        self.thinking = Some((ticket, None));
        effects.push(Effect::Think { ticket, side, query });
    }

    fn progress(&mut self, ticket: Ticket, report: Report) {
        match &mut self.thinking {
            Some((asked, said)) if *asked == ticket => *said = Some(report),
            _ if self.judging == Some(ticket) && self.study == Study::Analysis => self.judged(report),
            _ => {}
        }
    }

    fn answer(&mut self, ticket: Ticket, answer: Result<Report, Fault>) {
        if self.thinking.as_ref().is_some_and(|(asked, _)| *asked == ticket) {
            self.thinking = None;
            let played = answer.map_err(|fault| fault.to_string()).and_then(|report| self.play(&report));
            if let Err(reason) = played {
                self.paused = true;
                self.message = format!("{} cannot go on: {reason}", self.name(self.turn()));
            }
        } else if self.judging == Some(ticket) {
            self.judging = None;
            match answer {
                Ok(report) => self.judged(report),
                Err(fault) => self.message = fault.to_string(),
            }
        }
    }

    /// Makes the move that a player has chosen.
    fn play(&mut self, report: &Report) -> Result<(), String> {
        let (side, size) = (self.turn(), self.game.size());
        let mv = report.best_move().ok_or("it has no move")?;
        self.game.play(mv).map_err(|error| error.to_string())?;
        self.game.note_mut().time = Some(report.time);
        self.made(side);
        if let Move::Place(point) = mv {
            self.cursor = point;
        }
        self.message = format!("{} plays {mv}", capital(side));
        if let (Seat::Player(candidate), Some(value)) = (self.seat(side), report.value()) {
            let discs = candidate.in_discs(value, size);
            self.message +=
                &format!(" ({}, depth {}, {:.1} s)", signed(discs), report.depth, report.time.as_secs_f64());
            let black = if side == Color::Black { discs } else { 0.0 - discs };
            self.values.insert(self.game.cursor().steps().to_vec(), black);
        }
        Ok(())
    }

    /// The game up to the position that is shown, as a question.
    fn query(&self) -> Option<Query> {
        let mut query = Query::of_game(*self.game.start(), self.game.moves()).ok()?;
        query.objective = Some(self.game.objective);
        Some(query)
    }
}

/// What the judge is asked and says.
impl State {
    /// Where the shown position is in the game.
    fn path_shown(&self) -> Vec<u32> {
        self.game.cursor().steps().to_vec()
    }

    /// The position has changed: what was found out about the last one is gone, and what deepens begins anew.
    fn look_again(&mut self, effects: &mut Effects) {
        (self.report, self.hint, self.tree) = (None, None, None);
        match self.study {
            Study::Analysis | Study::Tree => self.ask(effects),
            Study::Hint => self.end_study(effects),
            Study::Review | Study::Nothing => {}
        }
        if self.is_at_the_end() {
            if let Some(ending) = self.ending() {
                self.message = ending;
            }
        } else if let Some(comment) = Some(&self.game.note().comment).filter(|comment| !comment.is_empty()) {
            self.message = comment.lines().next().unwrap_or_default().to_owned();
        }
    }

    /// Begins to study, or ends it if that is what is being done.
    fn begin(&mut self, study: Study, effects: &mut Effects) {
        let was = self.study;
        self.end_study(effects);
        if was == study && study != Study::Hint {
            self.message.clear();
            return;
        }
        if self.game.position().is_over() && study != Study::Review {
            self.message = "The game is over.".to_owned();
            return;
        }
        if study == Study::Review && self.game.move_count() == 0 {
            self.message = "There is nothing to review yet.".to_owned();
            return;
        }
        self.study = study;
        self.ask(effects);
    }

    fn end_study(&mut self, effects: &mut Effects) {
        if self.judging.take().is_some() {
            effects.push(Effect::StopJudging);
        }
        (self.study, self.report, self.tree) = (Study::Nothing, None, None);
    }

    fn ask(&mut self, effects: &mut Effects) {
        let Some(query) = self.query() else { return };
        if self.judging.take().is_some() {
            effects.push(Effect::StopJudging);
        }
        let is_over = query.position().is_over();
        if is_over && self.study != Study::Review {
            return;
        }
        let ticket = self.ticket();
        self.judging = Some(ticket);
        effects.push(match self.study {
            Study::Hint => {
                self.message = "Thinking about a hint …".to_owned();
                Effect::Judge { ticket, query: query.within(Limits::time(HINT)) }
            }
            Study::Tree => Effect::Grow { ticket, query },
            Study::Review => {
                self.reviewed.clear();
                self.message = "Reviewing …".to_owned();
                let moves = self.game.main_line().collect();
                Effect::Review { ticket, start: *self.game.start(), moves }
            }
            Study::Analysis | Study::Nothing => {
                Effect::Judge { ticket, query: query.within(Limits::endless()).with_lines(LINES) }
            }
        });
    }

    fn judged(&mut self, report: Report) {
        let (side, size) = (self.turn(), self.game.size());
        if let Some(value) = report.value() {
            let discs = self.setup.judge.in_discs(value, size);
            let black = if side == Color::Black { discs } else { 0.0 - discs };
            self.values.insert(self.path_shown(), black);
        }
        if self.study == Study::Hint {
            self.study = Study::Nothing;
            let Some(best) = report.best() else { return };
            self.hint = best.mv.square();
            let line: Vec<String> = best.line.iter().map(Move::to_string).collect();
            let worth = best.discs().map(|discs| format!(", {}", signed(discs))).unwrap_or_default();
            self.message = format!("Hint: {} (expecting {}{worth})", best.mv, line.join(" "));
            return;
        }
        self.report = Some(report);
    }

    fn reviewed(&mut self, verdicts: Verdicts) {
        let [black, white] = verdicts.accuracy;
        self.message = format!("Accuracy: Black {black:.1} %, White {white:.1} %.");
        if let Some(worst) = verdicts.turning_points.iter().max_by(|a, b| a.loss.total_cmp(&b.loss)) {
            let number = self.move_number(worst.ply);
            self.message += &format!(" Most was lost by {number} {} ({:.0} discs).", worst.mv, worst.loss);
        }
        self.accuracy = Some((self.game.main_line().count(), verdicts.accuracy));
        (self.judging, self.study) = (None, Study::Nothing);
    }

    /// The number that books give a move of the main line: passes have none.
    fn move_number(&self, ply: usize) -> usize {
        self.game.main_line().take(ply).filter(|mv| *mv != Move::Pass).count()
    }
}

/// The tag with the name of a side.
fn tag(side: Color) -> &'static str {
    match side {
        Color::Black => emilia_record::tag::BLACK,
        Color::White => emilia_record::tag::WHITE,
    }
}
