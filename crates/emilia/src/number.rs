//! Numbers as people expect to read them.

use emilia_classic::Ending;
use emilia_query::Value;

/// What a player thinks of its move: a number, or that the game is won or lost.
pub(crate) fn score(value: Value) -> String {
    let value = value.number();
    if Ending::is_decided(value) { Ending::spell(value) } else { six_digits(value) }
}

/// At most six significant digits and no trailing zeros, as C++ streams print: `-210.029`, `56514.5`, `1e+09`.
fn six_digits(value: f64) -> String {
    const DIGITS: i32 = 6;
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    // Rounding may carry into a further digit, so the exponent is read off the rounded number.
    let scientific = format!("{:.*e}", (DIGITS - 1) as usize, value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..DIGITS).contains(&exponent) {
        return trimmed(&format!("{:.*}", (DIGITS - 1 - exponent) as usize, value)).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// So many seconds as minutes and seconds, with hours where there are any: `1:40`, `2:00:00`.
pub(crate) fn spell_time(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::six_digits;

    #[test]
    fn numbers_print_as_cpp_streams_print_them() {
        for (value, text) in [
            (0.0, "0"),
            (-7.0, "-7"),
            (-210.0288, "-210.029"),
            (-0.748_675_9, "-0.748676"),
            (56_514.52, "56514.5"),
            (29_976.0, "29976"),
            (999_999.9, "1e+06"),
            (1e9, "1e+09"),
            (0.000_012_5, "1.25e-05"),
        ] {
            assert_eq!(six_digits(value), text);
        }
    }
}
