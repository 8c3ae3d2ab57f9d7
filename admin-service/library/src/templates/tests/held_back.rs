//! What of a template's examples is held back.

use super::family::Fit;
use super::*;
use crate::examples_of_template;

/// The families whose skill asks a server for each answer: a trial has no server, so page 1 says that nothing is held back.
const NEED_A_SERVER: [&str; 2] = ["news", "weather"];

/// The first wish of a family's own list, which names each of its tools as far as one wish can.
fn wish_of(family: &Family) -> Proposal {
    let wishes = &family.examples.file().unwrap().wishes;
    let usual = ["user:input", "user:output", "memory:read", "memory:write", "file:read"];
    let proposal = proposal(&wishes.takes[0], if wishes.capabilities.is_empty() { &usual } else { &[] });
    Proposal {
        capabilities: proposal.capabilities.iter().chain(wishes.capabilities.iter().copied()).collect(),
        network: wishes.hosts.clone(),
        rationale: wishes.service.iter().map(|address| format!("service: {address}")).collect(),
        ..proposal
    }
}

/// Each tool that a skill offers has an example that is held back, and not one that any answer would pass.
#[test]
fn every_family_holds_an_example_of_each_tool_back() {
    for family in &Library::shipped().families {
        let proposal = wish_of(family);
        let Fit::Yes(plan) = family.fit(&Wish::of(&proposal)) else {
            panic!("{} takes no wish", family.name())
        };
        let written = written(&proposal);
        let author = written.author.to_string();
        assert!(author.starts_with(&format!("template {}", family.name())), "{}: {author}", family.name());
        let held_back = examples_of_template(&written.examples);
        let shapes = plan.tools.iter().filter(|shape| shape.standard);
        let mut offered: Vec<&str> = shapes.map(|shape| shape.key.as_str()).collect();
        offered.retain(|_| !NEED_A_SERVER.contains(&family.name()));
        let mut tools: Vec<&str> = held_back.iter().map(|trial| trial.tool.as_str()).collect();
        offered.sort_unstable();
        tools.sort_unstable();
        assert_eq!(tools, offered, "{}: {held_back:?}", family.name());
        for trial in held_back {
            assert!(!trial.expect.is_empty(), "{}: any answer would pass: {trial:?}", family.name());
        }
    }
}

/// Only the last example of a tool is held back, regardless of what is between.
#[test]
fn of_several_examples_of_a_tool_the_last_is_held_back() {
    let trial =
        |tool: &str, expect: &str| Trial { tool: tool.into(), args: json!({}), expect: expect.into() };
    let kept = [trial("a", "1"), trial("b", "2"), trial("a", "3")];
    assert_eq!(examples_of_template(&kept), [&kept[1], &kept[2]]);
    assert!(examples_of_template(&[]).is_empty());
}

#[test]
fn every_family_takes_the_wishes_of_its_own_list_and_leaves_the_others() {
    let library = Library::shipped();
    assert_eq!(library.faults(), []);
    assert_eq!(library.names().count(), 31);
    for family in &library.families {
        let examples = family.examples.file().unwrap_or_else(|e| panic!("{}: {e}", family.name()));
        assert_eq!(check::examples(&family.looks, &family.file, examples), Ok(()), "{}", family.name());
        assert_eq!(family.mistaken(), None, "{}", family.name());
    }
}
