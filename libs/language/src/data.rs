//! The tables of every language, made from the YAML files when the program is built.

use crate::packed::{Entry, List, Packed, Texts};
use crate::start;

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

/// Words, or texts of a few of them.
type Words = List<&'static str>;

/// Phrases, each as its words.
type Phrases = List<Words>;

/// What a word, or a few of them, stand for, sorted.
type Table = List<(&'static str, &'static str)>;

/// Words by a name, sorted by it.
type Named = List<(&'static str, Words)>;

/// A language. Words stand in it in the form in which they are compared.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) code: &'static str,
    pub(crate) decimal_comma: bool,
    pub(crate) markers: Words,
    pub(crate) lead: Phrases,
    pub(crate) trail: Phrases,
    pub(crate) loose: Phrases,
    pub(crate) fillers: Words,
    pub(crate) contractions: Named,
    pub(crate) numbers: Table,
    pub(crate) booleans: Table,
    pub(crate) and: Words,
    pub(crate) intents: Intents,
    pub(crate) questions: Words,
    pub(crate) requests: Phrases,
    /// Phrases of a polite request, and what a friend says.
    pub(crate) polite: List<(Words, &'static str)>,
    /// Words of a vague time, and exact ones.
    pub(crate) vague_times: List<(Words, &'static str)>,
    /// Said where what stands behind takes the place of what stands before.
    pub(crate) afterthoughts: Phrases,
    /// What is said before a question that is asked indirectly.
    pub(crate) indirect: Phrases,
    /// Words that do something on their own, and verbs that change places with them in a question.
    pub(crate) subjects: Words,
    pub(crate) verbs: Words,
    pub(crate) offers: Words,
    pub(crate) swap: Table,
    pub(crate) quote: Words,
    pub(crate) ignore: Words,
    pub(crate) soft: Words,
    pub(crate) pronouns: Words,
    /// Verbs before one of `pronouns`, behind which somebody else may stand.
    pub(crate) modals: Words,
    pub(crate) which: Words,
    pub(crate) fronted: Words,
    /// Words with which a remark begins.
    pub(crate) openers: Words,
    /// Words for several people to those for one.
    pub(crate) ours: Table,
    /// Words that ask.
    pub(crate) asking: Words,
    /// First words of a line that forbids or denies something.
    pub(crate) forbids: Phrases,
    pub(crate) same: Named,
    pub(crate) related: Named,
    /// What is a part of something wider.
    pub(crate) wider: List<(Words, Words)>,
    pub(crate) asked: List<(&'static str, Phrases)>,
    pub(crate) values: Named,
    pub(crate) places: Table,
    pub(crate) units: List<(&'static str, Table)>,
    pub(crate) letters: &'static str,
    pub(crate) sums: Table,
    pub(crate) measures: Table,
    pub(crate) days: Table,
    pub(crate) spans: Table,
    pub(crate) feasts: Table,
    pub(crate) moments: Table,
    pub(crate) weekdays: &'static [&'static str],
    pub(crate) months: &'static [&'static str],
    pub(crate) says: Says,
    pub(crate) draft: DraftRules,
    pub(crate) statements: Statements,
    pub(crate) need: need::Rules,
}

/// The sentence patterns of a language, in the order of their kinds, and an index by the word that a line begins with.
#[derive(Debug)]
pub(crate) struct Intents {
    pub(crate) patterns: Packed,
    /// For each pattern what is taken from its match: the number of a text from 1, or 0 for its slot.
    pub(crate) takes: &'static [u16],
    pub(crate) texts: Texts,
    /// Each kind with the number of the pattern behind its last.
    pub(crate) kinds: &'static [(Kind, u16)],
    /// For each class of words the numbers of the patterns that a line may match which begins with one of them, as characters;
    /// at last those that a line may match regardless of what it begins with.
    pub(crate) starts: Texts,
    /// For each pattern two classes of words of which a line that it matches has one, or [`start::ANY`].
    pub(crate) needs: &'static [[u8; 2]],
}

impl Intents {
    /// The kind of a pattern.
    pub(crate) fn kind(&self, number: usize) -> Kind {
        let kind = self.kinds.partition_point(|(_, end)| usize::from(*end) <= number);
        self.kinds[kind].0
    }

    /// A pattern with its kind and the text that is taken from its match, if any.
    pub(crate) fn get(&self, number: usize) -> (Kind, String, Option<&'static str>) {
        let take = usize::from(self.takes[number]).checked_sub(1).map(|text| self.texts.get(text));
        (self.kind(number), self.patterns.get(number), take)
    }

    /// All patterns, as [`Intents::get`] gives them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Kind, String, Option<&'static str>)> {
        (0..self.patterns.len()).map(|number| self.get(number))
    }

    /// The numbers of the patterns that may match one of these readings of a line, in order; some of them may not.
    pub(crate) fn fitting(&self, readings: &[crate::words::Words<'_>]) -> Vec<usize> {
        let mut there = [false; start::CLASSES];
        readings.iter().flat_map(|words| words.norms()).for_each(|word| there[start::class(word)] = true);
        let has_needed = |number: &usize| {
            let needs = self.needs[*number];
            needs == start::ANY || needs.iter().any(|class| there[usize::from(*class)])
        };
        let first = readings.iter().map(|words| start::class(words.norm(0)));
        let numbers = first.chain([start::CLASSES]).flat_map(|class| self.starts.get(class).chars());
        let mut numbers: Vec<usize> = numbers.map(|number| number as usize).filter(has_needed).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// The kinds of intent that patterns are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Learn,
    /// Looks like a wish and is not one.
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
    // Asks for all that was said about somebody or something.
    About,
    // Wants something that the person may have said, without a question.
    Seek,
    // Takes back what was said just now.
    TakeBack,
    // Corrects what was said just now; behind a `no` a bare value does, too.
    Correct,
    CorrectAfterNo,
    // Says that something told is so no longer.
    Ended,
    // Asks how something is done, and how something is kept from being done.
    HowTo,
    HowToAvoid,
    // What continues the line before; with those behind it no intent of a line.
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
    // A question for the time until something that was stated.
    Dated,
    // A question for the age of somebody whose birth was stated.
    Aged,
    // The same as another line, which a tool knows.
    Otherwise,
    // The same, where a colon stands in the line.
    Jotted,
    // What a line may mean: it is asked first.
    Perhaps,
    // A wish that the library of skills serves, in its own words, for a line that asks for it.
    Wished,
    // A wish for what the program does already, and a line that does it.
    Able,
    // Begins a game of two lines.
    Knock,
    // Sets, lists, moves or cancels a reminder or a timer.
    Remind,
    // The same as another line for a file that was used just now: `add a line to it`.
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
    pub person: List<&'static str>,
    /// Words with which anything is said about anybody.
    pub glue: List<&'static str>,
    /// Words at which a sentence is divided when one of `starts` follows.
    pub join: List<&'static str>,
    /// Words with which a statement continues behind one of `join`: `that`.
    pub again: List<&'static str>,
    /// Words that begin a statement.
    pub starts: List<&'static str>,
    /// The person's own word, and the verbs before which it may be left out: `I am 8 and live in Bern`.
    pub elided: List<&'static str>,
    /// Words by which a person is the one of whom a statement tells.
    pub selves: List<&'static str>,
    /// What a word stands for that goes back to whom the statement before is about; `{who}` is filled in.
    pub backs: List<(&'static str, &'static str)>,
    /// Words that do not tell what a statement is about: `my new teacher` takes the place of `my teacher`.
    pub idle: List<&'static str>,
    /// What is said before a correction of what was stated.
    pub denials: List<List<&'static str>>,
    /// Words behind which the value of a statement stands.
    pub links: List<&'static str>,
    /// Values that only the conversation around them explains, or that take the statement back.
    pub vague: List<&'static str>,
    /// Of those words, the ones that are articles before another word.
    pub articles: List<&'static str>,
    /// Verbs by which a sentence tells how something is, where no form fits it.
    pub tells: List<&'static str>,
    /// Words by which the program is spoken to.
    pub addressed: List<&'static str>,
    /// Words with which a sentence is a remark, a guess or a feeling, and no fact.
    pub remarks: List<&'static str>,
    /// What is said behind a statement without changing it.
    pub tails: List<List<&'static str>>,
    /// Whether every noun begins with a capital letter, and not names alone.
    pub noun_capitals: bool,
    /// What is said before a statement without changing it.
    pub lead: List<List<&'static str>>,
    /// The forms, the first that fits first.
    pub forms: List<Form>,
}

/// A form of a statement.
#[derive(Debug, Clone, Copy)]
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
    pub(crate) rules: List<Rule>,
}

/// Words of a wish, and what they ask for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) words: Phrases,
    pub(crate) tokens: Words,
    pub(crate) requires: Words,
    pub(crate) topic: Option<&'static str>,
}

impl Entry for Form {
    fn take(text: &mut &'static str) -> Form {
        let (say, about) = Entry::take(text);
        let (restate, kind): (&str, &str) = Entry::take(text);
        let given = |text: &'static str| (!text.is_empty()).then_some(text);
        Form {
            say,
            about: given(about),
            restate: given(restate),
            preference: kind.contains(PREFERENCE),
            skip: kind.contains(SKIP),
        }
    }
}

impl Entry for Rule {
    fn take(text: &mut &'static str) -> Rule {
        let (words, tokens) = Entry::take(text);
        let (requires, topic): (Words, &str) = Entry::take(text);
        Rule { words, tokens, requires, topic: (!topic.is_empty()).then_some(topic) }
    }
}

/// How a form says that it is one of a preference, and that it is passed over.
const PREFERENCE: char = 'p';
const SKIP: char = 's';

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
