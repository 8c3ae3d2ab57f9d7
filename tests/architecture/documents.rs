//! What the documents promise names something that is there.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use shared_types::id::Digest;
use tameclaw_tests::world::workspace;
use xtask::inventory::Inventory;

use crate::tree::files_below;

/// Every test that the threat table names exists under exactly that name, and no row is without one.
#[test]
fn each_threat_names_a_test_that_exists() {
    let text = fs::read_to_string(workspace().join("docs/THREATS.md")).expect("there is a threat table");
    let rows: Vec<&str> =
        text.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| attack |")).collect();
    assert!(rows.len() > 15, "the table has only {} rows", rows.len());
    let tests = Inventory::read(workspace()).expect("the tests can be listed");
    let mut missing = Vec::new();
    for row in rows {
        let cell = row.trim_end_matches('|').rsplit('|').next().expect("a row has cells");
        let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        if named.is_empty() {
            missing.push(row.to_owned());
        }
        missing.extend(named.into_iter().filter(|name| !exists(name, &tests)).map(str::to_owned));
    }
    assert!(missing.is_empty(), "not there: {missing:#?}");
}

/// The full name of a test, or `PROGRAM::module::*` for all tests of exactly that module and those in it.
fn exists(name: &str, tests: &Inventory) -> bool {
    match name.strip_suffix('*') {
        Some(module) => module.ends_with("::") && tests.names().any(|test| test.starts_with(module)),
        None => tests.find(name).is_some(),
    }
}

#[test]
fn a_test_is_named_by_its_whole_name() {
    let tests = Inventory::read(workspace()).expect("the tests can be listed");
    let me = "architecture::documents::a_test_is_named_by_its_whole_name";
    assert!(exists(me, &tests) && exists("architecture::documents::*", &tests));
    for other in ["architecture::documents::a_test_is_named", "documents::a_test_is_named_by_its_whole_name"]
    {
        assert!(!exists(other, &tests), "{other}");
    }
    for other in ["architecture::documents", "architecture::doc*", "architecture::documents::a_*", "*"] {
        assert!(!exists(other, &tests), "{other}");
    }
}

/// The order of reading, from which `cargo xtask site` makes a site, has each page below `docs/` once and names nothing else than files.
#[test]
fn the_summary_names_every_page_once() {
    let docs = workspace().join("docs");
    let text = fs::read_to_string(docs.join("SUMMARY.md")).expect("there is an order of reading");
    let mut named: Vec<&str> = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    named.sort_unstable();
    let twice: Vec<&[&str]> = named.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "docs/SUMMARY.md names them twice: {twice:?}");
    let missing: Vec<&&str> = named.iter().filter(|name| !docs.join(name).is_file()).collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md names pages that do not exist: {missing:?}");
    let files = files_below(&docs);
    let pages: Vec<String> = files
        .iter()
        .filter_map(|path| path.strip_prefix(&docs).ok())
        .map(|path| path.display().to_string())
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect();
    assert!(pages.len() > 50, "only {} pages are found", pages.len());
    let unnamed: Vec<&String> = pages.iter().filter(|page| !named.contains(&page.as_str())).collect();
    assert!(unnamed.is_empty(), "docs/SUMMARY.md does not name {unnamed:?}: add each where it is read");
}

/// The files and folders that the README's tables name are there.
#[test]
fn the_readme_names_what_is_there() {
    let text = fs::read_to_string(workspace().join("README.md")).expect("there is a README");
    let named = text.split('`').skip(1).step_by(2);
    let paths: Vec<&str> =
        named.filter(|w| w.contains('/') && !w.contains(' ') && !w.starts_with(['~', '/'])).collect();
    assert!(paths.len() > 20, "only {paths:?} are named");
    let built = |path: &str| path.starts_with("target/");
    let missing: Vec<&&str> = paths.iter().filter(|p| !built(p) && !workspace().join(p).exists()).collect();
    assert!(missing.is_empty(), "not there: {missing:?}");
}

/// Each library that was named for the project has a line in the decision about them, and the line is true.
#[test]
fn each_named_library_is_used_where_the_decision_says() {
    let text =
        fs::read_to_string(workspace().join("docs/adr/0009-the-named-libraries.md")).expect("the decision");
    let needs = |folder: &str, library: &str| {
        let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml")).expect("a manifest");
        manifest.lines().any(|line| line.starts_with(&format!("{library} = ")))
    };
    let mut names = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("- `")) {
        let (name, rest) = line[3..].split_once("`: ").expect("a name");
        names.push(name);
        let Some(rest) = rest.strip_prefix("used in ") else {
            assert!(rest.starts_with("not used: ") && !needs(".", name), "{line}");
            continue;
        };
        let folders = rest.split(": ").next().expect("the places").split('`').skip(1).step_by(2);
        let folders: Vec<&str> = folders.collect();
        assert!(!folders.is_empty() && needs(".", name), "{line}");
        let absent: Vec<_> = folders.iter().filter(|folder| !needs(folder, name)).collect();
        assert!(absent.is_empty(), "{absent:?} do not use it: {line}");
    }
    let all =
        "tokio serde serde_yaml serde_json reqwest syn notify jsonschema clap tracing sha2 nix tempfile";
    assert_eq!(names.join(" "), all);
}

/// Each line of the doctor's has its paragraph, under its name, and no paragraph is left over.
#[test]
fn each_line_of_the_doctor_has_its_paragraph() {
    let folder = workspace().join("admin-service/cl-admin/src/commands/doctor");
    let mut lines = std::collections::BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the doctor's files").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a source");
        for call in ["pass(", "warn(", "fail(", "fixed(", "of("] {
            let call = format!("Look::{call}");
            let calls = text.split(call.as_str()).skip(1).map(str::trim_start);
            let named = calls.filter_map(|call| call.strip_prefix('"')?.split_once('"'));
            lines.extend(named.map(|(name, _)| name.to_owned()));
        }
    }
    assert!(lines.len() > 20, "only {lines:?} are found");
    let text = fs::read_to_string(workspace().join("docs/TROUBLESHOOTING.md")).expect("the document");
    let paragraphs = text.split("\n## ").skip(1).filter_map(|part| part.split_once('\n'));
    let titles: std::collections::BTreeSet<String> = paragraphs
        .inspect(|(title, words)| assert!(words.trim().len() > 60, "`{title}` says too little"))
        .map(|(title, _)| title.to_owned())
        .collect();
    assert_eq!(lines, titles);
}

/// A person who puts the signing page on a site compares its digest with the one in the guide; and the page runs nothing but the
/// parts whose digests stand in its own policy.
#[test]
fn the_signing_page_is_the_published_one() {
    let page = fs::read_to_string(workspace().join("packaging/signing-page/index.html")).expect("the page");
    let guide =
        fs::read_to_string(workspace().join("docs/guides/approve-with-a-phone.md")).expect("the guide");
    let digest = Digest::of(page.as_bytes());
    assert!(guide.contains(digest.as_str()), "the guide does not name {digest}");
    let verb = workspace().join("admin-service/cl-admin/src/commands/page/verify.rs");
    let verb = fs::read_to_string(verb).expect("the verb");
    assert!(verb.contains(digest.as_str()), "`cl-admin page verify` does not compare with {digest}");
    for part in ["script", "style"] {
        let inner =
            page.split(&format!("<{part}>")).nth(1).and_then(|rest| rest.split(&format!("</{part}>")).next());
        let inner = inner.unwrap_or_else(|| panic!("the page has no {part}"));
        let named = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(inner)));
        assert!(page.contains(&named), "the policy of the page does not name {named} for its {part}");
    }
    for loose in ["'unsafe-inline'", "'unsafe-eval'", "innerHTML", "connect-src", "localStorage"] {
        assert!(!page.contains(loose), "the page has {loose}");
    }
    assert!(page.contains("default-src 'none'"), "the policy allows nothing by default");
}
