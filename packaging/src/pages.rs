//! Manual pages and completions, made from the command lines themselves.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::error::Fault;

/// The command lines that people type. `cl-door` and `cl-review` have none: people type `cl-bot serve` and `cl-admin page serve`,
/// which have pages, and which become them.
pub(crate) fn command_lines() -> [Command; 5] {
    [
        <user_agent::commands::CommandLine>::command(),
        admin_service::commands::command_line(),
        <ear::command::CommandLine>::command(),
        <mouth::command::CommandLine>::command(),
        <pins::command::CommandLine>::command(),
    ]
}

/// The manual pages of a program, by file name: one for itself, and one for each verb that its help lists.
pub(crate) fn manual(line: &Command) -> Vec<(String, Vec<u8>)> {
    let mut line = line.clone().disable_help_subcommand(true);
    line.build();
    let mut pages = Vec::new();
    add(&line, &mut pages);
    pages
}

fn add(line: &Command, pages: &mut Vec<(String, Vec<u8>)>) {
    let name = line.get_display_name().unwrap_or_else(|| line.get_name()).to_owned();
    let title = name.to_uppercase();
    let source = format!("TameClaw {}", crate::plan::VERSION);
    let page = clap_mangen::Man::new(line.clone()).title(title).source(source).manual("TameClaw");
    let mut text = Vec::new();
    page.render(&mut text).expect("a vector takes every byte");
    pages.push((format!("{name}.1"), text));
    for verb in line.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        add(verb, pages);
    }
}

/// What a shell needs to complete a program, with the place where the shell looks for it.
pub(crate) fn completions(line: &Command) -> Vec<(PathBuf, Vec<u8>)> {
    let name = line.get_name().to_owned();
    let places = [
        (Shell::Bash, format!("usr/share/bash-completion/completions/{name}")),
        (Shell::Zsh, format!("usr/share/zsh/vendor-completions/_{name}")),
        (Shell::Fish, format!("usr/share/fish/vendor_completions.d/{name}.fish")),
    ];
    let of = |(shell, place): (Shell, String)| {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut line.clone(), name.clone(), &mut script);
        (PathBuf::from(place), script)
    };
    places.map(of).into()
}

/// Writes all of it below a folder, as an installation has it.
pub(crate) fn write(folder: &Path) -> Result<(), Fault> {
    for line in command_lines() {
        let pages = manual(&line).into_iter();
        let pages = pages.map(|(name, text)| (Path::new("usr/share/man/man1").join(name), text));
        for (place, text) in pages.chain(completions(&line)) {
            let path = folder.join(place);
            let above = path.parent().expect("it is in a folder");
            fs::create_dir_all(above).map_err(Fault::io(above))?;
            fs::write(&path, text).map_err(Fault::io(&path))?;
        }
    }
    Ok(())
}
