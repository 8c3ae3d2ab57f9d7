use std::fs;

use super::*;
use crate::config::Config;
use crate::error::Error;

const FILE: &str = "../../tests/snapshots/transition-grid.txt";

fn read(text: &str) -> Result<Gates, Vec<String>> {
    match Config::parse("admin.yaml".as_ref(), text) {
        Ok(config) => Ok(config.gates),
        Err(Error::Config { faults, .. }) => Err(faults.iter().map(ToString::to_string).collect()),
        Err(other) => panic!("{other}"),
    }
}

/// The gates that a configuration may set, in the table's order.
fn configurable() -> Vec<(Status, Status)> {
    let all = TRANSITIONS.iter().map(|(from, to, _)| (*from, *to));
    all.filter(|(from, to)| always_human(*from, *to).is_none()).collect()
}

#[test]
fn every_combination_of_every_gate_is_obeyed_and_nothing_else_opens() {
    let free = configurable();
    assert_eq!(free.len(), 10);
    for mask in 0_u32..1 << free.len() {
        let human: Vec<(Status, Status)> =
            free.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, way)| *way).collect();
        let mut text = String::from("gates:\n");
        for (from, to) in &free {
            let word = if human.contains(&(*from, *to)) { "human" } else { "auto" };
            text.push_str(&format!("  {}: {word}\n", name(*from, *to)));
        }
        let gates = read(&text).unwrap();
        for from in Status::ALL {
            for to in Status::ALL {
                let legal = TRANSITIONS.iter().any(|(f, t, _)| (*f, *t) == (from, to));
                let persons = always_human(from, to).is_some() || human.contains(&(from, to));
                let (program, person) = match (legal, persons) {
                    (false, _) => (Passage::None, Passage::None),
                    (true, true) => (Passage::Person, Passage::Open),
                    (true, false) => (Passage::Open, Passage::Open),
                };
                assert_eq!(gates.passage(from, to, Mover::Program), program, "{from} -> {to}: {text}");
                assert_eq!(gates.passage(from, to, Mover::Person), person, "{from} -> {to}: {text}");
            }
        }
    }
}

#[test]
fn every_legal_move_has_a_name_of_its_own_and_no_other_has_one() {
    let mut names: Vec<&str> = TRANSITIONS.iter().map(|(from, to, _)| name(*from, *to)).collect();
    for (from, to, _) in TRANSITIONS {
        assert_eq!(name(from, to), format!("{from}_to_{to}").replace('-', "_"));
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TRANSITIONS.len());
    assert_eq!(name(Status::New, Status::Accepted), "");
}

#[test]
fn an_absent_section_is_the_table() {
    assert_eq!(read("").unwrap(), Gates::default());
    assert_eq!(read("gates: {}\n").unwrap(), Gates::default());
}

#[test]
fn what_is_a_persons_cannot_be_configured_away() {
    for key in ["human_review_to_accepted", "human_review_to_agent_review", "accepted_to_removed"] {
        let faults = read(&format!("gates: {{{key}: auto}}\n")).unwrap_err();
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].contains(key) && faults[0].contains("only `human` is allowed"), "{faults:?}");
        assert_eq!(read(&format!("gates: {{{key}: human}}\n")).unwrap(), Gates::default());
    }
}

#[test]
fn unknown_gates_and_values_are_refused_by_name() {
    let faults = read(
        "gates: {new_to_accepted: human, new_to_discovered: maybe, agent_review_to_human_review: true}\n",
    )
    .unwrap_err();
    let text = faults.join("\n");
    assert_eq!(faults.len(), 3, "{text}");
    for part in [
        "gates.new_to_accepted",
        "gates.new_to_discovered: \"maybe\" is not allowed; allowed: auto human",
        "gates.agent_review_to_human_review",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
}

#[test]
fn a_configuration_that_cannot_be_read_lets_the_program_move_nothing() {
    for (from, to, _) in TRANSITIONS {
        assert_eq!(Gates::closed().passage(from, to, Mover::Program), Passage::Person);
    }
}

#[test]
fn the_grid_of_moves_is_the_one_that_was_looked_at() {
    let gates = Gates::default();
    let mut text = String::from(
        "Who may move a proposal: auto = the program, human = a person (fixed = whatever is configured), . = nobody\n\n",
    );
    text.push_str(&format!("{:15}", "from \\ to"));
    for to in Status::ALL {
        text.push_str(&format!(" {:14}", to.as_str()));
    }
    for from in Status::ALL {
        text.truncate(text.trim_end().len());
        text.push_str(&format!("\n{:15}", from.as_str()));
        for to in Status::ALL {
            let cell = match (gates.between(from, to), always_human(from, to)) {
                (None, _) => ".",
                (Some(Gate::Auto), _) => "auto",
                (Some(Gate::Human), None) => "human",
                (Some(Gate::Human), Some(_)) => "human, fixed",
            };
            text.push_str(&format!(" {cell:14}"));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    if std::env::var_os("TAMECLAW_BLESS").is_some() {
        fs::write(FILE, &text).unwrap();
    }
    assert_eq!(
        fs::read_to_string(FILE).unwrap_or_default(),
        text,
        "if the change is meant, TAMECLAW_BLESS=1 writes it anew"
    );
}
