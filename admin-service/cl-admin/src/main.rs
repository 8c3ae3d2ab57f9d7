//! `cl-admin`: the door.

use std::process::ExitCode;

fn main() -> ExitCode {
    admin_service::commands::main()
}
