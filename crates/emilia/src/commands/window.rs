use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Programs that can show a page in a window of its own, without the bars of a browser, in the order they are tried.
const PROGRAMS: &[&str] = if cfg!(windows) {
    &[
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files\BraveSoftware\Brave-Browser\Application\brave.exe",
    ]
} else if cfg!(target_os = "macos") {
    &[
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
        "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
    ]
} else {
    &[
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "microsoft-edge",
        "brave-browser",
        "vivaldi",
    ]
};

/// How long a program has to fail; one that cannot show a window says so at once.
const FAILS_WITHIN: Duration = Duration::from_millis(300);

/// Shows the page in a window of its own, if there is a program for that. It ends when the window is closed, because what
/// it keeps for itself is in a folder that no other window of it uses.
pub(super) fn open(address: &str, folder: Option<&Path>) -> Option<Child> {
    PROGRAMS.iter().find_map(|program| {
        let mut command = Command::new(program);
        command.arg(format!("--app={address}")).args(["--no-first-run", "--no-default-browser-check"]);
        if let Some(folder) = folder {
            command.arg(format!("--user-data-dir={}", folder.display()));
        }
        let streams = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = streams.spawn().ok()?;
        std::thread::sleep(FAILS_WITHIN);
        let failed = child.try_wait().is_ok_and(|ended| ended.is_some_and(|status| !status.success()));
        (!failed).then_some(child)
    })
}
