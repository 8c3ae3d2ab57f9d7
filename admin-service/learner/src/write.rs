//! A rule as the source of a skill: short functions with plain names, and a comment on each.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use crate::rule::{Body, Made, Part, Rule};
use crate::steps::{Arg, HELPERS, Step, Test};
use crate::value::Kind;

/// The functions that a source may use, as text.
const HELPERS_TEXT: &str = include_str!("helpers.rs");

/// What the source says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Skill<'a> {
    /// One sentence: what the skill does.
    pub about: &'a str,
    /// The name of its tool.
    pub tool: &'a str,
    /// The name of the tool's parameter.
    pub param: &'a str,
    /// Sentences that call the tool, each with its language.
    pub phrases: &'a [(&'a str, String)],
    /// Whole sentences that the tool answers.
    pub lines: &'a [String],
}

/// Writes the source of a skill that answers by a rule.
pub fn source(rule: &Rule, skill: &Skill<'_>) -> String {
    let mut code = Code::default();
    code.function("rule", "What the examples have in common.", &rule.guard, &rule.body);
    let mut text = format!("//! {}\n\nuse skill_sdk::prelude::*;\n\n", plain_line(skill.about));
    text.push_str(&frame(skill));
    for function in &code.functions {
        text.push_str(function);
    }
    for helper in needed(&code.used) {
        let _ = write!(text, "\n{}\n", helper.replace("pub fn ", "fn ").replace("pub const ", "const "));
    }
    text
}

/// The skill around the rule.
fn frame(skill: &Skill<'_>) -> String {
    let (tool, param) = (literal(skill.tool), literal(skill.param));
    let mut described = format!(
        "            Tool::new({tool}, {about})\n                .param(Param::text({param}, \"the text\"))",
        about = literal(skill.about)
    );
    for (language, pattern) in skill.phrases {
        let _ = write!(described, "\n                .phrase({}, {})", literal(language), literal(pattern));
    }
    for line in skill.lines {
        let _ = write!(described, "\n                .example({})", literal(line));
    }
    format!(
        "/// The skill.\npub struct Skill;\n\nimpl skill_sdk::Skill for Skill {{\n    fn describe(&self) -> Description {{\n        \
         Description::new({about}).tool(\n{described},\n        )\n    }}\n\n    fn call_tool(&mut self, call: &Call) -> Answer {{\n        \
         match call.tool() {{\n            {tool} => answer(call.text({param})?, call),\n            \
         _ => Err(Refusal::unknown_tool(call)),\n        }}\n    }}\n}}\n\n\
         /// The answer to a text. A line that the rule does not fit is for another skill.\n\
         fn answer(text: &str, call: &Call) -> Answer {{\n    let text = if call.line().is_empty() {{ text }} else {{ \
         text.trim_end_matches(|c| c == '?' || c == '!') }};\n    match rule(text.trim()) {{\n        \
         Some(answer) if !answer.is_empty() => Ok(answer),\n        \
         _ if call.line().is_empty() => Err(Refusal::failed(\"The examples do not tell what to make of this.\")),\n        \
         _ => Err(Refusal::not_mine()),\n    }}\n}}\n",
        about = literal(skill.about),
    )
}

/// Text as a Rust literal: what is not plainly visible is written out.
fn literal(text: &str) -> String {
    format!("{text:?}")
}

fn plain_line(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// The functions of a rule, and the helpers that they use.
#[derive(Default)]
struct Code {
    functions: Vec<String>,
    used: BTreeSet<&'static str>,
}

impl Code {
    /// Writes a function for a body, and the ones for its cases after it.
    fn function(&mut self, name: &str, about: &str, guard: &[Test], body: &Body) {
        let mut lines = String::new();
        for test in guard {
            let test = self.test(&Test::Not(Box::new(test.clone())), "text");
            let _ = writeln!(lines, "    if {test} {{\n        return None;\n    }}");
        }
        let place = self.functions.len();
        self.functions.push(String::new());
        match body {
            Body::Parts(parts) => lines.push_str(&self.row(parts)),
            Body::If(test, then, otherwise) => {
                let number = place * 2 + 1;
                let (one, other) = (format!("case_{number}"), format!("case_{}", number + 1));
                let test = self.test(test, "text");
                let _ = writeln!(
                    lines,
                    "    if {test} {{\n        {one}(text)\n    }} else {{\n        {other}(text)\n    }}"
                );
                self.function(&one, &format!("The answer if {test}."), &[], then);
                self.function(&other, "The answer to all other texts.", &[], otherwise);
            }
        }
        let unused = !lines.contains("text");
        let param = if unused { "_" } else { "text" };
        self.functions[place] =
            format!("\n/// {about}\nfn {name}({param}: &str) -> Option<String> {{\n{lines}}}\n");
    }

    /// The steps to each part, one a line, and then the parts in a row.
    fn row(&mut self, parts: &[Part]) -> String {
        let mut names = Names::default();
        let mut lines = String::new();
        let mut shown: Vec<String> = Vec::new();
        for part in parts {
            shown.push(match part {
                Part::Fixed(text) => literal(text),
                Part::Made(made) => self.made(made, &mut names, &mut lines),
            });
        }
        let answer = match (&parts[0], shown.as_slice()) {
            (Part::Made(made), [one]) if **made != Made::Input => one.clone(),
            (_, [one]) => format!("{one}.to_owned()"),
            (_, many) => format!("format!(\"{}\", {})", "{}".repeat(many.len()), many.join(", ")),
        };
        let _ = writeln!(lines, "    Some({answer})");
        lines
    }

    /// Writes the steps to a value; the name of the value.
    fn made(&mut self, made: &Arc<Made>, names: &mut Names, lines: &mut String) -> String {
        let Made::By(step, from) = &**made else { return "text".to_owned() };
        if let Some(name) = names.known.iter().find(|(known, _)| known == made).map(|(_, name)| name) {
            return name.clone();
        }
        let value = self.made(from, names, lines);
        let taken = match (&**from, step.takes()) {
            (Made::Input, _) | (_, Kind::Number | Kind::Date) => value,
            _ => format!("&{value}"),
        };
        let call = self.step(step, &taken);
        let name = names.give(step);
        let _ = writeln!(lines, "    let {name} = {call}?;");
        names.known.push((made.clone(), name.clone()));
        name
    }

    fn step(&mut self, step: &Step, value: &str) -> String {
        match step {
            Step::Call(at, arg) => {
                let name = HELPERS[*at].name;
                self.used.insert(name);
                match arg {
                    Arg::Nothing => format!("{name}({value})"),
                    Arg::Count(count) => format!("{name}({value}, {count})"),
                    Arg::Mark(mark) => format!("{name}({value}, {})", literal(mark)),
                    Arg::Number(number) => format!("{name}({value}, {number:?})"),
                    Arg::Table(from, to) => format!("{name}({value}, {}, {})", literal(from), literal(to)),
                }
            }
            Step::Each(steps) => {
                self.used.insert("each");
                let mut inner = "word".to_owned();
                for (at, step) in steps.iter().enumerate() {
                    let taken = if at == 0 { inner } else { format!("&{inner}?") };
                    inner = self.step(step, &taken);
                }
                format!("each({value}, |word| {inner})")
            }
            Step::Those(test) => {
                self.used.insert("those");
                let test = self.test(test, "word");
                format!("those({value}, |word| {test})")
            }
        }
    }

    fn test(&mut self, test: &Test, value: &str) -> String {
        let (name, arg) = match test {
            Test::Not(test) => {
                let inner = self.test(test, value);
                return inner.strip_prefix('!').map_or_else(|| format!("!{inner}"), str::to_owned);
            }
            Test::Has(mark) => ("has", literal(mark)),
            Test::EndsIn(ending) => ("ends_in", literal(ending)),
            Test::HasWords(many) => ("has_words", many.to_string()),
            Test::HasLetters(many) => ("has_letters", many.to_string()),
            Test::IsAtLeast(least) => ("is_at_least", least.to_string()),
            Test::IsDividedBy(by) => ("is_divided_by", by.to_string()),
            Test::BeginsWithVowel => ("begins_with_vowel", String::new()),
            Test::BeginsWithCapital => ("begins_with_capital", String::new()),
            Test::HasDigits => ("has_digits", String::new()),
            Test::IsNumber => ("is_number", String::new()),
        };
        self.used.insert(name);
        match arg.as_str() {
            "" => format!("{name}({value})"),
            arg => format!("{name}({value}, {arg})"),
        }
    }
}

/// The names of values in one function.
#[derive(Default)]
struct Names {
    known: Vec<(Arc<Made>, String)>,
    given: BTreeMap<String, usize>,
}

impl Names {
    /// A name that says what a step makes.
    fn give(&mut self, step: &Step) -> String {
        let name = match step {
            Step::Call(at, Arg::Count(count)) if HELPERS[*at].name == "item" => match count {
                1 => "the_first".to_owned(),
                2 => "the_second".to_owned(),
                3 => "the_third".to_owned(),
                4 => "the_fourth".to_owned(),
                -1 => "the_last".to_owned(),
                _ => "the_last_but_one".to_owned(),
            },
            Step::Call(at, _) => format!("the_{}", HELPERS[*at].name),
            Step::Each(_) => "all_changed".to_owned(),
            Step::Those(_) => "some".to_owned(),
        };
        let times = self.given.entry(name.clone()).or_default();
        *times += 1;
        if *times == 1 { name } else { format!("{name}_{times}") }
    }
}

/// The texts of these helpers and of those that they use, in the order of the file.
fn needed(used: &BTreeSet<&'static str>) -> Vec<&'static str> {
    let blocks: Vec<(&str, &str)> =
        HELPERS_TEXT.split("\n\n").filter_map(|block| Some((name_of(block)?, block.trim_end()))).collect();
    let mut wanted: BTreeSet<&str> = used.iter().copied().collect();
    loop {
        let before = wanted.len();
        for (name, block) in &blocks {
            if wanted.contains(name) {
                let named = blocks.iter().map(|(other, _)| *other).filter(|other| uses(block, other));
                wanted.extend(named.collect::<Vec<_>>());
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    blocks.into_iter().filter(|(name, _)| wanted.contains(name)).map(|(_, block)| block).collect()
}

/// The name that a piece of the helpers declares.
fn name_of(block: &'static str) -> Option<&'static str> {
    let declared = block
        .lines()
        .find_map(|line| line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const ")))?;
    declared.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// Whether a piece of code calls a function, names a table, or hands it on.
fn uses(block: &str, name: &str) -> bool {
    let code: Vec<&str> = block.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.iter().any(|line| {
        line.match_indices(name).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            let bare = !before.ends_with(is_word) && !before.ends_with('.') && !before.ends_with('"');
            let is_call = after.starts_with('(')
                || before.ends_with("any(")
                || name.chars().all(|c| c.is_ascii_uppercase());
            bare && is_call && !after.starts_with(is_word)
        })
    })
}
