//! The layering check: the crates may depend on each other only as the table in ARCHITECTURE.md says.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::chore::{ChoreError, capture, command, root};

/// What the table says of one crate.
struct Layer {
    number: u32,
    may_use: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    path: Option<String>,
}

/// Everything that differs from the table.
#[derive(Debug)]
pub struct LayerErrors(Vec<String>);

impl std::error::Error for LayerErrors {}

impl fmt::Display for LayerErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

/// Compares `cargo metadata` with the table.
pub fn run() -> Result<(), ChoreError> {
    let file = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&file)
        .map_err(|error| ChoreError::File { file: "ARCHITECTURE.md".to_owned(), error })?;
    let output = capture(&mut command("cargo", &["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let errors = differences(&table(&text), &metadata.packages);
    if errors.is_empty() { Ok(()) } else { Err(LayerErrors(errors).into()) }
}

/// Reads the rows `| name | number | what it is | what it uses |` of the table under "Layers".
fn table(text: &str) -> BTreeMap<String, Layer> {
    let mut layers = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [name, number, _, uses] = cells[..] else { continue };
        let Ok(number) = number.parse() else { continue };
        let uses = uses.split_whitespace().filter(|word| *word != "–");
        let may_use = uses.map(|word| word.trim_matches(['`', ',']).to_owned()).collect();
        layers.insert(name.trim_matches('`').to_owned(), Layer { number, may_use });
    }
    layers
}

fn differences(table: &BTreeMap<String, Layer>, packages: &[Package]) -> Vec<String> {
    let short = |name: &str| name.trim_start_matches("emilia-").to_owned();
    let mut errors = Vec::new();
    let packages: Vec<&Package> = packages.iter().filter(|package| package.name != "xtask").collect();
    for package in &packages {
        let name = short(&package.name);
        let Some(layer) = table.get(&name) else {
            errors.push(format!("{name} is not in the table of ARCHITECTURE.md"));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
            let used = short(&dependency.name);
            if used == name {
                continue;
            }
            let lower = table.get(&used).is_some_and(|below| below.number < layer.number);
            if !layer.may_use.contains(&used) || !lower {
                errors.push(format!("{name} must not use {used}"));
            }
        }
    }
    for name in table.keys() {
        if !packages.iter().any(|package| short(&package.name) == *name) {
            errors.push(format!("the table of ARCHITECTURE.md names {name}, but there is no such crate"));
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
| crate | layer | what it is | uses |
|---|---|---|---|
| `rules` | 0 | the game | – |
| `eval` | 1 | judging | `rules` |
| `search` | 2 | looking ahead | `eval` `rules` |
";

    fn package(name: &str, uses: &[&str]) -> Package {
        let dependencies = uses
            .iter()
            .map(|name| Dependency { name: (*name).to_owned(), path: Some("somewhere".to_owned()) })
            .collect();
        Package { name: name.to_owned(), dependencies }
    }

    #[test]
    fn downward_edges_pass_and_upward_ones_are_named() {
        let good = [
            package("emilia-rules", &[]),
            package("emilia-eval", &["emilia-rules"]),
            package("emilia-search", &["emilia-eval", "emilia-rules"]),
        ];
        assert!(differences(&table(TABLE), &good).is_empty());
        let bad = [
            package("emilia-rules", &["emilia-eval"]),
            package("emilia-eval", &["emilia-rules"]),
            package("emilia-search", &[]),
        ];
        assert_eq!(differences(&table(TABLE), &bad), ["rules must not use eval"]);
    }

    #[test]
    fn table_and_crates_must_name_each_other() {
        let crates =
            [package("emilia-rules", &[]), package("emilia-eval", &[]), package("emilia-arena", &[])];
        assert_eq!(
            differences(&table(TABLE), &crates),
            [
                "arena is not in the table of ARCHITECTURE.md",
                "the table of ARCHITECTURE.md names search, but there is no such crate"
            ]
        );
    }
}
