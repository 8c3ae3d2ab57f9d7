//! A language more, for one test: read from its folder while the test runs, as the build reads the others.

use std::cell::Cell;
use std::path::Path;

use super::source::{self, Source};
use super::{ALL, Data, DraftRules, Form, Kind, Rule, Says, Statements, need};

thread_local! {
    static MORE: Cell<Option<&'static [Data]>> = const { Cell::new(None) };
}

/// The languages of this thread, where a test added one.
pub(super) fn more() -> Option<&'static [Data]> {
    MORE.get()
}

/// Adds the language of a folder to those of this thread.
pub(crate) fn add(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped = ALL.iter().map(|data| root.join("data").join(data.code));
    let all = shipped.chain([root.join(folder)]).map(|folder| data(Source::read(&folder)));
    MORE.set(Some(Vec::leak(all.collect())));
}

fn data(source: Source) -> Data {
    let file = source.words;
    Data {
        code: source.code.leak(),
        decimal_comma: file.decimal_comma,
        markers: words(file.markers),
        lead: phrases(file.lead),
        trail: phrases(file.trail),
        loose: phrases(file.loose),
        fillers: words(file.fillers),
        contractions: table(file.contractions, split),
        numbers: table(file.numbers, |n| n),
        booleans: table(file.booleans, |b| b),
        and: words(file.and),
        intents: Vec::leak(source.intents.into_iter().map(|(k, v)| (kind(&k), words(v))).collect()),
        questions: words(file.questions),
        requests: phrases(file.requests),
        polite: Vec::leak(
            file.polite.into_iter().map(|(said, plain)| (split(said), &*plain.leak())).collect(),
        ),
        offers: words(file.offers),
        swap: table(file.swap, |said| &*said.leak()),
        quote: words(file.quote),
        ignore: words(file.ignore),
        soft: words(file.soft),
        pronouns: words(file.pronouns),
        which: words(file.which),
        fronted: words(file.fronted),
        same: table(file.same, words),
        related: table(file.related, words),
        wider: Vec::leak(file.wider.into_iter().map(|(whole, of)| (split(whole), words(of))).collect()),
        asked: table(file.asked, phrases),
        values: table(file.values, words),
        places: table(file.places, |zone| &*zone.leak()),
        units: table(file.units, |units| table(units, |unit| &*unit.leak())),
        letters: file.letters.leak(),
        sums: table(file.sums, |signs| &*signs.leak()),
        measures: table(file.measures, |signs| &*signs.leak()),
        spans: table(file.spans, |span| &*span.leak()),
        feasts: table(file.feasts, |day| &*day.leak()),
        days: table(file.days, |day| day),
        weekdays: words(file.weekdays),
        months: words(file.months),
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
        statements: statements(source.statements),
        need: need(source.need.tables()),
    }
}

fn need(from: source::need::Tables) -> need::Rules {
    let forms = |packed: source::need::Packed| need::Forms {
        text: packed.text.leak(),
        ends: packed.ends.leak(),
        items: packed.items.leak(),
        item_ends: packed.item_ends.leak(),
    };
    need::Rules {
        forms: forms(from.forms),
        near: forms(from.near),
        items: from.items,
        groups: from.groups.leak(),
    }
}

fn statements(from: source::Statements) -> Statements {
    let form = |form: source::Form| Form {
        say: form.say.leak(),
        about: form.about.map(|about| &*about.leak()),
        restate: form.restate.map(|restate| &*restate.leak()),
        preference: form.kind == source::Kind::Preference,
        skip: form.skip,
    };
    Statements {
        person: words(from.person),
        glue: words(from.glue),
        join: words(from.join),
        again: words(from.again),
        starts: words(from.starts),
        elided: words(from.elided),
        selves: words(from.selves),
        backs: table(from.backs, |form| &*form.leak()),
        idle: words(from.idle),
        denials: phrases(from.denials),
        links: words(from.links),
        vague: words(from.vague),
        articles: words(from.articles),
        lead: phrases(from.lead),
        forms: Vec::leak(from.statements.into_iter().map(form).collect()),
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
        ("about-you", Kind::AboutYou),
        ("feeling", Kind::Feeling),
        ("learn-what", Kind::LearnWhat),
        ("order", Kind::Order),
        ("forget-all", Kind::ForgetAll),
        ("forget-which", Kind::ForgetWhich),
        ("past", Kind::Past),
        ("proposals", Kind::Proposals),
        ("privacy", Kind::Privacy),
        ("which-file", Kind::WhichFile),
        ("can-you-hear", Kind::CanYouHear),
        ("fun", Kind::Fun),
        ("comfort", Kind::Comfort),
        ("joy", Kind::Joy),
        ("advice", Kind::Advice),
        ("unclear", Kind::Unclear),
        ("sorry", Kind::Sorry),
        ("workflows", Kind::Workflows),
        ("learning", Kind::Learning),
        ("named-workflow", Kind::NamedWorkflow),
        ("about", Kind::About),
        ("seek", Kind::Seek),
        ("take-back", Kind::TakeBack),
        ("correct", Kind::Correct),
        ("correct-after-no", Kind::CorrectAfterNo),
        ("ended", Kind::Ended),
        ("how-to", Kind::HowTo),
        ("how-to-avoid", Kind::HowToAvoid),
        ("follow-up", Kind::FollowUp),
        ("bypass", Kind::Bypass),
        ("harm", Kind::Harm),
        ("no-sound", Kind::NoSound),
        ("no-mail", Kind::NoMail),
        ("no-timer", Kind::NoTimer),
        ("no-translate", Kind::NoTranslate),
        ("no-web", Kind::NoWeb),
        ("no-order", Kind::NoOrder),
        ("no-devices", Kind::NoDevices),
        ("no-delete", Kind::NoDelete),
        ("lists", Kind::Lists),
        ("files", Kind::Files),
        ("sums", Kind::Sums),
        ("dated", Kind::Dated),
        ("aged", Kind::Aged),
        ("otherwise", Kind::Otherwise),
        ("jotted", Kind::Jotted),
        ("of-file", Kind::OfFile),
        ("again", Kind::Again),
        ("repeat", Kind::Repeat),
        ("too-late", Kind::TooLate),
    ];
    kinds.into_iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no intent `{name}`")).1
}
