//! `cl-admin` with the points in at which tests end it; never shipped. The word `failpoints` alone prints their names.

use std::process::ExitCode;

use admin_service::failpoints::Point;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if words == ["failpoints"] {
        Point::ALL.iter().for_each(|point| println!("{}", point.name()));
        return ExitCode::SUCCESS;
    }
    let _points = fail::FailScenario::setup();
    admin_service::commands::main()
}
