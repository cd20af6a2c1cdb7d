//! Running the program with its streams in hand.

use emilia::Streams;

/// What a call printed, and its exit status.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) status: u8,
}

/// Calls the program with these words and this input.
pub(crate) fn emilia(words: &[&str], mut input: &[u8]) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = std::iter::once("emilia").chain(words.iter().copied());
    let status = emilia::run(arguments, &mut Streams::plain(&mut input, &mut out, &mut err));
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Outcome { out: text(out), err: text(err), status }
}
