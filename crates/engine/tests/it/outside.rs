//! Other programs as players: what goes wrong with them is said, and they are never left behind.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use emilia_engine::{Candidate, Player, no_files};
use emilia_query::{Fault, Limits, Query, Report, Stop};
use emilia_rules::{GridPosition, Playable};

/// The misbehaving engine, which is built with the tests.
fn bad_engine() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().join("examples/bad_engine")
}

fn player(protocol: &str, habit: &str, more: &str) -> Box<dyn Player> {
    let name = format!("{protocol}:'{}' {protocol} {habit} {more}", bad_engine().display());
    let candidate = Candidate::parse(&name, &no_files).unwrap();
    assert!(candidate.is_outside());
    candidate.allowed_late(Duration::from_millis(100)).player(0)
}

/// Time for whoever is going to answer: far more than a busy machine needs, and nobody waits until it is over.
const PLENTY: Duration = Duration::from_secs(60);

/// Time for whoever will not answer, which is waited for.
const LITTLE: Duration = Duration::from_millis(400);

/// Asks for a first move within a time.
fn ask(player: &mut dyn Player, time: Duration) -> Result<Report, Fault> {
    let limits = Limits::time(time);
    player.answer(&Query::new(GridPosition::default()).within(limits), &Stop::default(), &mut ())
}

fn asked(protocol: &str) -> String {
    (if protocol == "gtp" { "genmove black" } else { "go" }).to_owned()
}

#[test]
fn every_kind_of_misbehaviour_has_its_name() {
    for protocol in ["gtp", "nboard", "ugi"] {
        let within = |habit, time| ask(player(protocol, habit, "").as_mut(), time).unwrap_err();
        let fault = |habit| within(habit, PLENTY);
        let crashed = Fault::Crashed { asked: asked(protocol), said: "out of luck".to_owned() };
        assert_eq!(fault("crash"), crashed, "{protocol}");
        assert_eq!(fault("illegal"), Fault::Illegal { text: "a1".to_owned() }, "{protocol}");
        assert_eq!(fault("resign"), Fault::Resigned, "{protocol}");
        assert!(matches!(fault("garbage"), Fault::Illegal { .. }), "{protocol}");
        let flood = fault("flood");
        let Fault::Flooded { bytes, .. } = flood else { panic!("{protocol}: {flood}") };
        assert!(bytes > 1 << 24, "{protocol}: {bytes}");
        let begin = Instant::now();
        let Fault::Silent { asked: question, after } = within("silent", LITTLE) else { panic!("{protocol}") };
        assert_eq!(question, asked(protocol));
        assert!(after < PLENTY && begin.elapsed() < Duration::from_secs(30), "{after:?}");
    }
}

#[test]
fn a_good_engine_plays_and_a_missing_one_is_named() {
    for protocol in ["gtp", "nboard", "ugi"] {
        let report = ask(player(protocol, "good", "").as_mut(), PLENTY).unwrap();
        assert!(GridPosition::default().play(report.best_move().unwrap()).is_ok(), "{protocol}");
    }
    let missing = Candidate::parse("gtp:/no/such/engine -x", &no_files).unwrap();
    let fault = ask(missing.player(0).as_mut(), PLENTY).unwrap_err();
    let Fault::NotStarted { command, .. } = fault else { panic!("{fault}") };
    assert_eq!(command, "/no/such/engine -x");
}

#[test]
fn a_stop_request_ends_the_wait_at_once() {
    for protocol in ["gtp", "nboard", "ugi"] {
        let mut player = player(protocol, "silent", "");
        let stop = Stop::default();
        let waited = std::thread::scope(|scope| {
            let thinking =
                scope.spawn(|| player.answer(&Query::new(GridPosition::default()), &stop, &mut ()));
            std::thread::sleep(Duration::from_millis(200));
            let begin = Instant::now();
            stop.request();
            let report = thinking.join().unwrap().unwrap();
            assert_eq!((report.best_move(), report.stopped), (None, true), "{protocol}");
            begin.elapsed()
        });
        // Ending the program may take half a second, and a program that can be stopped has another to answer.
        assert!(waited < Duration::from_secs(20), "{protocol}: {waited:?}");
    }
}

/// Even a program that ignores everything goes, and with it what it has started.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_behind() {
    let alive = |pid: &str| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // A zombie of somebody else's is dead enough.
        !status.is_empty() && !status.contains(") Z ")
    };
    for habit in ["silent", "deaf", "good"] {
        let file = std::env::temp_dir().join(format!("emilia-outside-{habit}-{}", std::process::id()));
        let mut player = player("gtp", habit, &file.display().to_string());
        let _ = ask(player.as_mut(), LITTLE);
        let numbers = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        drop(player);
        std::thread::sleep(Duration::from_millis(50));
        for pid in numbers.split(' ') {
            assert!(!alive(pid), "{habit}: process {pid} is still there");
        }
    }
}
