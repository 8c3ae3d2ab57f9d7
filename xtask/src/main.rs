//! The workspace's own commands: `cargo xtask check`, `cargo xtask start`, `cargo xtask wasm`, `cargo xtask fuzz`,
//! `cargo xtask cut`, `cargo xtask bench`, `cargo xtask machine`, `cargo xtask packages`, `cargo xtask trial`,
//! `cargo xtask release`, `cargo xtask systemd`, `cargo xtask site`.
//!
//! - [`task`]: the command line, parsed once
//! - [`check`]: exactly what CI runs, a quick part of it, or all that a release runs
//! - [`beside`]: test programs side by side
//! - [`start`]: build the programs, then become `cl-admin up`
//! - [`wasm`]: the compiler target that learned skills need
//! - [`bench`]: figures of the release programs
//! - [`soak`]: the long run of the endurance test
//! - [`fuzz`]: the long run of the fuzz targets
//! - [`cut`]: every control is cut in a copy of the tree, to see that a test notices
//! - [`machine`]: both programs on an emulated Raspberry Pi
//! - [`images`]: the files that containers are made of
//! - [`packaging`]: Debian packages and releases, made by the crate of that name
//! - [`systemd`]: both programs under systemd, in a container that boots
//! - [`site`]: the documents as a site, with recorded terminals as pictures
//! - [`tally`]: how many tests passed, counted from what `cargo test` says
#![forbid(unsafe_code)]

use std::process::ExitCode;

mod bench;
mod beside;
mod check;
mod cut;
mod fuzz;
mod images;
mod machine;
mod packaging;
mod site;
mod soak;
mod start;
mod systemd;
mod tally;
mod task;
mod wasm;

use task::Task;

fn main() -> ExitCode {
    match Task::parse(std::env::args().skip(1)) {
        Ok(Task::Check(scope)) => check::run(scope),
        Ok(Task::Start { install, up }) => start::run(install, &up),
        Ok(Task::Wasm { install }) => wasm::run(install),
        Ok(Task::Soak { minutes }) => soak::run(minutes),
        Ok(Task::Fuzz { target, seconds }) => fuzz::run(target.as_deref(), seconds),
        Ok(Task::Cut { names, depth }) => cut::run(&names, depth),
        Ok(Task::Bench) => bench::run(),
        Ok(Task::Machine { packages, which }) => machine::run(packages.as_deref(), which),
        Ok(Task::Packaging(words)) => packaging::run(&words),
        Ok(Task::Systemd) => systemd::run(),
        Ok(Task::Site { folder }) => site::run(folder.as_deref()),
        Ok(Task::Help) => {
            print!("{}", task::HELP);
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("error: {fault}\n\n{}", task::HELP);
            ExitCode::from(2)
        }
    }
}
