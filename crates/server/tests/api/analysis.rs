//! Positions and records taken apart.

use crate::common::{Server, refused, request, text};
use serde_json::{Value, json};

#[test]
fn every_legal_move_is_valued_and_the_best_is_the_players_own() {
    let server = Server::start();
    let asked = json!({"moves": "f5d6c3", "player": "alphabeta:depth=3,eval=disc", "overlays": true});
    let answer = server.post("/api/analyse", &asked);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let answer = answer.json();
    let legal = answer["position"]["legal"].as_array().unwrap().len();
    let evaluations = answer["evaluations"].as_array().unwrap();
    assert_eq!(evaluations.len(), legal);
    let values: Vec<f64> = evaluations.iter().map(|one| one["score"]["value"].as_f64().unwrap()).collect();
    assert!(values.windows(2).all(|pair| pair[0] >= pair[1]), "{values:?}");
    // The tree of the same search has the same value.
    let asked = json!({"moves": "f5d6c3", "player": "minimax:depth=3,eval=disc"});
    let tree = server.post("/api/tree", &asked).json();
    assert_eq!(tree["report"]["score"]["value"].as_f64(), Some(values[0]));
    assert_eq!(answer["breakdown"]["evaluator"], "disc");
    assert_eq!(answer["position"]["last"]["flips"], json!(["d4"]));
}

#[test]
fn overlays_show_what_a_player_sees() {
    let server = Server::start();
    // a1 is a corner, b1 and a2 lean on it; c1 falls to d1, b2 to c3, a3 to a4.
    let asked = json!({"position": "XXO-XO--O------- X", "overlays": true});
    let overlays = server.post("/api/analyse", &asked).json()["overlays"].clone();
    assert_eq!(overlays["stability"]["black"]["stable"], json!(["a1", "b1", "a2"]));
    assert_eq!(overlays["stability"]["white"]["unstable"], json!(["c1", "b2", "a3"]));
    assert_eq!(overlays["mobility"]["black"], json!(["d1", "c2", "b3", "c3", "a4"]));
    assert_eq!(overlays["frontier"]["black"], json!(["b1", "a2"]));
    assert_eq!(overlays["regions"].as_array().unwrap().len(), 1);
    assert_eq!(overlays["regions"][0]["odd"], false);
}

#[test]
fn the_end_of_a_game_is_solved_exactly() {
    let server = Server::start();
    let place = json!({"size": 4, "player": "alphabeta:depth=30,end=margin,eval=disc", "time_ms": 20000});
    let answer = server.post("/api/analyse", &place).json();
    // 4×4 is lost for Black by 8 with best play, the empty squares not counted: 3-11.
    for evaluation in answer["evaluations"].as_array().unwrap() {
        assert_eq!(evaluation["solved"], true, "{evaluation}");
        assert_eq!(evaluation["score"]["text"], "lost by 8");
    }
    let over = json!({"position": "XXXXXXXXXXXXXXXX O"});
    assert_eq!(server.post("/api/analyse", &over).json()["position"]["status"], "over");
}

#[test]
fn trees_show_what_alpha_beta_leaves_out() {
    let server = Server::start();
    let asked = json!({"size": 4, "player": "alphabeta:depth=4,eval=disc", "nodes": 50});
    let answer = server.post("/api/tree", &asked).json();
    let tree = &answer["tree"];
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 50);
    assert!(tree["minimax_nodes"].as_u64() > tree["visited"].as_u64());
    assert!(tree["nodes"].as_array().unwrap().iter().any(|node| !node["cut"].is_null()));
    assert_eq!(refused(&server.post("/api/tree", &json!({"player": "random"}))), "bad_player");
}

#[test]
fn every_step_of_a_search_is_told() {
    let server = Server::start();
    for player in ["minimax:depth=2", "alphabeta:depth=3", "negascout:depth=3", "beam:depth=3,width=2"] {
        let answer = server.post("/api/steps", &json!({"size": 6, "player": player})).json();
        let letters = answer["steps"]["letters"].as_str().unwrap();
        let entered = letters.chars().filter(|letter| "esr".contains(*letter)).count();
        assert_eq!(answer["report"]["nodes"].as_u64(), Some(entered as u64), "{player}");
        assert_eq!(answer["steps"]["cells"].as_str().unwrap().len(), 36);
    }
    let games = server.post("/api/steps", &json!({"size": 4, "player": "mcts:playouts=30"})).json();
    assert_eq!(games["steps"]["letters"].as_str().unwrap().matches('u').count(), 30);
    let stopped = server.post("/api/steps", &json!({"player": "alphabeta:depth=8", "steps": 100})).json();
    assert_eq!(stopped["report"]["stopped"], true);
    // Where the fewest discs win, what is good is bad.
    let asked =
        |objective: &str| json!({"moves": "", "objective": objective, "player": "minimax:depth=1,eval=disc"});
    let value = |objective: &str| {
        server.post("/api/steps", &asked(objective)).json()["report"]["score"]["value"].clone()
    };
    assert_ne!(value("most"), value("fewest"));
    assert_eq!(refused(&server.post("/api/steps", &json!({"player": "greedy"}))), "bad_player");
}

#[test]
fn an_evaluation_is_taken_apart_down_to_the_squares() {
    let server = Server::start();
    let asked = json!({"moves": "f5d6c3", "player": "alphabeta:eval=cornell"});
    let answer = server.post("/api/evaluate", &asked).json();
    for component in answer["breakdown"]["components"].as_array().unwrap() {
        let squares = answer["squares"][component["name"].as_str().unwrap()].as_object().unwrap();
        let sum = |sign: i64| -> i64 {
            squares.values().filter_map(Value::as_i64).filter(|points| points * sign > 0).map(i64::abs).sum()
        };
        assert_eq!(
            (sum(1) as f64, sum(-1) as f64),
            (component["own"].as_f64().unwrap(), component["opponent"].as_f64().unwrap(),)
        );
    }
    assert_eq!(refused(&server.post("/api/evaluate", &json!({"player": "mcts"}))), "bad_player");
}

#[test]
fn records_of_any_format_come_in_with_their_variations() {
    let server = Server::start();
    let pgn = b"[Black \"Tom\"]\n[White \"Kitty\"]\n\n1. f5 d6 2. c3 (2. c5) d3 *\n";
    let answer = request(server.addr, "POST", "/api/import?name=game.pgn", &[], pgn).json();
    assert_eq!((&answer["format"], &answer["total"]), (&json!("pgn"), &json!(1)));
    let game = &answer["games"][0];
    assert_eq!(game["tags"]["Black"], "Tom");
    let nodes = game["nodes"].as_array().unwrap();
    let moves: Vec<&Value> = nodes.iter().map(|node| &node["move"]).collect();
    assert_eq!(
        moves,
        ["", "f5", "d6", "c3", "d3", "c5"]
            .map(|mv| if mv.is_empty() { Value::Null } else { json!(mv) })
            .iter()
            .collect::<Vec<_>>()
    );
    assert_eq!(nodes[5]["parent"], 2);
    assert_eq!(nodes[5]["color"], "black");
    // The record goes out in every format and comes in again.
    let record = game["record"].to_string();
    for format in ["transcript", "ggf", "sgf", "pgn", "json", "wthor"] {
        let file = server.post("/api/export", &json!({"text": record, "format": format}));
        assert_eq!(file.status, 200, "{format}: {}", file.text());
        assert!(file.header("content-disposition").unwrap().contains("game."));
        let again = request(server.addr, "POST", "/api/import", &[], &file.body).json();
        assert_eq!(again["games"][0]["transcript"], "f5d6c3d3", "{format}");
    }
    let svg = server.post("/api/export", &json!({"moves": "f5d6", "format": "svg", "numbers": true}));
    assert!(svg.text().starts_with("<svg"));
    assert_eq!(svg.header("content-type").as_deref(), Some("image/svg+xml"));
    let error = server.post("/api/export", &json!({"size": 6, "format": "wthor"}));
    assert_eq!(refused(&error), "bad_format");
}

#[test]
fn a_review_judges_every_move_as_it_comes() {
    let server = Server::start();
    // On 4×4 everything is solved, so the judgements are exact.
    let asked = json!({"size": 4, "moves": "b1a1d3c1a2a3c4", "player": "alphabeta:depth=12,eval=disc", "time_ms": 3000});
    let answer = server.post("/api/review", &asked);
    assert_eq!(answer.header("content-type").as_deref(), Some("application/x-ndjson"));
    let lines = answer.lines();
    assert_eq!(lines[0]["type"], "start");
    assert_eq!(lines[0]["plies"].as_u64().unwrap() as usize + 2, lines.len());
    let summary = lines.last().unwrap();
    assert_eq!(summary["type"], "summary");
    let mut accuracy = 0.0;
    for line in &lines[1..lines.len() - 1] {
        let loss = line["loss"].as_f64().unwrap();
        assert!(loss >= 0.0);
        if line["move"] == line["best"] {
            assert_eq!(loss, 0.0);
        }
        let mark = text(&line["mark"]);
        assert_eq!(mark == "??", line["judgement"] == "blunder");
        accuracy += loss;
        assert!(line["discs"].is_number());
    }
    assert!(accuracy > 0.0, "no move of this game was bad");
    assert!(summary["accuracy"]["white"].as_f64().unwrap() <= 100.0);
    // On 6×6 too, within the time that was asked for.
    let asked = json!({"size": 6, "moves": "c2b2", "time_ms": 50});
    assert_eq!(server.post("/api/review", &asked).lines().len(), 4);
}

/// The published 6×6 duel: Judge has Black, MyJudge wins 27 to 9.
#[test]
fn a_duel_is_played_with_a_live_board() {
    let server = Server::start();
    let asked = json!({"first": "s4-judge:depth=6", "second": "s4-myjudge:depth=6", "size": 6, "games": 2, "board": true});
    let lines = server.post("/api/duels", &asked).lines();
    assert_eq!((&lines[0]["type"], &lines[0]["size"]), (&json!("start"), &json!(6)));
    assert!(lines.iter().any(|line| line["type"] == "position" && text(&line["cells"]).len() == 36));
    let games: Vec<&Value> = lines.iter().filter(|line| line["type"] == "game").collect();
    assert_eq!((&games[0]["black"], &games[1]["black"]), (&json!("first"), &json!("second")));
    let end = lines.last().unwrap();
    assert_eq!((&end["type"], &end["standing"]["games"]), (&json!("end"), &json!(2)));
    for game in games {
        let again = json!({"size": 6, "moves": game["transcript"]});
        let counts = server.post("/api/analyse", &again).json()["position"]["counts"].clone();
        assert_eq!(counts, game["counts"]);
    }
}

#[test]
fn the_catalogue_lists_players_that_can_be_named() {
    let server = Server::start();
    let players = server.get("/api/players").json();
    for list in ["levels", "kinds", "presets"] {
        for player in players[list].as_array().unwrap() {
            let wanted = json!({"mode": "computer", "white": {"player": player["name"]}});
            assert_eq!(server.post("/api/games", &wanted).status, 201, "{player}");
        }
    }
    assert_eq!(players["evaluators"].as_array().unwrap().len(), 9);
}

#[test]
fn the_championship_player_analyses_reviews_and_duels_within_its_time() {
    let server = Server::start();
    let asked = json!({"moves": "f5d6c3", "player": "emilia:level=4", "time_ms": 2000});
    let answer = server.post("/api/analyse", &asked).json();
    let evaluations = answer["evaluations"].as_array().unwrap();
    assert_eq!(evaluations.len(), answer["position"]["legal"].as_array().unwrap().len());
    // Everybody knows that White is about even here, and plays d3 or another sound move.
    assert!(evaluations[0]["score"]["value"].as_f64().unwrap().abs() < 8.0, "{answer}");
    let begin = std::time::Instant::now();
    let lines = server.post("/api/review", &json!({"moves": "f5d6c3d3c4f4", "time_ms": 100})).lines();
    assert_eq!(lines.len(), 8);
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
    let asked = json!({"first": "beginner", "second": "first", "size": 6, "games": 2});
    let end = server.post("/api/duels", &asked).lines().pop().unwrap();
    assert_eq!(end["standing"]["games"], 2);
    let fewest =
        json!({"first": "beginner", "second": "first", "size": 4, "games": 2, "objective": "fewest"});
    assert_eq!(server.post("/api/duels", &fewest).lines().pop().unwrap()["type"], "end");
}

#[test]
fn openings_are_named_while_a_game_goes_on() {
    let server = Server::start();
    let opening =
        |moves: &str| server.post("/api/analyse", &json!({"moves": moves})).json()["opening"].clone();
    assert_eq!(opening("f5"), Value::Null);
    assert_eq!(opening("f5d6c3d3c4")["en"], "Tiger");
    // The same, turned by 180 degrees; and a game that has left the book keeps the name.
    assert_eq!(opening("c4e3f6e6f5")["en"], "Tiger");
    assert_eq!(opening("c4e3f6e6f5c5")["en"], "Tiger");
    let (id, token, _) = server.game(&json!({"mode": "local", "moves": "f5d6c3d3"}));
    let view = server.act(&id, &token, "moves", &json!({"move": "c4"})).json();
    assert_eq!(view["game"]["opening"]["en"], "Tiger");
    let view = server.act(&id, &token, "undo", &json!({})).json();
    assert_eq!(view["game"]["opening"]["en"], "Perpendicular Opening");
}

#[test]
fn a_balanced_game_begins_after_eight_moves_that_are_not_taken_back() {
    let server = Server::start();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..8 {
        let (id, token, view) = server.game(&json!({"mode": "local", "start": "balanced"}));
        assert_eq!(
            (&view["game"]["ply"], &view["game"]["variant"]["start"]),
            (&json!(8), &json!("balanced"))
        );
        seen.insert(view["game"]["cells"].to_string());
        assert_eq!(refused(&server.act(&id, &token, "undo", &json!({}))), "not_now");
    }
    assert!(seen.len() > 4, "{seen:?}");
    let asked = json!({"first": "first", "second": "greedy", "start": "balanced", "games": 2, "seed": 3});
    let lines = server.post("/api/duels", &asked).lines();
    let games: Vec<String> =
        lines.iter().filter(|line| line["type"] == "game").map(|line| text(&line["transcript"])).collect();
    assert_eq!(games[0][..16], games[1][..16]);
}

/// Stopped after the second generation and resumed, an evolution ends with the weights it would have had anyway.
#[test]
fn an_evolution_is_told_generation_by_generation_and_resumed() {
    let server = Server::start();
    let asked =
        json!({"size": 4, "population": 6, "generations": 4, "search": "alphabeta:depth=1", "seed": 5});
    let whole = server.post("/api/evolutions", &asked).lines();
    assert_eq!((&whole[0]["type"], &whole[0]["games_a_generation"]), (&json!("start"), &json!(15)));
    let generations: Vec<&Value> = whole.iter().filter(|line| line["type"] == "generation").collect();
    assert_eq!(generations.len(), 4);
    let end = whole.last().unwrap();
    assert_eq!((&end["type"], &end["generation"]), (&json!("end"), &json!(5)));
    let resumed =
        server.post("/api/evolutions", &json!({"checkpoint": generations[1]["checkpoint"]})).lines();
    assert_eq!(resumed[0]["history"].as_array().unwrap().len(), 2);
    assert_eq!(resumed.last().unwrap(), end);
    let longer = json!({"checkpoint": generations[3]["checkpoint"], "generations": 5});
    assert_eq!(server.post("/api/evolutions", &longer).lines().last().unwrap()["generation"], 6);
    // What came of it can be played against at once.
    let game = json!({"mode": "computer", "size": 4, "white": {"player": end["player"]}});
    assert_eq!(server.post("/api/games", &game).status, 201);
}
