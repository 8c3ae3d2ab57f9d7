//! A language's YAML file, and how it is written as the Rust source that the program carries.
//!
//! The build script includes this file, so it knows nothing of the crate but what it names here.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

macro_rules! sentences {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// The sentences of a language.
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "kebab-case", deny_unknown_fields)]
        pub(crate) struct Says {
            $($(#[$doc])+ pub(crate) $name: String,)+
        }

        impl Says {
            /// Every sentence with the name of its field.
            pub(crate) fn all(&self) -> Vec<(&'static str, &str)> {
                vec![$((stringify!($name), self.$name.as_str()),)+]
            }
        }
    };
}
include!("sentences.rs");

/// A language's file. Words stand in it in the form in which they are compared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Source {
    pub(crate) code: String,
    pub(crate) decimal_comma: bool,
    pub(crate) markers: Vec<String>,
    pub(crate) lead: Vec<String>,
    pub(crate) trail: Vec<String>,
    pub(crate) contractions: BTreeMap<String, String>,
    pub(crate) numbers: BTreeMap<String, i64>,
    pub(crate) booleans: BTreeMap<String, bool>,
    pub(crate) and: Vec<String>,
    pub(crate) intents: BTreeMap<String, Vec<String>>,
    pub(crate) requests: Vec<String>,
    pub(crate) offers: Vec<String>,
    pub(crate) swap: BTreeMap<String, String>,
    pub(crate) quote: Vec<String>,
    pub(crate) ignore: Vec<String>,
    /// Topic to words for one thing: across languages, words of one topic mean the same.
    pub(crate) same: BTreeMap<String, Vec<String>>,
    /// Monday first.
    pub(crate) weekdays: Vec<String>,
    pub(crate) months: Vec<String>,
    pub(crate) says: Says,
    pub(crate) draft: DraftRules,
}

/// How a wish becomes a proposal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftRules {
    pub(crate) stop: Vec<String>,
    pub(crate) rules: Vec<Rule>,
}

/// Words of a wish, and what they ask for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub(crate) words: Vec<String>,
    pub(crate) tokens: Vec<String>,
    #[serde(default)]
    pub(crate) requires: Vec<String>,
    #[serde(default)]
    pub(crate) topic: Option<String>,
}

impl Source {
    /// The file as an expression of the type `Data`.
    pub(crate) fn emit(&self) -> String {
        let mut out = String::from("Data {\n");
        let mut field = |name: &str, value: String| {
            let _ = writeln!(out, "    {name}: {value},");
        };
        field("code", text(&self.code));
        field("decimal_comma", self.decimal_comma.to_string());
        field("markers", list(&self.markers));
        field("lead", phrases(&self.lead));
        field("trail", phrases(&self.trail));
        field("contractions", each(&self.contractions, |(k, v)| format!("({k:?}, {})", words(v))));
        field("numbers", each(&self.numbers, |(k, v)| format!("({k:?}, {v})")));
        field("booleans", each(&self.booleans, |(k, v)| format!("({k:?}, {v})")));
        field("and", list(&self.and));
        field("intents", each(&self.intents, |(k, v)| format!("(Kind::{}, {})", camel(k), list(v))));
        field("requests", phrases(&self.requests));
        field("offers", list(&self.offers));
        field("swap", each(&self.swap, |(k, v)| format!("({k:?}, {v:?})")));
        field("quote", list(&self.quote));
        field("ignore", list(&self.ignore));
        field("same", each(&self.same, |(k, v)| format!("({k:?}, {})", list(v))));
        field("weekdays", list(&self.weekdays));
        field("months", list(&self.months));
        let says = self.says.all().into_iter().map(|(name, said)| format!("{name}: {said:?}"));
        field("says", format!("Says {{ {} }}", says.collect::<Vec<_>>().join(", ")));
        let rule = |rule: &Rule| {
            let topic = rule.topic.as_ref().map_or("None".to_owned(), |t| format!("Some({t:?})"));
            let (words, tokens, requires) = (phrases(&rule.words), list(&rule.tokens), list(&rule.requires));
            format!("Rule {{ words: {words}, tokens: {tokens}, requires: {requires}, topic: {topic} }}")
        };
        let (stop, rules) = (list(&self.draft.stop), each(&self.draft.rules, rule));
        field("draft", format!("DraftRules {{ stop: {stop}, rules: {rules} }}"));
        out.push('}');
        out
    }
}

fn text(value: &str) -> String {
    format!("{value:?}")
}

fn each<T>(values: impl IntoIterator<Item = T>, one: impl Fn(T) -> String) -> String {
    let parts: Vec<String> = values.into_iter().map(one).collect();
    format!("&[{}]", parts.join(", "))
}

fn list(values: &[String]) -> String {
    each(values, |value| text(value))
}

fn words(value: &str) -> String {
    each(value.split(' '), text)
}

fn phrases(values: &[String]) -> String {
    each(values, |value| words(value))
}

/// `who-are-you` as the name of a variant.
fn camel(name: &str) -> String {
    name.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}
