//! What the pages say, in each language: one file of `words/` for each, with the words of every server. A line is `NAME = words`,
//! or `SERVER.NAME = words` for the words of one server alone. A line `"SENTENCE" = words` retells a sentence that a program says in
//! English; names in braces stand for what differs.

/// Every file, with its language's code; English is the first.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A language that has a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// Its code, such as `de`.
    pub code: &'static str,
    text: &'static str,
}

/// Every language; the first is that of those who name none.
pub fn languages() -> impl Iterator<Item = Language> {
    FILES.iter().map(|(code, text)| Language { code, text })
}

impl Language {
    /// The words of a name: those of the server, else those of every server, else the same in English.
    pub fn say(self, server: &str, name: &str) -> &'static str {
        let english = || languages().next().and_then(|first| first.find(server, name));
        self.find(server, name).or_else(english).unwrap_or_default()
    }

    /// The words of a name that not every language, or not every server has.
    pub fn find(self, server: &str, name: &str) -> Option<&'static str> {
        let of = |wanted: &str| self.rows().find(|(name, _)| *name == wanted).map(|(_, words)| words);
        of(&format!("{server}.{name}")).or_else(|| of(name))
    }

    /// A sentence that a program says in English, in this language; as it is where the file has no line for it. What stands for
    /// `{why}` is a sentence of its own.
    pub fn retell(self, said: &str) -> String {
        let retold = self.rows().find_map(|(name, words)| {
            let facts = facts(name.strip_prefix('"')?.strip_suffix('"')?, said)?;
            let retold = |(name, fact): &(&str, &str)| match *name {
                "why" => self.retell(fact),
                _ => (*fact).to_owned(),
            };
            let told: Vec<String> = facts.iter().map(retold).collect();
            let facts: Vec<(&str, &str)> =
                facts.iter().zip(&told).map(|((name, _), fact)| (*name, fact.as_str())).collect();
            Some(language::fill(words, &facts))
        });
        retold.unwrap_or_else(|| said.to_owned())
    }

    /// The names of the file, with their words.
    fn rows(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.text.lines().filter_map(|line| line.split_once(" = "))
    }
}

/// What stands in a sentence where a pattern has a name in braces; nothing where it is another sentence.
fn facts<'a>(pattern: &'a str, said: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let (start, mut pattern) = pattern.split_once('{').unwrap_or((pattern, ""));
    let mut said = said.strip_prefix(start)?;
    let mut facts = vec![];
    while let Some((name, rest)) = pattern.split_once('}') {
        let (between, next) = rest.split_once('{').unwrap_or((rest, ""));
        let (fact, left) = match between {
            "" => (said, ""),
            // What ends the sentence stands at its end.
            _ if next.is_empty() => (said.strip_suffix(between)?, ""),
            _ => said.split_once(between)?,
        };
        facts.push((name, fact));
        (said, pattern) = (left, next);
    }
    said.is_empty().then_some(facts)
}

/// Defines the words of a server as a type with a field for each name, and `ALL`, which has them in every language. Each name has a
/// line in every file of `words/`.
///
/// ```
/// web::words! {
///     "review":
///     /// The words of one language.
///     pub(crate) struct Words { pub(crate) login, pub(crate) leave }
/// }
/// assert_eq!(ALL[0].code, "en");
/// assert_eq!(ALL[0].leave, "Log out");
/// ```
#[macro_export]
macro_rules! words {
    ($server:literal: $(#[$about:meta])* $seen:vis struct $words:ident { $($field_seen:vis $field:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Debug)]
        $seen struct $words {
            /// The code of the language.
            $seen code: &'static str,
            language: $crate::words::Language,
            $($field_seen $field: &'static str,)*
        }

        /// Every language; the first is that of those who name none.
        $seen static ALL: ::std::sync::LazyLock<::std::vec::Vec<$words>> = ::std::sync::LazyLock::new(|| {
            let words = |language: $crate::words::Language| $words {
                code: language.code,
                language,
                $($field: language.say($server, stringify!($field)),)*
            };
            $crate::words::languages().map(words).collect()
        });

        impl $words {
            /// The words of a language, where it has some.
            $seen fn of(code: &str) -> Option<&'static $words> {
                ALL.iter().find(|words| words.code.eq_ignore_ascii_case(code))
            }

            /// The words of the language that a browser likes best.
            $seen fn accepted(headers: &$crate::HeaderMap) -> &'static $words {
                let codes: ::std::vec::Vec<&str> = ALL.iter().map(|words| words.code).collect();
                &ALL[$crate::accepted(headers, &codes)]
            }

            /// A sentence that the program behind the server says in English, in these words.
            $seen fn retold(&self, said: &str) -> String {
                self.language.retell(said)
            }
        }
    };
}

#[cfg(test)]
mod tests;
