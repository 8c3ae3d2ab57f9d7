use super::*;

const BRIEFING: &str = r#"
name = "briefing"
description = "What the morning brings"

[[steps]]
id = "now"
kind = "tool"
tool = "date"

[[steps]]
id = "ask"
kind = "approval"
message = "Shall I go on?"

[[steps]]
id = "sum"
kind = "agent"
prompt = "Greet me"
content_from = "now"
on_failure = "continue"
timeout_s = 20
"#;

fn name() -> WorkflowName {
    "briefing".parse().unwrap()
}

fn knows(tool: &str, _: Option<&Value>) -> Option<String> {
    (tool != "date").then(|| format!("there is no tool `{tool}`"))
}

fn read(text: &str, form: Form) -> Result<Sop, Vec<String>> {
    Sop::read(&name(), text, form, &knows).map_err(|f| f.iter().map(ToString::to_string).collect())
}

#[test]
fn toml_and_yaml_say_the_same() {
    let toml = read(BRIEFING, Form::Toml).unwrap();
    let yaml = "name: briefing\ndescription: What the morning brings\nsteps:\n\
        - {id: now, kind: tool, tool: date}\n- {id: ask, kind: approval, message: Shall I go on?}\n\
        - {id: sum, kind: agent, prompt: Greet me, content_from: now, on_failure: continue, timeout_s: 20}\n";
    assert_eq!(toml, read(yaml, Form::Yaml).unwrap());
    assert_eq!(toml.steps.len(), 3);
    assert_eq!(toml.steps[2].timeout_s, Some(20));
    assert!(toml.steps[2].goes_on && !toml.steps[0].goes_on);
}

#[test]
fn every_fault_is_told_in_one_pass_with_its_step_and_key() {
    let bad = r#"
name = "other"
colour = "red"

[[steps]]
id = "one"
kind = "tool"
tool = "rocket"
content_from = "two"

[[steps]]
id = "two"
kind = "agent"
prompt = ""
content_from = "two"

[[steps]]
id = "one"
kind = "dance"

[[steps]]
id = "Four"
kind = "approval"
on_failure = "maybe"
timeout_s = 0
"#;
    let faults = read(bad, Form::Toml).unwrap_err().join("\n");
    for expected in [
        "name: `other` is in the folder `briefing`",
        "description: missing",
        "colour: this key is unknown; allowed: name description steps",
        "steps[0].tool: there is no tool `rocket`",
        "steps[0].content_from: `two` is not an earlier step; earlier steps: none",
        "steps[1].prompt: must have 1 to 8000 characters",
        "steps[1].content_from: `two` is not an earlier step; earlier steps: one",
        "steps[2].id: `one` is the id of an earlier step",
        "steps[2].kind: \"dance\" is not allowed; allowed: tool agent approval",
        "steps[3].id: `Four` is not a step's id",
        "steps[3].message: missing",
        "steps[3].on_failure: \"maybe\" is not allowed; allowed: abort continue",
        "steps[3].timeout_s: must be a whole number from 1 to 3600",
    ] {
        assert!(faults.contains(expected), "lacks `{expected}`:\n{faults}");
    }
}

#[test]
fn the_text_of_a_step_goes_to_one_named_argument_that_is_free() {
    let with = |rest: &str| {
        format!(
            "name: briefing\ndescription: d\nsteps:\n- {{id: now, kind: tool, tool: date}}\n- {{id: b, kind: tool, tool: date{rest}}}\n"
        )
    };
    let fine = read(&with(", content_from: now, content_to: text"), Form::Yaml).unwrap();
    assert_eq!(fine.steps[1].work.content_from().unwrap().as_str(), "now");
    for (rest, fault) in [
        (", content_to: text", "content_to: needs `content_from`"),
        (", content_from: now, content_to: text, args: {text: a}", "`args` has a value for `text` already"),
        (", args: [1]", "args: must be a mapping"),
    ] {
        let faults = read(&with(rest), Form::Yaml).unwrap_err().join("\n");
        assert!(faults.contains(fault), "{faults}");
    }
}

/// The shape in which others write workflows.
#[test]
fn an_approval_may_have_a_prompt_and_the_text_of_a_step_goes_to_the_argument_content() {
    let text = "name: briefing\ndescription: d\nsteps:\n- {id: now, kind: tool, tool: date}\n\
                - {id: sure, kind: approval, prompt: Save it?}\n\
                - {id: save, kind: tool, tool: date, args: {path: a.txt}, content_from: now}\n";
    let steps = read(text, Form::Yaml).unwrap().steps;
    assert_eq!(steps[1].work, Work::Approval { message: "Save it?".to_owned() });
    let Work::Tool { content: Some((from, to)), .. } = &steps[2].work else { panic!("{:?}", steps[2]) };
    assert_eq!((from.as_str(), to.as_str()), ("now", "content"));
    // The arguments are checked as they will be at the run.
    let asks = |_: &str, args: Option<&Value>| {
        let taken = args.is_some_and(|args| args.get("content").is_none());
        (!taken).then(|| "`content`: this argument is unknown".to_owned())
    };
    let faults = Sop::read(&name(), text, Form::Yaml, &asks).unwrap_err();
    assert_eq!(faults[0].to_string(), "steps[2].tool: `content`: this argument is unknown");
    let both = text.replace("prompt: Save it?", "prompt: Save it?, message: Sure?");
    assert!(read(&both, Form::Yaml).unwrap_err().join("\n").contains("prompt: has no meaning"));
}

#[test]
fn what_is_too_much_is_refused_before_it_costs_anything() {
    let many: String = (0..=MAX_STEPS).map(|n| format!("- {{id: s{n}, kind: tool, tool: date}}\n")).collect();
    let many = format!("name: briefing\ndescription: d\nsteps:\n{many}");
    assert!(
        read(&many, Form::Yaml).unwrap_err().join("\n").contains("steps: at most 50 entries are allowed")
    );
    let long = format!("{BRIEFING}#{}", "x".repeat(MAX_BYTES));
    assert!(read(&long, Form::Toml).unwrap_err().join("\n").contains("at most 65536 are read"));
    let dots = format!("{} = 1", vec!["a"; 20_000].join("."));
    assert!(read(&dots, Form::Toml).is_err());
    let quoted = format!("{} = 1", vec!["\"a\""; 15_000].join("."));
    assert!(read(&quoted, Form::Toml).is_err());
    let header = format!("[{}]", vec!["'a'"; 15_000].join("."));
    assert!(read(&header, Form::Toml).is_err());
    let deep = format!("a = {}1{}", "[".repeat(30_000), "]".repeat(30_000));
    assert!(read(&deep, Form::Toml).is_err());
    let tables = format!("a = {}b = 1{}", "{ a = ".repeat(9_000), "}".repeat(9_000));
    assert!(read(&tables, Form::Toml).is_err());
    assert!(read(&"[".repeat(60_000), Form::Yaml).is_err());
}

#[test]
fn what_cannot_be_parsed_is_told_with_its_line() {
    let faults = read("name = \"briefing\"\nsteps = [", Form::Toml).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].starts_with("line 2"), "{faults:?}");
    let date = format!("{BRIEFING}\nday = 2026-02-01\n");
    assert!(read(&date, Form::Toml).unwrap_err().join("\n").contains("in quotes"));
    assert!(read("- a list", Form::Yaml).is_err());
    assert!(read("", Form::Toml).is_err());
}
