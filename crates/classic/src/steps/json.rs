//! The steps of a search as JSON, for the page.

use std::fmt::Write;

use emilia_rules::{Color, Playable};

use super::Steps;

pub(super) fn write(steps: &Steps) -> String {
    let root = &steps.root;
    let cells: String = root.size().points().map(|point| root.disc(point).map_or('-', letter)).collect();
    let mut numbers = String::with_capacity(steps.numbers.len() * 4);
    for (at, number) in steps.numbers.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        // JSON knows no infinity: a window without an end has null there.
        let written = if number.is_finite() {
            write!(numbers, "{comma}{number}")
        } else {
            write!(numbers, "{comma}null")
        };
        written.expect("a text takes everything");
    }
    let letters: String = steps.letters.iter().map(|letter| char::from(*letter)).collect();
    format!(
        "{{\"size\":{},\"cells\":\"{cells}\",\"side\":\"{}\",\"letters\":\"{letters}\",\"numbers\":[{numbers}]}}",
        root.size().get(),
        root.turn(),
    )
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}
