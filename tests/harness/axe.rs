//! axe-core, which finds what keeps people with a screen reader, a keyboard or weak eyes from using a page.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::skip;

/// The package of npm.
const PACKAGE: &str = "axe-core@4.14.1";

/// What a page is checked by: it returns a line for each violation, and one where nothing was checked. What is in a frame is left
/// out.
const RUN: &str = "; return axe.run(document, {iframes: false}).then(found => found.passes.length === 0
    ? ['nothing was checked']
    : found.violations.map(one => `${one.id}: ${one.nodes.map(node => node.target.join(' ')).join(', ')}`));";

/// The body of a function that checks the page it runs in; nothing where npm cannot fetch the package, which is said.
pub(crate) fn script() -> Option<&'static str> {
    static SCRIPT: OnceLock<Option<String>> = OnceLock::new();
    SCRIPT.get_or_init(|| fetched().map(|source| source + RUN)).as_deref()
}

fn fetched() -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let got = Command::new("npm")
        .args(["install", "--no-bin-links", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix=."])
        .args(["--fetch-retries=0", "--fetch-timeout=30000"])
        .arg(PACKAGE)
        .current_dir(folder.path())
        .output();
    if !got.is_ok_and(|got| got.status.success()) {
        skip(&format!("npm cannot fetch {PACKAGE}: no page is checked by it"));
        return None;
    }
    let file = folder.path().join(Path::new("node_modules/axe-core/axe.min.js"));
    Some(std::fs::read_to_string(file).expect("the package holds its script"))
}
