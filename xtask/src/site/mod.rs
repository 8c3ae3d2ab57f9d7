//! The documents as a site for mdbook, with recorded terminals as pictures.
//!
//! - [`pages`]: a page of the repository becomes a page of the site
//! - [`terminal`]: a recorded terminal becomes pictures

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::check::root;
use crate::start::target_dir;

mod pages;
mod terminal;

use pages::{Pages, SUMMARY};

/// Where the tests of pages in a browser keep their pictures.
const SCREENS: &str = "pictures";

/// The settings of mdbook. The first line tells a folder that this command made from another one.
const BOOK: &str = "\
# Made by `cargo xtask site`
[book]
title = \"TameClaw\"
description = \"An assistant that can grow, but only through a human's hand\"
language = \"en\"
src = \"src\"

[output.html]
default-theme = \"light\"
preferred-dark-theme = \"navy\"
no-section-label = true
";

/// What keeps the site from being made.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A file that cannot be read or written.
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A link of a page to a file that does not exist.
    Link {
        page: String,
        /// The link.
        target: String,
    },
    /// A folder that holds something else.
    Occupied { folder: PathBuf },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::File { path, error } => write!(f, "{}: {error}", path.display()),
            Fault::Link { page, target } => {
                write!(f, "{page} links to `{target}`, which does not exist: correct the link")
            }
            Fault::Occupied { folder } => write!(
                f,
                "{} holds files that `cargo xtask site` did not make: name an empty or a new folder",
                folder.display()
            ),
        }
    }
}

/// Makes the sources of the site and has mdbook build it. Fails where mdbook is not installed.
pub(crate) fn run(folder: Option<&Path>) -> ExitCode {
    let folder = folder.map_or_else(|| target_dir().join("site"), Path::to_owned);
    match write(root(), &target_dir().join(SCREENS), &folder) {
        Ok(Written { pages, missing }) => {
            eprintln!("{pages} pages are in {}", folder.join("src").display());
            if !missing.is_empty() {
                eprintln!(
                    "without {}: the tests of pages make them (`cargo test --package tameclaw-tests --test journeys pages`, with chromium)",
                    missing.join(", ")
                );
            }
        }
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::FAILURE;
        }
    }
    match Command::new("mdbook").arg("build").arg(&folder).status() {
        Ok(status) if status.success() => {
            println!("{}", folder.join("book/index.html").display());
            ExitCode::SUCCESS
        }
        Ok(_) => ExitCode::FAILURE,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("not built: mdbook is not installed: cargo install --locked mdbook");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: mdbook: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What was written.
#[derive(Debug)]
struct Written {
    pages: usize,
    /// Pictures of pages that are not there; the lines that stand for them are left out.
    missing: Vec<String>,
}

/// Writes the sources, with pictures of pages from `screens`. What an earlier run wrote goes first.
fn write(root: &Path, screens: &Path, folder: &Path) -> Result<Written, Fault> {
    let (settings, sources) = (folder.join("book.toml"), folder.join("src"));
    let is_ours = fs::read_to_string(&settings).is_ok_and(|text| text.lines().next() == BOOK.lines().next());
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !is_ours && !is_empty {
        return Err(Fault::Occupied { folder: folder.to_owned() });
    }
    match fs::remove_dir_all(&sources) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Fault::File { path: sources, error });
        }
        _ => {}
    }
    put(&settings, BOOK)?;
    let summary = read(&root.join(SUMMARY))?;
    let pages = Pages::of(root, &summary);
    let mut missing = Vec::new();
    for (path, place) in pages.places().chain([(SUMMARY, "SUMMARY.md")]) {
        let mut page = pages.page(path, &read(&root.join(path))?)?;
        for name in page.screens {
            let to = sources.join("screens").join(&name);
            let copied =
                fs::create_dir_all(sources.join("screens")).and_then(|()| fs::copy(screens.join(&name), &to));
            match copied {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    page.text = without(&page.text, &format!("screens/{name})"));
                    missing.push(name);
                }
                Err(error) => return Err(Fault::File { path: to, error }),
            }
        }
        put(&sources.join(place), &page.text)?;
        for (name, picture) in page.pictures {
            put(&sources.join("terminals").join(name), &picture)?;
        }
    }
    Ok(Written { pages: pages.places().count(), missing })
}

/// A text without the lines that end so.
fn without(text: &str, end: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.trim_end().ends_with(end)).collect()
}

fn read(path: &Path) -> Result<String, Fault> {
    fs::read_to_string(path).map_err(|error| Fault::File { path: path.to_owned(), error })
}

fn put(path: &Path, text: &str) -> Result<(), Fault> {
    let folder = path.parent().expect("a file is in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| Fault::File { path: path.to_owned(), error })
}

#[cfg(test)]
mod tests;
