//! What the tests of other crates make up, for the harness too.

#[path = "../../record/tests/it/common.rs"]
#[allow(dead_code, reason = "the tests of records use more of it")]
pub(crate) mod common;
#[path = "../../record/tests/it/damage.rs"]
pub(crate) mod damage;
#[path = "../../rules/tests/it/common.rs"]
#[allow(dead_code, reason = "the tests of the rules use more of it")]
pub(crate) mod twin;
#[path = "../../protocol/tests/it/vocabulary.rs"]
pub(crate) mod vocabulary;
