//! A language's folder of YAML files, and how it is written as the Rust source that the program carries.
//!
//! The build script includes this file, so it knows nothing of the crate but what it names here. Lists are written as
//! `packed.rs` reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

#[path = "source/first.rs"]
pub(crate) mod first;
#[path = "source/need.rs"]
pub(crate) mod need;
#[path = "source/symbols.rs"]
pub(crate) mod symbols;

use need::{Need, Packed, Tables};

use crate::start;

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
    /// Words of a vague time before or behind it, and exact ones; nothing for those that add nothing.
    #[serde(default)]
    pub(crate) vague_times: BTreeMap<String, String>,
    /// Said where what stands behind takes the place of what stands before, as in `I mean`.
    #[serde(default)]
    pub(crate) afterthoughts: Vec<String>,
    /// What is said before a question that is asked indirectly, as in `can you tell me where it is`.
    #[serde(default)]
    pub(crate) indirect: Vec<String>,
    /// Words that do something on their own, and verbs that change places with them in a question.
    #[serde(default)]
    pub(crate) subjects: Vec<String>,
    #[serde(default)]
    pub(crate) verbs: Vec<String>,
    pub(crate) offers: Vec<String>,
    pub(crate) swap: BTreeMap<String, String>,
    pub(crate) quote: Vec<String>,
    pub(crate) ignore: Vec<String>,
    /// Of the other words, those that a fact may lack that is asked for by them.
    pub(crate) soft: Vec<String>,
    /// Words by which a person is the one who does something.
    pub(crate) pronouns: Vec<String>,
    /// Verbs before one of them, behind which somebody else may stand.
    #[serde(default)]
    pub(crate) modals: Vec<String>,
    /// Words before the name of a kind of thing, as in `what size`.
    pub(crate) which: Vec<String>,
    /// Words before the first word of a question, as in `at what time`.
    pub(crate) fronted: Vec<String>,
    /// Words with which a remark begins, which asks for nothing.
    #[serde(default)]
    pub(crate) openers: Vec<String>,
    /// Words for several people to those for one, divided by spaces: what may be asked for one may be asked for them.
    #[serde(default)]
    pub(crate) ours: BTreeMap<String, String>,
    /// Words that ask.
    #[serde(default)]
    pub(crate) asking: Vec<String>,
    /// First words of a line that forbids or denies something, which would be a question otherwise.
    #[serde(default)]
    pub(crate) forbids: Vec<String>,
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
    /// Parts of a day, as in `8 h`, and the small words around a moment that somebody is to be reminded at.
    pub(crate) moments: BTreeMap<String, String>,
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
    #[serde(default)]
    pub(crate) tells: Vec<String>,
    #[serde(default)]
    pub(crate) addressed: Vec<String>,
    #[serde(default)]
    pub(crate) remarks: Vec<String>,
    #[serde(default)]
    pub(crate) tails: Vec<String>,
    #[serde(default)]
    pub(crate) noun_capitals: bool,
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
        let words: Vec<&String> = words.into_iter().collect();
        format!("/// {doc}, sorted.\npub(crate) static {name}: &[&str] = &{words:?};\n")
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
    // By way of a tree: compiled for each of the types, the parser takes a minute of every build.
    documents::yaml::from_program(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
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
        field("code", format!("{:?}", self.code));
        field("decimal_comma", file.decimal_comma.to_string());
        field("letters", format!("{:?}", file.letters));
        field("weekdays", format!("&{:?}", file.weekdays));
        field("months", format!("&{:?}", file.months));
        let lists = [
            ("markers", list(&file.markers)),
            ("lead", phrases(&file.lead)),
            ("trail", phrases(&file.trail)),
            ("loose", phrases(&file.loose)),
            ("fillers", list(&file.fillers)),
            ("contractions", table(&file.contractions, |said| words(said))),
            ("numbers", table(&file.numbers, i64::to_string)),
            ("booleans", table(&file.booleans, bool::to_string)),
            ("and", list(&file.and)),
            ("questions", list(&file.questions)),
            ("requests", phrases(&file.requests)),
            ("polite", table_by(&file.polite, words, String::clone)),
            ("vague_times", table_by(&file.vague_times, words, String::clone)),
            ("afterthoughts", phrases(&file.afterthoughts)),
            ("indirect", phrases(&file.indirect)),
            ("subjects", list(&file.subjects)),
            ("verbs", list(&file.verbs)),
            ("offers", list(&file.offers)),
            ("swap", table(&file.swap, String::clone)),
            ("quote", list(&file.quote)),
            ("ignore", list(&file.ignore)),
            ("soft", list(&file.soft)),
            ("pronouns", list(&file.pronouns)),
            ("modals", list(&file.modals)),
            ("which", list(&file.which)),
            ("fronted", list(&file.fronted)),
            ("openers", list(&file.openers)),
            ("ours", table(&file.ours, String::clone)),
            ("asking", list(&file.asking)),
            ("forbids", phrases(&file.forbids)),
            ("same", table(&file.same, |words| list(words))),
            ("related", table(&file.related, |words| list(words))),
            ("wider", table_by(&file.wider, words, |words| list(words))),
            ("asked", table(&file.asked, |ways| phrases(ways))),
            ("values", table(&file.values, |words| list(words))),
            ("places", table(&file.places, String::clone)),
            ("units", table(&file.units, |units| table(units, String::clone))),
            ("sums", table(&file.sums, String::clone)),
            ("measures", table(&file.measures, String::clone)),
            ("spans", table(&file.spans, String::clone)),
            ("feasts", table(&file.feasts, String::clone)),
            ("moments", table(&file.moments, String::clone)),
            ("days", table(&file.days, i64::to_string)),
        ];
        lists.iter().for_each(|(name, list)| field(name, packed(list)));
        let intents = self.intents();
        let kinds = intents.kinds.iter().map(|(kind, end)| format!("(Kind::{}, {end})", camel(kind)));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let [taken, starts, symbols] =
            [&intents.texts, &intents.starts, &intents.packed.symbols].map(|t| texts(t));
        let symbols::Symbols { bytes, lengths, starts: blocks, .. } = &intents.packed;
        let patterns = format!(
            "crate::packed::Packed {{ bytes: b\"{}\", lengths: &{lengths:?}, starts: &{blocks:?}, symbols: {symbols} }}",
            bytes.escape_ascii()
        );
        let (takes, needs) = (&intents.takes, &intents.needs);
        field(
            "intents",
            format!(
                "Intents {{ patterns: {patterns}, takes: &{takes:?}, texts: {taken}, kinds: &[{kinds}], starts: {starts}, needs: &{needs:?} }}"
            ),
        );
        let says = self.says.all().into_iter().map(|(name, said)| format!("{name}: {said:?}"));
        field("says", format!("Says {{ {} }}", says.collect::<Vec<_>>().join(", ")));
        let (stop, rules) = (packed(&list(&self.draft.stop)), packed(&self.draft.pack()));
        field("draft", format!("DraftRules {{ stop: {stop}, rules: {rules} }}"));
        field("statements", self.statements.emit());
        field("need", emit_need(&self.need.tables()));
        out.push('}');
        out
    }
}

/// The sentence patterns of a language, as `data::Intents` holds them.
#[derive(Default)]
pub(crate) struct Intents {
    pub(crate) patterns: Vec<String>,
    pub(crate) takes: Vec<usize>,
    pub(crate) texts: Vec<String>,
    pub(crate) kinds: Vec<(String, usize)>,
    pub(crate) starts: Vec<String>,
    pub(crate) needs: Vec<[u8; 2]>,
    pub(crate) packed: symbols::Symbols,
}

impl Source {
    /// The tables of the sentence patterns; a text that several of them take stands there once.
    pub(crate) fn intents(&self) -> Intents {
        let mut made = Intents { starts: vec![String::new(); start::CLASSES + 1], ..Intents::default() };
        let mut needed = Vec::new();
        for (kind, lines) in &self.intents {
            for line in lines {
                let (pattern, take) =
                    line.split_once("=>").map_or((line.as_str(), None), |(p, t)| (p, Some(t.trim())));
                let number = u32::try_from(made.patterns.len()).ok().and_then(char::from_u32);
                let number = number.expect("a language has fewer patterns than there are characters");
                let first = first::first_words(pattern);
                let classes = first.map(|words| words.iter().map(|word| start::class(word)).collect());
                let classes: BTreeSet<usize> = classes.unwrap_or_else(|| [start::CLASSES].into());
                classes.into_iter().for_each(|class| made.starts[class].push(number));
                needed.push(first::needed_words(pattern));
                made.patterns.push(pattern.trim().to_owned());
                made.takes.push(take.map_or(0, |take| place_of(&mut made.texts, take) + 1));
            }
            made.kinds.push((kind.clone(), made.patterns.len()));
        }
        made.needs = needs(&made.patterns, &needed);
        made.packed = symbols::pack(&made.patterns);
        made
    }
}

/// For each pattern the classes of the two words at most of which a line must have one: those that the fewest patterns need. The word
/// that a pattern begins with finds it anyway.
fn needs(patterns: &[String], needed: &[Vec<Vec<String>>]) -> Vec<[u8; 2]> {
    let class = |word: &String| start::class(word);
    let mut common = [0_u32; start::CLASSES];
    needed.iter().flatten().flatten().for_each(|word| common[class(word)] += 1);
    let pairs = needed.iter().zip(patterns).map(|(items, pattern)| {
        let begins = usize::from(!pattern.starts_with(['[', '{', '*']));
        let few = items.iter().skip(begins).filter(|choices| choices.len() <= 2);
        let rarest = few.min_by_key(|choices| choices.iter().map(|word| common[class(word)]).sum::<u32>());
        let byte = |word: &String| u8::try_from(class(word)).expect("a class is a byte");
        rarest.map_or(start::ANY, |choices| [byte(&choices[0]), byte(&choices[choices.len() - 1])])
    });
    pairs.collect()
}

/// The place of a text among others, which it is put behind if it is new.
fn place_of(texts: &mut Vec<String>, text: &str) -> usize {
    texts.iter().position(|known| known == text).unwrap_or_else(|| {
        texts.push(text.to_owned());
        texts.len() - 1
    })
}

impl DraftRules {
    /// The rules as a list.
    pub(crate) fn pack(&self) -> String {
        let rule = |rule: &Rule| {
            let topic = rule.topic.as_deref().unwrap_or_default();
            list([phrases(&rule.words), list(&rule.tokens), list(&rule.requires), topic.to_owned()])
        };
        self.rules.iter().map(rule).collect()
    }
}

impl Statements {
    fn emit(&self) -> String {
        let lists = [
            ("person", list(&self.person)),
            ("glue", list(&self.glue)),
            ("join", list(&self.join)),
            ("again", list(&self.again)),
            ("starts", list(&self.starts)),
            ("elided", list(&self.elided)),
            ("selves", list(&self.selves)),
            ("backs", table(&self.backs, String::clone)),
            ("idle", list(&self.idle)),
            ("links", list(&self.links)),
            ("vague", list(&self.vague)),
            ("articles", list(&self.articles)),
            ("tells", list(&self.tells)),
            ("addressed", list(&self.addressed)),
            ("remarks", list(&self.remarks)),
            ("tails", phrases(&self.tails)),
            ("lead", phrases(&self.lead)),
            ("denials", phrases(&self.denials)),
            ("forms", self.pack()),
        ];
        let lists = lists.iter().map(|(name, list)| format!("{name}: {}", packed(list)));
        let lists = lists.collect::<Vec<_>>().join(", ");
        format!("Statements {{ noun_capitals: {}, {lists} }}", self.noun_capitals)
    }

    /// The forms as a list.
    pub(crate) fn pack(&self) -> String {
        let form = |form: &Form| {
            let preference = if form.kind == Kind::Preference { "p" } else { "" };
            let kind = format!("{preference}{}", if form.skip { "s" } else { "" });
            let given = |text: &Option<String>| text.clone().unwrap_or_default();
            list([form.say.clone(), given(&form.about), given(&form.restate), kind])
        };
        self.statements.iter().map(form).collect()
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

fn packed(list: &str) -> String {
    format!("List::of({})", quoted(list))
}

/// A text as a literal; a zero before a digit would look like an octal escape.
fn quoted(text: &str) -> String {
    let parts = text.split('\0').map(|part| part.escape_debug().to_string());
    format!("\"{}\"", parts.collect::<Vec<_>>().join("\\u{0}"))
}

/// Texts of which each can be taken alone.
fn texts(values: &[String]) -> String {
    format!("Texts {{ text: {}, ends: &{:?} }}", quoted(&values.concat()), ends(values))
}

/// Where each text ends when they stand one behind the other.
pub(crate) fn ends(values: &[String]) -> Vec<usize> {
    let ends = values.iter().scan(0, |end, text| {
        *end += text.len();
        Some(*end)
    });
    ends.collect()
}

/// An entry of a list, as `packed.rs` reads it.
fn entry(text: &str) -> String {
    let digits = (0..4).rev().map(|place| text.len() >> (6 * place)).skip_while(|left| *left == 0);
    let mut digits: Vec<usize> = digits.map(|left| left & 63).collect();
    let last = digits.pop().unwrap_or_default();
    let digits = digits.into_iter().map(|digit| digit | 64).chain([last]);
    digits.filter_map(|digit| u8::try_from(digit).ok()).map(char::from).chain(text.chars()).collect()
}

/// Texts as a list.
pub(crate) fn list(values: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    values.into_iter().map(|value| entry(value.as_ref())).collect()
}

/// The words of a phrase as a list.
pub(crate) fn words(phrase: &str) -> String {
    list(phrase.split(' '))
}

/// Phrases as a list of lists of words.
pub(crate) fn phrases(values: &[String]) -> String {
    values.iter().map(|phrase| entry(&words(phrase))).collect()
}

/// Keys and what stands beside them as a list.
pub(crate) fn table<V>(values: &BTreeMap<String, V>, value: impl Fn(&V) -> String) -> String {
    table_by(values, str::to_owned, value)
}

/// The same, with keys that are lists themselves.
pub(crate) fn table_by<V>(
    values: &BTreeMap<String, V>,
    key: impl Fn(&str) -> String,
    value: impl Fn(&V) -> String,
) -> String {
    values.iter().map(|(known, beside)| entry(&key(known)) + &entry(&value(beside))).collect()
}

/// `who-are-you` as the name of a variant.
fn camel(name: &str) -> String {
    name.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}
