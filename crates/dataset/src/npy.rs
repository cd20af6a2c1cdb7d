//! numpy's file format, version 1.0: a short text that says what the records are, then the records.

use crate::layout::Column;
use crate::{Kind, Layout, Rows};

/// What every file begins with, and the version.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// The records begin at a multiple of this.
const ALIGNMENT: usize = 64;

/// The rows as one file.
pub(crate) fn bytes(rows: &Rows) -> Vec<u8> {
    let fields: Vec<String> =
        rows.layout().columns.iter().map(|column| field(column, rows.layout())).collect();
    let mut header =
        format!("{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}", fields.join(", "), rows.len());
    let begin = MAGIC.len() + 2;
    // Blanks fill it up, and a line break ends it.
    let length = (begin + header.len() + 1).next_multiple_of(ALIGNMENT) - begin;
    header.extend(std::iter::repeat_n(' ', length - header.len() - 1));
    header.push('\n');
    let mut file = Vec::with_capacity(begin + length + rows.bytes().len());
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&(length as u16).to_le_bytes());
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(rows.bytes());
    file
}

fn field(column: &Column, layout: &Layout) -> String {
    let (bytes, count) = column.kind.shape(layout.size);
    let letter = match column.kind {
        Kind::Flag => 'b',
        Kind::Value => 'f',
        Kind::Score => 'i',
        _ => 'u',
    };
    let order = if bytes == 1 { '|' } else { '<' };
    let shape = if count == 1 { String::new() } else { format!(", ({count},)") };
    format!("('{}', '{order}{letter}{bytes}'{shape})", column.name)
}
