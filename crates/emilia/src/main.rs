//! The `emilia` program: see the library for what it does.

use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use emilia::Streams;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(status) = emilia_engine::keep_program(std::env::args_os()) {
        return status;
    }
    let stdout = io::stdout();
    let interactive = stdout.is_terminal();
    let mut out = BufWriter::new(stdout.lock());
    let mut streams = Streams {
        input: &mut BufReader::new(io::stdin()),
        out: &mut out,
        // Not locked: other threads write their log there.
        err: &mut io::stderr(),
        color: interactive && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        interactive: interactive && io::stdin().is_terminal(),
    };
    let code = emilia::run(std::env::args_os(), &mut streams);
    // Whoever reads us may have closed the pipe already; that is not an error.
    let _ = out.flush();
    ExitCode::from(code)
}
