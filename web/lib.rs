//! The page and its files, inside the program. In debug builds they are read from this folder, so that a change shows
//! when the page is loaded again.
//!
//! The folder is a crate, because a crate that is published takes along what lies in its own folder and nothing else.

use std::borrow::Cow;

#[cfg(debug_assertions)]
mod belongs;

/// The content of the file that a browser asks for by this path.
#[must_use]
pub fn file(path: &str) -> Option<Cow<'static, [u8]>> {
    source::file(path)
}

/// The paths of all files that a browser may ask for, sorted.
#[must_use]
pub fn paths() -> Vec<String> {
    source::paths()
}

/// Inside the program.
#[cfg(not(debug_assertions))]
mod source {
    use std::borrow::Cow;

    /// Every path with its content, sorted.
    const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

    pub(crate) fn file(path: &str) -> Option<Cow<'static, [u8]>> {
        let place = FILES.binary_search_by_key(&path, |(path, _)| path).ok()?;
        Some(Cow::Borrowed(FILES[place].1))
    }

    pub(crate) fn paths() -> Vec<String> {
        FILES.iter().map(|(path, _)| (*path).to_owned()).collect()
    }
}

/// In this folder.
#[cfg(debug_assertions)]
mod source {
    use std::borrow::Cow;
    use std::path::Path;

    use crate::belongs;

    const HOME: &str = env!("CARGO_MANIFEST_DIR");

    pub(crate) fn file(path: &str) -> Option<Cow<'static, [u8]>> {
        let content = belongs::belongs(path).then(|| std::fs::read(Path::new(HOME).join(path)));
        Some(Cow::Owned(content?.ok()?))
    }

    pub(crate) fn paths() -> Vec<String> {
        belongs::all(Path::new(HOME)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_a_page_needs_is_there_and_nothing_else_is() {
        let paths = paths();
        assert!(paths.is_sorted());
        for path in
            ["index.html", "sw.js", "icon.svg", "js/main.js", "js/engine/load.js", "vendor/qr/index.js"]
        {
            assert!(paths.iter().any(|known| known == path), "{path}");
        }
        for path in &paths {
            assert!(file(path).is_some_and(|content| !content.is_empty()), "{path}");
        }
        for path in [
            "",
            "js",
            "Cargo.toml",
            "lib.rs",
            "package.json",
            "tests/page.js",
            "vendor/qr/index.d.ts",
            "../README.md",
            "js/../Cargo.toml",
            "js//main.js",
            "js/./main.js",
            "js\\main.js",
            "/js/main.js",
            "./js/main.js",
        ] {
            assert!(!paths.iter().any(|known| known == path), "{path}");
            assert_eq!(file(path), None, "{path}");
        }
    }
}
