//! Small pictures in SVG, drawn with the colours of the page they stand in.

use std::fmt::Write;

/// A value with its error.
pub(crate) struct Bar<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// A value that changes.
pub(crate) struct Curve<'a> {
    pub(crate) name: &'a str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Width of every picture, in its own units.
const WIDTH: f64 = 1000.0;
/// Room for names at the side.
const NAMES: f64 = 250.0;
/// Letters of a name that fit there.
const LONGEST_NAME: usize = 32;
/// Room for numbers at an axis.
const AXIS: f64 = 52.0;

/// Names on the left, a dot with a bar for the error each.
pub(crate) fn bars(bars: &[Bar<'_>]) -> String {
    const ROW: f64 = 26.0;
    const TOP: f64 = 8.0;
    let reach = |bar: &Bar<'_>| if bar.error.is_finite() { bar.error.min(2000.0) } else { 0.0 };
    let low = bars.iter().map(|bar| bar.value - reach(bar)).fold(f64::INFINITY, f64::min);
    let high = bars.iter().map(|bar| bar.value + reach(bar)).fold(f64::NEG_INFINITY, f64::max);
    let scale = Scale::new(low, high, NAMES, WIDTH - 20.0);
    let bottom = TOP + ROW * bars.len() as f64;
    let mut svg = open(bottom + 26.0, "Elo of each player with its error");
    for tick in scale.ticks() {
        let x = scale.at(tick);
        let class = if tick == 0.0 { "zero" } else { "grid" };
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>\
             <text class=\"axis\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 17.0,
            whole(tick)
        );
    }
    for (row, bar) in bars.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let [x, left, right] =
            [bar.value, bar.value - reach(bar), bar.value + reach(bar)].map(|value| scale.at(value));
        let _ = write!(
            svg,
            "<g><title>{}: {} ± {}</title><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <path d=\"M{left:.1} {y:.1}H{right:.1}M{left:.1} {:.1}V{:.1}M{right:.1} {:.1}V{:.1}\" \
             stroke=\"var(--green)\" stroke-width=\"2\" opacity=\".55\"/>\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"var(--green)\"/></g>",
            escape(bar.name),
            whole(bar.value),
            whole(bar.error),
            NAMES - 14.0,
            y + 4.5,
            escape(&shortened(bar.name)),
            y - 4.0,
            y + 4.0,
            y - 4.0,
            y + 4.0,
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Curves with their names at the right end.
pub(crate) fn curves(curves: &[Curve<'_>]) -> String {
    /// Names closer than this would overlap.
    const APART: f64 = 17.0;
    let right = WIDTH - NAMES;
    let height = (APART * curves.len() as f64).max(260.0);
    let all = || curves.iter().flat_map(|curve| curve.points.iter());
    let (low, high) =
        all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, y)| (low.min(*y), high.max(*y)));
    let last = all().map(|(x, _)| *x).fold(0.0, f64::max);
    let (across, up) = (Scale::new(0.0, last, AXIS, right), Scale::new(low, high, height + 8.0, 8.0));
    let mut svg = open(height + 36.0, "Elo of each player while the games were played");
    for tick in up.ticks() {
        let y = up.at(tick);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{AXIS}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            AXIS - 8.0,
            y + 4.0,
            whole(tick)
        );
    }
    for tick in across.ticks() {
        let _ = write!(
            svg,
            "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            across.at(tick),
            height + 28.0,
            grouped(tick)
        );
    }
    let ends: Vec<f64> =
        curves.iter().map(|curve| curve.points.last().map_or(0.0, |(_, y)| up.at(*y))).collect();
    let places = spread(&ends, APART, 8.0, height + 8.0);
    for (number, curve) in curves.iter().enumerate() {
        // Hues a golden angle apart: neighbours in the list look different however many there are.
        let color = format!("hsl({:.0} 60% 50%)", (150.0 + 137.508 * number as f64) % 360.0);
        let line: Vec<String> =
            curve.points.iter().map(|(x, y)| format!("{:.1},{:.1}", across.at(*x), up.at(*y))).collect();
        let (end, place, edge) = (ends[number], places[number], across.at(last));
        let _ = write!(
            svg,
            "<g><title>{}</title><polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
             stroke-linejoin=\"round\"/><path d=\"M{edge:.1} {end:.1}H{right:.1}L{:.1} {place:.1}\" fill=\"none\" \
             stroke=\"{color}\" stroke-dasharray=\"2 3\" opacity=\".7\"/><text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{color}\">{}</text></g>",
            escape(curve.name),
            line.join(" "),
            right + 12.0,
            right + 16.0,
            place + 4.5,
            escape(&shortened(curve.name)),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// How often values from −64 to 64 occur (or further out on larger boards), in sixteen columns on each side of 0.
pub(crate) fn histogram(values: &[f64]) -> String {
    const HEIGHT: f64 = 180.0;
    const SIDE: usize = 16;
    let far = values.iter().fold(64.0_f64, |far, value| far.max(value.abs()));
    let width = far / SIDE as f64;
    // Draws have a column of their own in the middle.
    let column = |value: f64| {
        let steps = ((value.abs() / width).ceil() as usize).min(SIDE);
        if value < 0.0 { SIDE - steps } else { SIDE + steps }
    };
    let mut counts = [0_u32; 2 * SIDE + 1];
    values.iter().for_each(|value| counts[column(*value)] += 1);
    let most = f64::from(counts.iter().copied().max().unwrap_or(1).max(1));
    let (up, step) = (Scale::new(0.0, most, HEIGHT + 8.0, 8.0), (WIDTH - AXIS - 10.0) / counts.len() as f64);
    let mut svg = open(HEIGHT + 36.0, "games by Black's disc margin");
    for tick in up.ticks() {
        let y = up.at(tick);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{AXIS}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            AXIS - 8.0,
            y + 4.0,
            grouped(tick)
        );
    }
    for (index, count) in counts.iter().enumerate() {
        let (x, y) = (AXIS + 4.0 + step * index as f64, up.at(f64::from(*count)));
        let steps = index as f64 - SIDE as f64;
        let span = if steps == 0.0 {
            "draws".to_owned()
        } else {
            let (near, end) = ((steps.abs() - 1.0) * width, steps.abs() * width);
            format!(
                "{} by {} to {}",
                if steps > 0.0 { "Black" } else { "White" },
                near.floor() + 1.0,
                end.floor()
            )
        };
        let fill = if steps == 0.0 { "var(--soft)" } else { "var(--green)" };
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" fill=\"{fill}\">\
             <title>{span}: {count}</title></rect>",
            x + 1.0,
            step - 3.0,
            up.at(0.0) - y,
        );
        if index % 4 == 0 {
            let _ = write!(
                svg,
                "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x + step / 2.0,
                HEIGHT + 28.0,
                whole(steps * width)
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

fn open(height: f64, what: &str) -> String {
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{what}\">")
}

/// From values to places on the picture.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    step: f64,
}

impl Scale {
    /// Ends at round numbers.
    fn new(low: f64, high: f64, from: f64, to: f64) -> Scale {
        let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
        let high = if high - low < 1.0 { low + 1.0 } else { high };
        let rough = (high - low) / 6.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|round| round * power).find(|step| *step >= rough);
        let step = step.unwrap_or(rough).max(1.0);
        Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step, from, to, step }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        // Adding 0 turns -0 into 0.
        (0..=count).map(|tick| self.low + self.step * tick as f64 + 0.0)
    }
}

/// Places as near as possible to these, in the same order, but so far apart.
fn spread(places: &[f64], apart: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let mut spread = places.to_vec();
    let mut free = top;
    for index in &order {
        spread[*index] = spread[*index].max(free);
        free = spread[*index] + apart;
    }
    let mut free = bottom;
    for index in order.iter().rev() {
        spread[*index] = spread[*index].min(free);
        free = spread[*index] - apart;
    }
    spread
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

/// Text that is safe inside a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A whole number with a real minus; nothing for what is beyond all numbers.
pub(crate) fn whole(value: f64) -> String {
    if value.is_finite() {
        format!("{:.0}", value.round() + 0.0).replace('-', "−")
    } else {
        "–".to_owned()
    }
}

/// One digit after the point, with its sign.
pub(crate) fn signed(value: f64) -> String {
    format!("{value:+.1}").replace('-', "−")
}

/// A number that is easy to read whatever its size.
pub(crate) fn brief(value: f64) -> String {
    match value {
        _ if value < 0.095 => format!("{value:.3}"),
        _ if value < 9.95 => format!("{value:.1}"),
        _ => grouped(value),
    }
}

/// A whole number in groups of three digits.
pub(crate) fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.max(0.0));
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0.0, 999.0, 1000.0, 1_234_567.0].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([-12.4, -0.2, f64::INFINITY].map(whole), ["−12", "0", "–"]);
        assert_eq!([0.0123, 1.26, 1234.0].map(brief), ["0.012", "1.3", "1,234"]);
    }

    #[test]
    fn scales_end_at_round_numbers_that_hold_everything() {
        for (low, high) in [(-3.0, 412.0), (0.0, 0.0), (-1900.0, 1870.0), (17.0, 18.0)] {
            let scale = Scale::new(low, high, 0.0, 100.0);
            let ticks: Vec<f64> = scale.ticks().collect();
            assert!((4..=9).contains(&ticks.len()) || high - low <= 1.0, "{ticks:?}");
            assert!(scale.at(low) >= 0.0 && scale.at(high) <= 100.0);
        }
    }

    #[test]
    fn names_at_the_end_of_curves_do_not_overlap() {
        let places = spread(&[50.0, 51.0, 52.0, 199.0, 200.0], 10.0, 0.0, 200.0);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|two| two[1] - two[0] >= 10.0 - 1e-9), "{places:?}");
        assert!(sorted[4] <= 200.0);
    }

    #[test]
    fn names_cannot_break_the_page() {
        let svg = bars(&[Bar { name: "<script>\"&", value: 1.0, error: f64::INFINITY }]);
        assert!(!svg.contains("<script>") && svg.contains("&lt;script&gt;&quot;&amp;"));
    }
}
