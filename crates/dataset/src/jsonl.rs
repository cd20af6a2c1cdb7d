//! A JSON object a line, with squares by their names.

use std::io::Write;

use emilia_rules::{Point, Size};

use crate::{Kind, Rows, UNKNOWN};

/// The rows as one file.
pub(crate) fn bytes(rows: &Rows) -> Vec<u8> {
    let (size, columns) = (rows.layout().size, &rows.layout().columns);
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    // A board of planes is one text, as everybody reads it.
    let planes = names.iter().position(|name| *name == "mine");
    let mut file = Vec::new();
    for row in rows.iter() {
        file.push(b'{');
        for (at, column) in columns.iter().enumerate() {
            if at > 0 && planes.is_none_or(|mine| at != mine + 1) {
                file.push(b',');
            }
            match planes {
                Some(mine) if at == mine => {
                    let text = board(|square| (has(row[mine], square), has(row[mine + 1], square)), size);
                    put(&mut file, format_args!("\"board\":\"{text}\""));
                }
                Some(mine) if at == mine + 1 => {}
                _ => {
                    put(&mut file, format_args!("\"{}\":", column.name));
                    cell(column.kind, row[at], size, &mut file);
                }
            }
        }
        file.extend_from_slice(b"}\n");
    }
    file
}

fn put(file: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    file.write_fmt(text).expect("memory takes whatever is written to it");
}

fn cell(kind: Kind, bytes: &[u8], size: Size, file: &mut Vec<u8>) {
    match kind {
        Kind::Number | Kind::Count => put(file, format_args!("{}", unsigned(bytes))),
        Kind::Flag => put(file, format_args!("{}", bytes[0] != 0)),
        Kind::Square => put(file, format_args!("\"{}\"", name(unsigned(bytes), size))),
        Kind::Squares => list(file, (0..size.cells()).filter(|square| has(bytes, *square)), size),
        Kind::Cells => {
            let text = board(|square| (bytes[square] == 1, bytes[square] == 2), size);
            put(file, format_args!("\"{text}\""));
        }
        Kind::Value => {
            let value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            if value.is_finite() {
                put(file, format_args!("{value}"))
            } else {
                file.extend_from_slice(b"null")
            }
        }
        Kind::Score => match i16::from_le_bytes([bytes[0], bytes[1]]) {
            UNKNOWN => file.extend_from_slice(b"null"),
            score => put(file, format_args!("{score}")),
        },
        Kind::Sequence => {
            let squares = bytes.chunks_exact(Kind::Square.width(size)).map(unsigned);
            list(file, squares.take_while(|square| *square < size.cells()), size);
        }
        Kind::Tests => {
            let flags: Vec<String> = bytes
                .iter()
                .take_while(|flag| **flag != u8::MAX)
                .map(|flag| (*flag != 0).to_string())
                .collect();
            put(file, format_args!("[{}]", flags.join(",")));
        }
    }
}

fn unsigned(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn has(set: &[u8], square: usize) -> bool {
    set[square / 8] >> (square % 8) & 1 != 0
}

fn name(square: usize, size: Size) -> String {
    Point::from_index(square, size).map_or_else(String::new, |point| point.to_string())
}

fn list(file: &mut Vec<u8>, squares: impl Iterator<Item = usize>, size: Size) {
    let names: Vec<String> = squares.map(|square| format!("\"{}\"", name(square, size))).collect();
    put(file, format_args!("[{}]", names.join(",")));
}

/// A letter for each square: `X` mine, `O` theirs, `-` empty.
fn board(discs: impl Fn(usize) -> (bool, bool), size: Size) -> String {
    let letter = |square| match discs(square) {
        (true, _) => 'X',
        (_, true) => 'O',
        _ => '-',
    };
    (0..size.cells()).map(letter).collect()
}
