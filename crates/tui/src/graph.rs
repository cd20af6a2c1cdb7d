//! Prospects over the game, as columns up for Black and down for White.

/// Rows of characters, the top one first. A column stands for a move, or for several where there are more moves than columns.
pub(crate) fn columns(values: &[Option<f64>], width: usize, height: usize, unicode: bool) -> Vec<String> {
    let columns: Vec<Option<f64>> =
        (0..width.min(values.len())).map(|column| value(values, column, width)).collect();
    let scale = scale(values);
    // With half blocks a row has two steps.
    let steps = if unicode { 2 } else { 1 };
    let half = (height / 2).max(1) * steps;
    let bar = |value: f64| ((value.abs() / scale * half as f64).round() as usize).min(half);
    let character = |value: Option<f64>, row: usize| {
        let Some(value) = value else { return ' ' };
        let upper = row < height / 2;
        if upper != (value > 0.0) || value == 0.0 {
            return if row == height / 2 && value == 0.0 { if unicode { '▔' } else { '-' } } else { ' ' };
        }
        // Steps between the zero line and the near edge of this row.
        let near = steps * if upper { height / 2 - 1 - row } else { row - height / 2 };
        match (bar(value).saturating_sub(near).min(steps), unicode) {
            (0, _) => ' ',
            (_, false) => '#',
            (2, _) => '█',
            (_, true) => {
                if upper {
                    '▄'
                } else {
                    '▀'
                }
            }
        }
    };
    (0..height).map(|row| columns.iter().map(|value| character(*value, row)).collect()).collect()
}

/// Discs at the top of the graph: a multiple of eight that no value exceeds.
pub(crate) fn scale(values: &[Option<f64>]) -> f64 {
    let most = values.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    ((most / 8.0).ceil() * 8.0).max(8.0)
}

/// What a column shows: the last value known among the moves it stands for.
fn value(values: &[Option<f64>], column: usize, width: usize) -> Option<f64> {
    if values.len() <= width {
        return values[column];
    }
    let (from, to) = (column * values.len() / width, (column + 1) * values.len() / width);
    values[from..to].iter().rev().find_map(|value| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_go_up_for_black_and_down_for_white() {
        let values = [Some(0.0), Some(8.0), Some(-4.0), None, Some(2.0)];
        assert_eq!(columns(&values, 10, 4, false), [" #   ", " #  #", "- #  ", "     "]);
        assert_eq!(columns(&values, 10, 2, true), [" █  ▄", "▔ ▀  "]);
        assert_eq!((scale(&values), scale(&[]), scale(&[Some(-9.0)])), (8.0, 8.0, 16.0));
    }

    #[test]
    fn many_moves_share_columns_and_none_is_out_of_bounds() {
        let values: Vec<Option<f64>> =
            (0..300).map(|ply| (ply % 3 != 0).then(|| f64::from(ply) - 150.0)).collect();
        for (width, height) in [(0, 0), (1, 1), (7, 3), (60, 5), (299, 8), (300, 8), (400, 1)] {
            let rows = columns(&values, width, height, true);
            assert_eq!(rows.len(), height);
            assert!(rows.iter().all(|row| row.chars().count() == width.min(300)), "{width} {height}");
        }
        let rows = columns(&values, 60, 6, false);
        assert!(rows[5].starts_with('#') && rows[0].ends_with('#'));
    }
}
