//! Whether the names in a family's files fit together.

use std::collections::BTreeSet;

use super::condition::Condition;
use super::facts::Looks;
use super::format::{Arg, ExamplesFile, Refusal, WishFile};
use super::patterns::Text;

/// A name in a file that stands for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    #[error("{key}: no group, slot, switch or condition is called `{name}`")]
    Name { key: String, name: String },
    #[error("{key}: no slot, list or choice sets a value `{name}`")]
    Value { key: String, name: String },
    #[error("`{0}` is the name of two groups, slots or conditions")]
    Twice(String),
    #[error("is.{0}: the condition refers to itself")]
    Circle(String),
    #[error("trials: no tool is called `{0}`")]
    Tool(String),
    #[error("trials: the tool `{tool}` has no parameter `{param}`")]
    Param { tool: String, param: String },
}

/// The names that conditions and texts may use.
struct Known<'a> {
    marks: BTreeSet<String>,
    values: BTreeSet<String>,
    looks: &'a Looks,
}

impl<'a> Known<'a> {
    fn of(looks: &'a Looks) -> Result<Known<'a>, Unfit> {
        let mut known = Known { marks: BTreeSet::new(), values: BTreeSet::new(), looks };
        let groups = looks.anywhere.keys().chain(looks.in_line.keys());
        for name in groups.chain(looks.slots.keys()).chain(looks.is.keys()) {
            if !known.marks.insert(name.clone()) {
                return Err(Unfit::Twice(name.clone()));
            }
        }
        for (name, slot) in &looks.slots {
            let parts: Vec<String> = slot.parts().iter().map(|part| format!("{name}.{part}")).collect();
            known.marks.extend(parts.iter().cloned());
            known.values.extend(parts.into_iter().chain([name.clone()]));
        }
        Ok(known)
    }

    fn check_looks(&self) -> Result<(), Unfit> {
        for (name, slot) in &self.looks.slots {
            for read in slot.reads() {
                self.mark(&format!("slots.{name}"), read)?;
            }
        }
        for (name, condition) in &self.looks.is {
            self.condition(&format!("is.{name}"), condition)?;
            self.no_circle(name, &mut vec![name])?;
        }
        Ok(())
    }

    fn no_circle<'b>(&'b self, name: &str, way: &mut Vec<&'b str>) -> Result<(), Unfit> {
        for next in self.looks.is.get(name).map(Condition::names).unwrap_or_default() {
            if way.contains(&next) {
                return Err(Unfit::Circle(next.to_owned()));
            }
            way.push(next);
            self.no_circle(next, way)?;
            way.pop();
        }
        Ok(())
    }

    fn mark(&self, key: &str, name: &str) -> Result<(), Unfit> {
        let unknown = || Unfit::Name { key: key.to_owned(), name: name.to_owned() };
        if self.marks.contains(name) { Ok(()) } else { Err(unknown()) }
    }

    fn condition(&self, key: &str, condition: &Condition) -> Result<(), Unfit> {
        condition.names().into_iter().try_for_each(|name| self.mark(key, name))
    }

    fn text(&self, key: &str, text: &Text) -> Result<(), Unfit> {
        let unknown = |name: &str| Unfit::Value { key: key.to_owned(), name: name.to_owned() };
        let wrong = text.names().find(|name| !self.values.contains(*name));
        wrong.map_or(Ok(()), |name| Err(unknown(name)))
    }

    fn refusals(&self, key: &str, refusals: &[Refusal]) -> Result<(), Unfit> {
        refusals.iter().try_for_each(|refusal| {
            self.condition(key, &refusal.when)?;
            self.text(key, &refusal.because)
        })
    }
}

/// Checks `refused.yaml`.
pub(super) fn refusals(looks: &Looks, refusals: &[Refusal]) -> Result<(), Unfit> {
    let known = Known::of(looks)?;
    known.check_looks()?;
    known.refusals("refused", refusals)
}

/// Checks `wish.yaml`.
pub(super) fn wish(looks: &Looks, file: &WishFile) -> Result<(), Unfit> {
    let mut known = Known::of(looks)?;
    known.check_looks()?;
    known.condition("takes", &file.takes)?;
    known.refusals("beyond", &file.beyond)?;
    for (name, parts) in &file.lists {
        parts.iter().try_for_each(|part| known.condition(&format!("lists.{name}"), &part.when))?;
        known.values.insert(name.clone());
    }
    for choice in &file.choices {
        known.text("choices.of", &choice.of)?;
        for case in &choice.cases {
            case.when.iter().try_for_each(|when| known.condition("choices.when", when))?;
            case.set.iter().try_for_each(|(name, text)| known.text(&format!("choices.set.{name}"), text))?;
        }
        known.values.extend(choice.cases.iter().flat_map(|case| case.set.keys().cloned()));
        known.marks.extend(choice.cases.iter().flat_map(|case| case.keep.iter().cloned()));
    }
    for (name, when) in &file.switches {
        known.condition(&format!("switches.{name}"), when)?;
    }
    for tool in &file.tools {
        tool.when.iter().try_for_each(|when| known.condition(&format!("tools.{}", tool.key), when))?;
    }
    for (key, texts) in [("texts", &file.texts), ("plain", &file.plain)] {
        texts.iter().try_for_each(|(name, text)| known.text(&format!("{key}.{name}"), text))?;
    }
    known.values.insert("tools".to_owned());
    known.text("parameters", &file.parameters)
}

/// Checks `examples.yaml`.
pub(super) fn examples(looks: &Looks, file: &WishFile, examples: &ExamplesFile) -> Result<(), Unfit> {
    let mut known = Known::of(looks)?;
    let cases = || file.choices.iter().flat_map(|choice| &choice.cases);
    known.values.extend(cases().flat_map(|case| case.set.keys().cloned()).chain(file.lists.keys().cloned()));
    known.marks.extend(cases().flat_map(|case| case.keep.iter().cloned()));
    for trial in &examples.trials {
        trial.when.iter().try_for_each(|when| known.condition("trials.when", when))?;
        let texts = trial.args.values().filter_map(|arg| match arg {
            Arg::Text(text) => Some(text),
            Arg::Other(_) => None,
        });
        for text in texts.chain([&trial.expect]).chain(&trial.german) {
            known.text("trials", text)?;
        }
        let tools: Vec<_> = file.tools.iter().filter(|tool| tool.key == trial.tool).collect();
        if tools.is_empty() {
            return Err(Unfit::Tool(trial.tool.clone()));
        }
        let shapes = || tools.iter().flat_map(|tool| &tool.ways).flatten();
        if let Some(param) = trial.args.keys().find(|param| shapes().all(|shape| shape.key != **param)) {
            return Err(Unfit::Param { tool: trial.tool.clone(), param: param.clone() });
        }
    }
    Ok(())
}
