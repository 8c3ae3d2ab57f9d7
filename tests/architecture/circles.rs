//! How many files depend on each other in a circle. The bounds only go down; the goal is 3.

use std::collections::BTreeSet;
use std::fmt::Write;

use tameclaw_tests::world::workspace;

use crate::graph::Graph;
use crate::uses::Uses;

/// The longest circle of files of each crate.
const LONGEST: &[(&str, usize)] = &[
    ("admin-service/actions", 3),
    ("admin-service/api", 0),
    ("admin-service/audit", 0),
    ("admin-service/backup", 0),
    ("admin-service/base", 2),
    ("admin-service/builder", 3),
    ("admin-service/cl-admin", 3),
    ("admin-service/codes", 0),
    ("admin-service/compose", 2),
    ("admin-service/console", 2),
    ("admin-service/ledger", 0),
    ("admin-service/learner", 0),
    ("admin-service/library", 0),
    ("admin-service/page", 0),
    ("admin-service/pipeline", 0),
    ("admin-service/redteam", 0),
    ("admin-service/review", 0),
    ("admin-service/service", 0),
    ("user-agent/base", 0),
    ("user-agent/cl-bot", 2),
    ("user-agent/door", 0),
    ("user-agent/kernel", 3),
    ("user-agent/net", 0),
    ("user-agent/ports", 3),
    ("user-agent/skills", 3),
    ("user-agent/terminal", 3),
    ("user-agent/testing", 0),
    ("user-agent/workflows", 0),
    ("shared-types", 3),
    ("libs/beneath", 0),
    ("libs/certificates", 0),
    ("libs/confine", 3),
    ("libs/documents", 0),
    ("libs/durable", 2),
    ("libs/events", 0),
    ("libs/figures", 0),
    ("libs/guard", 0),
    ("libs/guest", 3),
    ("libs/language", 0),
    ("libs/memory", 0),
    ("libs/models", 3),
    ("libs/owners", 0),
    ("libs/pin-protocol", 0),
    ("libs/policy", 3),
    ("libs/receipts", 0),
    ("libs/settings", 0),
    ("libs/sound", 0),
    ("libs/tables", 0),
    ("libs/watch", 0),
    ("libs/web", 0),
    ("libs/wyoming", 0),
];

#[test]
fn no_circle_of_files_is_longer_than_its_bound() {
    for (member, bound) in LONGEST {
        let uses = Uses::read(&workspace().join(member).join("src"));
        let circles = uses.circles();
        let mut shown = String::new();
        for circle in &circles {
            let _ = writeln!(shown, "a circle of {} files of {member}:", circle.len());
            for file in circle {
                let on = uses.0[*file].iter().filter(|used| circle.contains(used.as_str()));
                let _ = writeln!(shown, "  {file}: {}", on.cloned().collect::<Vec<_>>().join(" "));
            }
        }
        // Seen with `--nocapture`, too.
        println!("{shown}");
        let longest = circles.first().map_or(0, BTreeSet::len);
        assert!(longest <= *bound, "{member}: {longest} files in a circle; {bound} were the most\n{shown}");
    }
}

#[test]
fn every_crate_of_both_programs_and_every_library_has_a_bound() {
    let crates = Graph::read().0.into_values().map(|(folder, _)| folder);
    let bound = |folder: &String| {
        ["shared-types", "user-agent/", "admin-service/", "libs/"].iter().any(|part| folder.starts_with(part))
    };
    let present: BTreeSet<String> = crates.filter(bound).collect();
    assert_eq!(present, LONGEST.iter().map(|(member, _)| (*member).to_owned()).collect());
}
