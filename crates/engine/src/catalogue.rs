//! Every kind of player there is, with its settings and their defaults; and the presets.

/// A kind of player.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What can be set.
    pub settings: &'static [Setting],
}

/// Something about a player that can be set.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// What it is if nothing is said.
    pub default: &'static str,
    /// What values it takes.
    pub expects: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

/// A name that stands for a player with settings.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The player it stands for.
    pub stands_for: &'static str,
    /// Where it comes from, in a line.
    pub summary: &'static str,
}

/// A protocol over which another program can play: `gtp:COMMAND`.
#[derive(Debug, PartialEq, Eq)]
pub struct Outside {
    /// What stands before the command.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
}

/// The protocols over which other programs can play, wherever a player is named.
pub static OUTSIDE: &[Outside] = &[
    Outside { name: "gtp", summary: "another program, started by a command, that speaks GTP 2" },
    Outside { name: "nboard", summary: "another program that speaks the NBoard protocol" },
    Outside { name: "ugi", summary: "another program that speaks UGI" },
];

impl Kind {
    /// The setting of this name.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&'static Setting> {
        self.settings.iter().find(|setting| setting.name == name)
    }
}

const EVAL: Setting = Setting {
    name: "eval",
    default: "kukreja",
    expects: "disc, paper, kukreja, genes, myjudge, judge, ideal, cornell or static",
    about: "how a position is judged where the search goes no further",
};
const WEIGHTS: Setting = Setting {
    name: "weights",
    default: "",
    expects: "numbers separated by /, or for genes a file with one a line",
    about: "weights of the evaluators genes (squares, parity, frontier, corners, closeness, mobility) and paper \
            (parity, mobility, corners, stability)",
};
const ORDER: Setting = Setting {
    name: "order",
    default: "rows",
    expects: "rows, rings or looks",
    about: "order in which moves are tried: row by row, border first, or the best looking first",
};
const TRANSPOSITIONS: Setting = Setting {
    name: "transpositions",
    default: "no",
    expects: "yes or no",
    about: "search a position that several orders of moves lead to only once",
};
const END: Setting = Setting {
    name: "end",
    default: "wld",
    expects: "wld or margin",
    about: "whether a win is a win, or a larger win is better",
};
const SEED: Setting = Setting {
    name: "seed",
    default: "0",
    expects: "a whole number",
    about: "where the random numbers begin",
};
const GOAL: Setting = Setting {
    name: "goal",
    default: "most",
    expects: "most or fewest",
    about: "whether most or fewest discs win",
};

const fn depth(default: &'static str) -> Setting {
    Setting {
        name: "depth",
        default,
        expects: "a number of plies from 1 to 60",
        about: "plies to look ahead",
    }
}

/// Every kind of player.
pub static KINDS: &[Kind] = &[
    Kind {
        name: "emilia",
        summary: "the strongest play there is on each board",
        settings: &[
            Setting {
                name: "level",
                default: "",
                expects: "a number from 1 (plays at once) to 30 (about a minute a move)",
                about: "how deep to look and how much to solve, 16 unless another limit is set",
            },
            Setting {
                name: "time",
                default: "",
                expects: "a time such as 500ms, 5s or 1m",
                about: "time for a move",
            },
            Setting {
                name: "game",
                default: "",
                expects: "a time such as 30s or 5m",
                about: "time for all moves of a game together",
            },
            Setting {
                name: "inc",
                default: "",
                expects: "a time such as 2s",
                about: "time added after each move, with game",
            },
            depth(""),
            Setting {
                name: "nodes",
                default: "",
                expects: "a number of positions",
                about: "positions to look at; the same on every machine",
            },
            Setting {
                name: "selectivity",
                default: "",
                expects: "73, 87, 95, 98, 99 or 100",
                about: "how sure to be of what is left out, in percent; goes with depth, nodes or time",
            },
            Setting {
                name: "threads",
                default: "1",
                expects: "a number from 1 to 1024",
                about: "threads that share the work on 8×8",
            },
            Setting {
                name: "hash",
                default: "64",
                expects: "a number of megabytes from 1 to 1048576",
                about: "memory for positions already searched",
            },
            Setting {
                name: "weights",
                default: "",
                expects: "a file of weights",
                about: "judge 8×8 boards by these instead of those that come with the program",
            },
            Setting {
                name: "book",
                default: "no",
                expects: "yes, no or a file",
                about: "open 8×8 games by the book that comes with the program, or by that of a file",
            },
            Setting {
                name: "book-slack",
                default: "1",
                expects: "a number of discs from 0 to 64",
                about: "what moves of the book may give away in a game, so that games differ",
            },
            Setting { about: "where the dice begin that choose among moves of the book", ..SEED },
            GOAL,
        ],
    },
    Kind {
        name: "human",
        summary: "errs like a person of a rating; on other boards than 8×8 looks one ply ahead, more or less heeded",
        settings: &[
            Setting {
                name: "rating",
                default: "1600",
                expects: "a number from 800 (a first game) to 2400 (a world champion)",
                about: "how strong the person is, on the scale of tournament players",
            },
            Setting {
                name: "style",
                default: "usual",
                expects: "usual, greedy, quiet or edges",
                about: "what the person likes beyond what is usual at that strength",
            },
            SEED,
        ],
    },
    Kind {
        name: "minimax",
        summary: "every move, every answer, to a fixed depth",
        settings: &[depth("4"), EVAL, WEIGHTS, ORDER, TRANSPOSITIONS, END, GOAL],
    },
    Kind {
        name: "alphabeta",
        summary: "the same moves as minimax, without the branches that cannot matter",
        settings: &[depth("6"), EVAL, WEIGHTS, ORDER, TRANSPOSITIONS, END, GOAL],
    },
    Kind {
        name: "negascout",
        summary: "alpha-beta that asks of all moves but the first only whether they are better",
        settings: &[
            depth("6"),
            EVAL,
            WEIGHTS,
            Setting { default: "looks", ..ORDER },
            TRANSPOSITIONS,
            END,
            GOAL,
        ],
    },
    Kind {
        name: "iterative",
        summary: "alpha-beta to depth 1, 2, 3 … until time is up",
        settings: &[
            Setting {
                name: "time",
                default: "5s",
                expects: "a time such as 500ms, 5s or 1m",
                about: "time for a move",
            },
            depth("60"),
            Setting {
                name: "split",
                default: "no",
                expects: "yes or no",
                about: "go down at once and give every branch an even share of the time",
            },
            EVAL,
            WEIGHTS,
            ORDER,
            TRANSPOSITIONS,
            END,
            GOAL,
        ],
    },
    Kind {
        name: "beam",
        summary: "alpha-beta on a random tree that keeps a few moves of each position, better ones likelier",
        settings: &[
            depth("10"),
            Setting {
                name: "width",
                default: "3",
                expects: "a number of moves from 1 to 60",
                about: "moves kept",
            },
            Setting { default: "genes", ..EVAL },
            WEIGHTS,
            ORDER,
            END,
            GOAL,
            SEED,
        ],
    },
    Kind {
        name: "mcts",
        summary: "Monte Carlo tree search: plays random games to the end and follows the moves that win most",
        settings: &[
            Setting {
                name: "playouts",
                default: "1000",
                expects: "a number of games from 1 to 100000000",
                about: "random games for a move",
            },
            Setting {
                name: "exploration",
                default: "1.4142135623730951",
                expects: "a number from 0 to 100",
                about: "how much moves that were tried little are favoured",
            },
            GOAL,
            SEED,
        ],
    },
    Kind { name: "random", summary: "any legal move", settings: &[SEED] },
    Kind { name: "first", summary: "the first legal move, row by row", settings: &[] },
    Kind {
        name: "greedy",
        summary: "the move that flips most discs; of several the upper one, then the left one",
        settings: &[GOAL],
    },
];

/// People of growing strength, a scale of levels, and the players of the programs that came before Emilia.
pub static PRESETS: &[Preset] = &[
    Preset { name: "mia", stands_for: "human:rating=800", summary: "a child's first game" },
    Preset { name: "tom", stands_for: "human:rating=1000", summary: "plays on Sundays, likes corners" },
    Preset { name: "ana", stands_for: "human:rating=1200", summary: "new in the club" },
    Preset { name: "luc", stands_for: "human:rating=1400", summary: "comes to the club every week" },
    Preset { name: "nadia", stands_for: "human:rating=1600", summary: "plays tournaments" },
    Preset { name: "omar", stands_for: "human:rating=1800", summary: "wins the club's evenings" },
    Preset { name: "ines", stands_for: "human:rating=2000", summary: "plays for a national team" },
    Preset { name: "viktor", stands_for: "human:rating=2200", summary: "has stood in finals" },
    Preset { name: "hana", stands_for: "human:rating=2400", summary: "plays like a world champion" },
    Preset { name: "beginner", stands_for: "emilia:level=1", summary: "looks one move ahead" },
    Preset { name: "casual", stands_for: "emilia:level=3", summary: "sees simple traps" },
    Preset { name: "club", stands_for: "emilia:level=6", summary: "plays a sound game" },
    Preset {
        name: "expert",
        stands_for: "emilia:level=11",
        summary: "rarely errs, perfect in the last eleven moves",
    },
    Preset { name: "master", stands_for: "emilia:level=16", summary: "hardly errs at all" },
    Preset {
        name: "s0",
        stands_for: "beam:depth=10,width=3,eval=genes",
        summary: "the desktop game with the genetic algorithm",
    },
    Preset { name: "s1", stands_for: "minimax:depth=2,eval=kukreja", summary: "the browser game" },
    Preset {
        name: "s1-paper",
        stands_for: "minimax:depth=2,eval=paper",
        summary: "the browser game as its description has it",
    },
    Preset {
        name: "s2",
        stands_for: "iterative:time=5s,eval=disc,end=margin",
        summary: "the window game that thinks five seconds",
    },
    Preset {
        name: "s3",
        stands_for: "minimax:depth=6,eval=ideal",
        summary: "the console game: a move and five plies more",
    },
    Preset {
        name: "s4-judge",
        stands_for: "alphabeta:depth=10,eval=judge,order=rings",
        summary: "the 6×6 duel, the evaluator it came with",
    },
    Preset {
        name: "s4-myjudge",
        stands_for: "alphabeta:depth=10,eval=myjudge,order=rings",
        summary: "the 6×6 duel, the evaluator that won it",
    },
];
