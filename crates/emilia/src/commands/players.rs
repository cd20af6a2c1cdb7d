use clap::Args;
use emilia_engine::{KINDS, OUTSIDE, PRESETS};
use serde::Serialize;

use crate::{Failure, Streams};

/// List the players that can be named wherever a player is asked for
///
/// A player is a kind and its settings: alphabeta:depth=8,eval=paper. What is not set has its default. A preset is a
/// short name for a player of an earlier program; its settings can be changed in the same way. Other programs play too:
/// gtp:COMMAND, nboard:COMMAND or ugi:COMMAND starts one and talks to it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia players                                         the list
  emilia console --player alphabeta:depth=8,eval=paper   play against one of them")]
pub(crate) struct Players {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    kinds: Vec<KindLine>,
    presets: Vec<PresetLine>,
    outside: Vec<OutsideLine>,
}

#[derive(Serialize)]
struct KindLine {
    name: &'static str,
    summary: &'static str,
    settings: Vec<SettingLine>,
}

#[derive(Serialize)]
struct SettingLine {
    name: &'static str,
    default: &'static str,
    expects: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct PresetLine {
    name: &'static str,
    stands_for: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
struct OutsideLine {
    name: &'static str,
    summary: &'static str,
}

impl Players {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if self.json {
            return Ok(streams.write_json(&listing())?);
        }
        let (bold, plain) = streams.bold();
        for kind in KINDS {
            writeln!(streams.out, "{bold}{}{plain}: {}", kind.name, kind.summary)?;
            for setting in kind.settings {
                let shown = match setting.default {
                    "" => setting.name.to_owned(),
                    default => format!("{}={default}", setting.name),
                };
                writeln!(streams.out, "  {shown:<24} {}: {}", setting.about, setting.expects)?;
            }
        }
        writeln!(streams.out, "\nPresets")?;
        for preset in PRESETS {
            let summary = preset.summary;
            writeln!(streams.out, "  {bold}{:<11}{plain} {:<48} {summary}", preset.name, preset.stands_for)?;
        }
        writeln!(streams.out, "\nOther programs")?;
        for outside in OUTSIDE {
            let name = format!("{}:COMMAND", outside.name);
            writeln!(streams.out, "  {bold}{name:<15}{plain} {}", outside.summary)?;
        }
        Ok(())
    }
}

fn listing() -> Listing {
    let kinds = KINDS.iter().map(|kind| KindLine {
        name: kind.name,
        summary: kind.summary,
        settings: kind
            .settings
            .iter()
            .map(|setting| SettingLine {
                name: setting.name,
                default: setting.default,
                expects: setting.expects,
                about: setting.about,
            })
            .collect(),
    });
    let presets = PRESETS.iter().map(|preset| PresetLine {
        name: preset.name,
        stands_for: preset.stands_for,
        summary: preset.summary,
    });
    let outside = OUTSIDE.iter().map(|outside| OutsideLine { name: outside.name, summary: outside.summary });
    Listing { kinds: kinds.collect(), presets: presets.collect(), outside: outside.collect() }
}
