//! Conversations with the two consoles.

use crate::common::emilia;

/// The transcript of the original lettered program on 4×4, pass included.
#[test]
fn lettered_transcript_is_reproduced_to_the_letter() {
    let outcome = emilia(&["console"], b"4\nB\nac\nca\naa\n");
    assert_eq!(outcome.out, include_str!("../golden/lettered-4x4.txt"));
    assert_eq!((outcome.err.as_str(), outcome.status), ("", 0));
    // The preset of that program plays the same game.
    assert_eq!(emilia(&["console", "--player", "s3"], b"4\nB\nac\nca\naa\n").out, outcome.out);
}

#[test]
fn wrong_answers_are_asked_again() {
    let outcome = emilia(&["console", "--player", "first"], b"3\n7\n28\nfour\n\n4\nX\n\nw\n");
    assert_eq!(outcome.out.matches("Enter the board dimension: ").count(), 6);
    assert_eq!(outcome.out.matches("Computer plays (B/W): ").count(), 3);
    assert!(outcome.out.ends_with("Enter move for colour B (RowCol): \n"), "{}", outcome.out);
    assert_eq!(outcome.status, 0);
}

#[test]
fn an_illegal_move_forfeits_or_is_asked_again() {
    for text in ["zz", "a", "", "bb", "aa", "1", "ä", "pass"] {
        let outcome = emilia(&["console", "--player", "first"], format!("8\nW\n{text}\n").as_bytes());
        assert!(outcome.out.ends_with("Invalid move.\nW player wins.\n"), "{text}: {}", outcome.out);
        assert_eq!(outcome.status, 0);
        let words = ["console", "--player", "first", "--illegal", "retry"];
        let outcome = emilia(&words, format!("8\nW\n{text}\ncd\n").as_bytes());
        assert!(
            outcome.out.contains("Invalid move.\nEnter move for colour B (RowCol):   abcdefgh\n"),
            "{text}"
        );
        assert!(outcome.out.contains("Computer places W at "), "{text}");
    }
}

#[test]
fn every_notation_is_understood() {
    for text in ["cd", "CD", "d3", "3 4", "3,4", "#19"] {
        let outcome =
            emilia(&["console", "--computer", "none", "--size", "8"], format!("{text}\n").as_bytes());
        assert!(outcome.out.contains("c UUUBUUUU\nd UUUBBUUU\n"), "{text}: {}", outcome.out);
    }
}

#[test]
fn the_end_of_the_input_ends_the_game_cleanly_at_every_question() {
    for style in ["lettered", "numbered"] {
        for input in ["", "8", "8\n", "8\nB\n", "8\nW\n", "1\n", "-1\n"] {
            let outcome = emilia(&["console", "--style", style, "--player", "first"], input.as_bytes());
            assert_eq!((outcome.err.as_str(), outcome.status), ("", 0), "{style} {input:?}");
            assert!(outcome.out.ends_with('\n'));
        }
    }
}

#[test]
fn the_computer_can_play_itself_on_every_size() {
    for size in (4..=26).step_by(2) {
        let size = size.to_string();
        let words = ["console", "--size", &size, "--computer", "both", "--player", "greedy"];
        let outcome = emilia(&words, b"");
        let last = outcome.out.lines().last().unwrap();
        assert!(["B player wins.", "W player wins.", "Draw!"].contains(&last), "{last}");
    }
}

#[test]
fn variants_change_the_start_and_the_winner() {
    let game = |extra: &[&str]| {
        let words = ["console", "--size", "6", "--computer", "both", "--player", "random:seed=4"];
        emilia(&[&words, extra].concat(), b"").out
    };
    let (usual, reversed) = (game(&[]), game(&["--fewest"]));
    let last = |text: &str| text.lines().last().unwrap().to_owned();
    assert_eq!(usual.lines().count(), reversed.lines().count());
    assert_ne!(last(&usual), last(&reversed));
    assert!(game(&["--start", "mirrored"]).starts_with("  abcdef\na UUUUUU\nb UUUUUU\nc UUBWUU\n"));
}

/// A whole numbered game on 4×4, won by the computer, then another one refused.
#[test]
fn numbered_game_in_english() {
    let words = ["console", "--style", "numbered", "--size", "4", "--player", "first"];
    let outcome = emilia(&words, b"x\n1\n9 9\n1 2\n1 1\n4 4\n2 1\n3 4\n4 2\n4 1\n1 4\n4 3\nN\n");
    assert_eq!(outcome.out, include_str!("../golden/numbered-en.txt"));
    assert_eq!(outcome.status, 0);
}

#[test]
fn numbered_game_in_chinese_with_a_score_for_each_move() {
    let words =
        ["console", "--style", "numbered", "--language", "zh", "--player", "alphabeta:depth=2,eval=myjudge"];
    let outcome = emilia(&words, b"2\n1\n2 3\n");
    assert_eq!(outcome.out, include_str!("../golden/numbered-zh.txt"));
}

#[test]
fn numbered_asks_for_another_game() {
    let words = ["console", "--style", "numbered", "--size", "4", "--computer", "both", "--player", "first"];
    let outcome = emilia(&words, b"maybe\ny\nN\n");
    assert_eq!(outcome.out.matches("GAME OVER!").count(), 2);
    assert_eq!(outcome.out.matches("Again?(Y,N)").count(), 3);
}

/// Players that throw dice throw others in each game; what is said about them repeats the game, and what their own name
/// says holds.
#[test]
fn dice_are_fresh_unless_they_are_told_and_told_so_that_they_can_be_thrown_again() {
    const SAID: &str = "The dice of this game: --seed ";
    let seed_of = |text: &str| text.split(SAID).nth(1).map(|rest| rest.lines().next().unwrap().to_owned());
    let game = |command: &str, player: &str, extra: &[&str]| {
        let words: &[&str] = match command {
            "play" => &["play", "--black", player, "--white", player, "--size", "6"],
            _ => &["console", "--computer", "both", "--player", player, "--size", "6"],
        };
        // How long a move took is another matter.
        let out = emilia(&[words, extra].concat(), b"").out;
        out.lines().map(|line| format!("{}\n", line.split(" (score").next().unwrap())).collect::<String>()
    };
    for command in ["play", "console"] {
        for player in ["random", "s0:depth=2"] {
            let games: Vec<String> = (0..8).map(|_| game(command, player, &[])).collect();
            let ends: std::collections::HashSet<&str> = games
                .iter()
                .map(|text| text.split_once(SAID).unwrap().1.split_once('\n').unwrap().1)
                .collect();
            assert!(ends.len() > 1, "{command} {player}: eight times the same game");
            let seed = seed_of(&games[0]).unwrap();
            assert_eq!(games[0], game(command, player, &["--seed", &seed]), "{command} {player}");
        }
        let told = game(command, "random:seed=3", &[]);
        assert_eq!(seed_of(&told), None);
        assert_eq!(told, game(command, "random:seed=3", &["--seed", "9"]));
        assert_eq!(seed_of(&game(command, "first", &[])), None);
    }
    let words = ["console", "--style", "numbered", "--computer", "both", "--player", "random", "--seed", "5"];
    let twice = emilia(&words, b"y\nN\n").out;
    assert!(twice.contains("--seed 5\n") && twice.contains("--seed 6\n"), "{twice}");
}

#[test]
fn a_wrong_player_is_refused_before_anything_is_asked() {
    let outcome = emilia(&["console", "--player", "greddy"], b"");
    assert_eq!(outcome.status, 2);
    assert_eq!(outcome.out, "");
    assert!(outcome.err.starts_with("emilia: there is no player \"greddy\", did you mean greedy?"));
}
