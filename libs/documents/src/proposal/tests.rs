use shared_types::proposal::{MAX_FAULTS, Proposal};

use super::*;

const GOOD: &str = r#"
proposal:
  id: 0193e4a0-5b7c-7def-8123-456789abcdef
  kind: skill
  name: dice-roller
  description: "Roll dice such as 2d6+1"
  capabilities: []
  emits_events: []
  handles_events: []
  dependencies: []
  tools:
    - name: roll
      description: "Roll dice"
      parameters: {type: object, properties: {dice: {type: string}}, required: [dice]}
      examples: [{args: {dice: "1d1"}, expect: "1"}]
  network: []
  rationale: "They asked for it."
  user_context: "learn to roll dice"
  generated_by: proposer
  generated_at: "2026-02-07T14:30:00Z"
  profile_id: default
status: new
history: [{timestamp: "2026-02-07T14:30:00Z", status: new, actor: proposer}]
"#;

fn keys(text: &str) -> Vec<String> {
    parse(text).unwrap_err().into_iter().map(|f| f.key).collect()
}

#[test]
fn the_documented_form_is_read_and_survives_the_round_trip() {
    let document = parse(GOOD).unwrap();
    assert_eq!(document.proposal.tools[0].examples[0].expect, "1");
    let again = parse(&crate::yaml::to_string(&document).unwrap()).unwrap();
    assert_eq!(again, document);
}

#[test]
fn what_a_program_wrote_is_read_by_way_of_a_tree() {
    let document = parse(GOOD).unwrap();
    let written = crate::yaml::to_string(&document).unwrap();
    assert_eq!(parse_written(&written).unwrap(), document);
    assert_eq!(parse_mirror(&written).unwrap(), document);
    for (what, from, to) in [
        ("a tag", "name: dice-roller", "name: !!str dice-roller"),
        ("a key twice", "kind: skill", "kind: skill\n  kind: skill"),
        ("an unknown key", "kind: skill", "kind: skill\n  code: fn"),
        ("a text that looks like a number", "expect: \"1\"", "expect: 1"),
        ("a second document", "status: new\n", "status: new\n---\n"),
    ] {
        assert!(GOOD.contains(from), "{what}");
        let text = GOOD.replace(from, to);
        assert!(parse_written(&text).is_err(), "{what} is taken");
        assert!(parse_mirror(&text).is_err(), "{what} is taken in a mirror");
    }
}

#[test]
fn a_proposal_survives_json() {
    let proposal = parse(GOOD).unwrap().proposal;
    let json = serde_json::to_string(&proposal).unwrap();
    assert_eq!(serde_json::from_str::<Proposal>(&json).unwrap(), proposal);
}

#[test]
fn every_fault_is_told_in_one_pass() {
    let bad = GOOD
        .replace("kind: skill", "kind: deed")
        .replace("name: dice-roller", "name: Dice")
        .replace("capabilities: []", "capabilities: [root, network:read]")
        .replace("profile_id: default", "profile_id: ../x");
    let keys = keys(&bad);
    for key in [
        "proposal.kind",
        "proposal.name",
        "proposal.capabilities[0]",
        "proposal.network",
        "proposal.profile_id",
    ] {
        assert!(keys.iter().any(|k| k == key), "{key} is not told among {keys:?}");
    }
}

#[test]
fn unknown_keys_and_hidden_characters_are_refused() {
    assert!(parse(&GOOD.replace("network: []", "network: []\n  code: fn")).is_err());
    assert_eq!(keys(&GOOD.replace("Roll dice such", "Roll \\u202e dice such")), ["proposal.description"]);
    assert_eq!(keys(&GOOD.replace("learn to roll", "\\e[31mlearn to roll")), ["proposal.user_context"]);
}

#[test]
fn an_example_that_does_not_fit_its_parameters_is_refused() {
    assert_eq!(
        keys(&GOOD.replace("args: {dice: \"1d1\"}", "args: {dice: 1}")),
        ["proposal.tools[0].examples[0].arguments.dice"]
    );
}

/// A person's file: everything that YAML offers and that harms nobody.
#[test]
fn what_a_harmless_author_writes_is_taken() {
    let comments = "# a note\n".repeat(200);
    for (what, text) in [
        ("comments", format!("{comments}{}", GOOD.replace("kind: skill", "kind: skill   # what else"))),
        ("a document's start and end", format!("%YAML 1.2\n---{GOOD}...\n")),
        ("carriage returns", GOOD.replace('\n', "\r\n")),
        ("no line break at the end", GOOD.trim_end().to_owned()),
        ("quoted keys", GOOD.replace("  kind: skill", "  \"kind\": 'skill'")),
        ("a literal block", GOOD.replace("\"They asked for it.\"", "|\n    They asked.\n    Twice.\n")),
        (
            "a folded line",
            GOOD.replace("\"Roll dice such as 2d6+1\"", ">\n    Roll dice\n    such as 2d6+1\n"),
        ),
        ("a date without quotes", GOOD.replace("\"2026-02-07T14:30:00Z\"", "2026-02-07T14:30:00Z")),
        ("a number as an answer", GOOD.replace("expect: \"1\"", "expect: 1.10")),
        (
            "words of any script",
            GOOD.replace("learn to roll dice", "würfeln lernen, サイコロ, انداختن تاس \u{1F3B2}"),
        ),
        (
            "joined emoji",
            GOOD.replace("learn to roll dice", "for \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"),
        ),
        (
            "an anchor",
            GOOD.replace("capabilities: []", "capabilities: &none []")
                .replace("emits_events: []", "emits_events: *none"),
        ),
        (
            "the least",
            GOOD.lines()
                .filter(|l| {
                    !["emits", "handles", "depend", "network", "rationale", "generated", "status", "history"]
                        .iter()
                        .any(|k| l.trim_start().starts_with(k))
                })
                .collect::<Vec<_>>()
                .join("\n"),
        ),
        (
            "keys without a value",
            GOOD.replace("emits_events: []", "emits_events:").replace("network: []", "network: ~"),
        ),
        ("the order of keys", format!("status: new\n{}", GOOD.replace("\nstatus: new", ""))),
        (
            "flow style",
            GOOD.replace("capabilities: []", "capabilities: [ 'memory:read' , \"memory:write\", ]"),
        ),
    ] {
        assert!(parse_wish(&text).is_ok(), "{what}: {:?}\n{text}", parse_wish(&text));
    }
    let expect = |text: &str| parse(text).unwrap().proposal.tools[0].examples[0].expect.clone();
    assert_eq!(
        expect(&GOOD.replace("expect: \"1\"", "expect: 1.10")),
        "1.10",
        "a text stays as it was written"
    );
}

#[test]
fn tricks_of_a_hostile_author_are_refused() {
    for (what, from, to) in [
        ("a tag of a language", "rationale: \"They", "rationale: !!python/object/apply:os.system \"They"),
        ("a hidden text", "rationale: \"They asked for it.\"", "rationale: !!binary VGhleSBhc2tlZA=="),
        ("a plain tag", "name: dice-roller", "name: !!str dice-roller"),
        ("a tag on a list", "capabilities: []", "capabilities: !!seq []"),
        ("a tag of its own", "proposal:", "proposal: !evil"),
        ("a merge key", "kind: skill", "kind: skill\n  <<: {network: []}"),
        ("a key twice", "args: {dice: \"1d1\"}", "args: {dice: \"1d1\", dice: \"2d6\"}"),
        ("an alias of itself", "capabilities: []", "capabilities: &a [*a]"),
        ("half a surrogate", "Roll dice such", "Roll \\uD83D dice such"),
        ("not a number", "expect: \"1\"", "expect: \"1\", args: {dice: .nan}"),
        ("a metadata address", "capabilities: []\n  emits", "capabilities: [network:read]\n  emits"),
        ("a claim", "status: new\n", "status: accepted\n"),
        ("a claim of waiting", "status: new\n", "status: new\nwaits_for: person\n"),
        ("a claimed history", "status: new, actor: proposer}", "status: accepted, actor: admin}"),
        ("itself as a dependency", "dependencies: []", "dependencies: [dice-roller]"),
    ] {
        assert!(GOOD.contains(from), "{what}");
        let text = GOOD.replace(from, to);
        assert!(parse_wish(&text).is_err(), "{what} is taken:\n{text}");
    }
    for host in ["2130706433", "0x7f.1", "0177.0.0.1", "169.254.169.254", "0.0.0.0", "1.2.3.4.5", "*.org"] {
        let text = GOOD
            .replace("capabilities: []", "capabilities: [network:read]")
            .replace("network: []", &format!("network: ['{host}']"));
        let faults = parse_wish(&text).unwrap_err();
        assert!(faults.iter().all(|f| f.key == "proposal.network[0]"), "{host}: {faults:?}");
    }
}

#[test]
fn what_the_form_lacks_is_told_beside_what_the_content_lacks() {
    let text = GOOD
        .replace("  name: dice-roller\n", "")
        .replace("capabilities: []", "capabilities: everything\n  code: fn\n  kinds: []")
        .replace("{type: string}", "{type: text, pattern: x}")
        .replace("profile_id: default", "profile_id: UPPER")
        .replace("description: \"Roll dice\"", "descripton: \"Roll dice\"");
    let found = keys(&text);
    for key in [
        "proposal.name",
        "proposal.capabilities",
        "proposal.code",
        "proposal.kinds",
        "proposal.tools[0].description",
        "proposal.tools[0].descripton",
        "proposal.tools[0].parameters.properties.dice.type",
        "proposal.tools[0].parameters.properties.dice.pattern",
        "proposal.profile_id",
    ] {
        assert_eq!(found.iter().filter(|k| *k == key).count(), 1, "{key} among {found:?}");
    }
    assert_eq!(found.len(), 9, "{found:?}");
}

#[test]
fn a_flood_of_faults_is_cut_and_said() {
    let many: String = (0..300).map(|i| format!("  key{i}: x\n")).collect();
    let faults = parse(&GOOD.replace("\nstatus", &format!("\n{many}status"))).unwrap_err();
    assert_eq!(faults.len(), MAX_FAULTS + 1);
    assert!(faults[MAX_FAULTS].message.contains("250 more"), "{}", faults[MAX_FAULTS]);
}

#[test]
fn an_action_asks_for_one_thing_and_nothing_beside_it() {
    let action = |more: &str| {
        GOOD.replace("kind: skill", &format!("kind: action\n  action: {{type: shell, line: ls{more}}}"))
    };
    let keys = keys(&action(""));
    // What belongs to a skill is not a part of it.
    assert!(keys.iter().any(|key| key == "proposal.tools"), "{keys:?}");
    let unknown = self::keys(&action(", env: {}"));
    assert!(unknown.iter().any(|key| key == "proposal.action"), "{unknown:?}");
    let missing = self::keys(&GOOD.replace("kind: skill", "kind: action"));
    assert!(missing.iter().any(|key| key == "proposal.action"), "{missing:?}");
    let skill = GOOD.replace("kind: skill", "kind: skill\n  action: {type: shell, line: ls}");
    assert_eq!(self::keys(&skill), ["proposal.action"]);
}
