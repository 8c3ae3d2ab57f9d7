//! A rule: what it makes of a text.

use std::sync::Arc;

use crate::steps::{Step, Test};
use crate::value::Value;

/// A value made from the text, step by step.
#[derive(Debug, PartialEq)]
pub(crate) enum Made {
    Input,
    By(Step, Arc<Made>),
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Fixed(String),
    Made(Arc<Made>),
}

/// Parts in a row, or one of two by a question about the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Parts(Vec<Part>),
    If(Test, Box<Body>, Box<Body>),
}

/// A rule that explains pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// What a text must be for the rule to answer: where the examples leave open what is right, it does not.
    pub(crate) guard: Vec<Test>,
    pub(crate) body: Body,
}

impl Rule {
    /// What the rule makes of a text; nothing where it has no answer.
    pub fn answer(&self, text: &str) -> Option<String> {
        let text = text.trim();
        if !self.guard.iter().all(|test| test.holds(text)) {
            return None;
        }
        self.body.answer(text).filter(|answer| !answer.is_empty())
    }
}

impl Body {
    /// Which of its cases a text is, as the answers to its questions.
    pub(crate) fn case(&self, text: &str) -> Vec<bool> {
        match self {
            Body::Parts(_) => vec![],
            Body::If(test, then, otherwise) => {
                let so = test.holds(text);
                let inner = if so { then } else { otherwise };
                [vec![so], inner.case(text)].concat()
            }
        }
    }

    pub(crate) fn answer(&self, text: &str) -> Option<String> {
        match self {
            Body::If(test, then, _) if test.holds(text) => then.answer(text),
            Body::If(_, _, otherwise) => otherwise.answer(text),
            Body::Parts(parts) => {
                let mut answer = String::new();
                for part in parts {
                    match part {
                        Part::Fixed(fixed) => answer.push_str(fixed),
                        Part::Made(made) => answer.push_str(made.run(text)?.as_text()?),
                    }
                }
                Some(answer)
            }
        }
    }
}

impl Made {
    fn run(&self, text: &str) -> Option<Value> {
        match self {
            Made::Input => Some(Value::Text(text.to_owned())),
            Made::By(step, from) => step.run(&from.run(text)?),
        }
    }
}
