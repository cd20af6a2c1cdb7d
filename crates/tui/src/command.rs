use emilia_rules::{Point, Size};

/// A key of the keyboard, whatever the terminal calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Move the cursor, or step through the game, by so many columns and rows.
    Go(i8, i8),
    /// A letter or digit of a square.
    Type(char),
    /// Take the last typed character away.
    Erase,
    /// Play where the cursor is, or end what is being typed.
    Confirm,
    /// Play on this square.
    Place(Point),
    /// Leave what is being done: typing, help; otherwise nothing.
    Cancel,
    /// Arrows move through the game, or over the board again.
    SwitchFocus,
    /// Take back to one's last move.
    Undo,
    /// Forward again.
    Redo,
    /// To the start of the game.
    First,
    /// To its end.
    Last,
    /// What would the judge play?
    Hint,
    /// Lines that deepen while one looks, on or off.
    Analyse,
    /// The tree of a textbook search, on or off.
    Tree,
    /// What every move of the game gave away.
    Review,
    /// Let players wait, or go on.
    Pause,
    /// Change sides with the player.
    Swap,
    /// Begin again.
    New,
    /// Ask for a file to save the game in.
    AskFile,
    /// Save it there.
    Save(String),
    /// What can be typed.
    Help,
    /// Leave.
    Quit,
}

/// The letters for commands, and what the footer and the help say of them. Capital letters, because small ones are squares.
pub(crate) const LETTERS: [(char, Command, &str, &str); 12] = [
    ('?', Command::Help, "help", "this list"),
    ('H', Command::Hint, "hint", "what Emilia would play"),
    ('A', Command::Analyse, "analyse", "lines that deepen while you look; again to stop"),
    ('U', Command::Undo, "undo", "take back to your last move"),
    ('R', Command::Redo, "redo", "forward again"),
    ('T', Command::Tree, "tree", "the tree of a textbook search, deeper and deeper"),
    ('V', Command::Review, "review", "what every move of the game gave away"),
    ('P', Command::Pause, "pause", "let the players wait, or go on"),
    ('X', Command::Swap, "swap", "change sides"),
    ('N', Command::New, "new", "begin again"),
    ('S', Command::AskFile, "save", "keep the game in a file"),
    ('Q', Command::Quit, "quit", "leave (Ctrl-C too)"),
];

impl Command {
    /// What a key means on a board of this size.
    #[must_use]
    pub fn of_key(key: Key, size: Size) -> Option<Command> {
        Some(match key {
            Key::Interrupt => Command::Quit,
            Key::Escape => Command::Cancel,
            Key::Enter | Key::Char(' ') => Command::Confirm,
            Key::Tab => Command::SwitchFocus,
            Key::Backspace => Command::Erase,
            Key::Left => Command::Go(-1, 0),
            Key::Right => Command::Go(1, 0),
            Key::Up => Command::Go(0, -1),
            Key::Down => Command::Go(0, 1),
            Key::Home => Command::First,
            Key::End => Command::Last,
            Key::Char(c) => {
                let is_column = c.is_ascii_lowercase() && c as u8 - b'a' < size.get();
                if c.is_ascii_digit() || is_column {
                    Command::Type(c)
                } else if let Some(step) = vim(c) {
                    step
                } else {
                    // Where a small letter is no column, it is as good as the capital.
                    let letter = c.to_ascii_uppercase();
                    LETTERS.iter().find(|(known, ..)| *known == letter)?.1.clone()
                }
            }
        })
    }
}

/// Steps by the letters of vi.
pub(crate) fn vim(c: char) -> Option<Command> {
    Some(match c {
        'h' => Command::Go(-1, 0),
        'j' => Command::Go(0, 1),
        'k' => Command::Go(0, -1),
        'l' => Command::Go(1, 0),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_are_squares_where_the_board_has_them() {
        let of = |c, size| Command::of_key(Key::Char(c), Size::new(size).unwrap());
        assert_eq!((of('h', 8), of('h', 6)), (Some(Command::Type('h')), Some(Command::Go(-1, 0))));
        assert_eq!((of('u', 8), of('u', 26)), (Some(Command::Undo), Some(Command::Type('u'))));
        assert_eq!((of('U', 26), of('A', 8)), (Some(Command::Undo), Some(Command::Analyse)));
        assert_eq!((of('j', 8), of('é', 8), of('!', 8)), (Some(Command::Go(0, 1)), None, None));
    }

    #[test]
    fn every_command_has_a_letter_of_its_own() {
        let mut letters: Vec<char> = LETTERS.iter().map(|(letter, ..)| *letter).collect();
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), LETTERS.len());
    }
}
