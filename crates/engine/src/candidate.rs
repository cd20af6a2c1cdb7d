use std::time::Duration;

use emilia_classic::Search;
use emilia_rules::Objective;

use crate::champion::{Champion, ChampionPlayer};
use crate::classic::{self, ClassicPlayer};
use crate::outside::{OutsidePlayer, Program};
use crate::spec::{Settings, nearest};
use crate::{FileReader, KINDS, Kind, PRESETS, Player, PlayerError, Spec};

/// A player described and checked, ready to be made as often as games need one.
#[derive(Clone, Debug)]
pub struct Candidate {
    name: String,
    way: Way,
}

/// How it chooses its moves.
#[derive(Clone, Debug)]
enum Way {
    Champion(Champion),
    Classic { search: Search, seed: u64 },
    Outside(Program),
}

impl Candidate {
    /// Reads a player's name: a kind or a preset, and its settings; or a protocol and the command of another program.
    /// Nothing is started yet. Who reads names from strangers must refuse those that are [`Self::is_outside`].
    pub fn parse(text: &str, read: FileReader<'_>) -> Result<Candidate, PlayerError> {
        if let Some(program) = Program::parse(text) {
            return Ok(Candidate { name: text.trim().to_owned(), way: Way::Outside(program?) });
        }
        let spec = resolved(text)?;
        let settings = Settings::new(kind(&spec)?, &spec)?;
        let way = match settings.kind().name {
            "emilia" => Way::Champion(Champion::new(&settings, read)?),
            _ => {
                let (search, seed) = classic::search(&settings, read)?;
                Way::Classic { search, seed }
            }
        };
        Ok(Candidate { name: text.trim().to_owned(), way })
    }

    /// The name it was called by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same player, playing for most or for fewest discs.
    #[must_use]
    pub fn aiming_for(mut self, objective: Objective) -> Candidate {
        match &mut self.way {
            Way::Champion(champion) => champion.objective = objective,
            Way::Classic { search, .. } => search.objective = objective,
            // There is no way to tell it.
            Way::Outside(_) => {}
        }
        self
    }

    /// The textbook search it plays by and its seed, if that is how it plays; for those who want to watch it at work.
    #[must_use]
    pub fn classic(&self) -> Option<(Search, u64)> {
        match self.way {
            Way::Classic { search, seed } => Some((search, seed)),
            Way::Champion(_) | Way::Outside(_) => None,
        }
    }

    /// The same player; if it is another program, it may be so late before it counts as hung. Its first answer may
    /// be five times as late.
    #[must_use]
    pub fn allowed_late(mut self, grace: Duration) -> Candidate {
        if let Way::Outside(program) = &mut self.way {
            program.grace = grace;
        }
        self
    }

    /// Whether it is another program, which a command starts.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        matches!(self.way, Way::Outside(_))
    }

    /// A fresh player for the game of this number. Players that throw dice throw others in each game.
    #[must_use]
    pub fn player(&self, game: u64) -> Box<dyn Player> {
        match &self.way {
            Way::Champion(champion) => Box::new(ChampionPlayer::new(&self.name, champion.clone())),
            Way::Outside(program) => Box::new(OutsidePlayer::new(&self.name, program.clone())),
            &Way::Classic { search, seed } => {
                // An odd multiplier: no two games share a seed, and game 0 has the seed that was given.
                let seed = seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                Box::new(ClassicPlayer::new(&self.name, search, seed))
            }
        }
    }
}

/// The name with a preset replaced by what it stands for; settings given with a preset override its own.
fn resolved(text: &str) -> Result<Spec, PlayerError> {
    let given: Spec = text.parse()?;
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == given.kind) else { return Ok(given) };
    let mut spec: Spec = preset.stands_for.parse()?;
    for (name, value) in given.settings {
        match spec.settings.iter_mut().find(|(known, _)| *known == name) {
            Some(setting) => setting.1 = value,
            None => spec.settings.push((name, value)),
        }
    }
    Ok(spec)
}

fn kind(spec: &Spec) -> Result<&'static Kind, PlayerError> {
    KINDS.iter().find(|kind| kind.name == spec.kind).ok_or_else(|| {
        let names = KINDS.iter().map(|kind| kind.name).chain(PRESETS.iter().map(|preset| preset.name));
        PlayerError::UnknownPlayer {
            name: spec.kind.chars().take(40).collect(),
            nearest: nearest(&spec.kind, names),
        }
    })
}

#[cfg(test)]
mod tests {
    use emilia_rules::{GridPosition, Playable, Size};

    use super::*;
    use crate::{Stop, no_files};

    fn error(text: &str) -> String {
        Candidate::parse(text, &no_files).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_and_preset_makes_a_player_that_plays_legally_on_every_board() {
        let quick = |name: &str| match name {
            "beginner" | "casual" | "club" | "expert" | "master" => format!("{name}:level=1"),
            "emilia" | "iterative" | "s2" => format!("{name}:time=5ms"),
            "s0" | "beam" => format!("{name}:depth=3"),
            "mcts" => format!("{name}:playouts=20"),
            "random" | "first" | "greedy" => name.to_owned(),
            _ => format!("{name}:depth=2"),
        };
        for name in KINDS.iter().map(|kind| kind.name).chain(PRESETS.iter().map(|preset| preset.name)) {
            let candidate = Candidate::parse(&quick(name), &no_files).unwrap();
            for size in [4, 8, 26] {
                let start = GridPosition::start(Size::new(size).unwrap());
                let decision = candidate.player(3).choose(&start, &Stop::default()).unwrap().unwrap();
                assert!(start.play(decision.mv).is_ok(), "{name} on {size}");
            }
        }
    }

    #[test]
    fn every_default_is_a_value_that_its_setting_takes() {
        for kind in KINDS {
            for setting in kind.settings.iter().filter(|setting| !setting.default.is_empty()) {
                let text = format!("{}:{}={}", kind.name, setting.name, setting.default);
                assert!(Candidate::parse(&text, &no_files).is_ok(), "{text}");
            }
        }
    }

    #[test]
    fn errors_name_the_culprit_and_the_nearest_right_word() {
        assert_eq!(
            error("alphabet:depth=3"),
            "there is no player \"alphabet\", did you mean alphabeta?; \"emilia players\" lists them"
        );
        assert_eq!(error("deepblue"), "there is no player \"deepblue\"; \"emilia players\" lists them");
        assert_eq!(error("first:depth=3"), "first has no setting \"depth\"; it has none");
        assert_eq!(error("minimax:depth=0"), "depth=0: expected a number of plies from 1 to 60");
        assert_eq!(
            error("emilia:level=3,time=1s"),
            "level=3: choose one of level, game, or limits for a move (depth, nodes, time)"
        );
        assert_eq!(error("minimax:depth"), "\"depth\" should be a setting and its value, such as depth=6");
        assert_eq!(error("minimax:depth=2,depth=3"), "depth is set twice");
        assert_eq!(error("iterative:time=soon"), "time=soon: expected a time such as 500ms, 5s or 1m");
        assert_eq!(
            error("minimax:eval=disk"),
            "eval=disk: expected disc, paper, kukreja, genes, myjudge, judge, ideal, cornell or static"
        );
        assert_eq!(
            error("minimax:eval=disc,weights=1/2"),
            "weights=1/2: disc has no weights to set, only genes and paper have"
        );
        assert_eq!(
            error("minimax:eval=genes,weights=1/2"),
            "weights=1/2: six numbers are needed (d/p/f/c/l/m)"
        );
        assert_eq!(error("minimax:eval=genes,weights=best.txt"), "best.txt: files cannot be named here");
        assert_eq!(error(" "), "a player needs a name, such as alphabeta:depth=6");
        assert!(error(&"x".repeat(10_000)).len() < 200);
    }

    #[test]
    fn a_preset_can_be_changed_and_a_file_read() {
        let (search, _) = Candidate::parse("s1:depth=3", &no_files).unwrap().classic().unwrap();
        assert_eq!(search, Search { evaluator: "kukreja".parse().unwrap(), ..Search::minimax(3) });
        let read = |_: &str| Ok(b"1\n2\n3\n4\n5\n6\n".to_vec());
        let from_file = Candidate::parse("beam:weights=best.txt", &read).unwrap().classic();
        let spelled = Candidate::parse("beam:weights=1/2/3/4/5/6", &no_files).unwrap().classic();
        assert_eq!(from_file, spelled);
    }

    #[test]
    fn emilia_takes_weights_from_a_file_and_refuses_foreign_ones() {
        let zero = emilia_eval::Weights::zero().bytes();
        let candidate = Candidate::parse("emilia:depth=1,weights=zero", &|_: &str| Ok(zero.clone())).unwrap();
        let decision =
            candidate.player(0).choose(&GridPosition::default(), &Stop::default()).unwrap().unwrap();
        assert_eq!(decision.score, Some(0.0));
        let foreign = Candidate::parse("emilia:weights=x.bin", &|_: &str| Ok(b"1\n2\n".to_vec()));
        assert!(foreign.unwrap_err().to_string().starts_with("x.bin: this is no"));
        assert_eq!(error("emilia:weights=x.bin"), "x.bin: files cannot be named here");
    }

    /// On 4×4 every position can be solved, so that a player who aims for the other goal shows.
    #[test]
    fn players_aim_for_fewest_discs_when_told() {
        let start = GridPosition::start(Size::MIN);
        for name in ["emilia:nodes=1000000", "alphabeta:depth=20,end=margin"] {
            let value = |objective| {
                let candidate = Candidate::parse(name, &no_files).unwrap().aiming_for(objective);
                candidate.player(0).choose(&start, &Stop::default()).unwrap().unwrap().score.unwrap()
            };
            assert!(value(Objective::Most) < 0.0, "{name}");
            assert!(value(Objective::Fewest) != value(Objective::Most), "{name}");
        }
    }

    #[test]
    fn dice_differ_between_games_and_repeat_within_one() {
        let candidate = Candidate::parse("random:seed=1", &no_files).unwrap();
        let line = |game: u64| {
            let (mut player, mut position) = (candidate.player(game), GridPosition::default());
            for _ in 0..20 {
                let decision = player.choose(&position, &Stop::default()).unwrap().unwrap();
                position = position.play(decision.mv).unwrap();
            }
            position
        };
        assert_eq!(line(4), line(4));
        assert_ne!(line(4), line(5));
    }
}
