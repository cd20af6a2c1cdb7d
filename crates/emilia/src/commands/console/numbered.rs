//! The numbered style: rows and columns are numbers, legal squares are marked, and a new game is offered at the end.

use std::io;

use emilia_engine::{Candidate, Player};
use emilia_rules::{GridPosition, Outcome, Playable, Size, SquareSet, Status};

use super::texts::{Language, disc};
use super::{Console, Done, Illegal, Sides, chosen_move, outcome, typed_move};
use crate::number;
use crate::{Failure, Streams};

pub(super) fn run(
    options: &Console,
    candidate: &Candidate,
    streams: &mut Streams<'_>,
) -> Result<Done, Failure> {
    let texts = options.language;
    for game in 0.. {
        let mut player = options.player(candidate, game, streams)?;
        writeln!(streams.out, "{}", texts.opening())?;
        let Some(sides) =
            options.computer.map_or_else(|| ask_side(texts, streams), |sides| Ok(Some(sides)))?
        else {
            return Ok(Done::InputEnded);
        };
        if play(options, sides, player.as_mut(), streams)? == Done::InputEnded {
            return Ok(Done::InputEnded);
        }
        writeln!(streams.out, "GAME OVER!")?;
        if !again(streams)? {
            break;
        }
    }
    Ok(Done::GameOver)
}

fn play(
    options: &Console,
    sides: Sides,
    player: &mut dyn Player,
    streams: &mut Streams<'_>,
) -> Result<Done, Failure> {
    let texts = options.language;
    let mut position = options.start(options.size.unwrap_or(Size::SIX));
    draw(&position, texts, streams)?;
    let winner = loop {
        let color = position.turn();
        match position.status() {
            Status::Over(_) => break outcome(&position, options.objective()),
            Status::MustPass => {
                writeln!(streams.out, "{}", texts.pass(color))?;
                position = position.passed();
                draw(&position, texts, streams)?;
                continue;
            }
            Status::ToPlace => {}
        }
        if sides.include(color) {
            let Some((point, score, next)) = chosen_move(player, &position, options.objective())? else {
                break outcome(&position, options.objective());
            };
            if let Some(score) = score {
                writeln!(streams.out, "{}", texts.score(&number::score(score)))?;
            }
            let human_follows = !sides.include(next.turn()) && next.status() == Status::ToPlace;
            let told = texts.computer_move(point.row() + 1, point.column() + 1, human_follows);
            writeln!(streams.out, "{told}")?;
            position = next;
        } else {
            write!(streams.out, "{}", texts.ask_move(color))?;
            let Some(text) = streams.read_line()? else { return Ok(Done::InputEnded) };
            match typed_move(&position, &text) {
                Some((_, next)) => position = next,
                None if options.illegal == Some(Illegal::Forfeit) => {
                    writeln!(streams.out, "{}", texts.forfeited())?;
                    break Outcome::Win(!color);
                }
                None => {
                    writeln!(streams.out, "{}", texts.illegal())?;
                    continue;
                }
            }
        }
        draw(&position, texts, streams)?;
    };
    writeln!(streams.out, "{}", texts.winner(winner))?;
    Ok(Done::GameOver)
}

/// Which side the computer has, from the side the human wants.
fn ask_side(texts: Language, streams: &mut Streams<'_>) -> io::Result<Option<Sides>> {
    loop {
        write!(streams.out, "{}", texts.ask_side())?;
        let Some(text) = streams.read_line()? else { return Ok(None) };
        match text.trim() {
            "1" | "+1" => return Ok(Some(Sides::White)),
            "-1" => return Ok(Some(Sides::Black)),
            _ => writeln!(streams.out, "{}", texts.bad_side())?,
        }
    }
}

fn again(streams: &mut Streams<'_>) -> io::Result<bool> {
    loop {
        write!(streams.out, "Again?(Y,N)")?;
        let Some(text) = streams.read_line()? else {
            writeln!(streams.out)?;
            return Ok(false);
        };
        match text.trim() {
            "Y" | "y" => return Ok(true),
            "N" | "n" => return Ok(false),
            _ => {}
        }
    }
}

/// The board with numbers along the top and the left, legal squares marked, and both counts below.
fn draw(position: &GridPosition, texts: Language, streams: &mut Streams<'_>) -> io::Result<()> {
    // Two-digit headings need wider cells.
    let width = if position.size().get() > 9 { 3 } else { 2 };
    let legal = position.placements();
    write!(streams.out, "  ")?;
    for column in 1..=position.size().get() {
        write!(streams.out, "{column:>width$}")?;
    }
    for point in position.size().points() {
        if point.column() == 0 {
            write!(streams.out, "\n{:>2}", point.row() + 1)?;
        }
        let cell = match position.disc(point) {
            Some(color) => disc(color),
            None if legal.contains(point) => '+',
            None => '.',
        };
        write!(streams.out, "{cell:>width$}")?;
    }
    writeln!(streams.out, "\n{}", texts.counts(position.counts()))
}
