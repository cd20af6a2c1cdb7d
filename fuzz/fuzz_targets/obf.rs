//! Law: what is read as a scored position is written as a line that reads as the same, but for blanks in the comment.
#![no_main]

use emilia_record::obf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    if let Ok(Some(mut study)) = obf::parse(line) {
        study.comment = study.comment.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(obf::parse(&obf::write_line(&study)), Ok(Some(study)));
    }
});
