use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A side: black moves first.
#[pyclass(module = "emilia", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Color {
    #[pyo3(name = "BLACK")]
    Black,
    #[pyo3(name = "WHITE")]
    White,
}

#[pymethods]
impl Color {
    /// The other side, as `~color`.
    fn __invert__(&self) -> Color {
        (!emilia_rules::Color::from(*self)).into()
    }

    fn __str__(&self) -> String {
        emilia_rules::Color::from(*self).to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Color>().getattr("_named")?, (self.__str__(),)))
    }

    #[staticmethod]
    fn _named(name: &str) -> PyResult<Color> {
        let color = emilia_rules::Color::BOTH.into_iter().find(|color| color.to_string() == name);
        color
            .map(Color::from)
            .ok_or_else(|| PyValueError::new_err(format!("{name:?} is neither black nor white")))
    }
}

impl From<emilia_rules::Color> for Color {
    fn from(color: emilia_rules::Color) -> Color {
        match color {
            emilia_rules::Color::Black => Color::Black,
            emilia_rules::Color::White => Color::White,
        }
    }
}

impl From<Color> for emilia_rules::Color {
    fn from(color: Color) -> emilia_rules::Color {
        match color {
            Color::Black => emilia_rules::Color::Black,
            Color::White => emilia_rules::Color::White,
        }
    }
}
