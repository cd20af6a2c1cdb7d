//! A game as everybody may see it.

use emilia_rules::{Color, Move, Playable};
use serde::Serialize;

use super::rights::Action;
use super::seat::Sitter;
use super::{ClockTerms, Ended, Ending, GameState, Greeting, Holder, Mode, Phase, Seat, SeriesAnswer, Turn};
use crate::answers::{CountsAnswer, LastAnswer, Legal, OpeningAnswer, Score, Sides, cells};
use crate::names::{ColorName, ObjectiveName, VariantStart};

/// Who looks on, which a game does not know by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Presence {
    pub watchers: u32,
    /// Whether Black's and White's screens are connected.
    pub connected: [bool; 2],
}

/// The game, the same for everybody.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Game"))]
pub struct Snapshot<'g> {
    id: &'g str,
    version: u64,
    mode: Mode,
    size: u8,
    variant: Variant,
    created: u64,
    public: bool,
    players: Sides<SeatAnswer>,
    status: GameStatus,
    turn: Option<ColorName>,
    ply: usize,
    start: String,
    start_turn: ColorName,
    cells: String,
    counts: CountsAnswer,
    legal: Vec<Legal>,
    last: Option<LastAnswer>,
    opening: Option<OpeningAnswer>,
    passes: Vec<ColorName>,
    moves: Vec<MoveAnswer>,
    redo: usize,
    thinking: bool,
    paused: bool,
    pause_ms: u64,
    clock: Option<ClockAnswer>,
    undo_offer: Option<UndoOfferAnswer>,
    time_offer: Option<ColorName>,
    greetings: Sides<Option<Greeting>>,
    series: Option<SeriesAnswer>,
    rematch: Option<RematchAnswer<'g>>,
    watchers: u32,
    result: Option<ResultAnswer>,
}

/// How it began and who wins.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Variant {
    start: VariantStart,
    objective: ObjectiveName,
}

/// Where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum GameStatus {
    Open,
    Playing,
    Over,
}

/// Who sits on one side.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Seat"))]
pub(super) struct SeatAnswer {
    kind: SeatKind,
    name: Option<String>,
    player: Option<String>,
    taken: bool,
    connected: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum SeatKind {
    Person,
    Computer,
}

/// A move that was made.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Move"))]
struct MoveAnswer {
    ply: usize,
    color: ColorName,
    #[serde(rename = "move")]
    mv: String,
    time_ms: u64,
    score: Option<MoveScore>,
}

/// What a computer thought of its move.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MoveScore {
    #[serde(flatten)]
    score: Score,
    depth: u32,
    nodes: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Clock"))]
struct ClockAnswer {
    black_ms: u64,
    white_ms: u64,
    main_ms: u64,
    increment_ms: u64,
    running: Option<ColorName>,
    running_since: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UndoOffer"))]
struct UndoOfferAnswer {
    by: ColorName,
    to_ply: usize,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Rematch"))]
struct RematchAnswer<'g> {
    offered_by: ColorName,
    game: Option<&'g str>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Result"))]
pub(super) struct ResultAnswer {
    winner: Option<ColorName>,
    margin: Option<i32>,
    ending: Ending,
    text: String,
}

/// What one holder has and may do.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct You {
    seats: Vec<ColorName>,
    host: bool,
    may: Vec<Action>,
}

/// The game as one holder sees it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "View"))]
pub struct View<G> {
    /// Only if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    pub you: You,
    pub now: u64,
    pub game: G,
}

/// A game in the lobby.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LobbyEntry {
    id: String,
    mode: Mode,
    size: u8,
    status: GameStatus,
    black: Option<String>,
    white: Option<String>,
    free: Vec<ColorName>,
    ply: usize,
    counts: CountsAnswer,
    watchers: u32,
    clock: Option<ClockTerms>,
    variant: Variant,
    pub(super) created: u64,
}

impl GameState {
    /// The game, the same for everybody.
    pub fn snapshot(&self, presence: Presence) -> Snapshot<'_> {
        let status = self.status();
        Snapshot {
            id: &self.id,
            version: self.version,
            mode: self.terms.mode,
            size: self.position.size().get(),
            variant: self.variant(),
            created: self.created,
            public: self.terms.public,
            players: Sides::of(|color| self.seat_answer(color, presence)),
            status,
            turn: (status != GameStatus::Over).then(|| self.turn().into()),
            ply: self.turns.len(),
            start: cells(&self.terms.start),
            start_turn: self.terms.start.turn().into(),
            cells: cells(&self.position),
            counts: self.position.counts().into(),
            legal: if status == GameStatus::Playing { Legal::all(&self.position) } else { Vec::new() },
            last: self.last.map(LastAnswer::from),
            opening: self.opening.map(OpeningAnswer::from),
            passes: self.passes(),
            moves: self.moves(),
            redo: self.undone.len(),
            thinking: self.computer_to_move().is_some(),
            paused: self.paused,
            pause_ms: self.terms.pause_ms,
            clock: self.clock(),
            undo_offer: self
                .undo_offer
                .map(|offer| UndoOfferAnswer { by: offer.by.into(), to_ply: offer.to_ply }),
            time_offer: self.time_offer(),
            greetings: self.greetings(),
            series: self.series().answer(),
            rematch: self.rematch.as_ref().map(|rematch| RematchAnswer {
                offered_by: rematch.offered_by.into(),
                game: rematch.game.as_deref(),
            }),
            watchers: presence.watchers,
            result: match self.phase {
                Phase::Over(ended) => Some(self.result(ended)),
                _ => None,
            },
        }
    }

    /// What one holder has and may do.
    pub fn you(&self, holder: Holder) -> You {
        let seats = holder.colors().into_iter().map(ColorName::from).collect();
        You { seats, host: holder.host, may: self.may(holder) }
    }

    /// The game as the lobby shows it.
    pub fn lobby_entry(&self, watchers: u32) -> LobbyEntry {
        let free = Color::BOTH.into_iter().filter(|color| !self.seat(*color).is_taken());
        LobbyEntry {
            id: self.id.clone(),
            mode: self.terms.mode,
            size: self.position.size().get(),
            status: self.status(),
            black: self.seat(Color::Black).name.clone(),
            white: self.seat(Color::White).name.clone(),
            free: free.map(ColorName::from).collect(),
            ply: self.turns.len(),
            counts: self.position.counts().into(),
            watchers,
            clock: self.terms.clock,
            variant: self.variant(),
            created: self.created,
        }
    }

    pub fn status(&self) -> GameStatus {
        match self.phase {
            Phase::Open => GameStatus::Open,
            Phase::Playing => GameStatus::Playing,
            Phase::Over(_) => GameStatus::Over,
        }
    }

    fn variant(&self) -> Variant {
        Variant { start: self.terms.start_name, objective: self.terms.objective.into() }
    }

    pub(super) fn seat_answer(&self, color: Color, presence: Presence) -> SeatAnswer {
        let seat: &Seat = self.seat(color);
        let player = seat.player();
        SeatAnswer {
            kind: if matches!(seat.holder, Sitter::Computer(_)) {
                SeatKind::Computer
            } else {
                SeatKind::Person
            },
            name: seat.name.clone(),
            player: player.map(str::to_owned),
            taken: seat.is_taken(),
            connected: player.is_some() || presence.connected[color as usize],
        }
    }

    /// The colours that had to pass since the last placement.
    fn passes(&self) -> Vec<ColorName> {
        let after = self.turns.iter().rev().take_while(|turn| turn.mv == Move::Pass).count();
        // After one pass it is the other side's turn again.
        let passed = std::iter::successors(Some(!self.turn()), |color| Some(!*color));
        passed.take(after).map(ColorName::from).collect()
    }

    fn moves(&self) -> Vec<MoveAnswer> {
        let first = self.terms.start.turn();
        let answer = |(index, turn): (usize, &Turn)| {
            let side = if index.is_multiple_of(2) { first } else { !first };
            let score = turn.verdict.and_then(|verdict| {
                let score = Score::new(verdict.value?.number(), side);
                Some(MoveScore { score, depth: verdict.depth, nodes: verdict.nodes })
            });
            let (color, mv) = (side.into(), turn.mv.to_string());
            MoveAnswer { ply: index + 1, color, mv, time_ms: turn.time_ms, score }
        };
        self.turns.iter().enumerate().map(answer).collect()
    }

    fn clock(&self) -> Option<ClockAnswer> {
        let clocks = self.clocks?;
        Some(ClockAnswer {
            black_ms: clocks.left[0],
            white_ms: clocks.left[1],
            main_ms: clocks.terms.main_ms,
            increment_ms: clocks.terms.increment_ms,
            running: clocks.running_since.map(|_| self.turn().into()),
            running_since: clocks.running_since,
        })
    }

    pub(super) fn result(&self, ended: Ended) -> ResultAnswer {
        let counts = self.position.counts();
        let text = match (ended.ending, ended.winner) {
            (Ending::Aborted, _) => "nobody joined".to_owned(),
            (Ending::Counted, Some(winner)) => format!("{winner} wins {counts}"),
            (Ending::Resigned, Some(winner)) => format!("{winner} wins, {} resigned", !winner),
            (Ending::Timeout, Some(winner)) => format!("{winner} wins, {} ran out of time", !winner),
            (_, None) => format!("draw {counts}"),
        };
        ResultAnswer {
            winner: ended.winner.map(ColorName::from),
            margin: (ended.ending == Ending::Counted).then(|| counts.margin()),
            ending: ended.ending,
            text,
        }
    }
}
