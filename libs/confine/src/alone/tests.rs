use std::{ffi::CString, fs::File, process::Command};

use super::start_alone;

/// What a shell prints that may start nothing.
fn said(script: &str) -> String {
    let mut command = Command::new("/nowhere");
    let arguments = ["sh", "-c", script].map(|text| CString::new(text).unwrap()).to_vec();
    start_alone(
        &mut command,
        File::open("/bin/sh").unwrap(),
        arguments,
        vec![CString::new("MARK=own").unwrap()],
    );
    String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned()
}

#[test]
fn it_runs_with_its_own_arguments_and_variables() {
    assert_eq!(said("echo $MARK"), "own\n");
}

#[test]
fn it_starts_nothing_beside_itself_and_nothing_in_its_place() {
    assert_eq!(said("echo begun; exec /bin/echo REACHED"), "begun\n");
    assert_eq!(said("echo begun; /bin/echo REACHED; echo REACHED"), "begun\n");
    assert_eq!(said("echo begun; (echo REACHED)"), "begun\n");
}
