//! Numbers as records write them: plain decimals, no exponents, no infinities.

use std::time::Duration;

/// The largest number of seconds that is believed: some thirty years.
const MOST_SECONDS: u64 = 1_000_000_000;

/// Longest decimal that is looked at.
const LONGEST: usize = 32;

/// A decimal with an optional sign, at most a million either way.
pub(crate) fn real(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.bytes().any(|byte| byte.is_ascii_digit());
    if text.len() > LONGEST || !plain {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.abs() <= 1e6)
}

/// Seconds with an optional fraction, cut to milliseconds.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() > LONGEST || whole.len() + fraction.len() == 0 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let millis: u64 = format!("{:0<3}", &fraction[..fraction.len().min(3)]).parse().ok()?;
    (whole <= MOST_SECONDS).then(|| Duration::from_millis(whole * 1000 + millis))
}

/// Seconds as [`seconds`] reads them, without needless zeros.
pub(crate) fn seconds_text(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        millis => format!("{}.{millis:03}", time.as_secs()).trim_end_matches('0').to_owned(),
    }
}

/// A number with its sign, zero as `+0`.
pub(crate) fn signed(value: f64) -> String {
    // Adding zero turns minus zero into zero.
    format!("{:+}", value + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain_decimals() {
        assert_eq!(real("+2.50"), Some(2.5));
        assert_eq!(real("-.5"), Some(-0.5));
        for text in ["", "+", ".", "1e5", "inf", "NaN", "1.2.3", "9999999", "--1"] {
            assert_eq!(real(text), None, "{text}");
        }
        assert_eq!(signed(-0.0), "+0");
        // At most 32 characters, at most a million either way.
        assert_eq!((real(&format!("{:0>32}", 7)), real(&format!("{:0>33}", 7))), (Some(7.0), None));
        assert_eq!((real("1000000"), real("-1000000"), real("1000000.1")), (Some(1e6), Some(-1e6), None));
    }

    #[test]
    fn seconds_keep_milliseconds() {
        for text in ["0", "0.01", "97.63", "12", "0.125"] {
            assert_eq!(seconds_text(seconds(text).unwrap()), text);
        }
        for text in ["", ".", "-1", "1,5", "99999999999", "+5", "1.+5", "x.5", "5.x", "5.éé"] {
            assert_eq!(seconds(text), None, "{text}");
        }
        let millis = |text: &str| seconds(text).map(|time| time.as_millis());
        assert_eq!((millis("7."), millis(".5"), millis("1.2349")), (Some(7000), Some(500), Some(1234)));
        assert_eq!((millis("1000000000"), millis("1000000001")), (Some(1_000_000_000_000), None));
        assert_eq!((millis(&format!("{:0>32}", 7)), millis(&format!("{:0>33}", 7))), (Some(7000), None));
    }
}
