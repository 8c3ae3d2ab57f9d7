//! What small models really answer, played by a server: wrong integer types, forgotten imports, prose, whole programs. The
//! program repairs what it can on its own, and reports the rest.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use shared_types::id::ProposalId;
use shared_types::proposal::BY_MODEL;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::settings::admin_asks;

/// One tool of a proposal, with the answer of a small model.
struct Recorded {
    tool: &'static str,
    /// The parameters, each with its type.
    parameters: Value,
    /// Arguments, and what the answer must contain; the last is kept back.
    examples: Value,
    answer: &'static str,
    /// Whether a skill comes of it that nothing speaks against, without asking again.
    works: bool,
}

fn recorded() -> Vec<Recorded> {
    let one =
        |tool, parameters, examples, answer, works| Recorded { tool, parameters, examples, answer, works };
    vec![
        one(
            "circle_length",
            json!({"radius": "number"}),
            json!([[{"radius": 1}, "6.28"], [{"radius": 2}, "12.57"]]),
            "Sure! Here's the function:\n\n```rust\nuse std::f64::consts::PI;\n\nfn circle_length(radius: f64) -> Result<String, String> {\n    let length = 2 * PI * radius;\n    Ok(format!(\"The length is {:.2}.\", length))\n}\n```\n\nThis function multiplies the radius by 2 and PI.",
            true,
        ),
        one(
            "to_celsius",
            json!({"fahrenheit": "number"}),
            json!([[{"fahrenheit": 212}, "100"], [{"fahrenheit": 32}, "0"]]),
            "```rust\nfn to_celsius(fahrenheit: f64) -> f64 {\n    (fahrenheit - 32) * 5 / 9\n}\n```",
            true,
        ),
        one(
            "greet",
            json!({"name": "string"}),
            json!([[{"name": "Anna"}, "Hello, Anna"], [{"name": "Ben"}, "Hello, Ben"]]),
            "```rust\nfn greet(name: &str) -> String {\n    \"Hello, \" + name + \"!\"\n}\n```",
            true,
        ),
        one(
            "count_words",
            json!({"text": "string"}),
            json!([[{"text": "a b a"}, "2"], [{"text": "x y z"}, "3"]]),
            "```rust\nfn count_words(text: &str) -> Result<String, String> {\n    let mut counts = HashMap::new();\n    for word in text.split_whitespace() {\n        *counts.entry(word).or_insert(0) += 1;\n    }\n    println!(\"{:?}\", counts);\n    Ok(format!(\"{} different words\", counts.len()))\n}\n\nfn main() {\n    let text = \"hello world hello\";\n    println!(\"{:?}\", count_words(text));\n}\n```",
            true,
        ),
        one(
            "sum_list",
            json!({"numbers": "string"}),
            json!([[{"numbers": "1, 2, 3"}, "6"], [{"numbers": "10,20"}, "30"]]),
            "```rust\nuse std::io;\n\nfn sum_list(numbers: &str) -> Result<String, String> {\n    let mut sum: i64 = 0;\n    for part in numbers.split(',') {\n        let n: i64 = part.trim().parse()?;\n        sum += n;\n    }\n    Ok(sum)\n}\n```",
            true,
        ),
        one(
            "count_vowels",
            json!({"text": "string"}),
            json!([[{"text": "banana"}, "3"], [{"text": "sky"}, "0"]]),
            "Here is the code:\n\nfn count_vowels(text: &str) -> i64 {\n    text.chars().filter(|c| \"aeiou\".contains(*c)).count()\n}\n\nLet me know if you need anything else!",
            true,
        ),
        one(
            "letter",
            json!({"text": "string", "position": "integer"}),
            json!([[{"text": "hello", "position": 1}, "h"], [{"text": "world", "position": 2}, "o"]]),
            "```rust\nfn letter(text: &str, position: i64) -> Result<String, String> {\n    let letters: Vec<char> = text.chars().collect();\n    if position < 1 || position > letters.len() {\n        return Err(\"There is no such letter.\");\n    }\n    Ok(letters[position - 1].to_string())\n}\n```",
            true,
        ),
        one(
            "average",
            json!({"first": "number", "second": "number"}),
            json!([[{"first": 2, "second": 4}, "3"], [{"first": 1, "second": 2}, "1.5"]]),
            "```rust\nlet average = (first + second) / 2;\nOk(format!(\"The average is {}.\", average))\n```",
            true,
        ),
        one(
            "initials",
            json!({"name": "string"}),
            json!([[{"name": "Ada Lovelace"}, "AL"], [{"name": "grace hopper"}, "GH"]]),
            "```rust\npub struct Skill;\n\nimpl Skill {\n    pub fn initials(&self, name: &str) -> String {\n        let letters: Vec<String> = name.split(' ').map(|w| w.chars().next().unwrap().to_uppercase().to_string()).collect::<Vec<String>>();\n        letters.join(\"\")\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn works() {\n        assert_eq!(Skill.initials(\"a b\"), \"AB\");\n    }\n}\n```",
            true,
        ),
        one(
            "factorial",
            json!({"n": "integer"}),
            json!([[{"n": 5}, "120"], [{"n": 3}, "6"]]),
            "```rust\nfn factorial(n: u64) -> u64 {\n    let mut result = 1;\n    for i in 1..=n {\n        result *= i;\n    }\n    result",
            false,
        ),
        one(
            "first_digits",
            json!({"text": "string"}),
            json!([[{"text": "a12"}, "12"], [{"text": "b7"}, "7"]]),
            "```rust\nuse regex::Regex;\n\nfn first_digits(text: &str) -> Result<String, String> {\n    let re = Regex::new(r\"\\d+\").unwrap();\n    match re.find(text) {\n        Some(m) => Ok(m.as_str().to_string()),\n        None => Err(\"no digits\".to_string()),\n    }\n}\n```",
            false,
        ),
        one(
            "is_leap",
            json!({"year": "integer"}),
            json!([[{"year": 2024}, "is a leap year"], [{"year": 1900}, "is not a leap year"]]),
            "```rust\nfn is_leap(year: i64) -> Result<String, String> {\n    if year % 4 == 0 {\n        Ok(format!(\"{} is a leap year.\", year))\n    } else {\n        Ok(format!(\"{} is not a leap year.\", year))\n    }\n}\n```",
            false,
        ),
    ]
}

impl Recorded {
    /// Puts a proposal for this tool where the service finds it.
    fn drop_proposal(&self, world: &World) -> ProposalId {
        self.drop_by(world, "proposer")
    }

    /// The same, written by somebody.
    fn drop_by(&self, world: &World, by: &str) -> ProposalId {
        let id = ProposalId::generate();
        let parameters = self.parameters.as_object().expect("parameters are an object");
        let properties: BTreeMap<&String, Value> =
            parameters.iter().map(|(name, kind)| (name, json!({"type": kind}))).collect();
        let examples: Vec<Value> = self
            .examples
            .as_array()
            .into_iter()
            .flatten()
            .map(|example| json!({"args": example[0], "expect": example[1]}))
            .collect();
        let name = self.tool.replace('_', "-");
        let proposal = json!({"proposal": {
            "id": id, "kind": "skill", "name": name, "description": "Does what its tool says", "capabilities": [],
            "tools": [{
                "name": self.tool, "description": "Does what its name says",
                "parameters": {"type": "object", "properties": properties, "required": parameters.keys().collect::<Vec<_>>()},
                "examples": examples,
            }],
            "rationale": "wanted", "user_context": format!("learn {name}"), "generated_by": by,
            "generated_at": "2026-02-07T14:30:00Z", "profile_id": "default",
        }, "status": "new", "history": [{"timestamp": "2026-02-07T14:30:00Z", "status": "new", "actor": "proposer"}]});
        let path = world.home().proposals(&world.profile()).join(format!("{name}-{id}.yaml"));
        fs::write(path, proposal.to_string()).expect("a proposal can be written");
        id
    }
}

/// A server that gives each tool the answers in turn, the last for ever.
fn plays(answers: Vec<(&'static str, Vec<&'static str>)>) -> ModelServer {
    let given = std::sync::Mutex::new(BTreeMap::<&str, usize>::new());
    ModelServer::start(move |chat| {
        let text = chat.text();
        let Some((tool, answers)) = answers.iter().find(|(tool, _)| text.contains(&format!("fn {tool}(")))
        else {
            return Reply::text("INFEASIBLE: nobody asked for this");
        };
        let mut given = given.lock().expect("no answer panics");
        let turn = given.entry(tool).or_default();
        let answer = answers[(*turn).min(answers.len() - 1)];
        *turn += 1;
        Reply::text(answer)
    })
}

fn settings(world: &World, url: &str, repairs: u32) {
    admin_asks(world, "scripted", url);
    let path = world.home().admin_config();
    let text = fs::read_to_string(&path).expect("it can be read");
    fs::write(&path, text.replace("max_repairs: 1", &format!("max_repairs: {repairs}")))
        .expect("it can be written");
}

/// Each of the recorded answers is tried once. What is wrong in form alone becomes a skill; what computes wrongly does not.
#[test]
fn recorded_answers_of_small_models_become_skills_without_asking_again() {
    if compiler_is_missing() {
        return;
    }
    let all = recorded();
    let model = plays(all.iter().map(|r| (r.tool, vec![r.answer])).collect());
    let world = World::new();
    settings(&world, &model.url(), 0);
    let ids: Vec<ProposalId> = all.iter().map(|r| r.drop_proposal(&world)).collect();
    world.admin(&["run", "--once"]).done();
    let rows = world.list();
    let mut works = 0;
    for (one, id) in all.iter().zip(&ids) {
        let row = rows.iter().find(|row| row["id"] == id.as_str()).expect("a row for each proposal");
        let good = row["status"] == "human-review" && row["recommendation"] != "REJECT";
        println!("{}: {} {} {}", one.tool, row["status"], row["recommendation"], row["reason"]);
        assert_eq!(good, one.works, "{}: {row}", one.tool);
        works += usize::from(good);
    }
    println!("{works} of {} recorded answers", all.len());
}

/// What cannot be repaired is reported with the way out, and only a new answer is asked for; the skill then works in the chat.
#[test]
fn a_crate_that_is_not_there_is_answered_with_the_way_of_std() {
    if compiler_is_missing() {
        return;
    }
    let all = recorded();
    let one = all.iter().find(|r| r.tool == "first_digits").expect("it is recorded");
    let better = "```rust\nfn first_digits(text: &str) -> Result<String, String> {\n    let digits: String = text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(|c| c.is_ascii_digit()).collect();\n    if digits.is_empty() {\n        return Err(\"no digits\");\n    }\n    Ok(digits)\n}\n```\nphrase en: which digits are in {text}\n";
    let model = plays(vec![(one.tool, vec![one.answer, better])]);
    let world = World::new();
    settings(&world, &model.url(), 1);
    let id = one.drop_proposal(&world);
    world.admin(&["run", "--once"]).done();
    assert_eq!(world.newest()["status"], "human-review", "{}", world.newest());
    let seen = model.seen();
    assert_eq!(seen.len(), 2);
    assert!(seen[1].text().contains("There is no crate `regex`"), "{}", seen[1].text());
    assert!(!seen[1].text().contains("\"b7\""), "the last example is kept back");
    let source = world.admin(&["show", id.as_str(), "--raw", "source"]).done();
    source.prints("return Err(\"no digits\".to_string())").prints("Tool::new(\"first_digits\"");
    world.admin(&["approve", id.as_str(), "--yes"]).done();
    assert!(world.ask("which digits are in abc42").contains("42"));
}

/// The same answer twice is asked for anew, without the old source and with more freedom.
#[test]
fn the_same_answer_again_is_asked_for_anew() {
    if compiler_is_missing() {
        return;
    }
    let all = recorded();
    let one = all.iter().find(|r| r.tool == "first_digits").expect("it is recorded");
    let model = plays(vec![(one.tool, vec![one.answer])]);
    let world = World::new();
    settings(&world, &model.url(), 1);
    one.drop_proposal(&world);
    world.admin(&["run", "--once"]).done();
    assert_eq!(world.newest()["status"], "rejected", "{}", world.newest());
    let seen = model.seen();
    let degrees: Vec<Option<f64>> = seen.iter().map(|chat| chat.body["temperature"].as_f64()).collect();
    assert_eq!(degrees, [None, None, Some(0.9)]);
    assert!(!seen[2].text().contains("Attempt 1"), "{}", seen[2].text());
    assert_eq!(seen[0].body["max_tokens"], 4096);
}

/// The source of the package is the print of what was compiled: what a suggestion changed went through the scan once more.
#[test]
fn what_a_suggestion_makes_is_scanned_again() {
    if compiler_is_missing() {
        return;
    }
    let all = recorded();
    let one = all.iter().find(|r| r.tool == "first_digits").expect("it is recorded");
    let answer = "```rust\nfn first_digits(text: &str) -> Result<String, String> {\n    let digits: String = text.chars().filter(|c| c.is_ascii_digit()).collect();\n    if digits.is_empty() {\n        return Err(\"There is not a single digit in the text that was given here.\");\n    }\n    Ok(digits)\n}\n```";
    let model = plays(vec![(one.tool, vec![answer])]);
    let world = World::new();
    settings(&world, &model.url(), 0);
    let id = one.drop_proposal(&world);
    world.admin(&["run", "--once"]).done();
    assert_eq!(world.newest()["status"], "human-review", "{}", world.newest());
    // With the suggestion in it the line is too long for the print, which is the scan's.
    world.admin(&["show", id.as_str(), "--raw", "source"]).done().prints("return Err(\n");
}

/// A wrong example of a person's is repaired until there are no attempts left; one that a model wrote is repaired once, and then
/// it is the person's to weigh.
#[test]
fn a_wrong_example_of_a_model_costs_one_repair() {
    if compiler_is_missing() {
        return;
    }
    for (by, attempts) in [("proposer", 4), (BY_MODEL, 2)] {
        let one = Recorded {
            tool: "twice",
            parameters: json!({"n": "integer"}),
            examples: json!([[{"n": 2}, "5"], [{"n": 4}, "8"]]),
            answer: "```rust\nfn twice(n: i64) -> i64 {\n    n * 2\n}\n```",
            works: true,
        };
        let model = plays(vec![(one.tool, vec![one.answer])]);
        let world = World::new();
        settings(&world, &model.url(), 3);
        let id = one.drop_by(&world, by);
        world.admin(&["run", "--once"]).done();
        let row = world.newest();
        assert_eq!(row["status"], "human-review", "{by}: {row}");
        assert_eq!(row["recommendation"], "APPROVE WITH NOTE", "{by}: {row}");
        let kept = |n: u32| world.home().package(&id).join(format!("attempt-{n}.rs")).exists();
        assert_eq!((kept(attempts), kept(attempts + 1)), (true, false), "{by}");
    }
}
