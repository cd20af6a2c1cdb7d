//! Repository chores: tests, layering check, documentation.

fn main() {}
