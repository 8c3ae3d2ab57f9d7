//! A page of the repository becomes a page of the site: its links lead to pages of the site, or become text.

use std::collections::BTreeMap;
use std::path::Path;

use super::Fault;
use super::terminal::{escaped, frames};

/// The list of the pages, in the order of reading.
pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";

/// Where the records of terminals are.
const RECORDS: &str = "tests/snapshots/";

/// The pages of the site, and where each is there.
pub(crate) struct Pages<'a> {
    root: &'a Path,
    places: BTreeMap<String, String>,
}

/// A page as the site has it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) text: String,
    /// The pictures of terminals in it, each with its file name.
    pub(crate) pictures: Vec<(String, String)>,
    /// The file names of the pictures of pages in it.
    pub(crate) screens: Vec<String>,
}

/// What a line begins with that stands for a picture of a page; its name and, after a colon, its caption follow.
const SCREEN: &str = "<!-- picture: ";

impl<'a> Pages<'a> {
    /// The pages that the summary names, by their paths in the repository.
    pub(crate) fn of(root: &'a Path, summary: &str) -> Pages<'a> {
        let targets = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let paths = targets.map(|target| resolved(SUMMARY, target));
        let places = paths.map(|path| (path.clone(), place(&path))).collect();
        Pages { root, places }
    }

    /// The paths of the pages in the repository, each with its place in the site.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&str, &str)> {
        self.places.iter().map(|(path, place)| (path.as_str(), place.as_str()))
    }

    /// The page at a path of the repository, with links that hold in the site. Code stays as it is.
    pub(crate) fn page(&self, path: &str, text: &str) -> Result<Page, Fault> {
        let mut page = Page::default();
        let (mut is_block, mut ticks) = (false, 0);
        for line in text.split_inclusive('\n') {
            let is_fence = line.trim_start().starts_with("```");
            is_block ^= is_fence;
            if is_fence || is_block || line.trim().is_empty() {
                ticks = 0;
                page.text.push_str(line);
            } else if let Some((name, caption)) = screen(line) {
                let file = format!("{name}.png");
                let up = "../".repeat(place(path).matches('/').count());
                page.text.push_str(&format!("![{caption}]({up}screens/{file})\n"));
                page.screens.push(file);
            } else if !self.recorded(path, line, &mut page)? {
                self.line(path, line, &mut ticks, &mut page.text)?;
            }
        }
        Ok(page)
    }

    /// Puts pictures in the place of a line that is nothing but a link to a record; answers whether it was one.
    fn recorded(&self, path: &str, line: &str, page: &mut Page) -> Result<bool, Fault> {
        let link = line.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(')')?.split_once("]("));
        let Some((caption, target)) = link else { return Ok(false) };
        let record = resolved(path, target);
        let Some(name) = record.strip_prefix(RECORDS).and_then(|name| name.strip_suffix(".txt")) else {
            return Ok(false);
        };
        let file = self.root.join(&record);
        let text = std::fs::read_to_string(&file).map_err(|error| Fault::File { path: file, error })?;
        page.text.push_str(&format!("{caption}:\n"));
        for (number, frame) in frames(&text).iter().enumerate() {
            let (svg, title) = (frame.svg(), escaped(frame.title));
            page.text.push_str(&format!(
                "\n<figure style=\"margin:1em 0\">\n{svg}<figcaption><code>{title}</code></figcaption>\n</figure>\n"
            ));
            page.pictures.push((format!("{name}-{}.svg", number + 1), svg));
        }
        Ok(true)
    }

    /// Appends one line; `ticks` counts the marks of code since its paragraph began.
    fn line(&self, path: &str, line: &str, ticks: &mut usize, out: &mut String) -> Result<(), Fault> {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("](") {
            out.push_str(before);
            *ticks += before.matches('`').count();
            let end = after.find(')').filter(|_| ticks.is_multiple_of(2));
            let Some(end) = end else {
                out.push_str("](");
                rest = after;
                continue;
            };
            match self.target(path, &after[..end])? {
                Some(target) => out.push_str(&format!("]({target})")),
                None => drop(out.rfind('[').map(|at| out.remove(at))),
            }
            rest = &after[end + 1..];
        }
        *ticks += rest.matches('`').count();
        out.push_str(rest);
        Ok(())
    }

    /// What a link leads to in the site; nothing where the repository has the file and the site does not.
    fn target(&self, path: &str, target: &str) -> Result<Option<String>, Fault> {
        if target.starts_with('#') || target.contains("://") {
            return Ok(Some(target.to_owned()));
        }
        let (file, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
        let found = resolved(path, file);
        match self.places.get(&found) {
            Some(place_there) => {
                let up = "../".repeat(place(path).matches('/').count());
                Ok(Some(format!("{up}{place_there}{anchor}")))
            }
            None if self.root.join(&found).exists() => Ok(None),
            None => Err(Fault::Link { page: path.to_owned(), target: target.to_owned() }),
        }
    }
}

/// The name and the caption of the picture for which a line stands.
fn screen(line: &str) -> Option<(&str, &str)> {
    line.trim().strip_prefix(SCREEN)?.strip_suffix(" -->")?.split_once(": ")
}

/// Where a page of the repository is in the site: the README is the first page, and `docs/` is the top.
fn place(path: &str) -> String {
    match path {
        "README.md" => "index.md".to_owned(),
        path => path.strip_prefix("docs/").unwrap_or(path).to_owned(),
    }
}

/// A link's path from the repository's root.
fn resolved(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
