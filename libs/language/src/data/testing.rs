//! A language more, for one test: read from its folder while the test runs, as the build reads the others.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;

use super::source::{self, Source};
use super::{ALL, Data, DraftRules, Intents, Kind, List, Packed, Says, Statements, Texts, need};

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
    let made = source.intents();
    let end = |end: usize| u16::try_from(end).unwrap();
    let intents = Intents {
        patterns: Packed {
            bytes: Vec::leak(made.packed.bytes),
            lengths: Vec::leak(made.packed.lengths),
            starts: Vec::leak(made.packed.starts.into_iter().map(|at| u32::try_from(at).unwrap()).collect()),
            symbols: texts(&made.packed.symbols),
        },
        takes: Vec::leak(made.takes.into_iter().map(end).collect()),
        texts: texts(&made.texts),
        kinds: Vec::leak(made.kinds.iter().map(|(name, at)| (kind(name), end(*at))).collect()),
        starts: texts(&made.starts),
        needs: Vec::leak(made.needs),
    };
    let file = source.words;
    Data {
        code: source.code.leak(),
        decimal_comma: file.decimal_comma,
        markers: words(&file.markers),
        lead: phrases(&file.lead),
        trail: phrases(&file.trail),
        loose: phrases(&file.loose),
        fillers: words(&file.fillers),
        contractions: table(&file.contractions, |said| source::list(said.split(' '))),
        numbers: table(&file.numbers, i64::to_string),
        booleans: table(&file.booleans, bool::to_string),
        and: words(&file.and),
        intents,
        questions: words(&file.questions),
        requests: phrases(&file.requests),
        polite: list(source::table_by(&file.polite, source::words, String::clone)),
        vague_times: list(source::table_by(&file.vague_times, source::words, String::clone)),
        afterthoughts: phrases(&file.afterthoughts),
        indirect: phrases(&file.indirect),
        subjects: words(&file.subjects),
        verbs: words(&file.verbs),
        offers: words(&file.offers),
        swap: table(&file.swap, String::clone),
        quote: words(&file.quote),
        ignore: words(&file.ignore),
        soft: words(&file.soft),
        pronouns: words(&file.pronouns),
        modals: words(&file.modals),
        which: words(&file.which),
        fronted: words(&file.fronted),
        openers: words(&file.openers),
        ours: table(&file.ours, String::clone),
        asking: words(&file.asking),
        forbids: phrases(&file.forbids),
        same: table(&file.same, |words| source::list(words)),
        related: table(&file.related, |words| source::list(words)),
        wider: list(source::table_by(&file.wider, source::words, |words| source::list(words))),
        asked: table(&file.asked, |ways| source::phrases(ways)),
        values: table(&file.values, |words| source::list(words)),
        places: table(&file.places, String::clone),
        units: table(&file.units, |units| source::table(units, String::clone)),
        letters: file.letters.leak(),
        sums: table(&file.sums, String::clone),
        measures: table(&file.measures, String::clone),
        spans: table(&file.spans, String::clone),
        feasts: table(&file.feasts, String::clone),
        moments: table(&file.moments, String::clone),
        days: table(&file.days, i64::to_string),
        weekdays: names(file.weekdays),
        months: names(file.months),
        says: Says::of(source.says),
        draft: DraftRules { stop: words(&source.draft.stop), rules: list(source.draft.pack()) },
        statements: statements(&source.statements),
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

fn statements(from: &source::Statements) -> Statements {
    Statements {
        person: words(&from.person),
        glue: words(&from.glue),
        join: words(&from.join),
        again: words(&from.again),
        starts: words(&from.starts),
        elided: words(&from.elided),
        selves: words(&from.selves),
        backs: table(&from.backs, String::clone),
        idle: words(&from.idle),
        denials: phrases(&from.denials),
        links: words(&from.links),
        vague: words(&from.vague),
        articles: words(&from.articles),
        tells: words(&from.tells),
        addressed: words(&from.addressed),
        remarks: words(&from.remarks),
        tails: phrases(&from.tails),
        noun_capitals: from.noun_capitals,
        lead: phrases(&from.lead),
        forms: list(from.pack()),
    }
}

fn list<T>(packed: String) -> List<T> {
    List::of(packed.leak())
}

fn texts(values: &[String]) -> Texts {
    let ends = source::ends(values).into_iter().map(|end| u32::try_from(end).unwrap());
    Texts { text: values.concat().leak(), ends: Vec::leak(ends.collect()) }
}

fn words(values: &[String]) -> List<&'static str> {
    list(source::list(values))
}

fn phrases(values: &[String]) -> List<List<&'static str>> {
    list(source::phrases(values))
}

fn table<V, T>(values: &BTreeMap<String, V>, value: impl Fn(&V) -> String) -> List<(&'static str, T)> {
    list(source::table(values, value))
}

fn names(values: Vec<String>) -> &'static [&'static str] {
    Vec::leak(values.into_iter().map(|value| &*value.leak()).collect())
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
        ("perhaps", Kind::Perhaps),
        ("wished", Kind::Wished),
        ("able", Kind::Able),
        ("knock", Kind::Knock),
        ("remind", Kind::Remind),
        ("of-file", Kind::OfFile),
        ("again", Kind::Again),
        ("repeat", Kind::Repeat),
        ("too-late", Kind::TooLate),
    ];
    kinds.into_iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no intent `{name}`")).1
}
