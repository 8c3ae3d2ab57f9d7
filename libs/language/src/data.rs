//! The tables of every language, made from the YAML files when the program is built.

pub(crate) mod need;
#[cfg(test)]
pub(crate) mod source;

macro_rules! sentences {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// What the program says in a language; `{...}` is filled in by [`fill`](crate::fill).
        #[derive(Debug)]
        pub struct Says {
            $($(#[$doc])+ pub $name: &'static str,)+
        }

        #[cfg(test)]
        impl Says {
            /// The sentences of a file that is read while a test runs.
            pub(crate) fn of(source: source::Says) -> Says {
                Says { $($name: source.$name.leak(),)+ }
            }

            /// Every sentence with the name of its field.
            pub(crate) fn all(&self) -> Vec<(&'static str, &'static str)> {
                vec![$((stringify!($name), self.$name),)+]
            }
        }
    };
}
include!("data/sentences.rs");

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// A word, or a few of them.
type Words = &'static [&'static str];

/// A language. Words stand in it in the form in which they are compared.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) code: &'static str,
    pub(crate) decimal_comma: bool,
    pub(crate) markers: Words,
    pub(crate) lead: &'static [Words],
    pub(crate) trail: &'static [Words],
    pub(crate) loose: &'static [Words],
    pub(crate) fillers: Words,
    pub(crate) contractions: &'static [(&'static str, Words)],
    pub(crate) numbers: &'static [(&'static str, i64)],
    pub(crate) booleans: &'static [(&'static str, bool)],
    pub(crate) and: Words,
    pub(crate) intents: &'static [(Kind, Words)],
    pub(crate) questions: Words,
    pub(crate) requests: &'static [Words],
    pub(crate) polite: &'static [(Words, &'static str)],
    pub(crate) offers: Words,
    pub(crate) swap: &'static [(&'static str, &'static str)],
    pub(crate) quote: Words,
    pub(crate) ignore: Words,
    pub(crate) soft: Words,
    pub(crate) pronouns: Words,
    pub(crate) which: Words,
    pub(crate) fronted: Words,
    pub(crate) same: &'static [(&'static str, Words)],
    pub(crate) related: &'static [(&'static str, Words)],
    pub(crate) wider: &'static [(Words, Words)],
    pub(crate) asked: &'static [(&'static str, &'static [Words])],
    pub(crate) values: &'static [(&'static str, Words)],
    pub(crate) places: &'static [(&'static str, &'static str)],
    pub(crate) units: &'static [(&'static str, &'static [(&'static str, &'static str)])],
    pub(crate) letters: &'static str,
    pub(crate) sums: &'static [(&'static str, &'static str)],
    pub(crate) measures: &'static [(&'static str, &'static str)],
    pub(crate) days: &'static [(&'static str, i64)],
    pub(crate) spans: &'static [(&'static str, &'static str)],
    pub(crate) feasts: &'static [(&'static str, &'static str)],
    pub(crate) weekdays: Words,
    pub(crate) months: Words,
    pub(crate) says: Says,
    pub(crate) draft: DraftRules,
    pub(crate) statements: Statements,
    pub(crate) need: need::Rules,
}

/// The kinds of intent that patterns are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Learn,
    /// Looks like a wish and is none.
    None,
    Confirm,
    Decline,
    Remember,
    Forget,
    Recall,
    Greeting,
    Thanks,
    Goodbye,
    Capabilities,
    Limits,
    WhoAreYou,
    HowAreYou,
    AboutYou,
    Feeling,
    LearnWhat,
    Order,
    ForgetAll,
    ForgetWhich,
    Past,
    Proposals,
    Privacy,
    WhichFile,
    CanYouHear,
    Fun,
    Comfort,
    Joy,
    Advice,
    Unclear,
    Sorry,
    Workflows,
    Learning,
    // Behind a verb such as `run`: what names a workflow and no command.
    NamedWorkflow,
    // Asks for all that was told about somebody or something.
    About,
    // Wants something that may have been told, without a question.
    Seek,
    // Takes back what was told just now.
    TakeBack,
    // Corrects what was told just now; behind a `no` a bare value does, too.
    Correct,
    CorrectAfterNo,
    // Says that something told is so no longer.
    Ended,
    // Asks how something is done, and how something is kept from being done.
    HowTo,
    HowToAvoid,
    // What goes on from the line before; with those behind it no intent of a line.
    FollowUp,
    // What a wish is refused for.
    Bypass,
    Harm,
    NoSound,
    NoMail,
    NoTimer,
    NoTranslate,
    NoWeb,
    NoOrder,
    NoDevices,
    NoDelete,
    // A line about what is kept here: it needs no mail, shop or device.
    Lists,
    Files,
    // A sum in prose, and what it comes to.
    Sums,
    // A question for the time until something that was told.
    Dated,
    // A question for the age of somebody whose birth was told.
    Aged,
    // The same as another line, which a tool knows.
    Otherwise,
    // The same, where a colon stands in the line.
    Jotted,
    // The same for a file that was used just now: `add a line to it`.
    OfFile,
    // What was asked last is to be done again, said again, or undone.
    Again,
    Repeat,
    TooLate,
}

/// What statements about the person who types look like. Words stand in it as [`terms::fold`](crate::terms::fold) gives them.
#[derive(Debug)]
pub struct Statements {
    /// Words by which a person speaks of themselves.
    pub person: Words,
    /// Words with which anything is said about anybody.
    pub glue: Words,
    /// Words at which a sentence is divided when one of `starts` follows.
    pub join: Words,
    /// Words with which what is told goes on behind one of `join`: `that`.
    pub again: Words,
    /// Words that begin a statement.
    pub starts: Words,
    /// The person's own word, and the verbs before which it may be left out: `I am 8 and live in Bern`.
    pub elided: Words,
    /// Words by which a person is the one of whom a statement tells.
    pub selves: Words,
    /// What a word stands for that goes back to whom the statement before is about; `{who}` is filled in.
    pub backs: &'static [(&'static str, &'static str)],
    /// Words that do not tell what a statement is about: `my new teacher` takes the place of `my teacher`.
    pub idle: Words,
    /// What is said before what was told is put right.
    pub denials: &'static [Words],
    /// Words behind which the value of a statement stands.
    pub links: Words,
    /// Values that only the conversation around them explains, or that take the statement back.
    pub vague: Words,
    /// Of those words, the ones that are articles before another word.
    pub articles: Words,
    /// What is said before a statement without changing it.
    pub lead: &'static [Words],
    /// The forms, the first that fits first.
    pub forms: &'static [Form],
}

/// A form of a statement.
#[derive(Debug)]
pub struct Form {
    /// The pattern of the whole sentence.
    pub say: &'static str,
    /// What it is about: a later statement about the same takes its place.
    pub about: Option<&'static str>,
    /// How it is kept.
    pub restate: Option<&'static str>,
    /// Whether it says what the person likes or wants.
    pub preference: bool,
    /// Whether it looks like a statement about the person and is not worth keeping.
    pub skip: bool,
}

/// How a wish becomes a proposal.
#[derive(Debug)]
pub(crate) struct DraftRules {
    pub(crate) stop: Words,
    pub(crate) rules: &'static [Rule],
}

/// Words of a wish, and what they ask for.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) words: &'static [Words],
    pub(crate) tokens: Words,
    pub(crate) requires: Words,
    pub(crate) topic: Option<&'static str>,
}

/// Every language, the default first.
pub(crate) fn all() -> &'static [Data] {
    #[cfg(test)]
    if let Some(more) = testing::more() {
        return more;
    }
    ALL
}

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
