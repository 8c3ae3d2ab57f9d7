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
fn a_proposal_survives_json() {
    let proposal = parse(GOOD).unwrap().proposal;
    let json = serde_json::to_string(&proposal).unwrap();
    assert_eq!(serde_json::from_str::<Proposal>(&json).unwrap(), proposal);
}

#[test]
fn every_fault_is_told_in_one_pass() {
    let bad = GOOD
        .replace("kind: skill", "kind: action")
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
