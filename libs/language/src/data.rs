//! The tables of every language, made from the YAML files when the program is built.

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
    pub(crate) contractions: &'static [(&'static str, Words)],
    pub(crate) numbers: &'static [(&'static str, i64)],
    pub(crate) booleans: &'static [(&'static str, bool)],
    pub(crate) and: Words,
    pub(crate) intents: &'static [(Kind, Words)],
    pub(crate) requests: &'static [Words],
    pub(crate) offers: Words,
    pub(crate) swap: &'static [(&'static str, &'static str)],
    pub(crate) quote: Words,
    pub(crate) ignore: Words,
    pub(crate) same: &'static [(&'static str, Words)],
    pub(crate) weekdays: Words,
    pub(crate) months: Words,
    pub(crate) says: Says,
    pub(crate) draft: DraftRules,
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
