use super::refusal::Refusal;

/// A line of GTP taken apart: `[id] command arguments`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// The id as it was written, to be repeated in the answer.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
}

impl Command {
    /// Reads a line. Comments and lines without a command are nothing.
    pub(super) fn parse(line: &str) -> Option<Command> {
        let line = line.split('#').next().unwrap_or_default();
        let line: String = line
            .chars()
            .filter_map(|c| match c {
                '\t' => Some(' '),
                c if c.is_control() => None,
                c => Some(c),
            })
            .collect();
        let mut words = line.split_whitespace().peekable();
        // An id is any number, however long; it comes back as it was.
        let id = words
            .next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
            .unwrap_or_default()
            .to_owned();
        match words.next() {
            Some(name) => {
                Some(Command { id, name: name.to_owned(), arguments: words.map(str::to_owned).collect() })
            }
            None if id.is_empty() => None,
            // A number alone is a command that nobody knows.
            None => Some(Command { id, name: String::new(), arguments: Vec::new() }),
        }
    }

    /// An argument in lower case; empty if it is missing.
    pub(super) fn argument(&self, number: usize) -> String {
        self.arguments.get(number).map(|word| word.to_ascii_lowercase()).unwrap_or_default()
    }
}

/// What came of a command: the text of the answer, or why there is none.
pub(super) type Reply = Result<String, Refusal>;

/// An answer as it is sent. The line end that follows makes the empty line that ends it.
pub(super) fn framed(id: &str, reply: &Reply) -> String {
    match reply {
        Ok(text) => format!("={id} {text}\n"),
        // Reasons are one line, whatever they repeat of other people's words.
        Err(refusal) => format!("?{id} {}\n", refusal.to_string().replace(char::is_control, " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cleaned_before_they_are_read() {
        let command = Command::parse("  12\tpl\u{7}ay  black\tD3 # a comment").unwrap();
        assert_eq!((command.id.as_str(), command.name.as_str()), ("12", "play"));
        assert_eq!(command.arguments, ["black", "D3"]);
        assert_eq!(Command::parse("   # nothing"), None);
        assert_eq!(Command::parse(""), None);
        assert_eq!(Command::parse("99999999999999999999 quit").unwrap().id, "99999999999999999999");
    }
}
