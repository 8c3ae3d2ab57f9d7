//! A remembered fact, found by a question and said back to the person.

mod alike;

use std::collections::BTreeSet;
use std::ops::Range;

use self::alike::{MIN_PART, Word};
use crate::fold;
use crate::languages::{self, Language};
use crate::words::Words;

/// The words of a question, or of what it is about.
struct Asked {
    words: Vec<Word>,
    /// The places of the telling words.
    telling: Vec<usize>,
    /// Of those, the places of the words without which a fact is about something else.
    needed: Vec<usize>,
    /// Whether the kind of thing is named that is asked for.
    names_kind: bool,
    /// Whether the person is the one who does it: then a fact without a word of theirs is about somebody else.
    is_mine: bool,
    /// The words of the kind of value that is asked for, as `old` in `how old`: a fact may hold them.
    kind: Vec<usize>,
}

impl Asked {
    /// Nothing where no word tells anything.
    fn of(what: &str) -> Option<Asked> {
        let words = Words::of(what, languages::expansion(what))?;
        let words: Vec<Word> =
            words.norms().flat_map(|word| word.split('-')).map(|word| Word::new(word.to_owned())).collect();
        // The English `bin` is a German word that says nothing.
        let spoken = languages::told(what);
        let says_little = |word: &Word| match spoken {
            Some(spoken) => word.is_ignored_in(spoken),
            None => word.is_ignored(),
        };
        let telling: Vec<usize> = (0..words.len()).filter(|at| !says_little(&words[*at])).collect();
        let is_kind = |at: usize| at > 0 && words[at - 1].is_one(|data| data.which);
        let kind = kind_asked(&norms(&words)).map(|(_, at)| at).unwrap_or_default();
        let kind: Vec<usize> = telling.iter().copied().filter(|at| kind.contains(at)).collect();
        let is_needed = |at: &usize| !is_kind(*at) && !words[*at].is_soft() && !kind.contains(at);
        let needed = telling.iter().copied().filter(is_needed).collect();
        let names_kind = telling.iter().any(|at| is_kind(*at));
        let is_pronoun = |at: usize| words.get(at).is_some_and(|word| word.is_one(|data| data.pronouns));
        // Of `wann muss ich lea abholen` may tell what says nothing of the person.
        let does = |at: usize| {
            is_pronoun(at) && !at.checked_sub(1).is_some_and(|at| words[at].is_one(|data| data.modals))
        };
        let is_mine = telling.iter().any(|at| does(at.wrapping_sub(1)) || is_pronoun(at + 1));
        (!telling.is_empty()).then_some(Asked { words, telling, needed, names_kind, is_mine, kind })
    }

    /// The telling words that a fact holds.
    fn hits(&self, fact: &[Word]) -> Vec<usize> {
        if self.is_mine && !fact.iter().any(Word::is_person) {
            return vec![];
        }
        let holds = |at: &usize| {
            let own = self.is_own(*at);
            let own_name = own && self.words[*at].topic() == Some(NAME);
            let fits = |(place, word): (usize, &Word)| {
                self.words[*at].is_same(word)
                    && (!word.is_ignored() || word.norm == self.words[*at].norm)
                    && !(own && self.is_others(fact, place))
                    && (!own_name || is_beside_person(fact, place))
            };
            fact.iter().enumerate().any(fits)
        };
        self.telling.iter().copied().filter(holds).collect()
    }

    /// The telling words that a fact holds, be it in other words.
    fn related(&self, fact: &[Word]) -> Vec<usize> {
        let mut hits = self.hits(fact);
        if self.is_mine && !fact.iter().any(Word::is_person) {
            return hits;
        }
        // A form of the same word was judged before: `my dog` is not `my sister's dog`.
        let is_other = |at: usize, word: &Word| {
            let asked = &self.words[at];
            (asked.is_related(word) || asked.asks_for(word)) && !asked.is_form(word)
        };
        let holds = |at: &usize| {
            let own = self.is_own(*at);
            let fits =
                |(place, word): (usize, &Word)| is_other(*at, word) && !(own && self.is_others(fact, place));
            fact.iter().enumerate().any(fits)
        };
        let more: Vec<usize> =
            self.telling.iter().copied().filter(|at| !hits.contains(at)).filter(holds).collect();
        hits.extend(more);
        hits
    }

    /// Whether a word of a fact is somebody else's: `my dog` is not `my sister's dog`, and not `his dog`.
    fn is_others(&self, fact: &[Word], place: usize) -> bool {
        let Some(owner) = place.checked_sub(1).map(|before| &fact[before]) else { return false };
        let is_back =
            || Language::all().any(|l| l.data().statements.backs.iter().any(|(back, _)| back == owner.norm));
        (owner.norm.ends_with("'s") || is_back()) && !self.words.iter().any(|word| word.is_same(owner))
    }

    /// How well a fact answers: by the words that it holds, as they were said, about the person where the question is.
    fn rank(&self, words: &[Word]) -> (usize, usize, bool, bool, bool) {
        let hits = self.hits(words);
        // Of `our plumber` tells a fact about the plumber, before one about the plumber's number.
        let is_literal = |asked: &Word, word: &Word| {
            asked.is_form(word) && (asked.norm.ends_with("'s") || !word.norm.ends_with("'s"))
        };
        let literal = hits.iter().filter(|at| words.iter().any(|word| is_literal(&self.words[**at], word)));
        // `mein Arzt: seine Nummer ist 4455` tells of the number first.
        let goes_back = |word: &Word| {
            Language::all().any(|l| l.data().statements.backs.iter().any(|(back, _)| back == word.norm))
        };
        let is_first = !words.iter().skip(1).any(goes_back);
        let is_own = |words: &[Word]| words.iter().any(Word::is_person);
        let is_about = is_own(words) || !is_own(&self.words);
        let begins = words.len() >= self.words.len()
            && words.iter().zip(&self.words).all(|(word, asked)| word.norm == asked.norm);
        (hits.len(), literal.count(), is_first, is_about, begins)
    }

    /// Whether a word stands behind `does` or the like: a question is about whom it names.
    fn is_subject(&self, at: usize) -> bool {
        at > 0 && is_value(SUBJECT, &self.words[at - 1].norm)
    }

    /// Whether a word stands behind `my` or `I`: then a fact without it is about something else.
    fn is_own(&self, at: usize) -> bool {
        let turns = |word: &str| Language::all().any(|l| l.data().swap.get(word).is_some());
        at > 0 && turns(&self.words[at - 1].norm)
    }
}

fn norms(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.norm.as_str()).collect()
}

fn words_of(fact: &str) -> Vec<Word> {
    let pieces = fact.split(|c: char| c.is_whitespace() || c == '-').filter(|piece| !piece.is_empty());
    let expansion = languages::expansion(fact);
    let whole = |word: String| match expansion(&word) {
        // `don't like` is not a liking.
        Some(parts) => parts.iter().map(|part| Word::new(part.to_owned())).collect(),
        None => vec![Word::new(word)],
    };
    pieces.map(fold::word).flat_map(whole).collect()
}

/// A fact and its words.
struct KnownFact<'a> {
    fact: &'a str,
    words: Vec<Word>,
}

fn told(facts: &[String]) -> Vec<KnownFact<'_>> {
    facts.iter().map(|fact| KnownFact { fact, words: words_of(fact) }).collect()
}

/// The fact that answers a question about `what`: the one that holds most of its telling words.
pub fn find<'a>(what: &str, facts: &'a [String]) -> Option<&'a str> {
    let asked = Asked::of(what)?;
    // The first of equals: the caller's order is by relevance.
    let told = told(facts);
    let best = told.iter().rev().max_by_key(|told| asked.rank(&told.words))?;
    // All that was asked for, or nearly all of a longer question: a fact about somebody else is not an answer.
    let all = asked.telling.len();
    // The words of the kind say what is asked for, and not about what.
    let hits = asked.hits(&best.words);
    let lacks = asked.telling.iter().filter(|at| !hits.contains(at) && !asked.kind.contains(at)).count();
    (!hits.is_empty() && lacks <= all / 4).then_some(best.fact)
}

/// The day that a fact names, as it was said: a number with a month beside it, or all in figures.
pub fn day(fact: &str) -> Option<String> {
    days(fact).into_iter().next()
}

/// The days that a text names, as they were said: a number with a month, all in figures, or the number of a day of the month; else
/// days of the week, else feasts.
pub fn days(text: &str) -> Vec<String> {
    let raw: Vec<&str> = text.split_whitespace().collect();
    let words: Vec<String> =
        raw.iter().map(|word| word.trim_matches([',', ';', '.', '!', '?', ')', '(']).to_owned()).collect();
    let figures = |at: usize| {
        let month_day = |month: usize| number_beside(&words, month).map(|(number, _)| number);
        let months = (at.saturating_sub(2)..words.len().min(at + 3)).filter(|near| is_month(&words[*near]));
        if is_month(&words[at]) {
            let (number, year) = number_beside(&words, at)?;
            return Some(format!("{} {}{year}", words[number], words[at]));
        }
        // A number beside a month is that month's.
        if months.filter_map(month_day).any(|number| number == at) {
            return None;
        }
        is_whole(&words, at).then(|| words[at].clone()).or_else(|| nth(&raw, at))
    };
    let mut found: Vec<String> = (0..words.len()).filter_map(figures).collect();
    if found.is_empty() {
        found = words.iter().filter(|word| languages::weekday(word).is_some()).cloned().collect();
    }
    if found.is_empty() {
        let norms: Vec<String> = words.iter().map(|word| fold::word(word)).collect();
        let named = |at: usize| {
            let most = MOST_OF_A_FEAST.min(norms.len() - at);
            (1..=most)
                .rev()
                .map(|n| norms[at..at + n].join(" "))
                .find(|name| languages::feast(name).is_some())
        };
        found = (0..norms.len()).find_map(named).into_iter().collect();
    }
    let all = found.clone();
    let mut at = 0;
    found.retain(|day| {
        at += 1;
        !all[..at - 1].contains(day)
    });
    found
}

/// The most words of the name of a day.
const MOST_OF_A_FEAST: usize = 4;

fn is_month(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && languages::month(word).is_some()
}

/// The place of the number of a day that stands beside a month, and its year.
fn number_beside(words: &[String], month: usize) -> Option<(usize, String)> {
    let has_digit =
        |at: &usize| words.get(*at).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let before = month.checked_sub(1).map(|at| if words[at] == "of" { at.saturating_sub(1) } else { at });
    let number = before.filter(has_digit).or(Some(month + 1).filter(has_digit))?;
    let years = month + 1..words.len().min(month + 3);
    let year = years.into_iter().find(|at| *at != number && words[*at].len() == 4 && has_digit(at));
    Some((number, year.map_or(String::new(), |year| format!(" {}", words[year]))))
}

/// Whether a word is a day in figures: `8.5`, `18.12.2026`, `2026-12-18`; `1.8 kg` and `at 8.05` are not.
fn is_whole(words: &[String], at: usize) -> bool {
    let parts: Option<Vec<u16>> = words[at].split(['.', '-']).map(|part| part.parse().ok()).collect();
    let is_day = match parts.as_deref() {
        Some([day, month]) => (1..=31).contains(day) && (1..=12).contains(month),
        Some([day, month, _]) if *day <= 31 => (1..=31).contains(day) && (1..=12).contains(month),
        Some([_, month, day]) => (1..=31).contains(day) && (1..=12).contains(month),
        _ => false,
    };
    let has_unit = words
        .get(at + 1)
        .is_some_and(|next| languages::in_measure(&fold::word(next)).is_some_and(|meant| !meant.is_empty()));
    let is_time = at > 0 && languages::moment(&fold::word(&words[at - 1])) == Some("by");
    is_day && !has_unit && !is_time
}

/// A day of the month by its number alone: `on the 22nd`, `am 19. zurück`; not `on the 2nd floor`.
fn nth(raw: &[&str], at: usize) -> Option<String> {
    let word = raw[at].trim_end_matches([',', ';', '!', '?', ')']);
    let end = word.find(|c: char| !c.is_ascii_digit())?;
    let number: u8 = word[..end].parse().ok().filter(|number| (1..=31).contains(number))?;
    let before = at.checked_sub(1).map(|at| fold::word(raw[at]))?;
    let meant = languages::moment(&before);
    let is_named = match word[end..].trim_end_matches('.') {
        "" => word[end..].starts_with('.') && meant == Some("on"),
        "st" | "nd" | "rd" | "th" => matches!(meant, Some("on" | "at" | "by")),
        _ => false,
    };
    let is_end = raw[at].ends_with([',', ';', '!', '?', ')']) || word[end..].len() > 1 && word.ends_with('.');
    let fits = |next: &&str| {
        let next = fold::word(next);
        languages::is_common(&next) || languages::moment(&next).is_some() || languages::is_and(&next)
    };
    // In German the word may be one that says what happens on the day: `am 15. verschoben`.
    let is_free =
        word.ends_with('.') && raw.get(at + 1).is_none_or(|next| next.starts_with(char::is_lowercase));
    (is_named && (is_end || is_free || raw.get(at + 1).is_none_or(fits))).then(|| format!("{number}th"))
}

/// The year that a text names, in four figures.
pub fn year(text: &str) -> Option<String> {
    let is_year = |part: &&str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split(|c: char| !c.is_alphanumeric()).find(is_year).map(str::to_owned)
}

/// Every fact about somebody or something: those that hold all its telling words.
pub fn all<'a>(what: &str, facts: &'a [String]) -> Vec<&'a str> {
    let Some(asked) = Asked::of(what) else { return vec![] };
    let is_about = |fact: &&String| asked.hits(&words_of(fact)).len() == asked.telling.len();
    facts.iter().filter(is_about).map(String::as_str).collect()
}

/// Whether a fact is about what the person calls their own in `what`: `my name` is not `my dog's name`.
pub fn is_own(what: &str, fact: &str) -> bool {
    let Some(asked) = Asked::of(what) else { return true };
    let hits = asked.hits(&words_of(fact));
    asked.telling.iter().filter(|at| asked.is_own(**at)).all(|at| hits.contains(at))
}

/// The kind of value that a question asks for, such as a time, and the places of the words that say so.
fn kind_asked(words: &[&str]) -> Option<(&'static str, Range<usize>)> {
    let kinds = Language::all().flat_map(|l| l.data().asked);
    let ways = kinds.flat_map(|(kind, ways)| ways.iter().map(move |way| (kind, way)));
    let found = ways.filter_map(|(kind, way)| {
        let at = words.windows(way.len()).position(|window| way.iter().eq(window.iter().copied()))?;
        Some((kind, at..at + way.len()))
    });
    found.max_by_key(|(_, at)| at.len())
}

/// Whether a line with figures asks for a number, an age or a time.
pub fn asks_an_amount(line: &str) -> bool {
    let kind = || {
        Words::of(line, languages::expansion(line))
            .and_then(|words| Some(kind_asked(&words.norms().collect::<Vec<_>>())?.0))
    };
    line.contains(|c: char| c.is_ascii_digit())
        && kind().is_some_and(|kind| [AMOUNT, AGE, TIME].contains(&kind))
}

/// Whether a fact holds a value of the kind that a question asks for: a name is not an age. Where no kind is asked for, any
/// does.
pub fn answers(question: &str, fact: &str) -> bool {
    let Some(words) = Words::of(question, languages::expansion(question)) else { return true };
    let Some((kind, _)) = kind_asked(&words.norms().collect::<Vec<_>>()) else { return true };
    let holds = |l: Language, word: &str| {
        let data = l.data();
        let named = data
            .values
            .iter()
            .find(|(name, _)| *name == kind)
            .is_some_and(|(_, values)| values.contains(word));
        let days = data.weekdays.iter().chain(data.months).map(|name| fold::word(name));
        named || kind == TIME && days.into_iter().any(|day| word.starts_with(&day) || word.ends_with(&day))
    };
    let has_figure =
        |word: &str| word.contains(|c: char| c.is_ascii_digit()) || languages::number_word(word).is_some();
    let told = words_of(fact);
    norms(&told).into_iter().any(|word| {
        (kind != PLACE && kind != REASON && has_figure(word)) || Language::all().any(|l| holds(l, word))
    })
}

/// Whether a question asks for a reason.
pub fn asks_why(question: &str) -> bool {
    let words = Words::of(question, languages::expansion(question));
    let kind = words.and_then(|words| Some(kind_asked(&words.norms().collect::<Vec<_>>())?.0));
    kind == Some(REASON)
}

/// Whether a question asks for a value of a kind.
fn asks_for_kind(question: &str) -> bool {
    let words = Words::of(question, languages::expansion(question));
    words.is_some_and(|words| kind_asked(&words.norms().collect::<Vec<_>>()).is_some())
}

/// The fact about which a question continues, of those that were stated or said just before it, the newest first: one that shares
/// with it a word that a fact must not lack, or, where the question has no telling word, one with a value of the kind that it
/// asks for.
pub fn goes_on<'a>(question: &str, facts: &[&'a str]) -> Option<&'a str> {
    let answering = || facts.iter().copied().filter(|fact| answers(question, fact));
    match Asked::of(question) {
        Some(asked) => answering().find(|fact| {
            let hits = asked.related(&words_of(fact));
            hits.iter().any(|at| asked.needed.contains(at))
        }),
        None => asks_for_kind(question).then(answering)?.next(),
    }
}

/// Whether a question is about somebody whom only what was said before it names: `what is his name`, and not `does granny take her
/// pills`.
pub fn goes_back(question: &str) -> bool {
    let words = words_of(question);
    let is_back = |word: &Word| {
        let goes_back = |l: Language| l.data().statements.backs.iter().any(|(back, _)| back == word.norm);
        Language::all().any(goes_back) && !word.is_one(|data| data.statements.selves)
    };
    let names = |word: &Word| !word.is_ignored() && !word.is_soft();
    words.iter().position(is_back).is_some_and(|at| !words[..at].iter().any(names))
}

/// Kinds of values, as the language files call them.
const TIME: &str = "time";
const PLACE: &str = "place";
const AMOUNT: &str = "amount";
const AGE: &str = "age";
const REASON: &str = "reason";
/// Not a kind of value: the words before whom a question is about.
const SUBJECT: &str = "subject";

/// Whether a word names a time, a day or a span of time, in any language.
pub fn names_time(word: &str) -> bool {
    is_value(TIME, word) || languages::span(word).is_some() || languages::weekday(word).is_some()
}

/// Whether a word says where something is.
pub fn names_place(word: &str) -> bool {
    is_value("place", word)
}

/// Whether a word is listed for a kind of value, in any language.
pub(crate) fn is_value(kind: &str, word: &str) -> bool {
    let lists = Language::all().flat_map(|l| l.data().values);
    lists.into_iter().any(|(name, words)| name == kind && words.contains(word))
}

/// The facts that may help with a question that none answers: mostly one. It holds every word but those that a fact may lack, and
/// no other fact holds as many; or it holds half of the telling words, and all that the person calls their own. Otherwise two that
/// answer together, or one that is about half of the matter in other words.
pub fn near<'a>(what: &str, question: &str, facts: &'a [String]) -> Vec<&'a str> {
    let Some(asked) = Asked::of(what) else { return vec![] };
    // What is asked with a figure is about that: `40 litres, so how many buckets` is not about another amount.
    let figures = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let of_question = figures(question);
    let holds =
        |told: &KnownFact<'_>| of_question.is_empty() || !of_question.is_disjoint(&figures(told.fact));
    let facts: Vec<KnownFact<'_>> = told(facts).into_iter().filter(holds).collect();
    let one = near_one(&asked, &facts);
    if let Some(told) = one.filter(|told| answers(question, told.fact)) {
        return vec![told.fact];
    }
    let two = together(&asked, question, &facts);
    if !two.is_empty() {
        return two;
    }
    let whole =
        |told: &&KnownFact<'_>| asked.hits(&told.words).len() + asked.kind.len() >= asked.telling.len();
    one.filter(whole)
        .map(|told| told.fact)
        .or_else(|| about_it(&asked, question, &facts))
        .into_iter()
        .collect()
}

fn near_one<'a, 'f>(asked: &Asked, facts: &'f [KnownFact<'a>]) -> Option<&'f KnownFact<'a>> {
    let all =
        |needed: &[usize], hits: &[usize]| !needed.is_empty() && needed.iter().all(|at| hits.contains(at));
    let holding = facts.iter().filter(|told| all(&asked.needed, &asked.hits(&told.words)));
    let ranked: Vec<_> = holding.map(|told| (asked.rank(&told.words), told)).collect();
    let most = ranked.iter().map(|(rank, _)| *rank).max().unwrap_or_default();
    // What kind of thing is asked for matters more than whose it is.
    let is_enough = most.0 > 1 || !asked.names_kind;
    let mut best = ranked.iter().filter(|(rank, _)| *rank == most && is_enough);
    if let (Some((_, told)), None) = (best.next(), best.next()) {
        return Some(told);
    }
    let own: Vec<usize> = asked.telling.iter().copied().filter(|at| asked.is_own(*at)).collect();
    let hits = |told: &KnownFact<'_>| {
        let hits = asked.hits(&told.words);
        if all(&own, &hits) { hits.len() } else { 0 }
    };
    // About whom or what a question is, it says first.
    let first = asked.needed.first();
    let named = facts.iter().rev().filter(|told| first.is_none_or(|at| asked.hits(&told.words).contains(at)));
    let best = named.max_by_key(|told| hits(told))?;
    (hits(best) > 0 && hits(best) * 2 >= asked.telling.len()).then_some(best)
}

/// Two facts that answer together: `Milo is our cat` and `Milo is 7` to `how old is the cat?`. They share a telling word that the
/// question lacks; the one says of whom the other speaks.
fn together<'a>(asked: &Asked, question: &str, facts: &[KnownFact<'a>]) -> Vec<&'a str> {
    let held: Vec<(&KnownFact<'a>, Vec<usize>)> =
        facts.iter().map(|told| (told, asked.related(&told.words))).collect();
    let is_link = |word: &Word, others: &[Word]| {
        word.norm.chars().count() >= MIN_PART
            && others.iter().any(|other| other.is_form(word) && !other.is_ignored())
            && !asked.words.iter().any(|asked| asked.is_form(word))
            && !word.is_ignored()
            && !word.is_soft()
    };
    let kind = asks_for_kind(question);
    let is_about = |hits: &[usize]| hits.iter().any(|at| asked.needed.contains(at));
    for (who, hits) in held.iter().filter(|(_, hits)| is_about(hits)) {
        let rest = |at: &&usize| !hits.contains(at);
        let missing: Vec<&usize> = asked.needed.iter().filter(rest).collect();
        if missing.is_empty() && (!kind || answers(question, who.fact)) {
            continue;
        }
        let goes_on = held.iter().find(|(other, more)| {
            other.fact != who.fact
                && missing.iter().all(|at| more.contains(at))
                && who.words.iter().any(|word| is_link(word, &other.words))
                && answers(question, other.fact)
        });
        if let Some((other, _)) = goes_on {
            return vec![who.fact, other.fact];
        }
    }
    vec![]
}

/// The fact that holds at least half of what a question is about, be it in other words or with a slip of the finger. A fact that
/// fits by one word alone has a value of the kind that is asked for, and hardly another fact fits as well.
fn about_it<'a>(asked: &Asked, question: &str, facts: &[KnownFact<'a>]) -> Option<&'a str> {
    let wanted = if asked.needed.is_empty() { &asked.telling } else { &asked.needed };
    let is_does = |at: usize| at > 0 && asked.words[at - 1].is_one(|data| data.pronouns);
    let is_named = |at: &usize| {
        asked.is_own(*at) && !is_does(*at) || asked.words[*at].norm.ends_with("'s") || asked.is_subject(*at)
    };
    // A time or a place answers only for what it is stated about; the rest may be said about somebody in other words.
    let is_exact = asks_for_kind(question);
    // Of words that a fact may lack, one is enough.
    let all = if is_exact && asked.needed.is_empty() { 1 } else { wanted.len() };
    let is_enough = |count: usize, hits: usize| match is_exact {
        true => count > 0 && count + usize::from(all > MOST_EXACT) >= all,
        false => count > 0 && (count * 3 >= all * 2 || count * 2 >= all && hits > 1),
    };
    // What kind of thing is asked for matters more than whose it is.
    let is_kind = |at: &usize| *at > 0 && asked.words[*at - 1].is_one(|data| data.which);
    let fits = |told: &KnownFact<'_>| {
        let hits = asked.related(&told.words);
        let count = wanted.iter().filter(|at| hits.contains(at)).count();
        let must = |at: &&usize| is_kind(at) || wanted.contains(at) && is_named(at);
        let named = asked.telling.iter().filter(must).all(|at| hits.contains(at));
        (named && is_enough(count, hits.len()) && answers(question, told.fact)).then_some((count, hits.len()))
    };
    let found: Vec<_> = facts.iter().filter_map(|told| Some((fits(told)?, told))).collect();
    let most = found.iter().map(|(count, _)| *count).max()?;
    let best: Vec<_> = found.iter().filter(|(count, _)| *count == most).collect();
    (best.len() <= MOST_ALIKE).then(|| best[0].1.fact)
}

/// Of more words than these one may be said otherwise.
const MOST_EXACT: usize = 3;
/// Of more facts that fit alike none is meant.
const MOST_ALIKE: usize = 2;

/// The topic of the words for what somebody is called.
const NAME: &str = "name";

/// A line and the words that stand for one matter with its own, for a search that compares words alone. That search finds
/// no compound by its last part and no word with a slip of the finger, by which [`find`] and [`near`] go as well.
pub fn widened(line: &str) -> String {
    let mut widened = line.to_owned();
    let Some(asked) = Asked::of(line) else { return widened };
    let is_asked = |list| asked.telling.iter().any(|at| asked.words[*at].is_in(list));
    for data in Language::all().map(Language::data) {
        let alike = data.same.iter().chain(data.related).map(|(_, words)| (words, words));
        for (_, more) in alike.chain(data.wider).filter(|(of, _)| is_asked(*of)) {
            more.iter().for_each(|word| widened.extend([" ", word]));
        }
    }
    widened
}

/// Whether a word stands beside one by which a person speaks of themselves: `ich heiße` and `mein Name`, not `das heißt`.
fn is_beside_person(fact: &[Word], place: usize) -> bool {
    [place.checked_sub(1), Some(place + 1)]
        .into_iter()
        .flatten()
        .any(|at| fact.get(at).is_some_and(Word::is_person))
}

/// A fact as the program says it: `my name is Anna` becomes `Your name is Anna.`; where turning it round could change
/// its meaning, it is quoted.
pub fn say(fact: &str, language: Language) -> String {
    let facts_own = languages::detect(fact);
    match turned(fact, facts_own) {
        // Turned round in another language than the question's would read oddly.
        Some(turned) if facts_own == language => turned,
        _ => languages::fill(language.says().quoted, &[("fact", fact.trim())]),
    }
}

/// A wish in the person's words as the program says it: `read my calendar` is `read your calendar`.
pub fn yours(wish: &str, language: Language) -> String {
    let data = language.data();
    let turned =
        |word: &str| data.swap.get(&fold::word(word)).map_or_else(|| word.to_owned(), |w| w.to_string());
    wish.split(' ').map(turned).collect::<Vec<_>>().join(" ")
}

fn turned(fact: &str, language: Language) -> Option<String> {
    let data = language.data();
    let words = Words::of(fact.trim(), languages::expansion(fact.trim()))?;
    let mut said = String::new();
    let mut at = 0;
    let mut changed = false;
    while at < words.len() {
        if !said.is_empty() && !words.raw(at).starts_with(fold::is_apostrophe) {
            said.push(' ');
        }
        let swap = (1..=2.min(words.len() - at)).rev().find_map(|n| {
            let key: Vec<&str> = (at..at + n).map(|i| words.norm(i)).collect();
            Some((n, data.swap.get(&key.join(" "))?))
        });
        match swap {
            Some((n, instead)) => {
                said.push_str(instead);
                said.push_str(punctuation_after(words.raw(at + n - 1)));
                at += n;
                changed = true;
            }
            None if data.quote.contains(words.norm(at)) => return None,
            None => {
                // A contraction stands on the first of its words.
                said.push_str(words.raw(at));
                at += 1;
                while at < words.len() && words.raw(at).is_empty() {
                    at += 1;
                }
            }
        }
    }
    if !changed {
        return None;
    }
    let mut chars = said.chars();
    let first = chars.next()?;
    Some(format!("{}{}.", first.to_uppercase(), chars.as_str()))
}

fn punctuation_after(raw: &str) -> &str {
    &raw[raw.trim_end_matches([',', ';', ':', '.', '!', '?']).len()..]
}
