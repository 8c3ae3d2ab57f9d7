//! The page that sets a package beside the version that is installed.

use std::fs;

use base::error::Cause;
use base::home::Home;
use base::package::{Package, Part};
use documents::yaml;

use super::line::{Origin, Page, Tone};
use crate::diff;
use crate::report::Report;

/// The page; for a skill that is new it says so.
pub fn page(home: &Home, report: &Report, source: &str) -> Page {
    let heading = "DIFF (against the installed version; + comes, - goes)";
    let mut page = Page::new("diff", heading);
    if report.base_version == 0 {
        page.add(Origin::Facts, Tone::Plain, "new", "no version of this skill is installed");
        return page;
    }
    let (from, to) = (report.base_version, report.version);
    page.add(Origin::Facts, Tone::Plain, "versions", &format!("{from} is installed; this would be {to}"));
    let record = Package::installed(home, &report.name, from);
    match read_report(&record) {
        Ok(old) => {
            let lines = diff::reports(&old, report);
            if lines.is_empty() {
                page.add(Origin::Facts, Tone::Good, "rights", "as before; so are tools and phrases");
            }
            page.lines.extend(lines);
        }
        Err(why) => page.add(Origin::Facts, Tone::Bad, "rights", &format!("cannot be compared: {why}")),
    }
    match fs::read_to_string(record.path(Part::Source)) {
        Ok(old) => {
            let lines = diff::sources(&old, source);
            if lines.is_empty() {
                page.add(Origin::Facts, Tone::Plain, "source", "as before");
            }
            page.lines.extend(lines);
        }
        Err(e) => page.add(Origin::Facts, Tone::Bad, "source", &format!("cannot be compared: {e}")),
    }
    page
}

fn read_report(record: &Package) -> Result<Report, Cause> {
    Ok(yaml::from_own(&fs::read_to_string(record.path(Part::Report))?)?)
}
