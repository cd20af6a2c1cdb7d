//! What the numbered style says, in English and in Chinese.

use clap::ValueEnum;
use emilia_rules::{Color, Counts, Outcome};

/// A language of the numbered style.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Language {
    /// English
    En,
    /// Simplified Chinese
    Zh,
}

/// Black is the filled circle and White the open one, as wherever Emilia draws or reads discs.
pub(super) const fn disc(color: Color) -> char {
    match color {
        Color::Black => '●',
        Color::White => '○',
    }
}

impl Language {
    fn pick(self, english: &'static str, chinese: &'static str) -> &'static str {
        match self {
            Language::En => english,
            Language::Zh => chinese,
        }
    }

    fn side(self, color: Color) -> String {
        let name = match color {
            Color::Black => self.pick("Black", "黑棋"),
            Color::White => self.pick("White", "白棋"),
        };
        format!("{name}{}({})", self.pick(" ", ""), disc(color))
    }

    pub(super) fn opening(self) -> &'static str {
        self.pick(">>> Human against computer:", ">>>人机对战开始：")
    }

    pub(super) fn dice(self, seed: u64) -> String {
        match self {
            Language::En => format!("The dice of this game: --seed {seed}"),
            Language::Zh => format!("本局随机种子：--seed {seed}"),
        }
    }

    pub(super) fn ask_side(self) -> &'static str {
        self.pick(
            "Choose your colour: 1 for black (●), -1 for white (○): ",
            "请选择棋色：黑棋(●)输入1，白棋(○)输入-1：",
        )
    }

    pub(super) fn bad_side(self) -> &'static str {
        self.pick("That is neither 1 nor -1, please try again", "输入不符合规范，请重新输入")
    }

    pub(super) fn ask_move(self, color: Color) -> String {
        match self {
            Language::En => format!("{}, your move (row column): ", self.side(color)),
            Language::Zh => format!("{}，请输入落子位置(行 列)：", self.side(color)),
        }
    }

    pub(super) fn illegal(self) -> &'static str {
        self.pick("That is not a legal move, please try again", "落子不合法，请重新输入")
    }

    pub(super) fn forfeited(self) -> &'static str {
        self.pick("That is not a legal move", "落子不合法")
    }

    pub(super) fn counts(self, counts: Counts) -> String {
        let one = |color: Color| format!("{}: {}", self.side(color), counts.of(color));
        format!("{}  {}", one(Color::Black), one(Color::White))
    }

    pub(super) fn score(self, score: &str) -> String {
        match self {
            Language::En => format!("Score of this move: {score}"),
            Language::Zh => format!("本手棋得分为 {score}"),
        }
    }

    pub(super) fn computer_move(self, row: u8, column: u8, human_follows: bool) -> String {
        match (self, human_follows) {
            (Language::En, true) => format!("The computer plays {row},{column}, your turn!"),
            (Language::En, false) => format!("The computer plays {row},{column}"),
            (Language::Zh, true) => format!("AI于{row},{column}落子，该你了！"),
            (Language::Zh, false) => format!("AI于{row},{column}落子"),
        }
    }

    pub(super) fn pass(self, color: Color) -> String {
        match self {
            Language::En => format!("{} has no legal move: pass", self.side(color)),
            Language::Zh => format!("{}无子可下，跳过", self.side(color)),
        }
    }

    pub(super) fn winner(self, outcome: Outcome) -> String {
        match (outcome, self) {
            (Outcome::Win(color), Language::En) => format!("{} wins", self.side(color)),
            (Outcome::Win(color), Language::Zh) => format!("{}胜", self.side(color)),
            (Outcome::Draw, _) => self.pick("Draw", "平局").to_owned(),
        }
    }
}
