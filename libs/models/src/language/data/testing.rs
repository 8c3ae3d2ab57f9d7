//! A language more, for one test: read from its file while the test runs, as the build reads the others.

use std::cell::Cell;

use super::source::Source;
use super::{ALL, Data, DraftRules, Kind, Rule, Says};

thread_local! {
    static MORE: Cell<Option<&'static [Data]>> = const { Cell::new(None) };
}

/// The languages of this thread, where a test added one.
pub(super) fn more() -> Option<&'static [Data]> {
    MORE.get()
}

/// Adds a language to those of this thread.
pub(crate) fn add(yaml: &str) {
    let shipped = ALL.iter().map(|data| {
        let file = format!("{}/src/language/{}.yaml", env!("CARGO_MANIFEST_DIR"), data.code);
        std::fs::read_to_string(file).unwrap()
    });
    let texts: Vec<String> = shipped.chain([yaml.to_owned()]).collect();
    let all: Vec<Data> = texts.iter().map(|text| data(documents::yaml::from_own(text).unwrap())).collect();
    MORE.set(Some(Vec::leak(all)));
}

fn data(source: Source) -> Data {
    Data {
        code: source.code.leak(),
        decimal_comma: source.decimal_comma,
        markers: words(source.markers),
        lead: phrases(source.lead),
        trail: phrases(source.trail),
        contractions: table(source.contractions, split),
        numbers: table(source.numbers, |n| n),
        booleans: table(source.booleans, |b| b),
        and: words(source.and),
        intents: Vec::leak(source.intents.into_iter().map(|(k, v)| (kind(&k), words(v))).collect()),
        requests: phrases(source.requests),
        offers: words(source.offers),
        swap: table(source.swap, |said| &*said.leak()),
        quote: words(source.quote),
        ignore: words(source.ignore),
        same: table(source.same, words),
        weekdays: words(source.weekdays),
        months: words(source.months),
        says: Says::of(source.says),
        draft: DraftRules {
            stop: words(source.draft.stop),
            rules: Vec::leak(
                source
                    .draft
                    .rules
                    .into_iter()
                    .map(|rule| Rule {
                        words: phrases(rule.words),
                        tokens: words(rule.tokens),
                        requires: words(rule.requires),
                        topic: rule.topic.map(|topic| &*topic.leak()),
                    })
                    .collect(),
            ),
        },
    }
}

fn words(values: Vec<String>) -> &'static [&'static str] {
    Vec::leak(values.into_iter().map(|value| &*value.leak()).collect())
}

fn split(text: String) -> &'static [&'static str] {
    words(text.split(' ').map(str::to_owned).collect())
}

fn phrases(values: Vec<String>) -> &'static [&'static [&'static str]] {
    Vec::leak(values.into_iter().map(split).collect())
}

fn table<V, T>(
    values: std::collections::BTreeMap<String, V>,
    made: impl Fn(V) -> T,
) -> &'static [(&'static str, T)] {
    Vec::leak(values.into_iter().map(|(key, value)| (&*key.leak(), made(value))).collect())
}

fn kind(name: &str) -> Kind {
    let kinds = [
        ("learn", Kind::Learn),
        ("none", Kind::None),
        ("confirm", Kind::Confirm),
        ("decline", Kind::Decline),
        ("remember", Kind::Remember),
        ("forget", Kind::Forget),
        ("recall", Kind::Recall),
        ("greeting", Kind::Greeting),
        ("thanks", Kind::Thanks),
        ("goodbye", Kind::Goodbye),
        ("capabilities", Kind::Capabilities),
        ("limits", Kind::Limits),
        ("who-are-you", Kind::WhoAreYou),
        ("how-are-you", Kind::HowAreYou),
    ];
    kinds.into_iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no intent `{name}`")).1
}
