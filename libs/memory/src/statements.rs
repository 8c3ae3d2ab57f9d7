//! What statements are about, and which are worth remembering; their forms are data of `libs/language`.

mod loose;

use std::ops::Range;
use std::sync::LazyLock;

use language::pattern::may_match;
use language::terms::{distinct, fold, is_small};
use language::{Language, List, Pattern, Statements, Words};

use self::loose::is_one;
use crate::rank;
use shared_types::memory::Kind;

/// The longest line in which statements are looked for, in bytes.
const MAX_LINE: usize = 600;
/// The most words of a sentence that is looked at.
const MAX_WORDS: usize = 40;
/// What a statement of the person's name is about.
const NAME: &str = "name";
/// The most words of a thing before a colon.
const MOST_OF_A_THING: usize = 4;
/// The most statements of one line.
const MOST: usize = 4;

/// A statement of the person about themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The statement, as it is kept.
    pub text: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// What it is about, if a later statement about the same takes its place.
    pub about: Option<String>,
}

/// What a text is about, where it is one statement of a known form.
pub fn about(text: &str) -> Option<String> {
    statement(text).and_then(|statement| statement.about)
}

/// Whether a statement about `new` may put right one about `old`: `max` behind `son max`. Of kinds of values alone, such as
/// `name`, each person has their own.
pub fn is_of(old: &str, new: &str) -> bool {
    let is_kind = |word: &str| {
        let forms = Language::all().flat_map(|language| language.statements().forms);
        forms.filter_map(|form| form.about).any(|about| about.split(' ').any(|part| part == word))
    };
    let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with(' '));
    old == new || !is_kind(new) && !is_kind(old) && (ends(old, new) || ends(new, old))
}

/// The name by which the person is called, where a text tells it.
pub fn name(text: &str) -> Option<String> {
    let words = words(text);
    // A pattern that begins with a word looks at the first one before all else.
    let fits = |(say, _): &&(&str, Pattern)| {
        !say.starts_with(['[', '{']) || may_match(say, std::slice::from_ref(&words))
    };
    NAMES.iter().filter(fits).find_map(|(_, pattern)| {
        let slot = pattern.matches_least(&words)?.slots.into_iter().flatten().next()?;
        Some(words.span(slot).trim_end_matches(['.', ',', '!']).to_owned())
    })
}

/// The forms that tell the person's name: a memory of a thousand facts is held against them.
static NAMES: LazyLock<Vec<(&str, Pattern)>> = LazyLock::new(|| {
    let forms = Language::all().flat_map(|language| language.statements().forms);
    let of_names = forms.filter(|form| form.about == Some(NAME));
    let parsed = |say| Pattern::parse(say).expect("the language files are part of the program and tested");
    of_names.map(|form| (form.say, parsed(form.say))).collect()
});

/// Whether a line tells how somebody or something is called.
pub fn names(line: &str) -> bool {
    statements(line).iter().any(|told| told.about.as_deref().is_some_and(|about| about.ends_with(NAME)))
}

/// A text as one statement of a known form.
pub fn statement(text: &str) -> Option<Statement> {
    let mut sentences = sentences(text);
    let (sentence, more) = (sentences.next()?, sentences.next());
    more.is_none().then(|| read(&words(sentence), false)).flatten().map(|read| read.statement)
}

/// The parts of what a person wants kept that are statements of their own; the text as it is where it is one.
pub fn parts(text: &str) -> Vec<String> {
    let mut sentences = sentences(text);
    match (sentences.next(), sentences.next()) {
        (Some(sentence), None) => {
            let clauses = clauses(&words(sentence));
            if clauses.len() > 1 { clauses } else { vec![text.to_owned()] }
        }
        _ => vec![text.to_owned()],
    }
}

/// Whether a line may say something about the person who typed it; a line in none of the languages may.
pub fn speaks_of_self(line: &str) -> bool {
    let words = words(line);
    words.norms().any(|word| is_one(word, |l| l.person)) || (words.len() > 1 && !words.norms().any(is_small))
}

/// Whether what a text says stands in a line: each of its words, or one that is alike. Small words, and those with which
/// a language says anything about anybody, need not.
pub fn is_said_in(text: &str, line: &str) -> bool {
    let said = distinct(line, usize::MAX);
    let mut words = distinct(text, usize::MAX);
    words.retain(|word| !is_one(word, |l| l.glue));
    !words.is_empty() && words.iter().all(|word| said.iter().any(|said| rank::alike(word, said)))
}

/// The statements that a line makes about the person who typed it, none for questions.
pub fn statements(line: &str) -> Vec<Statement> {
    // What is to be worked out is nothing to keep.
    if line.len() > MAX_LINE || language::sum::sum(line, &[], Language::DEFAULT).is_some() {
        return vec![];
    }
    if let Some(statement) = jotted(line) {
        return vec![statement];
    }
    let mut found: Vec<Statement> = Vec::new();
    // `keep that to yourself: ...` orders something.
    let orders = |sentence: &str| {
        let before = sentence.split_once(": ").map(|(before, _)| words(before));
        before.is_some_and(|words| words.norms().any(|word| is_one(word, |l| l.vague)))
    };
    let asks = |sentence: &str| language::is_question(sentence) || language::asks_within(sentence);
    for sentence in sentences(line).filter(|s| !asks(s) && !orders(s)) {
        // `My favourite colour is purple. No wait, it's turquoise.`
        if let Some(last) = found.last_mut()
            && let Some(right) = language::corrected(sentence, &last.text)
        {
            last.text = right;
            continue;
        }
        let clauses = clauses(&words(sentence));
        let before = found.len();
        for clause in &clauses {
            let whole = || with_verb(&words(clause), &words(&clauses[0]));
            let read = read(&words(clause), true).or_else(|| read(&words(&whole()?), true));
            if found.len() < MOST
                && let Some(Read { statement, .. }) = read
                && !found.contains(&statement)
            {
                found.push(statement);
            }
        }
        if found.len() == before && before < MOST {
            let whole = told_loosely(sentence);
            // Beside another remark; what else is wanted would not be done.
            let parts = || {
                let parts: Vec<&str> = sentence.split(", ").collect();
                let are_told = parts.iter().all(|part| language::is_remark(part));
                if are_told { parts } else { vec![] }
            };
            let of_part =
                |part| read(&words(part), true).map(|read| read.statement).or_else(|| told_loosely(part));
            match whole {
                Some(whole) => found.push(whole),
                None => found.extend(parts().into_iter().filter_map(of_part).take(MOST - before)),
            }
        }
    }
    // Neither is a question or a sum with a slip of the finger in it.
    if !found.is_empty() && asks_with_a_slip(line) {
        found.clear();
    }
    found
}

/// What a line tells of the person whom a fact is about: `my best friend Zoe has a dog` of `she has a dog`, behind `my best friend
/// is called Zoe`.
pub fn continued(line: &str, fact: &str) -> Option<String> {
    let bare =
        Language::all().fold(words(line), |words, language| without_lead(&words, language.statements()));
    let is_told = language::restate::goes_back(line)
        && !is_one(bare.norm(0), |l| l.selves)
        && !language::looks_like_request(line)
        && !language::asks_within(line)
        && loose::is_plain(&bare)
        && statements(line).is_empty();
    let about = read(&words(fact), false).filter(|_| is_told)?;
    let who = about.who.filter(|who| fact.starts_with(who.as_str()))?;
    let named = about.statement.about.is_some_and(|about| about.ends_with(NAME));
    let is_link = |word: &&str| is_one(&fold(word), |l| l.links);
    let who =
        if named { fact.split(' ').filter(|word| !is_link(word)).collect::<Vec<_>>().join(" ") } else { who };
    let (begun, from) = stands_for(bare.norm(0), 0, &who)?;
    let rest = without_end(bare.span(from..bare.len()), &['.', ',', '!', ';', ':']);
    Some(format!("{begun} {rest}"))
}

/// A sentence that no form fits and that tells something all the same, as it was typed.
fn told_loosely(sentence: &str) -> Option<Statement> {
    let words = words(sentence);
    let bare = Language::all().fold(words, |words, language| {
        let words = without_lead(&words, language.statements());
        without_tail(&words, language.statements())
    });
    let is_fact = (loose::tells(&bare) || loose::is_entry(&bare) && language::refusal(sentence).is_none())
        && !is_left_out(&bare)
        && !language::looks_like_request(sentence)
        || loose::are_entries(sentence);
    let typed = without_end(bare.span(0..bare.len()), &['.', ',', '!', ';', ':']);
    is_fact.then(|| Statement { text: typed.to_owned(), kind: Kind::Fact, about: None })
}

/// Whether a form fits a clause: then it says that the clause is not worth keeping, or its value is vague.
fn is_left_out(words: &Words<'_>) -> bool {
    let forms = Language::all().flat_map(|language| language.statements().forms);
    forms.filter(|form| may_match(form.say, std::slice::from_ref(words))).any(|form| {
        let pattern = Pattern::parse(form.say);
        pattern.is_ok_and(|pattern| pattern.matches_least(words).is_some())
    })
}

/// Whether a line is a question or a sum but for a slip of the finger.
fn asks_with_a_slip(line: &str) -> bool {
    language::mended(line, std::iter::empty()).is_some_and(|meant| {
        !language::is_question(line) && language::is_question(&meant)
            || language::sum::sum(&meant, &[], Language::DEFAULT).is_some()
    })
}

/// A line that is a thing and what is said of it, with a colon or an equals sign between them: `plumber = dave 0770 900123`. Of
/// several sentences or lines, as they are pasted, none is.
fn jotted(line: &str) -> Option<Statement> {
    let mut sentences = sentences(line);
    let (sentence, None) = (sentences.next()?, sentences.next()) else { return None };
    let (thing, value) = [": ", " = "].iter().find_map(|sign| sentence.split_once(sign))?;
    let asks = language::is_question(value.trim());
    let as_sentence = format!("{thing} {}", value.trim());
    let thing = words(thing);
    // `meeting: was moved to friday` begins as a question does, and tells something.
    let is_told = (!asks || read(&words(&as_sentence), true).is_some())
        && (1..=MOST_OF_A_THING).contains(&thing.len())
        && thing.norms().all(|word| !word.is_empty() && !is_one(word, |l| l.vague))
        && thing.norms().any(|word| !is_small(word))
        && value.contains(char::is_alphanumeric)
        && !language::looks_like_request(sentence)
        && language::refusal(sentence).is_none();
    is_told.then(|| Statement { text: sentence.to_owned(), kind: Kind::Fact, about: None })
}

/// The words of a sentence, folded as those that are searched for; none of a sentence that is too long.
fn words(sentence: &str) -> Words<'_> {
    let words = Words::spaced(sentence, fold);
    if words.len() > MAX_WORDS { words.slice(0..0) } else { words }
}

/// A clause that was read.
struct Read {
    statement: Statement,
    /// Of whom or what it tells, where that is not the person: what `he` or `its` in the next clause stands for.
    who: Option<String>,
}

/// Reads one clause by the first pattern that fits it, of any language.
fn read(words: &Words<'_>, careful: bool) -> Option<Read> {
    // Only the forms of the language that a line is written in count, where its words show it.
    let told = careful.then(|| language::told(words.span(0..words.len()))).flatten();
    let languages = Language::all().filter(|language| told.is_none_or(|told| told == *language));
    for language in languages.map(Language::statements) {
        let words =
            if careful { without_tail(&without_lead(words, language), language) } else { words.clone() };
        let fit =
            language.forms.iter().filter(|form| may_match(form.say, std::slice::from_ref(&words))).find_map(
                |form| {
                    let pattern = Pattern::parse(form.say)
                        .expect("the language files are part of the program and tested");
                    let found = pattern.matches_least(&words)?;
                    Some((form, pattern, found))
                },
            );
        let Some((form, pattern, found)) = fit else { continue };
        let taken =
            || pattern.slots().iter().zip(&found.slots).filter_map(|(name, s)| Some((name, s.clone()?)));
        let is_vague = |slot: &Range<usize>| {
            let first = words.norm(slot.start);
            // `der heißt Rex` names nobody; `der alarmcode ist 5512` does, though the form takes one word.
            let is_article = || {
                let is_link = |at: usize| language.links.contains(words.norm(at));
                slot.len() > 1 || slot.end + 1 < words.len() && !is_link(slot.end) && is_link(slot.end + 1)
            };
            language.vague.contains(first) && !(language.articles.contains(first) && is_article())
        };
        // `es geht dir hoffentlich gut` tells of the program.
        let is_addressed = || !form.preference && words.norms().any(|word| language.addressed.contains(word));
        if form.skip || (careful && (taken().any(|(_, slot)| is_vague(&slot)) || is_addressed())) {
            return None;
        }
        // Up to the verb: `the wifi password`, regardless of which part of it is in a slot.
        let is_link = |at: &usize| is_one(words.norm(*at), |l| l.links);
        let behind = found.slots.first().cloned().flatten().map_or(0, |slot| slot.end);
        let subject = words.span(0..(behind..words.len()).find(is_link).unwrap_or(behind));
        let fill = |template: &str, value: fn(&str) -> String| {
            let slots = taken().map(|(name, slot)| (name.as_str(), value(words.span(slot))));
            let values: Vec<(&str, String)> = slots.chain([("subject", value(subject))]).collect();
            let values: Vec<(&str, &str)> =
                values.iter().map(|(name, value)| (*name, value.as_str())).collect();
            language::fill(template, &values)
        };
        let typed = |text: &str| without_end(text, &['.', ',', '!', ';', ':']).to_owned();
        let statement = Statement {
            text: match form.restate {
                Some(template) => fill(template, typed),
                None => typed(words.span(0..words.len())),
            },
            kind: if form.preference { Kind::Preference } else { Kind::Fact },
            about: form.about.map(|template| topic(&fill(template, fold))),
        };
        let who = found.slots.first().cloned().flatten().filter(|slot| slot.start <= 1);
        // `his name` is nobody.
        let is_somebody = !is_one(words.norm(0), |l| l.selves) && stands_for(words.norm(0), 0, "").is_none();
        let who = who.filter(|_| is_somebody).map(|slot| {
            let end = (slot.end..words.len().min(slot.end + 2)).find(is_link).unwrap_or(slot.end);
            words.span(0..end).to_owned()
        });
        return Some(Read { statement, who });
    }
    None
}

/// A text without the marks that end it; a mark of exclamation behind letters and figures may be a part of a password.
fn without_end<'a>(text: &'a str, marks: &[char]) -> &'a str {
    let bare = text.trim_end_matches(marks);
    let secret = language::words::is_secret(bare.split_whitespace().next_back().unwrap_or_default());
    let kept = text[bare.len()..].bytes().take_while(|b| secret && *b == b'!').count();
    &text[..bare.len() + kept]
}

/// What a statement is about, without the words that do not tell it: `my new teacher` takes the place of `the teacher`.
fn topic(about: &str) -> String {
    let telling = about.split(' ').filter(|word| !is_one(word, |l| l.idle)).collect::<Vec<_>>().join(" ");
    if telling.is_empty() { about.to_owned() } else { telling }
}

/// A clause without what is said before a statement and does not change it.
fn without_lead<'a>(words: &Words<'a>, language: &Statements) -> Words<'a> {
    let mut from = 0;
    // A few rounds: `well, by the way, ...`.
    for _ in 0..3 {
        let fits = |lead: &List<&'static str>| {
            from + lead.len() < words.len()
                && lead.iter().enumerate().all(|(n, word)| words.norm(from + n) == word)
        };
        from += language
            .lead
            .iter()
            .chain(language.denials)
            .filter(fits)
            .map(|lead| lead.len())
            .max()
            .unwrap_or(0);
    }
    words.slice(from..words.len())
}

/// A clause without what is said behind a statement and does not change it.
fn without_tail<'a>(words: &Words<'a>, language: &Statements) -> Words<'a> {
    let fits = |tail: &List<&'static str>| {
        let from = words.len().checked_sub(tail.len());
        from.is_some_and(|from| {
            from > 0 && tail.iter().enumerate().all(|(n, word)| words.norm(from + n) == word)
        })
    };
    let tail = language.tails.iter().filter(fits).map(|tail| tail.len()).max().unwrap_or(0);
    words.slice(0..words.len() - tail)
}

/// The sentences of a text, a question with its mark. A mark within a word ends none: `Sommer!2024`.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, mark) in text.char_indices().filter(|(_, c)| matches!(c, '\n' | '!' | '?' | ';')) {
        let end = at + mark.len_utf8();
        if mark == '\n' || text[end..].starts_with(char::is_whitespace) {
            parts.push(&text[from..end]);
            from = end;
        }
    }
    parts.push(&text[from..]);
    parts
        .into_iter()
        .flat_map(ended_by_dots)
        .map(|s| without_end(s.trim(), &['.', '!', ';', ',']).trim_end())
        .filter(|s| !s.is_empty())
}

/// Titles, behind whose dot the sentence continues.
const TITLES: [&str; 12] = ["mr", "mrs", "ms", "dr", "prof", "st", "hr", "fr", "nr", "no", "str", "tel"];

/// Divides a text at dots that end a sentence: not behind a title or a number, as in `mrs. Holloway` and `am 3. Mai`.
fn ended_by_dots(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices(". ") {
        let last = text[from..at].split_whitespace().next_back().unwrap_or_default();
        let goes_on = TITLES.contains(&last.to_lowercase().as_str())
            || (!last.is_empty() && last.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
        if !goes_on {
            parts.push(&text[from..at]);
            from = at + 2;
        }
    }
    parts.push(&text[from..]);
    parts.into_iter()
}

/// The places in a sentence at which it may be divided.
const MOST_JOINTS: usize = 8;
/// How many of them a clause may hold.
const MOST_WITHIN: usize = 3;

/// The parts of a sentence that are statements of their own: `I am Tom and I live in Bern`. The person's own word may be left out
/// in those behind the first, as in `I am Tom and live in Bern`, and `his` stands for whom the one before is about. What is not a
/// statement on its own stays where it is: `fish and chips`.
fn clauses(words: &Words<'_>) -> Vec<String> {
    let joints: Vec<(usize, usize)> = (1..words.len().saturating_sub(1))
        .filter_map(|at| {
            let joins = is_one(words.norm(at), |l| l.join);
            let divides =
                joins || words.raw(at - 1).ends_with(',') && !is_one(words.norm(at - 1), |l| l.join);
            let first = if joins { at + 1 } else { at };
            // `that this is so and that ...`.
            divides.then_some((at, first + usize::from(joins && is_one(words.norm(first), |l| l.again))))
        })
        .take(MOST_JOINTS)
        .collect();
    let (mut parts, mut from, mut own) = (Vec::new(), 0, String::new());
    let said = |own: &str, from: usize, to: usize| {
        let said = words.span(from..to).trim_end_matches(',');
        if own.is_empty() { said.to_owned() } else { format!("{own} {said}") }
    };
    // Behind `dass` the verb comes last.
    let is_last = |at: usize| is_one(words.norm(at), |l| l.links);
    for (n, (end, first)) in joints.iter().copied().enumerate().filter(|(_, (_, first))| *first < words.len())
    {
        if end <= from {
            continue;
        }
        let left = said(&own, from, end);
        let before = read(&self::words(&left), true);
        let ends = || joints[n + 1..].iter().map(|(end, _)| *end).take(MOST_WITHIN).chain([words.len()]);
        let reads = |own: &str, from: usize, end: usize| {
            let clause = said(own, from, end);
            read(&self::words(&clause), true)
        };
        let tells = |own: &str, from: usize| ends().any(|end| end > from && reads(own, from, end).is_some());
        // `my brother is 34 and lives in Bern` leaves out who lives there.
        let tells_of = |who: &str, from: usize| {
            let is_of = |read: Read| read.who.as_deref() == Some(who);
            ends().any(|end| end > from && reads(who, from, end).is_some_and(is_of))
        };
        let next = words.norm(first);
        let elided = elided(words.norm(0), next);
        let begun = if is_one(next, |l| l.starts) {
            // `my mum and I live in Bern` is one.
            let is_joint =
                before.is_none() && is_one(words.norm(from), |l| l.starts) && end - from <= MOST_OF_A_THING;
            let is_short =
                || with_verb(&words.slice(first..words.len()), &self::words(&said("", 0, joints[0].0)));
            (!is_joint && (tells("", first) || is_short().is_some())).then_some((String::new(), first))
        } else if let Some(own) = elided {
            tells(own, first).then_some((own.to_owned(), first))
        } else if first - end > 1 || is_last(end - 1) && is_last(words.len() - 1) {
            Some((String::new(), first))
        } else if let Some((own, from)) = before
            .as_ref()
            .filter(|_| !is_acronym(words.raw(first)))
            .and_then(|read| stands_for(next, first, read.who.as_deref()?))
        {
            tells(&own, from).then_some((own, from))
        } else if let Some(who) =
            before.as_ref().and_then(|read| read.who.as_ref()).filter(|who| tells_of(who, first))
        {
            Some((who.clone(), first))
        } else {
            // `Tom's is on June 5` leaves out what is.
            let names_whose = first + 1 < words.len()
                && words.raw(first).ends_with("'s")
                && is_one(words.norm(first + 1), |l| l.links);
            (before.is_some() && !names_whose && tells("", first)).then_some((String::new(), first))
        };
        if let Some((with, at)) = begun {
            parts.push(left);
            (own, from) = (with, at);
        }
    }
    parts.push(said(&own, from, words.len()));
    parts
}

/// Whether a word is written in capitals: `IT's` is not `its`.
fn is_acronym(word: &str) -> bool {
    word.chars().take(2).filter(|c| c.is_uppercase()).count() == 2
}

/// What a word such as `his` stands for, and where the rest of the clause begins.
fn stands_for(word: &str, at: usize, who: &str) -> Option<(String, usize)> {
    let forms = Language::all().flat_map(|language| language.statements().backs);
    let (_, form) = forms.into_iter().find(|(known, _)| *known == word)?;
    Some((language::fill(form, &[("who", who)]), at + 1))
}

/// A clause with the verb of the first one, which is left out in it: `my sister Lena` behind `my brother is called Tobias`.
fn with_verb(clause: &Words<'_>, first: &Words<'_>) -> Option<String> {
    /// The most words of such a clause: whose, what, and a value.
    const MOST_WORDS: usize = 5;
    let is_link = |at: usize| is_one(first.norm(at), |l| l.links);
    let verb = 2..2 + (2..first.len()).take_while(|at| is_link(*at)).count();
    let fits = !verb.is_empty()
        && (3..=MOST_WORDS).contains(&clause.len())
        && [clause, first].iter().all(|words| is_one(words.norm(0), |l| l.starts))
        && !clause.norms().any(|word| is_one(word, |l| l.links));
    let [own, verb, value] = [clause.span(0..2), first.span(verb), clause.span(2..clause.len())];
    fits.then(|| format!("{own} {verb} {value}"))
}

/// The person's own word that is left out before a verb, in a sentence that begins with it.
fn elided(begins: &str, verb: &str) -> Option<&'static str> {
    Language::all().find_map(|language| {
        let mut verbs = language.statements().elided.iter();
        let own = verbs.next()?;
        (begins.starts_with(own) && verbs.any(|known| known == verb)).then_some(own)
    })
}

#[cfg(test)]
mod tests;
