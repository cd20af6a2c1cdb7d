//! Every sentence is held against the board, by a second, slow reading of the same positions that shares no code with the first
//! but the rules of the game.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use emilia_insight::{Explanation, Kind};
use emilia_rules::{Color, GridPosition, Move, Playable, Point, Setup, Size, parse_move};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

struct Mistake {
    before: GridPosition,
    played: Vec<Move<Point>>,
    best: Vec<Move<Point>>,
    loss: f64,
    kind: String,
}

fn mistakes() -> Vec<Mistake> {
    let text = fs::read_to_string(repository().join("data/insight/mistakes.jsonl")).unwrap();
    let moves = |text: &str| text.split(' ').map(|mv| parse_move(mv, Size::EIGHT).unwrap()).collect();
    let read = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| value[name].as_str().unwrap().to_owned();
        Mistake {
            before: text("position").parse::<Setup>().unwrap().position().unwrap(),
            played: moves(&text("played")),
            best: moves(&text("best")),
            loss: value["loss"].as_f64().unwrap(),
            kind: text("reason"),
        }
    };
    text.lines().map(read).collect()
}

/// A board as a person sees it: squares by name, walked one by one.
#[derive(Clone)]
struct Slow {
    discs: BTreeMap<(i32, i32), Color>,
    turn: Color,
}

const AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Slow {
    fn new(position: &GridPosition) -> Slow {
        let disc =
            |point: Point| Some(((i32::from(point.column()), i32::from(point.row())), position.disc(point)?));
        Slow { discs: Size::EIGHT.points().filter_map(disc).collect(), turn: position.turn() }
    }

    fn squares() -> impl Iterator<Item = (i32, i32)> {
        (0..8).flat_map(|row| (0..8).map(move |column| (column, row)))
    }

    fn empties(&self) -> BTreeSet<(i32, i32)> {
        Slow::squares().filter(|square| !self.discs.contains_key(square)).collect()
    }

    fn flips(&self, (column, row): (i32, i32), side: Color) -> Vec<(i32, i32)> {
        let mut flips = Vec::new();
        for (right, down) in AROUND {
            let mut row_of = Vec::new();
            let mut at = (column + right, row + down);
            while self.discs.get(&at) == Some(&!side) {
                row_of.push(at);
                at = (at.0 + right, at.1 + down);
            }
            if self.discs.get(&at) == Some(&side) {
                flips.extend(row_of);
            }
        }
        flips
    }

    fn moves(&self, side: Color) -> BTreeSet<(i32, i32)> {
        self.empties().into_iter().filter(|square| !self.flips(*square, side).is_empty()).collect()
    }

    fn play(&mut self, square: Option<(i32, i32)>) {
        let side = self.turn;
        if let Some(square) = square {
            let flips = self.flips(square, side);
            assert!(!flips.is_empty() && !self.discs.contains_key(&square), "illegal move in a line");
            for flipped in flips.into_iter().chain([square]) {
                self.discs.insert(flipped, side);
            }
        } else {
            assert!(self.moves(side).is_empty(), "a needless pass in a line");
        }
        self.turn = !side;
    }

    fn after(&self, line: &[Move<Point>], plies: usize) -> Slow {
        let mut board = self.clone();
        line.iter().take(plies).for_each(|mv| board.play(mv.square().map(place)));
        board
    }

    fn count(&self, side: Color) -> usize {
        self.discs.values().filter(|color| **color == side).count()
    }

    fn is_over(&self) -> bool {
        Color::BOTH.iter().all(|side| self.moves(*side).is_empty())
    }

    /// Discs of a side with an empty square beside them.
    fn open(&self, side: Color) -> usize {
        let empties = self.empties();
        let is_open =
            |(column, row): &(i32, i32)| AROUND.iter().any(|(x, y)| empties.contains(&(column + x, row + y)));
        self.discs.iter().filter(|(square, color)| **color == side && is_open(square)).count()
    }

    /// Empty squares that can be walked to from one, over empty squares.
    fn region(&self, from: (i32, i32)) -> usize {
        let empties = self.empties();
        let (mut seen, mut left) = (BTreeSet::from([from]), vec![from]);
        while let Some((column, row)) = left.pop() {
            for (x, y) in AROUND {
                let next = (column + x, row + y);
                if empties.contains(&next) && seen.insert(next) {
                    left.push(next);
                }
            }
        }
        seen.len()
    }

    /// Discs of a side that the rule of docs/insights.md calls safe, disc by disc.
    fn safe(&self, side: Color) -> usize {
        let mut safe: BTreeSet<(i32, i32)> = BTreeSet::new();
        loop {
            let found: Vec<_> = self
                .discs
                .keys()
                .copied()
                .filter(|square| !safe.contains(square) && self.is_safe(*square, &safe))
                .collect();
            if found.is_empty() {
                return safe.iter().filter(|square| self.discs[square] == side).count();
            }
            safe.extend(found);
        }
    }

    fn is_safe(&self, square: (i32, i32), safe: &BTreeSet<(i32, i32)>) -> bool {
        let color = self.discs[&square];
        let inside = |(column, row): (i32, i32)| (0..8).contains(&column) && (0..8).contains(&row);
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().all(|(x, y)| {
            let beside = [1, -1].map(|way| (square.0 + way * x, square.1 + way * y));
            let is_full = [1, -1].iter().all(|way| {
                (1..8)
                    .map(|step| (square.0 + way * step * x, square.1 + way * step * y))
                    .take_while(|at| inside(*at))
                    .all(|at| self.discs.contains_key(&at))
            });
            let own = |at: &(i32, i32)| safe.contains(at) && self.discs[at] == color;
            beside.iter().any(|at| !inside(*at))
                || is_full
                || beside.iter().any(own)
                || beside.iter().all(|at| safe.contains(at))
        })
    }
}

fn place(point: Point) -> (i32, i32) {
    (i32::from(point.column()), i32::from(point.row()))
}

fn named(text: &str) -> (i32, i32) {
    let bytes = text.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn is_corner((column, row): (i32, i32)) -> bool {
    [0, 7].contains(&column) && [0, 7].contains(&row)
}

/// What a sentence says in its gaps.
fn gaps(kind: Kind, sentence: &str) -> BTreeMap<String, String> {
    let mut rest = sentence;
    let mut gaps: BTreeMap<String, String> = BTreeMap::new();
    let mut pieces = kind.sentence().split('{');
    rest = rest.strip_prefix(pieces.next().unwrap()).unwrap();
    let count = pieces.clone().count();
    for (index, piece) in pieces.enumerate() {
        let (name, text) = piece.split_once('}').unwrap();
        // The last gap ends where the sentence ends: a number may have a point of its own.
        let end = if index + 1 == count { rest.strip_suffix(text).map(str::len) } else { rest.find(text) };
        let end = end.unwrap_or_else(|| panic!("{sentence}"));
        let told = gaps.insert(name.to_owned(), rest[..end].to_owned());
        assert!(told.is_none_or(|told| told == rest[..end]), "{sentence}");
        rest = &rest[end + text.len()..];
    }
    assert_eq!(rest, "", "{sentence}");
    gaps
}

/// Holds a sentence against the board.
fn check(mistake: &Mistake, kind: Kind, sentence: &str) {
    let before = Slow::new(&mistake.before);
    let side = before.turn;
    let told = gaps(kind, sentence);
    let number = |name: &str| told[name].parse::<f64>().unwrap();
    let [played, best] = [&mistake.played, &mistake.best];
    let squares = [played, best].map(|line| place(line[0].square().unwrap()));
    let ends = |line: &[Move<Point>]| before.after(line, line.len().min(8)).is_over();
    let length = |line: &[Move<Point>]| if ends(line) { 8 } else { line.len().min(8) };
    let plies = length(played).min(length(best));
    let after = |line: &[Move<Point>], plies: usize| before.after(line, plies.min(line.len()));
    let taken = |line: &[Move<Point>], by: Color| -> Vec<(i32, i32)> {
        let mut board = before.clone();
        let mut taken = Vec::new();
        for mv in line.iter().take(plies) {
            taken.extend(mv.square().map(place).filter(|square| board.turn == by && is_corner(*square)));
            board.play(mv.square().map(place));
        }
        taken
    };
    let passes = |line: &[Move<Point>]| {
        (1..plies.min(line.len())).any(|ply| {
            let board = after(line, ply);
            board.turn == side && line[ply] == Move::Pass && board.moves(side).is_empty() && !board.is_over()
        })
    };
    if let Some(line) = told.get("line") {
        let expected: Vec<String> = played.iter().map(Move::to_string).collect();
        assert!(expected.join(" ").starts_with(line), "{sentence}");
    }
    for (gap, square) in ["played", "best"].into_iter().zip(squares) {
        assert!(told.get(gap).is_none_or(|text| named(text) == square), "{sentence}");
    }
    let both = |name: &str, count: &dyn Fn(&[Move<Point>]) -> usize| {
        let counted = [played, best].map(|line| count(line) as f64);
        assert_eq!(
            [number(&format!("{name}_played")), number(&format!("{name}_best"))],
            counted,
            "{sentence}"
        );
    };
    match kind {
        Kind::WipedOut => {
            assert!((1..=played.len()).any(|ply| after(played, ply).count(side) == 0), "{sentence}")
        }
        Kind::GaveCorner => {
            let corner = named(&told["corner"]);
            assert!(
                taken(played, !side).contains(&corner) && !taken(best, !side).contains(&corner),
                "{sentence}"
            );
            assert!(told["line"].ends_with(&told["corner"]), "{sentence}");
        }
        Kind::MissedCorner => {
            let corner = named(&told["corner"]);
            assert!(
                taken(best, side).contains(&corner) && !taken(played, side).contains(&corner),
                "{sentence}"
            );
        }
        Kind::MissedPass => {
            let [after_played, after_best] = [played, best].map(|line| after(line, 1));
            assert!(after_best.moves(!side).is_empty() && !after_best.is_over(), "{sentence}");
            assert!(!after_played.moves(!side).is_empty(), "{sentence}");
        }
        Kind::MustPass => {
            assert!(passes(played) && !passes(best) && told["line"].ends_with("pass"), "{sentence}")
        }
        Kind::Stability => {
            both("own", &|line| after(line, plies).safe(side));
            both("other", &|line| after(line, plies).safe(!side));
        }
        Kind::Mobility => {
            let mean = |line: &[Move<Point>], of: Color, first: usize| {
                let turns = [first, first + 2].map(|ply| after(line, ply).moves(of).len());
                turns.iter().sum::<usize>() as f64 / 2.0
            };
            let told = ["own_played", "own_best", "other_played", "other_best"].map(number);
            let counted =
                [mean(played, side, 2), mean(best, side, 2), mean(played, !side, 1), mean(best, !side, 1)];
            assert_eq!(told, counted, "{sentence}");
        }
        Kind::Frontier => both("discs", &|line| after(line, 1).open(side)),
        Kind::Greedy => both("flips", &|line| before.flips(place(line[0].square().unwrap()), side).len()),
        Kind::Parity => {
            both("region", &|line| before.region(place(line[0].square().unwrap())));
            assert_eq!(
                [number("region_played") % 2.0, number("region_best") % 2.0],
                [0.0, 1.0],
                "{sentence}"
            );
        }
        Kind::Border => {
            let border = |(column, row): &(i32, i32)| {
                [column, row].iter().filter(|line| [0, 7].contains(**line)).count() == 1
            };
            let opened = |line: &[Move<Point>]| -> BTreeSet<(i32, i32)> {
                let known = before.moves(!side);
                after(line, 1)
                    .moves(!side)
                    .into_iter()
                    .filter(|square| border(square) && !known.contains(square))
                    .collect()
            };
            both("squares", &|line| opened(line).len());
            assert!(
                opened(played).contains(&named(&told["square"])) && played[1].to_string() == told["square"],
                "{sentence}"
            );
        }
        Kind::DeepSearch => {}
    }
}

#[test]
fn two_hundred_sentences_say_what_is_on_the_board() {
    let mistakes = mistakes();
    assert!(mistakes.len() >= 200, "{}", mistakes.len());
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    for mistake in &mistakes {
        let explained =
            Explanation::new(&mistake.before, &mistake.played, &mistake.best, mistake.loss).unwrap();
        let kind = explained.reason.kind();
        assert_eq!(kind.name(), mistake.kind);
        check(mistake, kind, &explained.sentence());
        *kinds.entry(kind).or_default() += 1;
    }
    // The rarest, a wipe-out, has a test of its own below.
    for kind in Kind::all().filter(|kind| *kind != Kind::WipedOut) {
        assert!(kinds.get(&kind).is_some_and(|count| *count >= 3), "{kind:?} in {kinds:?}");
    }
}

#[test]
fn a_wipe_out_is_told() {
    let moves = |text: &str| text.split(' ').map(|mv| parse_move(mv, Size::EIGHT).unwrap()).collect();
    let before = format!("OXO------O{} X", "-".repeat(54)).parse::<Setup>().unwrap().position().unwrap();
    let mistake =
        Mistake { before, played: moves("d1 e1"), best: moves("b3 a3"), loss: 64.0, kind: String::new() };
    let explained = Explanation::new(&before, &mistake.played, &mistake.best, mistake.loss).unwrap();
    assert_eq!(explained.sentence(), "d1 loses every disc: d1 e1.");
    check(&mistake, explained.reason.kind(), &explained.sentence());
}

#[test]
fn the_page_says_the_same_in_english() {
    let page = fs::read_to_string(repository().join("web/i18n/en.js")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for kind in Kind::all() {
        for (key, text) in [("why", kind.sentence()), ("kind", kind.words())] {
            let entry = format!("\"{key}.{}\": \"{text}\"", kind.name());
            assert!(page.contains(&entry), "{entry}");
        }
    }
}
