//! The lettered style: rows and columns are letters, cells are U, B and W, and the texts are fixed to the letter.

use std::io;

use emilia_engine::Candidate;
use emilia_rules::{Color, GridPosition, Outcome, Playable, Point, Size, Status};

use super::{Console, Done, Illegal, Sides, chosen_move, outcome, typed_move};
use crate::{Failure, Streams};

pub(super) fn run(
    options: &Console,
    candidate: &Candidate,
    streams: &mut Streams<'_>,
) -> Result<Done, Failure> {
    let Some(size) = options.size.map_or_else(|| ask_size(streams), |size| Ok(Some(size)))? else {
        return Ok(Done::InputEnded);
    };
    let Some(sides) = options.computer.map_or_else(|| ask_computer(streams), |sides| Ok(Some(sides)))? else {
        return Ok(Done::InputEnded);
    };
    let mut player = options.player(candidate, 0, streams)?;
    let mut position = options.start(size);
    draw(&position, streams)?;
    loop {
        let side = letter(position.turn());
        match position.status() {
            Status::Over(_) => {
                declare(outcome(&position, options.objective()), streams)?;
                return Ok(Done::GameOver);
            }
            Status::MustPass => {
                writeln!(streams.out, "{side} player has no valid move.")?;
                position = position.passed();
                continue;
            }
            Status::ToPlace => {}
        }
        if sides.include(position.turn()) {
            let Some((point, _, next)) = chosen_move(player.as_mut(), &position, options.objective())? else {
                return Ok(Done::GameOver);
            };
            writeln!(streams.out, "Computer places {side} at {}.", square(point))?;
            position = next;
        } else {
            write!(streams.out, "Enter move for colour {side} (RowCol): ")?;
            let Some(text) = streams.read_line()? else { return Ok(Done::InputEnded) };
            match typed_move(&position, &text) {
                Some((_, next)) => position = next,
                None => {
                    writeln!(streams.out, "Invalid move.")?;
                    if options.illegal == Some(Illegal::Retry) {
                        continue;
                    }
                    declare(Outcome::Win(!position.turn()), streams)?;
                    return Ok(Done::GameOver);
                }
            }
        }
        draw(&position, streams)?;
    }
}

fn ask_size(streams: &mut Streams<'_>) -> io::Result<Option<Size>> {
    loop {
        write!(streams.out, "Enter the board dimension: ")?;
        let Some(text) = streams.read_line()? else { return Ok(None) };
        if let Some(size) = text.trim().parse().ok().and_then(|side| Size::new(side).ok()) {
            return Ok(Some(size));
        }
    }
}

fn ask_computer(streams: &mut Streams<'_>) -> io::Result<Option<Sides>> {
    loop {
        write!(streams.out, "Computer plays (B/W): ")?;
        let Some(text) = streams.read_line()? else { return Ok(None) };
        match text.trim() {
            "B" | "b" => return Ok(Some(Sides::Black)),
            "W" | "w" => return Ok(Some(Sides::White)),
            _ => {}
        }
    }
}

fn draw(position: &GridPosition, streams: &mut Streams<'_>) -> io::Result<()> {
    let side = position.size().get();
    write!(streams.out, "  ")?;
    for column in 0..side {
        write!(streams.out, "{}", alphabet(column))?;
    }
    for point in position.size().points() {
        if point.column() == 0 {
            write!(streams.out, "\n{} ", alphabet(point.row()))?;
        }
        write!(streams.out, "{}", position.disc(point).map_or('U', letter))?;
    }
    writeln!(streams.out)
}

fn declare(outcome: Outcome, streams: &mut Streams<'_>) -> io::Result<()> {
    match outcome {
        Outcome::Win(color) => writeln!(streams.out, "{} player wins.", letter(color)),
        Outcome::Draw => writeln!(streams.out, "Draw!"),
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

fn alphabet(index: u8) -> char {
    char::from(b'a' + index)
}

/// Row, then column.
fn square(point: Point) -> String {
    [alphabet(point.row()), alphabet(point.column())].into_iter().collect()
}
