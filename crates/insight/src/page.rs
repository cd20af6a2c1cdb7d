//! A picture of somebody's play as a web page in one file: no network, no script, pictures drawn in SVG; it prints well.

use std::fmt::Write;

use crate::{Band, Example, Mistakes, Portrait, Share};

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2420;--soft:#5d6b64;--paper:#fbfaf6;--card:#fff;--line:#dcdfd8;--green:#1d7a55;--grey:#b9c2bb}\
@media(prefers-color-scheme:dark){:root{--ink:#e8ece8;--soft:#9caaa2;--paper:#141917;--card:#1c2320;--line:#333d38;--green:#54c596;--grey:#55625b}}\
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
main{max-width:860px;margin:0 auto;padding:32px 20px 64px}h1{font-size:1.7rem;margin:0 0 4px;line-height:1.2}\
h2{font-size:1.1rem;margin:32px 0 8px}h3{font-size:1rem;margin:20px 0 4px}p{margin:0 0 12px;max-width:72ch}.soft{color:var(--soft);font-size:.9rem}\
.figures{display:flex;flex-wrap:wrap;gap:12px;margin:16px 0}.figures div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 16px}\
.figures b{display:block;font-size:1.4rem}figure,.wide{margin:0;padding:12px;background:var(--card);border:1px solid var(--line);border-radius:8px;overflow-x:auto;break-inside:avoid}\
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:5px 8px;text-align:right;border-bottom:1px solid var(--line)}\
tr:last-child>*{border-bottom:0}th{color:var(--soft);font-weight:600;font-size:.85rem}th:first-child,td:first-child{text-align:left}\
svg{display:block;width:100%;height:auto;min-width:520px}svg text{fill:var(--ink);font:13px system-ui,sans-serif}svg .axis{fill:var(--soft);font-size:12px}\
svg .grid{stroke:var(--line)}li{margin:4px 0;overflow-wrap:anywhere}section{break-inside:avoid}a{color:inherit}\
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--card:#fff;--line:#bbb;--green:#1d7a55;--grey:#b9c2bb}\
main{padding:0;max-width:none}body{font-size:11pt}svg{min-width:0}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

/// Where and how it was made.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The address that links to positions begin with.
    pub site: &'a str,
    /// Who judged.
    pub judge: &'a str,
    /// What was left out, in sentences.
    pub remarks: &'a [String],
}

/// The page.
#[must_use]
pub fn page(portrait: &Portrait, about: About<'_>) -> String {
    let mut page = String::new();
    let title = format!("The play of {}", escape(&portrait.name));
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    figures(&mut page, portrait);
    stages(&mut page, portrait);
    section(&mut page, "Over time", |page| {
        if portrait.time.len() > 1 {
            let bars: Vec<Bar<'_>> = portrait.time.iter().map(|share| Bar::new(share, None)).collect();
            let _ = write!(page, "<figure>{}</figure>", chart(&bars, "Discs lost by a move, over time"));
        } else {
            page.push_str("<p>All of it at one time.</p>");
        }
    });
    section(&mut page, "By colour", |page| table(page, "colour", &portrait.colors));
    section(&mut page, "By opening", |page| table(page, "opening", &portrait.openings));
    kinds(&mut page, portrait, about.site);
    let _ = write!(
        page,
        "<h2>How it was made</h2>\n<p class=\"soft\">Every move with a choice was judged by {}; what it loses is the difference from the \
         best move, in discs. Accuracy is 100·exp(−mean loss/10). Blunders lose more than eight discs. Players to compare with are people in \
         tournament games, with ratings fitted from their results.</p>\n",
        escape(about.judge)
    );
    for remark in about.remarks {
        let _ = writeln!(page, "<p class=\"soft\">{}</p>", escape(remark));
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn section(page: &mut String, title: &str, fill: impl FnOnce(&mut String)) {
    let _ = write!(page, "<section>\n<h2>{title}</h2>\n");
    fill(page);
    page.push_str("\n</section>\n");
}

fn figures(page: &mut String, portrait: &Portrait) {
    let Share { games, moves, loss, accuracy, won, finished, .. } = portrait.all;
    let _ = write!(
        page,
        "<div class=\"figures\"><div><b>{games}</b>games</div><div><b>{moves}</b>moves with a choice</div>\
         <div><b>{accuracy:.1} %</b>accuracy</div><div><b>{loss:.2}</b>discs lost by a move</div>"
    );
    if finished > 0 {
        let _ = write!(page, "<div><b>{won} of {finished}</b>points</div>");
    }
    if let Some(like) = portrait.like {
        let _ = write!(page, "<div><b>{} ± {}</b>played like</div>", like.rating, like.deviation);
    }
    page.push_str("</div>\n");
}

fn stages(page: &mut String, portrait: &Portrait) {
    section(page, "By stage of the game", |page| {
        let peers = |stage: usize| portrait.band.map(|Band { stages, .. }| stages[stage]);
        let bars: Vec<Bar<'_>> =
            portrait.stages.iter().enumerate().map(|(stage, share)| Bar::new(share, peers(stage))).collect();
        let compared = portrait.band.map_or_else(String::new, |band| {
            format!(
                "<p class=\"soft\">Green: {}. Grey: tournament players rated {}.</p>",
                escape(&portrait.name),
                band.name
            )
        });
        let _ = write!(
            page,
            "<figure>{}</figure>\n{compared}",
            chart(&bars, "Discs lost by a move, by discs on the board")
        );
        page.push_str("<div class=\"wide\"><table><thead><tr><th>players</th>");
        for share in &portrait.stages {
            let _ = write!(page, "<th>{}</th>", share.name);
        }
        page.push_str("<th>all</th></tr></thead><tbody><tr>");
        let _ = write!(page, "<td><b>{}</b></td>", escape(&portrait.name));
        for share in portrait.stages.iter().chain([&portrait.all]) {
            let _ = write!(page, "<td><b>{:.2}</b></td>", share.loss);
        }
        page.push_str("</tr>");
        for band in portrait.bands {
            let _ = write!(page, "<tr><td>{}</td>", band.name);
            for loss in band.stages.iter().chain([&band.loss]) {
                let _ = write!(page, "<td>{loss:.2}</td>");
            }
            page.push_str("</tr>");
        }
        page.push_str("</tbody></table></div>");
    });
}

fn table(page: &mut String, first: &str, shares: &[Share]) {
    let _ = write!(
        page,
        "<div class=\"wide\"><table><thead><tr><th>{first}</th><th>games</th><th>points</th><th>moves</th><th>loss</th><th>accuracy</th>\
         <th>blunders</th></tr></thead><tbody>"
    );
    for Share { name, games, won, finished, moves, loss, accuracy, blunders } in shares {
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{games}</td><td>{won} of {finished}</td><td>{moves}</td><td>{loss:.2}</td><td>{accuracy:.1} %</td><td>{blunders}</td></tr>",
            escape(name)
        );
    }
    page.push_str("</tbody></table></div>");
}

fn kinds(page: &mut String, portrait: &Portrait, site: &str) {
    let _ = write!(
        page,
        "<h2>What went wrong</h2>\n<p class=\"soft\">{:.0} discs were lost, {:.0} of them by moves that lose at most two.</p>\n",
        portrait.discs, portrait.small_losses
    );
    for Mistakes { words, count, discs, share, examples, .. } in &portrait.kinds {
        let _ = write!(
            page,
            "<section>\n<h3>{} <span class=\"soft\">{count} times, {discs:.0} discs, {:.0} % of all</span></h3>\n\
             <svg viewBox=\"0 0 1000 10\" role=\"presentation\"><rect width=\"1000\" height=\"10\" rx=\"3\" fill=\"var(--line)\"/>\
             <rect width=\"{:.0}\" height=\"10\" rx=\"3\" fill=\"var(--green)\"/></svg>\n<ul>",
            capital(words),
            100.0 * share,
            1000.0 * share
        );
        for Example { game, number, mv, best, loss, sentence, link, .. } in examples {
            let _ = write!(
                page,
                "<li><a href=\"{}{}\">{}: {number}. {mv}</a>, {loss:.0} discs, best {best}. {}</li>",
                escape(site),
                escape(link),
                escape(game),
                escape(sentence)
            );
        }
        page.push_str("</ul>\n</section>\n");
    }
}

/// A loss, and that of players to compare with.
struct Bar<'a> {
    name: &'a str,
    value: f64,
    peers: Option<f64>,
}

impl<'a> Bar<'a> {
    fn new(share: &'a Share, peers: Option<f64>) -> Bar<'a> {
        Bar { name: &share.name, value: share.loss, peers }
    }
}

/// Columns side by side.
fn chart(bars: &[Bar<'_>], label: &str) -> String {
    const WIDTH: f64 = 800.0;
    const HEIGHT: f64 = 180.0;
    const LEFT: f64 = 40.0;
    let highest = bars.iter().flat_map(|bar| [bar.value, bar.peers.unwrap_or(0.0)]).fold(1.0, f64::max);
    let y = |value: f64| 10.0 + HEIGHT * (1.0 - value / highest);
    let mut svg =
        format!("<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{label}\">", HEIGHT + 36.0);
    for tick in 0..=(highest.floor() as u32) {
        let at = y(f64::from(tick));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text class=\"axis\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            LEFT - 8.0,
            at + 4.0
        );
    }
    let step = (WIDTH - LEFT) / bars.len().max(1) as f64;
    // Names that would run into each other are left out.
    let every = (bars.len() as f64 * 62.0 / (WIDTH - LEFT)).ceil().max(1.0) as usize;
    for (index, Bar { name, value, peers }) in bars.iter().enumerate() {
        let _ = write!(svg, "<g><title>{}: {value:.2}</title>", escape(name));
        let left = LEFT + step * index as f64;
        let width = step * 0.36;
        let mut column = |from: f64, value: f64, color: &str| {
            let top = y(value);
            let _ = write!(
                svg,
                "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"var(--{color})\"/>",
                y(0.0) - top
            );
        };
        column(left + step * if peers.is_some() { 0.12 } else { 0.32 }, *value, "green");
        if let Some(peers) = peers {
            column(left + step * 0.52, *peers, "grey");
        }
        let middle = left + step / 2.0;
        if index % every == 0 {
            let _ = write!(
                svg,
                "<text class=\"axis\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                HEIGHT + 28.0,
                escape(name)
            );
        }
        svg.push_str("</g>");
    }
    svg.push_str("</svg>");
    svg
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Text that is no markup.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        let about =
            About { site: "http://127.0.0.1:8000/", judge: "emilia:level=10", remarks: &["<b>".to_owned()] };
        let page = page(&Portrait::new("<script>alert(1)</script>", &[]), about);
        assert!(
            page.contains("&lt;script&gt;") && !page.contains("<script") && !page.contains("<b><"),
            "{page}"
        );
    }
}
