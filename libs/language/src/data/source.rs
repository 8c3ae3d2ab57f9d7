//! A language's folder of YAML files, and how it is written as the Rust source that the program carries.
//!
//! The build script includes this file, so it knows nothing of the crate but what it names here.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

#[path = "source/need.rs"]
pub(crate) mod need;

use need::{Need, Packed, Tables};

/// The files of a language.
const FILES: [&str; 6] = ["words", "intents", "sentences", "wishes", "statements", "need"];

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

/// A language. Words stand in its files in the form in which they are compared.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name of the folder, as in `en`.
    pub(crate) code: String,
    pub(crate) words: Words,
    pub(crate) intents: BTreeMap<String, Vec<String>>,
    pub(crate) says: Says,
    pub(crate) draft: DraftRules,
    pub(crate) statements: Statements,
    pub(crate) need: Need,
}

/// `words.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    pub(crate) decimal_comma: bool,
    pub(crate) markers: Vec<String>,
    pub(crate) lead: Vec<String>,
    pub(crate) trail: Vec<String>,
    /// Said at either end of a line that nothing else takes.
    pub(crate) loose: Vec<String>,
    /// Words that add nothing, wherever they stand.
    pub(crate) fillers: Vec<String>,
    pub(crate) contractions: BTreeMap<String, String>,
    pub(crate) numbers: BTreeMap<String, i64>,
    pub(crate) booleans: BTreeMap<String, bool>,
    pub(crate) and: Vec<String>,
    pub(crate) questions: Vec<String>,
    pub(crate) requests: Vec<String>,
    /// Phrases of a polite request, and what a friend says; a star stands for the beginning of the first word.
    #[serde(default)]
    pub(crate) polite: BTreeMap<String, String>,
    pub(crate) offers: Vec<String>,
    pub(crate) swap: BTreeMap<String, String>,
    pub(crate) quote: Vec<String>,
    pub(crate) ignore: Vec<String>,
    /// Of the other words, those that a fact may lack that is asked for by them.
    pub(crate) soft: Vec<String>,
    /// Words by which a person is the one who does something.
    pub(crate) pronouns: Vec<String>,
    /// Words before the name of a kind of thing, as in `what size`.
    pub(crate) which: Vec<String>,
    /// Words before the first word of a question, as in `at what time`.
    pub(crate) fronted: Vec<String>,
    /// Topic to words for one thing: across languages, words of one topic mean the same.
    pub(crate) same: BTreeMap<String, Vec<String>>,
    /// Topic to words that often stand for one matter: by one of them a fact is found, with a doubt.
    #[serde(default)]
    pub(crate) related: BTreeMap<String, Vec<String>>,
    /// Words for a whole kind, divided by spaces, to those of the kind.
    #[serde(default)]
    pub(crate) wider: BTreeMap<String, Vec<String>>,
    /// The kind of a value to the words that ask for it, and to those that name one beside figures.
    #[serde(default)]
    pub(crate) asked: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(crate) values: BTreeMap<String, Vec<String>>,
    /// Places whose zone is not called after them.
    pub(crate) places: BTreeMap<String, String>,
    /// The systems that a person may prefer, by the beginning of their names, and for a unit of another system the one that is then meant.
    pub(crate) units: BTreeMap<String, BTreeMap<String, String>>,
    /// Letters that only this language of those that there are writes.
    pub(crate) letters: String,
    /// What words mean in a sum, in signs; nothing for words around it.
    pub(crate) sums: BTreeMap<String, String>,
    /// Units and the words around them in a question for an amount, in signs.
    pub(crate) measures: BTreeMap<String, String>,
    /// Days counted from today.
    pub(crate) days: BTreeMap<String, i64>,
    /// Spans of time, as in `14 d`.
    pub(crate) spans: BTreeMap<String, String>,
    /// Days of the year that have a name, as in `12-25`.
    pub(crate) feasts: BTreeMap<String, String>,
    /// Monday first.
    pub(crate) weekdays: Vec<String>,
    pub(crate) months: Vec<String>,
}

/// `wishes.yaml`: how a wish becomes a proposal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftRules {
    pub(crate) stop: Vec<String>,
    pub(crate) common: Vec<String>,
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

/// `statements.yaml`: what statements about the person who types look like. Words stand in it as they are searched for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Statements {
    pub(crate) small: Vec<String>,
    pub(crate) person: Vec<String>,
    pub(crate) glue: Vec<String>,
    pub(crate) lead: Vec<String>,
    pub(crate) join: Vec<String>,
    #[serde(default)]
    pub(crate) again: Vec<String>,
    pub(crate) starts: Vec<String>,
    #[serde(default)]
    pub(crate) elided: Vec<String>,
    #[serde(default)]
    pub(crate) selves: Vec<String>,
    #[serde(default)]
    pub(crate) backs: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) idle: Vec<String>,
    #[serde(default)]
    pub(crate) denials: Vec<String>,
    #[serde(default)]
    pub(crate) links: Vec<String>,
    pub(crate) vague: Vec<String>,
    pub(crate) articles: Vec<String>,
    pub(crate) statements: Vec<Form>,
}

/// A form of a statement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    pub(crate) say: String,
    #[serde(default)]
    pub(crate) about: Option<String>,
    #[serde(default)]
    pub(crate) restate: Option<String>,
    #[serde(default)]
    pub(crate) kind: Kind,
    #[serde(default)]
    pub(crate) skip: bool,
}

/// What kind of thing a statement says.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    #[default]
    Fact,
    Preference,
}

/// Words of all languages as tables of their own, so that a program carries only those that it asks for.
pub(crate) fn emit_shared(all: &[Source]) -> String {
    let table = |name: &str, doc: &str, list: fn(&Source) -> &Vec<String>| {
        let words: BTreeSet<&String> = all.iter().flat_map(list).collect();
        let words = each(words, |word| text(word));
        format!("/// {doc}, sorted.\npub(crate) static {name}: &[&str] = {words};\n")
    };
    table("SMALL", "The small words of every language", |source| &source.statements.small)
        + &table("COMMON", "The words of every language that any wish may contain", |source| {
            &source.draft.common
        })
}

/// What a folder lacks of what another one has: each file's first keys, as `sentences.yaml: gap`.
pub(crate) fn lacking(default: &Path, folder: &Path) -> Vec<String> {
    let keys = |folder: &Path, file: &str| -> BTreeMap<String, IgnoredAny> {
        if folder.join(format!("{file}.yaml")).exists() { read(folder, file) } else { BTreeMap::new() }
    };
    let of_file = |file: &&'static str| {
        let (wanted, present, file) = (keys(default, file), keys(folder, file), *file);
        let absent = wanted.into_keys().filter(move |key| !present.contains_key(key));
        absent.map(move |key| format!("{file}.yaml: {key}"))
    };
    FILES.iter().flat_map(of_file).collect()
}

fn read<T: DeserializeOwned>(folder: &Path, file: &str) -> T {
    let path = folder.join(format!("{file}.yaml"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    documents::yaml::from_own(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

impl Source {
    /// Reads a folder; a file that is missing or wrong stops the build with its name.
    pub(crate) fn read(folder: &Path) -> Source {
        let code = folder.file_name().expect("a language's folder has a name").to_string_lossy().into_owned();
        let [words, intents, sentences, wishes, statements, need] = FILES;
        Source {
            code,
            words: read(folder, words),
            intents: read(folder, intents),
            says: read(folder, sentences),
            draft: read(folder, wishes),
            statements: read(folder, statements),
            need: read(folder, need),
        }
    }

    /// The folder as an expression of the type `Data`.
    pub(crate) fn emit(&self) -> String {
        let file = &self.words;
        let mut out = String::from("Data {\n");
        let mut field = |name: &str, value: String| {
            let _ = writeln!(out, "    {name}: {value},");
        };
        field("code", text(&self.code));
        field("decimal_comma", file.decimal_comma.to_string());
        field("markers", list(&file.markers));
        field("lead", phrases(&file.lead));
        field("trail", phrases(&file.trail));
        field("loose", phrases(&file.loose));
        field("fillers", list(&file.fillers));
        field("contractions", each(&file.contractions, |(k, v)| format!("({k:?}, {})", words(v))));
        field("numbers", each(&file.numbers, |(k, v)| format!("({k:?}, {v})")));
        field("booleans", each(&file.booleans, |(k, v)| format!("({k:?}, {v})")));
        field("and", list(&file.and));
        field("intents", each(&self.intents, |(k, v)| format!("(Kind::{}, {})", camel(k), list(v))));
        field("questions", list(&file.questions));
        field("requests", phrases(&file.requests));
        field("polite", each(&file.polite, |(k, v)| format!("({}, {v:?})", words(k))));
        field("offers", list(&file.offers));
        field("swap", each(&file.swap, |(k, v)| format!("({k:?}, {v:?})")));
        field("quote", list(&file.quote));
        field("ignore", list(&file.ignore));
        field("soft", list(&file.soft));
        field("pronouns", list(&file.pronouns));
        field("which", list(&file.which));
        field("fronted", list(&file.fronted));
        field("same", each(&file.same, |(k, v)| format!("({k:?}, {})", list(v))));
        field("related", each(&file.related, |(k, v)| format!("({k:?}, {})", list(v))));
        field("wider", each(&file.wider, |(k, v)| format!("({}, {})", words(k), list(v))));
        field("asked", each(&file.asked, |(k, v)| format!("({k:?}, {})", phrases(v))));
        field("values", each(&file.values, |(k, v)| format!("({k:?}, {})", list(v))));
        field("places", each(&file.places, |(k, v)| format!("({k:?}, {v:?})")));
        let pairs = |table: &BTreeMap<String, String>| each(table, |(k, v)| format!("({k:?}, {v:?})"));
        field("units", each(&file.units, |(k, v)| format!("({k:?}, {})", pairs(v))));
        field("letters", text(&file.letters));
        field("sums", pairs(&file.sums));
        field("measures", pairs(&file.measures));
        field("spans", pairs(&file.spans));
        field("feasts", pairs(&file.feasts));
        field("days", each(&file.days, |(k, v)| format!("({k:?}, {v})")));
        field("weekdays", list(&file.weekdays));
        field("months", list(&file.months));
        let says = self.says.all().into_iter().map(|(name, said)| format!("{name}: {said:?}"));
        field("says", format!("Says {{ {} }}", says.collect::<Vec<_>>().join(", ")));
        let rule = |rule: &Rule| {
            let (words, tokens, requires) = (phrases(&rule.words), list(&rule.tokens), list(&rule.requires));
            format!(
                "Rule {{ words: {words}, tokens: {tokens}, requires: {requires}, topic: {:?} }}",
                rule.topic
            )
        };
        let (stop, rules) = (list(&self.draft.stop), each(&self.draft.rules, rule));
        field("draft", format!("DraftRules {{ stop: {stop}, rules: {rules} }}"));
        field("statements", self.statements.emit());
        field("need", emit_need(&self.need.tables()));
        out.push('}');
        out
    }
}

impl Statements {
    fn emit(&self) -> String {
        let form = |form: &Form| {
            let Form { say, about, restate, kind, skip } = form;
            let preference = *kind == Kind::Preference;
            format!(
                "Form {{ say: {say:?}, about: {about:?}, restate: {restate:?}, preference: {preference}, skip: {skip} }}"
            )
        };
        let lists = [
            ("person", &self.person),
            ("glue", &self.glue),
            ("join", &self.join),
            ("again", &self.again),
            ("starts", &self.starts),
            ("elided", &self.elided),
            ("selves", &self.selves),
            ("idle", &self.idle),
            ("links", &self.links),
            ("vague", &self.vague),
            ("articles", &self.articles),
        ];
        let lists: String = lists.iter().map(|(name, words)| format!("{name}: {}, ", list(words))).collect();
        let (lead, denials) = (phrases(&self.lead), phrases(&self.denials));
        let forms = each(&self.statements, form);
        let backs = each(&self.backs, |(k, v)| format!("({k:?}, {v:?})"));
        format!("Statements {{ {lists}backs: {backs}, lead: {lead}, denials: {denials}, forms: {forms} }}")
    }
}

fn emit_need(tables: &Tables) -> String {
    let forms = |Packed { text, ends, items, item_ends }: &Packed| {
        format!(
            "need::Forms {{ text: {text:?}, ends: &{ends:?}, items: &{items:?}, item_ends: &{item_ends:?} }}"
        )
    };
    let Tables { forms: all, near, items, groups } = tables;
    let (all, near) = (forms(all), forms(near));
    format!("need::Rules {{ forms: {all}, near: {near}, items: {items}, groups: &{groups:?} }}")
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
