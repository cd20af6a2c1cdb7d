use crate::{Game, Marking, sgf};

/// Games that belong together, to teach or to remember: a title, and chapters in their order.
///
/// Its file is a collection of SGF, a game for each chapter, so that every program that reads SGF opens it. The name of a
/// game (`GN`) is the title of its chapter; the title of the study is `SN` in the first game, which other programs skip.
///
/// ```
/// use emilia_record::{Game, Hint, Study, read};
/// use emilia_rules::Size;
///
/// let mut study = Study { title: "Parity".to_owned(), chapters: vec![Game::new(Size::EIGHT), Game::new(Size::SIX)] };
/// study.chapters[0].tags.set("GN", "Who moves last");
/// study.chapters[0].note_mut().comment = "Count the empty squares.".to_owned();
/// let games = read(study.to_sgf().as_bytes(), &Hint::default())?.into_games(&Default::default());
/// assert_eq!(Study::from_games(games), study);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Study {
    /// What it is about.
    pub title: String,
    /// Its games; their titles are the tags [`Study::CHAPTER`].
    pub chapters: Vec<Game>,
}

impl Study {
    /// The tag that holds the title of a chapter.
    pub const CHAPTER: &str = "GN";
    /// The tag that holds the title of the study in its file.
    const TITLE: &str = "SN";

    /// The study that a file holds: its games in their order. Without a title in any of them it has none.
    #[must_use]
    pub fn from_games(mut chapters: Vec<Game>) -> Study {
        let title = chapters.iter().find_map(|game| game.tags.value(Study::TITLE)).unwrap_or_default();
        let title = title.to_owned();
        for game in &mut chapters {
            game.tags.set(Study::TITLE, "");
        }
        Study { title, chapters }
    }

    /// The file. Without chapters it is empty, as there is no game that could hold the title.
    #[must_use]
    pub fn to_sgf(&self) -> String {
        let Some((first, others)) = self.chapters.split_first() else { return String::new() };
        let mut first = first.clone();
        first.tags.set(Study::TITLE, &self.title);
        std::iter::once(&first).chain(others).map(sgf::write).collect()
    }

    /// Brings notes into the form that the file gives back: no space around comments, nothing drawn twice, and what is
    /// drawn in the order of its properties.
    pub fn tidy(&mut self) {
        for game in &mut self.chapters {
            for id in game.tree.preorder().collect::<Vec<_>>() {
                if game.tree.note(id).is_empty() {
                    continue;
                }
                let note = game.tree.note_mut(id);
                note.comment = note.comment.trim().to_owned();
                note.markings.sort_by_key(rank);
                note.markings.dedup();
            }
        }
    }
}

/// Where a marking stands among the properties of a node, and among those of its kind.
fn rank(marking: &Marking) -> (usize, String) {
    let (name, value) = marking.property();
    (sgf::DRAWN.iter().position(|known| *known == name).unwrap_or(sgf::DRAWN.len()), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_taken_out_of_the_game_that_holds_it() {
        let game = |text| sgf::parse(text).unwrap();
        let study = Study::from_games(vec![
            game("(;GM[2]GN[one];B[f5])"),
            game("(;GM[2]SN[Edges \\] corners];B[d3])"),
        ]);
        assert_eq!(study.title, "Edges ] corners");
        assert_eq!(study.chapters[1], game("(;GM[2];B[d3])"));
        assert_eq!(study.chapters[0].tags.value(Study::CHAPTER), Some("one"));
        assert_eq!(Study::default().to_sgf(), "");
    }

    #[test]
    fn what_is_drawn_gets_the_order_of_the_file() {
        let mut game = sgf::parse("(;GM[2];B[f5]AR[a1:b2]C[ why ])").unwrap();
        let path = "/0".parse().unwrap();
        let draw = |text: &str| text.parse::<Marking>().unwrap();
        let note = game.note_at_mut(&path).unwrap();
        note.comment = " why \n".to_owned();
        note.markings.extend(["TR c3", "AR a1 b2", "TR a1"].map(draw));
        let mut study = Study { title: String::new(), chapters: vec![game] };
        study.tidy();
        let note = study.chapters[0].note_at(&path).unwrap();
        let drawn: Vec<String> = note.markings.iter().map(ToString::to_string).collect();
        assert_eq!((note.comment.as_str(), drawn.join(", ").as_str()), ("why", "TR a1, TR c3, AR a1 b2"));
    }
}
