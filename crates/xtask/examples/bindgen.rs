//! Makes what a page loads of a module that the compiler wrote: `bindgen MODULE DIR`. A program of its own, so that only
//! whoever builds for the browser compiles the library it needs.

use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        eprintln!("Usage: bindgen MODULE DIR");
        return ExitCode::from(2);
    };
    let done = Bindgen::new().input_path(module).out_name("emilia").web(true).and_then(|bindgen| {
        bindgen.typescript(false).remove_producers_section(true).generate(Path::new(folder))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
