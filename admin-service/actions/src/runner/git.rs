//! `git` reads repositories that strangers made, and their configuration can name programs. Variables switch off what
//! variables can; a seccomp filter refuses the rest.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::Command;

/// Settings that count more than those of any repository.
const SETTINGS: [(&str, &str); 8] = [
    // A folder with HEAD, objects and refs is not treated as a repository unless the line says so.
    ("safe.bareRepository", "explicit"),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
    ("core.sshCommand", "ssh"),
    ("credential.helper", ""),
    ("log.showSignature", "false"),
    // Else it starts itself in each submodule.
    ("diff.ignoreSubmodules", "dirty"),
];

/// Variables for every program of a line, since any of them may start `git`.
pub(super) fn variables(places: &[&Path]) -> Vec<(String, String)> {
    // An untrusted command uses neither the configuration of this machine's users nor a repository above its folders.
    let above: Vec<String> =
        places.iter().filter_map(|place| place.parent()).map(|place| place.display().to_string()).collect();
    let mut variables: Vec<(String, String)> = [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_PAGER", "cat"),
        ("GIT_EDITOR", "false"),
        ("GIT_CEILING_DIRECTORIES", &above.join(":")),
        ("GIT_CONFIG_COUNT", &SETTINGS.len().to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    for (at, (name, value)) in SETTINGS.iter().enumerate() {
        variables.push((format!("GIT_CONFIG_KEY_{at}"), (*name).to_owned()));
        variables.push((format!("GIT_CONFIG_VALUE_{at}"), (*value).to_owned()));
    }
    variables
}

/// Whether a program is to start nothing. With a network it may: its transports are programs of their own, and a person
/// allowed that line.
pub(super) fn starts_nothing(name: &str, network: bool) -> bool {
    !network && Path::new(name).file_name().is_some_and(|name| name == "git")
}

/// Has a command start the opened program so.
pub(super) fn alone(
    command: &mut Command,
    file: &File,
    words: &[String],
    variables: &[(String, String)],
) -> io::Result<()> {
    let words = words.iter().map(|word| CString::new(word.as_str()));
    let variables = variables.iter().map(|(name, value)| CString::new(format!("{name}={value}")));
    let (words, variables) = (words.collect::<Result<_, _>>()?, variables.collect::<Result<_, _>>()?);
    confine::start_alone(command, File::from(file.as_fd().try_clone_to_owned()?), words, variables);
    Ok(())
}
