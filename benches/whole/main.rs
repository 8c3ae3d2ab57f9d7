//! Figures of the release programs as whole processes: what a person's machine spends, every process of a run counted.
//!
//! - [`rows`], [`doors`], [`floods`], [`reminders`]: one function per figure, in the order of the table
//! - [`programs`]: the release programs; [`homes`]: the homes that they run in
//! - [`time`]: CPU and wall time; [`memory`]: peak and resident memory
//! - [`table`]: what is printed
//!
//! Nothing here passes or fails: a busy neighbour must not turn a figure into a verdict.
#![forbid(unsafe_code)]

use std::process::ExitCode;

mod doors;
mod floods;
mod homes;
mod memory;
mod programs;
mod reminders;
mod rows;
mod table;
mod time;

use programs::Programs;
use table::Table;

fn main() -> ExitCode {
    // `cargo test --all-targets` starts this program too, but without the word that `cargo bench` adds.
    if !std::env::args().any(|word| word == "--bench") {
        eprintln!("skipped: figures are measured by `cargo xtask bench`");
        return ExitCode::SUCCESS;
    }
    let programs = match Programs::find() {
        Ok(programs) => programs,
        Err(missing) => {
            eprintln!("error: {} is missing; `cargo xtask bench` builds it", missing.display());
            return ExitCode::FAILURE;
        }
    };
    // What outlives its parent is handed to this process, so that nothing of a run goes uncounted.
    if let Err(error) = nix::sys::prctl::set_child_subreaper(true) {
        eprintln!("error: orphans cannot be counted: {error}");
        return ExitCode::FAILURE;
    }
    let mut table = Table::default();
    let named: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, row) in rows::ALL {
        if named.is_empty() || named.iter().any(|of| of == name) {
            row(&programs, &mut table);
        }
    }
    print!("{table}");
    ExitCode::SUCCESS
}
