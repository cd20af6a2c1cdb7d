use std::fmt::Write;

use super::Generation;

/// A learning curve: the points of the fittest, of the average and of the least fit in each generation, as an SVG
/// picture.
#[derive(Clone, Copy, Debug)]
pub struct Chart<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// What it shows.
    pub generations: &'a [Generation],
    /// The most points there are to be had.
    pub most_points: f64,
}

/// The picture, in its own units.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// The part of it that the curves are drawn in.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 632.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 364.0;

/// A curve: its name, its colour, what it shows.
type Curve = (&'static str, &'static str, fn(&Generation) -> f64);

/// Colours that people with colour-blindness can tell apart as well (Okabe and Ito).
const CURVES: [Curve; 3] = [
    ("best", "#009e73", |generation| generation.best),
    ("mean", "#0072b2", |generation| generation.mean),
    ("worst", "#d55e00", |generation| generation.worst),
];

/// Space between the names at the ends of the curves.
const LINE: f64 = 16.0;

impl Chart<'_> {
    /// The picture.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut svg);
        svg
    }

    fn write(&self, svg: &mut String) -> std::fmt::Result {
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#333\">"
        )?;
        let title = escaped(self.title);
        writeln!(svg, "<title>{title}</title>")?;
        writeln!(svg, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>")?;
        writeln!(svg, "<text x=\"{LEFT}\" y=\"32\" font-size=\"17\" font-weight=\"600\">{title}</text>")?;
        self.axes(svg)?;
        self.curves(svg)?;
        writeln!(svg, "</svg>")
    }

    fn axes(&self, svg: &mut String) -> std::fmt::Result {
        for value in ticks(self.most_points, 6) {
            let y = self.y(value);
            writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#e4e4e4\"/>")?;
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                LEFT - 10.0,
                y + 4.5
            )?;
        }
        let last = self.generations.len().max(1);
        for value in ticks(last as f64, 12).filter(|value| *value >= 1.0 && value.fract() == 0.0) {
            let x = self.x(value as usize - 1);
            writeln!(svg, "<path d=\"M{x:.1} {BOTTOM}v5\" stroke=\"#888\"/>")?;
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
                BOTTOM + 20.0
            )?;
        }
        writeln!(svg, "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#888\"/>")?;
        let middle = (LEFT + RIGHT) / 2.0;
        writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">generation</text>",
            BOTTOM + 42.0
        )?;
        let middle = (TOP + BOTTOM) / 2.0;
        writeln!(
            svg,
            "<text transform=\"translate(20 {middle}) rotate(-90)\" text-anchor=\"middle\">points in the games of a \
             generation</text>"
        )
    }

    fn curves(&self, svg: &mut String) -> std::fmt::Result {
        let Some(last) = self.generations.last() else { return Ok(()) };
        let point = |(place, generation): (usize, &Generation), of: fn(&Generation) -> f64| {
            format!("{:.1} {:.1}", self.x(place), self.y(of(generation)))
        };
        let line =
            |of| -> Vec<String> { self.generations.iter().enumerate().map(|each| point(each, of)).collect() };
        let (best, mut worst) = (line(CURVES[0].2), line(CURVES[2].2));
        worst.reverse();
        writeln!(
            svg,
            "<path d=\"M{}L{}Z\" fill=\"#0072b2\" opacity=\"0.08\"/>",
            best.join("L"),
            worst.join("L")
        )?;
        let mut label = TOP - LINE;
        for (name, color, of) in CURVES {
            let points = line(of);
            writeln!(
                svg,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>",
                points.join("L")
            )?;
            // Dots where there is room for them.
            if self.generations.len() <= 40 {
                for (place, generation) in self.generations.iter().enumerate() {
                    let (x, y) = (self.x(place), self.y(of(generation)));
                    writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{color}\"/>")?;
                }
            }
            // The name of a curve stands at its end, below the one before it.
            label = (self.y(of(last)) + 4.5).max(label + LINE);
            let value = (of(last) * 100.0).round() / 100.0;
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{label:.1}\" fill=\"{color}\" font-weight=\"600\">{name} {value}</text>",
                RIGHT + 10.0
            )?;
        }
        Ok(())
    }

    fn x(&self, place: usize) -> f64 {
        let intervals = self.generations.len().saturating_sub(1);
        if intervals == 0 {
            return (LEFT + RIGHT) / 2.0;
        }
        LEFT + 12.0 + (RIGHT - LEFT - 24.0) * place as f64 / intervals as f64
    }

    fn y(&self, points: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * (points / self.most_points.max(1.0)).clamp(0.0, 1.0)
    }
}

/// Round numbers from 0 to at most this one, about so many.
fn ticks(most: f64, count: usize) -> impl Iterator<Item = f64> {
    let rough = (most / count as f64).max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    (0..).map(move |k| f64::from(k) * step).take_while(move |value| *value <= most)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use emilia_classic::Genes;

    use super::*;

    fn generations(count: u32) -> Vec<Generation> {
        let of = |number| Generation {
            number,
            best: 10.0 + f64::from(number % 3),
            mean: 6.5,
            worst: 1.0,
            games: 91,
            decisive: 91,
            fittest: Genes::default(),
        };
        (1..=count).map(of).collect()
    }

    #[test]
    fn every_generation_is_a_dot_on_every_curve() {
        let generations = generations(7);
        let svg = Chart { title: "a < b", generations: &generations, most_points: 13.0 }.svg();
        assert_eq!(svg.matches("<circle").count(), 21);
        assert!(svg.contains("a &lt; b") && svg.contains(">best 11<") && svg.contains(">mean 6.5<"));
        // 13 points at the top, 0 at the bottom: 6.5 is half way.
        assert!(svg.contains("cy=\"214.0\""));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn one_generation_none_and_many_are_drawn_as_well() {
        for count in [0, 1, 2, 500] {
            let generations = generations(count);
            let svg = Chart { title: "t", generations: &generations, most_points: 26.0 }.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{count}");
        }
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(ticks(13.0, 6).collect::<Vec<_>>(), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(7.0, 12).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(ticks(52.0, 6).collect::<Vec<_>>(), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
    }
}
