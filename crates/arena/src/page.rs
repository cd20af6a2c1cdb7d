//! A tournament as a web page in one file: no network, no script, pictures drawn in SVG.

use std::fmt::Write;

use crate::plot::{self, escape};
use crate::{Anchor, CrossTable, Entry};

/// What a page says besides its numbers.
#[derive(Clone, Debug)]
pub struct Page {
    /// The heading.
    pub title: String,
    /// What the ratings are measured from.
    pub anchor: Anchor,
    /// The conditions, as names and values, in the order they are shown.
    pub terms: Vec<(String, String)>,
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2420;--soft:#5d6b64;--paper:#fbfaf6;--card:#fff;--line:#dcdfd8;--green:#1d7a55;\
--bad:#b4432f;--good-rgb:29,122,85;--bad-rgb:196,98,45}\
@media(prefers-color-scheme:dark){:root{--ink:#e8ece8;--soft:#9caaa2;--paper:#141917;--card:#1c2320;--line:#333d38;\
--green:#54c596;--bad:#f08c6c;--good-rgb:84,197,150;--bad-rgb:240,140,90}}\
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);\
font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
main{max-width:1180px;margin:0 auto;padding:32px 20px 64px}\
h1{font-size:1.7rem;margin:0 0 4px;line-height:1.2}h2{font-size:1.1rem;margin:40px 0 8px}\
p{margin:0 0 12px;max-width:72ch}.soft,figcaption{color:var(--soft);font-size:.9rem}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:16px 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\
.wide{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}\
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\
th,td{padding:6px 10px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}\
tr:last-child>*{border-bottom:0}thead th{color:var(--soft);font-weight:600;font-size:.85rem}\
th.name,td.name{text-align:left}td.name{font-weight:600;max-width:32ch;overflow:hidden;text-overflow:ellipsis}\
.cross td{text-align:center;min-width:64px;line-height:1.25}.cross small{opacity:.75;display:block;font-size:.75rem}\
.cross thead th{text-align:center}.cross .name{position:sticky;left:0;background:var(--card);text-align:left}\
td.self{background:repeating-linear-gradient(135deg,transparent 0 5px,var(--line) 5px 6px)}\
figure{margin:0;padding:12px;background:var(--card);border:1px solid var(--line);border-radius:8px;overflow-x:auto}\
svg{display:block;width:100%;height:auto;min-width:560px}svg text{fill:var(--ink);font:13px system-ui,sans-serif}\
svg .axis{fill:var(--soft);font-size:12px}svg .grid{stroke:var(--line)}svg .zero{stroke:var(--soft)}\
td.why{text-align:left;white-space:normal;min-width:24ch;color:var(--bad)}";

/// The page.
#[must_use]
pub fn page(table: &CrossTable, about: &Page) -> String {
    let list = table.list(about.anchor);
    let mut page = String::new();
    let title = escape(&about.title);
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n<p class=\"soft\">{}</p>\n",
        sentence(table)
    );
    ratings(&mut page, table, about.anchor, &list);
    cross(&mut page, table, &list);
    settling(&mut page, table, about.anchor, &list);
    margins(&mut page, table);
    forfeits(&mut page, table);
    page.push_str("<h2>Conditions</h2>\n<dl>");
    for (name, value) in &about.terms {
        let _ = write!(page, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }
    page.push_str("</dl>\n</main>\n</body>\n</html>\n");
    page
}

fn sentence(table: &CrossTable) -> String {
    let players = table.players().len();
    format!(
        "{players} players, {} games; Black took {:.1} % of the points.",
        table.games(),
        100.0 * table.black_score()
    )
}

/// The list with its picture.
fn ratings(page: &mut String, table: &CrossTable, anchor: Anchor, list: &[Entry]) {
    let zero = match anchor {
        Anchor::Average => "the average of all players".to_owned(),
        Anchor::Player(player) => table.players().get(player).map_or_else(String::new, |name| escape(name)),
    };
    page.push_str("<h2>Strength</h2>\n");
    let _ = writeln!(
        page,
        "<p>400 Elo points are ten to one. The scale begins at {zero}; the bars are 95 % errors. Two players whose bars \
         overlap a lot may well be equally strong.</p>"
    );
    let rows: Vec<plot::Bar<'_>> = list
        .iter()
        .map(|entry| plot::Bar {
            name: &table.players()[entry.player],
            value: entry.rating.elo,
            error: entry.rating.error,
        })
        .collect();
    let _ = writeln!(page, "<figure>{}</figure>", plot::bars(&rows));
    page.push_str(
        "<div class=\"wide\" style=\"margin-top:12px\"><table><thead><tr><th>#</th><th class=\"name\">player</th>\
         <th>Elo</th><th>±</th><th>games</th><th>score</th><th>won–drawn–lost</th>\
         <th>discs a game</th><th>nodes a move</th><th>ms a move</th></tr></thead><tbody>\n",
    );
    for (rank, entry) in list.iter().enumerate() {
        let name = escape(&table.players()[entry.player]);
        let moves = f64::from(entry.effort.moves.max(1));
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td class=\"name\" title=\"{name}\">{name}</td><td><b>{}</b></td><td>{}</td>\
             <td>{}</td><td>{:.1} %</td><td>{}–{}–{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            rank + 1,
            plot::whole(entry.rating.elo),
            plot::whole(entry.rating.error),
            entry.games(),
            100.0 * entry.score(),
            entry.wins,
            entry.draws,
            entry.losses,
            plot::signed(entry.margin.mean),
            plot::grouped(entry.effort.nodes as f64 / moves),
            plot::brief(entry.effort.time.as_secs_f64() * 1000.0 / moves),
        );
    }
    page.push_str("</tbody></table></div>\n");
}

fn cross(page: &mut String, table: &CrossTable, list: &[Entry]) {
    page.push_str(
        "<h2>Everybody against everybody</h2>\n<p class=\"soft\">Share of the points of the player on the left, and \
         games won, drawn and lost.</p>\n<div class=\"wide\"><table class=\"cross\"><thead><tr>\
         <th class=\"name\">player</th>",
    );
    for rank in 1..=list.len() {
        let _ = write!(page, "<th title=\"{}\">{rank}</th>", escape(&table.players()[list[rank - 1].player]));
    }
    page.push_str("</tr></thead><tbody>\n");
    for (rank, row) in list.iter().enumerate() {
        let name = escape(&table.players()[row.player]);
        let _ = write!(page, "<tr><td class=\"name\" title=\"{name}\">{} {name}</td>", rank + 1);
        for column in list {
            match table.record(row.player, column.player) {
                _ if row.player == column.player => page.push_str("<td class=\"self\"></td>"),
                None => page.push_str("<td class=\"soft\">–</td>"),
                Some([wins, draws, losses]) => {
                    let games = f64::from((wins + draws + losses).max(1));
                    let share = (f64::from(wins) + f64::from(draws) / 2.0) / games;
                    let hue = if share >= 0.5 { "--good-rgb" } else { "--bad-rgb" };
                    let depth = 0.6 * (2.0 * share - 1.0).abs();
                    let _ = write!(
                        page,
                        "<td style=\"background:rgba(var({hue}),{depth:.2})\">{:.0} %<small>{wins}–{draws}–{losses}\
                         </small></td>",
                        100.0 * share
                    );
                }
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

/// How the ratings moved while the games were played.
fn settling(page: &mut String, table: &CrossTable, anchor: Anchor, list: &[Entry]) {
    /// Points of each curve.
    const SAMPLES: usize = 40;
    let games = table.games();
    if games < SAMPLES {
        return;
    }
    let samples: Vec<(f64, Vec<f64>)> = (1..=SAMPLES)
        .map(|sample| {
            let after = games * sample / SAMPLES;
            let ratings = table.ratings(after).list(anchor);
            (after as f64, ratings.iter().map(|rating| rating.elo).collect())
        })
        .collect();
    let curves: Vec<plot::Curve<'_>> = list
        .iter()
        .map(|entry| plot::Curve {
            name: &table.players()[entry.player],
            points: samples.iter().map(|(x, ratings)| (*x, ratings[entry.player])).collect(),
        })
        .collect();
    page.push_str("<h2>How the ratings settled</h2>\n");
    let _ = writeln!(
        page,
        "<figure>{}<figcaption>Elo after so many games. Curves that still rise or fall at the right end ask for more \
         games.</figcaption></figure>",
        plot::curves(&curves)
    );
}

fn margins(page: &mut String, table: &CrossTable) {
    if table.margins().is_empty() {
        return;
    }
    let values: Vec<f64> = table.margins().iter().map(|margin| f64::from(*margin)).collect();
    page.push_str("<h2>How games ended</h2>\n");
    let _ = writeln!(
        page,
        "<figure>{}<figcaption>Games by Black's disc margin, empty squares going to the winner. Openings that favour \
         neither side give a picture that is about symmetric.</figcaption></figure>",
        plot::histogram(&values)
    );
}

fn forfeits(page: &mut String, table: &CrossTable) {
    /// Lines shown; what a broken program says can differ from game to game.
    const MOST: usize = 30;
    // The same player and the same reason are one line: the first game, and how many there were.
    let mut lines: Vec<(&str, String, u32, u32)> = Vec::new();
    for (fixture, forfeit) in table.forfeits() {
        let seat = fixture.seats()[forfeit.color as usize];
        let name = table.players().get(seat).map_or("", String::as_str);
        let reason = forfeit.reason.to_string();
        match lines.iter_mut().find(|line| line.0 == name && line.1 == reason) {
            Some(line) => line.3 += 1,
            None => lines.push((name, reason, fixture.number + 1, 1)),
        }
    }
    if lines.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Games given away</h2>\n<div class=\"wide\"><table><thead><tr><th class=\"name\">player</th>\
         <th>games</th><th>first</th><th class=\"name\">why</th></tr></thead><tbody>\n",
    );
    for (name, reason, first, count) in lines.iter().take(MOST) {
        let (name, reason) = (escape(name), escape(reason));
        let _ = writeln!(
            page,
            "<tr><td class=\"name\" title=\"{name}\">{name}</td><td>{count}</td><td>game {first}</td>\
             <td class=\"why\">{reason}</td></tr>"
        );
    }
    page.push_str("</tbody></table></div>\n");
    if lines.len() > MOST {
        let _ = writeln!(page, "<p class=\"soft\">and {} other reasons</p>", lines.len() - MOST);
    }
}
