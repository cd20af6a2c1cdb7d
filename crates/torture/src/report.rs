//! The report: what was tried, how often, what was lost.

use std::fmt::Write as _;

use crate::part::PARTS;
use crate::state::State;

/// The report as a table in Markdown, with everything that was found below it.
pub(crate) fn report(state: &State) -> String {
    let mut text = String::from(
        "| part | what was tried | how often | lost or wrong | minutes | repeat |\n|---|---|---|---|---|---|\n",
    );
    for part in PARTS {
        let Some(progress) = state.parts.get(part.name) else { continue };
        let mut often = format!("{} {}", grouped(progress.tally.tried), part.unit);
        for (what, number) in &progress.tally.counts {
            let _ = write!(often, ", {} {what}", grouped(*number));
        }
        for (what, number) in &progress.tally.peaks {
            let _ = write!(often, "; {what}: {}", grouped(*number));
        }
        let (name, seed, tried) = (part.name, state.seed, progress.tally.tried);
        let minutes = progress.seconds / 60.0;
        let _ = writeln!(
            text,
            "| {name} | {} | {often} | {} | {minutes:.1} | `cargo xtask torture {:.0} --part {name} --seed {seed} --tries {tried}` |",
            part.what,
            progress.finds.len(),
            minutes.ceil() * 2.0,
        );
    }
    for (name, progress) in &state.parts {
        for find in &progress.finds {
            let _ =
                writeln!(text, "\nFOUND by {name}, seed {}, round {}: {}", state.seed, find.round, find.what);
        }
    }
    text
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Tally;
    use crate::state::Find;

    #[test]
    fn a_row_says_how_often_and_what_was_lost() {
        let mut state = State { seed: 3, ..State::default() };
        let part = state.part("power");
        part.tally = Tally::of(1000).count("acknowledged changes", 32_000);
        part.seconds = 90.0;
        part.finds.push(Find { round: 4, what: "a game is lost".to_owned() });
        let text = report(&state);
        assert!(text.contains("| 1,000 cuts, 32,000 acknowledged changes | 1 | 1.5 |"), "{text}");
        assert!(text.contains("`cargo xtask torture 4 --part power --seed 3 --tries 1000`"), "{text}");
        assert!(text.contains("FOUND by power, seed 3, round 4: a game is lost"), "{text}");
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
