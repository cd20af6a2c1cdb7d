//! What the system keeps a server from once it listens. It cannot be undone, so it is tried in a process of its own.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::ErrorKind::PermissionDenied;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::Command;

use emilia_server::{Config, Confinement, Listener};

/// Names the folder to the process that is to be confined.
const FOLDER: &str = "EMILIA_TEST_CONFINED_TO";

#[test]
fn a_server_writes_to_its_folder_only_and_starts_no_programs() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return confined(Config { data: Some(folder.into()), ..Config::ephemeral() });
    }
    let folder = std::env::temp_dir().join(format!("emilia-confined-{}", std::process::id()));
    fs::create_dir_all(folder.join("data")).unwrap();
    fs::write(folder.join("outside"), "as it was").unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "confined::a_server_writes_to_its_folder_only_and_starts_no_programs",
            "--nocapture",
        ])
        .env(FOLDER, folder.join("data"))
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let [done, outside] = ["data/done", "outside"].map(|name| fs::read_to_string(folder.join(name)));
    let _ = fs::remove_dir_all(&folder);
    assert!(output.status.success(), "{said}");
    // A kernel without these says so in the log; the tests need one that has them.
    assert_eq!(done.unwrap(), "all of it was refused");
    assert_eq!(outside.unwrap(), "as it was");
}

fn confined(config: Config) {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = config.data.clone().unwrap();
    let outside = folder.with_file_name("outside");
    let listener = Listener::bind(Config { addr: "127.0.0.1:0".parse().unwrap(), ..config }).unwrap();
    assert_eq!(listener.confine(), Confinement { writing: true, programs: true });
    fs::write(folder.join("own"), "mine").unwrap();
    fs::rename(folder.join("own"), folder.join("renamed")).unwrap();
    for refused in [
        fs::write(&outside, "altered").unwrap_err(),
        fs::remove_file(&outside).unwrap_err(),
        File::create(outside.with_file_name("new")).unwrap_err(),
        fs::create_dir(outside.with_file_name("folder")).unwrap_err(),
        fs::rename(folder.join("renamed"), outside.with_file_name("moved")).unwrap_err(),
        Command::new("/bin/sh").args(["-c", "true"]).spawn().unwrap_err(),
        // In place of this very process.
        Command::new("/bin/sh").args(["-c", "exit 1"]).exec(),
        TcpStream::connect(elsewhere.local_addr().unwrap()).unwrap_err(),
        TcpListener::bind("127.0.0.1:0").unwrap_err(),
    ] {
        assert!(matches!(refused.kind(), PermissionDenied | std::io::ErrorKind::CrossesDevices), "{refused}");
    }
    // Threads are still made, and are confined as well.
    let thread = std::thread::spawn(move || fs::write(outside, "altered").unwrap_err().kind());
    assert_eq!(thread.join().unwrap(), PermissionDenied);
    fs::write(folder.join("done"), "all of it was refused").unwrap();
}
