//! The page that sets a package beside the version that is installed.

use std::fs;

use base::error::Cause;
use base::home::Home;
use base::package::{Package, Part};
use documents::yaml;

use super::line::{Origin, Page, Tone};
use crate::diff;
use crate::report::Report;
use crate::words::Words;

/// The page; for a skill that is new it says so.
pub fn page(words: Words, home: &Home, report: &Report, source: &str) -> Page {
    let mut page = Page::new("diff", words.say("diff-page"));
    let uncomparable = |why: &str| words.fill("uncomparable", &[("why", why)]);
    if report.base_version == 0 {
        page.add(Origin::Facts, Tone::Plain, words.say("new"), words.say("none-installed"));
        return page;
    }
    let (from, to) = (report.base_version.to_string(), report.version.to_string());
    let versions = words.fill("from-to", &[("from", &from), ("to", &to)]);
    page.add(Origin::Facts, Tone::Plain, words.say("versions"), &versions);
    let record = Package::installed(home, &report.name, report.base_version);
    match read_report(&record) {
        Ok(old) => {
            let lines = diff::reports(words, &old, report);
            if lines.is_empty() {
                page.add(Origin::Facts, Tone::Good, words.say("rights"), words.say("rights-before"));
            }
            page.lines.extend(lines);
        }
        Err(why) => page.add(Origin::Facts, Tone::Bad, words.say("rights"), &uncomparable(&why.to_string())),
    }
    match fs::read_to_string(record.path(Part::Source)) {
        Ok(old) => {
            let lines = diff::sources(&old, source);
            if lines.is_empty() {
                page.add(Origin::Facts, Tone::Plain, words.say("source"), words.say("as-before"));
            }
            page.lines.extend(lines);
        }
        Err(e) => page.add(Origin::Facts, Tone::Bad, words.say("source"), &uncomparable(&e.to_string())),
    }
    page
}

fn read_report(record: &Package) -> Result<Report, Cause> {
    Ok(yaml::from_own(&fs::read_to_string(record.path(Part::Report))?)?)
}
