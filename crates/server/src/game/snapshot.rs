//! A game as everybody may see it.

use emilia_rules::{Color, Move, Playable};
use serde_json::{Value, json};

use super::seat::Sitter;
use super::{Ended, Ending, GameState, Holder, Mode, Phase, Seat, Turn};
use crate::answers::{self, Score, cells, color, counts, legal, objective};

/// Who looks on, which a game does not know by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Presence {
    pub(crate) watchers: u32,
    /// Whether Black's and White's screens are connected.
    pub(crate) connected: [bool; 2],
}

impl GameState {
    /// The game, the same for everybody.
    pub(crate) fn snapshot(&self, presence: Presence) -> Value {
        let playing = self.phase == Phase::Playing;
        let over = matches!(self.phase, Phase::Over(_));
        json!({
            "id": self.id,
            "version": self.version,
            "mode": self.mode_name(),
            "size": self.position.size().get(),
            "variant": {"start": self.terms.start_name, "objective": objective(self.terms.objective)},
            "created": self.created,
            "public": self.terms.public,
            "players": {
                "black": self.player(Color::Black, presence),
                "white": self.player(Color::White, presence),
            },
            "status": self.status_name(),
            "turn": (!over).then(|| color(self.turn())),
            "ply": self.turns.len(),
            "start": cells(&self.terms.start),
            "start_turn": color(self.terms.start.turn()),
            "cells": cells(&self.position),
            "counts": counts(self.position.counts()),
            "legal": if playing { legal(&self.position) } else { Vec::new() },
            "last": self.last.map(|last| last.value()),
            "opening": answers::opening(self.opening),
            "passes": self.passes(),
            "moves": self.moves(),
            "redo": self.undone.len(),
            "thinking": self.computer_to_move().is_some(),
            "paused": self.paused,
            "pause_ms": self.terms.pause_ms,
            "clock": self.clock(),
            "undo_offer": self.undo_offer.map(|offer| json!({"by": color(offer.by), "to_ply": offer.to_ply})),
            "rematch": self.rematch.as_ref().map(|rematch| {
                json!({"offered_by": color(rematch.offered_by), "game": rematch.game})
            }),
            "watchers": presence.watchers,
            "result": match self.phase {
                Phase::Over(ended) => self.result(ended),
                _ => Value::Null,
            },
        })
    }

    /// What one holder has and may do.
    pub(crate) fn you(&self, holder: Holder) -> Value {
        let seats: Vec<&str> = holder.colors().into_iter().map(color).collect();
        json!({"seats": seats, "host": holder.host, "may": self.may(holder)})
    }

    /// A line of the lobby.
    pub(crate) fn lobby_line(&self, watchers: u32) -> Value {
        let free: Vec<&str> =
            Color::BOTH.into_iter().filter(|color| !self.seat(*color).is_taken()).map(color).collect();
        json!({
            "id": self.id,
            "mode": self.mode_name(),
            "size": self.position.size().get(),
            "status": self.status_name(),
            "black": self.seat(Color::Black).name,
            "white": self.seat(Color::White).name,
            "free": free,
            "ply": self.turns.len(),
            "counts": counts(self.position.counts()),
            "watchers": watchers,
            "clock": self.terms.clock,
            "variant": {"start": self.terms.start_name, "objective": objective(self.terms.objective)},
            "created": self.created,
        })
    }

    pub(crate) fn status_name(&self) -> &'static str {
        match self.phase {
            Phase::Open => "open",
            Phase::Playing => "playing",
            Phase::Over(_) => "over",
        }
    }

    fn mode_name(&self) -> &'static str {
        match self.terms.mode {
            Mode::Local => "local",
            Mode::Computer => "computer",
            Mode::Link => "link",
            Mode::Watch => "watch",
        }
    }

    fn player(&self, color: Color, presence: Presence) -> Value {
        let seat: &Seat = self.seat(color);
        let (kind, player) = match &seat.holder {
            Sitter::Computer(player) => ("computer", Some(player)),
            _ => ("person", None),
        };
        let connected = player.is_some() || presence.connected[color as usize];
        json!({"kind": kind, "name": seat.name, "player": player, "taken": seat.is_taken(), "connected": connected})
    }

    /// The colours that had to pass since the last placement.
    fn passes(&self) -> Vec<&'static str> {
        let after = self.turns.iter().rev().take_while(|turn| turn.mv == Move::Pass).count();
        // After one pass it is the other side's turn again.
        std::iter::successors(Some(!self.turn()), |color| Some(!*color)).take(after).map(color).collect()
    }

    fn moves(&self) -> Vec<Value> {
        let first = self.terms.start.turn();
        let line = |(index, turn): (usize, &Turn)| {
            let side = if index.is_multiple_of(2) { first } else { !first };
            let score = turn.verdict.and_then(|verdict| {
                let mut score = serde_json::to_value(Score::new(verdict.score?, side)).ok()?;
                score["depth"] = json!(verdict.depth);
                score["nodes"] = json!(verdict.nodes);
                Some(score)
            });
            json!({"ply": index + 1, "color": color(side), "move": turn.mv.to_string(),
                   "time_ms": turn.time_ms, "score": score})
        };
        self.turns.iter().enumerate().map(line).collect()
    }

    fn clock(&self) -> Value {
        let Some(clocks) = self.clocks else { return Value::Null };
        let running = clocks.running_since.map(|_| color(self.turn()));
        json!({"black_ms": clocks.left[0], "white_ms": clocks.left[1], "main_ms": clocks.terms.main_ms,
               "increment_ms": clocks.terms.increment_ms, "running": running,
               "running_since": clocks.running_since})
    }

    fn result(&self, ended: Ended) -> Value {
        let counts = self.position.counts();
        let (ending, margin) = match ended.ending {
            Ending::Counted => ("counted", Some(counts.margin())),
            Ending::Resigned => ("resigned", None),
            Ending::Timeout => ("timeout", None),
            Ending::Aborted => ("aborted", None),
        };
        let text = match (ended.ending, ended.winner) {
            (Ending::Aborted, _) => "nobody joined".to_owned(),
            (Ending::Counted, Some(winner)) => format!("{winner} wins {counts}"),
            (Ending::Resigned, Some(winner)) => format!("{winner} wins, {} resigned", !winner),
            (Ending::Timeout, Some(winner)) => format!("{winner} wins, {} ran out of time", !winner),
            (_, None) => format!("draw {counts}"),
        };
        json!({"winner": ended.winner.map(color), "margin": margin, "ending": ending, "text": text})
    }
}
