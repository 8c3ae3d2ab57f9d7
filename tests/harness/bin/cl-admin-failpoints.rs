//! `cl-admin` that kills itself at a point which a test names; never shipped. The word `failpoints` alone prints their
//! names. A point is switched on by the variable `FAILPOINTS`, such as `install.recorded=return` or, for the second time
//! that it is reached, `install.recorded=1*off->return`; the program then kills itself as `kill -9` would.

use std::process::ExitCode;

use base::failpoints::{self, Point};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if words == ["failpoints"] {
        Point::ALL.iter().for_each(|point| println!("{}", point.name()));
        return ExitCode::SUCCESS;
    }
    let _points = fail::FailScenario::setup();
    failpoints::hook(reached);
    admin_service::commands::main()
}

/// Ends the program if the point is switched on.
fn reached(point: &str) {
    fail::fail_point!(point, |_| {
        // Nothing that runs at a program's end shall run.
        let _ = kill(Pid::this(), Signal::SIGKILL);
    });
}
