//! What the documents promise names something that is there.

use std::fs;

use tameclaw_tests::world::workspace;

use crate::tree::sources;

/// Every test that the threat table names exists, and no row is without one.
#[test]
fn each_threat_names_a_test_that_exists() {
    let text = fs::read_to_string(workspace().join("docs/THREATS.md")).expect("there is a threat table");
    let rows: Vec<&str> =
        text.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| attack |")).collect();
    assert!(rows.len() > 15, "the table has only {} rows", rows.len());
    let sources = sources();
    let mut missing = Vec::new();
    for row in rows {
        let cell = row.trim_end_matches('|').rsplit('|').next().expect("a row has cells");
        let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        if named.is_empty() {
            missing.push(row.to_owned());
        }
        for name in named {
            if !exists(name, &sources) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "not there: {missing:#?}");
}

/// `a::b::test`, `a::b::prefix_*`, or `a::b::*` and `a::b` for all of a file's tests.
fn exists(name: &str, sources: &[crate::tree::Source]) -> bool {
    let (path, test) = match name.rsplit_once("::") {
        Some((path, last)) if last.contains('*') || last.contains('_') => (path, last.trim_end_matches('*')),
        Some(_) => (name, ""),
        None => ("", name),
    };
    // A crate's name is its folder's, with `-` for `_`; what counts is the path below.
    let place = path.trim_start_matches("shared_types::").replace("::", "/");
    sources.iter().any(|source| {
        let file = source.path.trim_end_matches(".rs").trim_end_matches("/mod");
        let fits = place.is_empty() || file.ends_with(&place) || source.path.contains(&format!("{place}/"));
        fits && source.text.contains("#[test]") && source.text.contains(&format!("fn {test}"))
    })
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
