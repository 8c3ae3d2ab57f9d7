//! One family of wishes: its folder as values, and what it says about a wish.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use documents::yaml::{self, YamlError};
use language::Language;
use serde_json::Value;
use shared_types::capability::Token;
use skill_sdk::Date;

use super::facts::{Facts, Looks};
use super::format::{Arg, ExamplesFile, ToolShape, Trial, WishFile};
use super::patterns::Patterns;
use super::wish::Wish;

/// One kind of wish that a template serves.
#[derive(Debug)]
pub(super) struct Family {
    /// The template.
    pub(super) source: String,
    pub(super) looks: Looks,
    /// What else `wish.yaml` says.
    pub(super) file: WishFile,
    pub(super) examples: Examples,
}

/// `examples.yaml`. It is read when it is asked for: most families are only asked whether they take a wish.
#[derive(Debug)]
pub(super) struct Examples {
    text: String,
    read: OnceLock<Result<ExamplesFile, YamlError>>,
}

impl Examples {
    pub(super) fn of(text: String) -> Examples {
        Examples { text, read: OnceLock::new() }
    }

    /// What it says.
    ///
    /// # Errors
    /// The first fault of the file.
    pub(super) fn file(&self) -> Result<&ExamplesFile, &YamlError> {
        self.read.get_or_init(|| yaml::from_own(&self.text)).as_ref()
    }
}

/// What a family says about a wish.
pub(super) enum Fit<'a> {
    /// Something else is meant.
    No,
    /// It is of this kind, but beyond the template; why.
    Beyond(String),
    /// It is of this kind.
    Yes(Plan<'a>),
}

/// How a template is to be filled.
pub(super) struct Plan<'a> {
    /// The parameters in words, as in `subject=birds`.
    pub(super) parameters: String,
    pub(super) tools: Vec<&'a ToolShape>,
    /// Parts of the template to keep.
    pub(super) switches: BTreeSet<String>,
    /// Texts for literals that hold nothing else.
    pub(super) texts: BTreeMap<String, String>,
    /// Plain words, also within a literal.
    pub(super) words: BTreeMap<String, String>,
    pub(super) needs: &'a [Token],
    pub(super) trials: Vec<Example<'a>>,
}

/// A trial in the family's own names.
pub(super) struct Example<'a> {
    pub(super) tool: &'a str,
    pub(super) args: BTreeMap<&'a str, Value>,
    expect: String,
    /// The same in German, where it is more than a number.
    german: Option<String>,
}

impl Family {
    /// As its author line says.
    pub(super) fn name(&self) -> &str {
        &self.file.name
    }

    /// Words that its wishes may well contain.
    pub(super) fn words(&self) -> &Patterns {
        &self.file.words
    }

    /// The wish of its own list that it does not take, or takes although it is another's.
    pub(super) fn mistaken(&self) -> Option<&str> {
        let wishes = &self.examples.file().ok()?.wishes;
        let takes = |line: &str| {
            let mut wish = Wish::of_line(line);
            wish.capabilities = wishes.capabilities.iter().copied().collect();
            wish.hosts = wishes.hosts.clone();
            wish.service = wishes.service.clone();
            wish.day = Date::new(2026, 1, 1);
            matches!(self.fit(&wish), Fit::Yes(_)) && wish.strangers(self.words()) <= self.file.most_strangers
        };
        let left_out = wishes.takes.iter().find(|line| !takes(line));
        left_out.or_else(|| wishes.leaves.iter().find(|line| takes(line))).map(String::as_str)
    }

    /// Whether a wish is of this kind, and the parameters that it gives.
    pub(super) fn fit(&self, wish: &Wish) -> Fit<'_> {
        let file = &self.file;
        let mut facts = Facts::of(wish, &self.looks);
        if !facts.meet(Some(&file.takes)) {
            return Fit::No;
        }
        if let Some(beyond) = file.beyond.iter().find(|beyond| facts.meet(Some(&beyond.when))) {
            return Fit::Beyond(facts.text(&beyond.because));
        }
        let examples = match self.examples.file() {
            Ok(examples) => examples,
            Err(why) => return Fit::Beyond(format!("the examples of {} cannot be read: {why}", self.name())),
        };
        let mut switches = BTreeSet::new();
        for (name, parts) in &file.lists {
            let parts = parts.iter().filter(|part| facts.meet(Some(&part.when)));
            let parts: Vec<&str> = parts.map(|part| part.part.as_str()).collect();
            let list = parts.join("+");
            switches.extend(parts.into_iter().map(str::to_owned));
            facts.set(name, list);
        }
        for choice in &file.choices {
            facts.choose(choice, &mut switches);
        }
        let kept = file.switches.iter().filter(|(_, when)| facts.meet(Some(when)));
        switches.extend(kept.map(|(name, _)| name.clone()));
        let tools: Vec<&ToolShape> =
            file.tools.iter().filter(|tool| facts.meet(tool.when.as_ref())).collect();
        facts.set("tools", tools.iter().map(|tool| tool.key.as_str()).collect::<Vec<_>>().join("+"));
        let trials = examples.trials.iter().filter(|trial| facts.meet(trial.when.as_ref()));
        Fit::Yes(Plan {
            parameters: facts.text(&file.parameters),
            switches,
            texts: facts.texts(&file.texts),
            words: facts.texts(&file.plain),
            needs: &file.needs,
            trials: trials.map(|trial| Example::of(trial, &facts)).collect(),
            tools,
        })
    }
}

impl<'a> Example<'a> {
    fn of(trial: &'a Trial, facts: &Facts<'_>) -> Example<'a> {
        Example {
            tool: &trial.tool,
            args: trial.args.iter().map(|(param, arg)| (param.as_str(), argument(arg, facts))).collect(),
            expect: facts.text(&trial.expect),
            german: trial.german.as_ref().map(|german| facts.text(german)),
        }
    }

    /// What an answer in that language holds; numbers are written as it writes them.
    pub(super) fn expected(&self, language: Language) -> String {
        let own = self.german.clone().filter(|_| language.code() == "de");
        let is_number = self.expect.bytes().all(|b| b.is_ascii_digit() || b == b'.') && self.expect.len() > 1;
        own.unwrap_or_else(|| match is_number && language.decimal_comma() {
            true => self.expect.replace('.', ","),
            false => self.expect.clone(),
        })
    }
}

fn argument(arg: &Arg, facts: &Facts<'_>) -> Value {
    match arg {
        Arg::Text(text) => facts.text(text).into(),
        Arg::Other(value) => value.clone(),
    }
}
