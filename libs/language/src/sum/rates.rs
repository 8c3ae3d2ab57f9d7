//! Amounts with what they are of, and a rate times an amount: `62.50 a day, 3 days a week`, `14,90 das Kilo, was machen 800 g`.

use super::measures;
use super::ratio::Ratio;
use super::reckon::{TOTAL, reckoned};
use super::worked::{Form, MAX_DIGITS, Sign, Worked};
use crate::languages;
use crate::words::Words;

/// What stands behind a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Of {
    /// Nothing, or a currency.
    Nothing,
    Percent,
    /// A unit that is measured, by its sign.
    Unit(&'static str),
    /// A month or a year, as the tables of spans have it.
    Period(&'static str),
    /// A thing that is counted, without the end of its plural.
    Thing(String),
}

/// A number of a line.
#[derive(Debug, Clone)]
pub(super) struct Amount {
    pub(super) number: Ratio,
    pub(super) of: Of,
    /// What it is for one of: `62.50 a day`.
    per: Option<Of>,
    /// Whether another word or a mark of punctuation parts it from what follows.
    pub(super) is_alone: bool,
}

/// The numbers of a line, and the rest of its words.
pub(super) struct Amounts {
    pub(super) all: Vec<Amount>,
    /// What else the line names a rate for: `a month` in `what is that a month`.
    asked: Vec<Of>,
    rest: usize,
    /// Whether between its numbers stand only words that join them, or a few that name them.
    is_list: bool,
}

/// Words that a small word of a rate is among: `das`, `an`, `im`.
const MEANS_PER: &str = "per";
/// Longer words are not a small word.
const SMALL: usize = 5;
/// The most words between two numbers of a list.
const MOST_BETWEEN: usize = 2;
/// The most numbers of a rate that is worked out.
const MOST: usize = 3;
/// The words that a line without a question may hold beside its numbers.
const MOST_BESIDE: usize = 1;

fn noun(norm: &str) -> Of {
    if let Some(code) = languages::in_measure(norm).and_then(measures::code) {
        return Of::Unit(code);
    }
    match languages::span(norm) {
        Some(period @ ("1 m" | "1 y")) => Of::Period(period),
        Some("1 d") => Of::Unit("d"),
        Some("7 d") => Of::Unit("weeks"),
        Some("60 min") => Of::Unit("h"),
        Some("1 min") => Of::Unit("min"),
        _ if languages::in_sum(norm) == Some("") => Of::Nothing,
        _ => Of::Thing(stem(norm).to_owned()),
    }
}

/// A word without the end of its plural.
fn stem(norm: &str) -> &str {
    let ends = ["en", "es", "er", "n", "s", "e"];
    ends.into_iter().find_map(|end| norm.strip_suffix(end)).filter(|stem| stem.len() > 2).unwrap_or(norm)
}

/// What a rate is for one of, where its two words stand at a place.
fn rate(words: &Words<'_>, at: usize, of: &Of) -> Option<Of> {
    if at + 1 >= words.len() || ends(words, at) {
        return None;
    }
    let (small, one) = (words.norm(at), noun(words.norm(at + 1)));
    let is_small = || {
        small.len() <= SMALL
            && !small.starts_with(|c: char| c.is_ascii_digit())
            && !languages::is_and(small)
            && measures::code(languages::in_measure(small).unwrap_or_default()).is_none()
            && (languages::in_measure(small).is_some() || languages::moment(small).is_some())
            && matches!(one, Of::Unit(_) | Of::Period(_))
            // `5 km in Meilen` asks for another unit.
            && (factor(of, &one).is_none() || (of, &one) == (&Of::Unit("d"), &Of::Unit("weeks")))
    };
    let is_rate = languages::in_sum(small) == Some(MEANS_PER) || is_small();
    (is_rate && one != Of::Nothing).then_some(one)
}

/// Whether punctuation stands behind a word.
fn ends(words: &Words<'_>, at: usize) -> bool {
    words.raw(at).ends_with([',', ';', '.', ':', '!', '?', ')'])
}

/// The numbers of a line in figures; nothing where a figure is not a number.
pub(super) fn amounts(line: &str) -> Option<Amounts> {
    let words = languages::readings(line).into_iter().next()?;
    let comma = languages::detect(line).decimal_comma();
    let mut found = Amounts { all: vec![], asked: vec![], rest: 0, is_list: true };
    let mut gap = 0..0;
    let mut at = 0;
    while at < words.len() {
        if !words.norm(at).contains(|c: char| c.is_ascii_digit()) {
            match rate(&words, at, &Of::Nothing) {
                Some(one) if matches!(one, Of::Unit(_) | Of::Period(_)) => {
                    found.asked.push(one);
                    found.rest += 1;
                    at += 2;
                }
                _ => {
                    found.rest += 1;
                    at += 1;
                }
            }
            continue;
        }
        let number = measures::number(words.norm(at), comma)?;
        let joins = |norm: &str| languages::is_and(norm) || languages::in_sum(norm) == Some("+");
        let fits = |between: usize| joins(words.norm(between)) || !measures::parts(words.norm(between));
        found.is_list &= found.all.is_empty() || at - gap.start <= MOST_BETWEEN && (gap.start..at).all(fits);
        let mut is_open = !ends(&words, at);
        at += 1;
        let mut amount = Amount { number, of: Of::Nothing, per: None, is_alone: true };
        if is_open && at < words.len() && rate(&words, at, &Of::Nothing).is_none() {
            let norm = words.norm(at);
            if norm == "%" || languages::in_sum(norm) == Some("%") {
                amount.of = Of::Percent;
            } else if !measures::parts(norm) && norm.starts_with(char::is_alphabetic) {
                amount.of = noun(norm);
            } else {
                is_open = false;
            }
            amount.is_alone = !is_open;
            if is_open {
                is_open = !ends(&words, at);
                at += 1;
            }
        }
        if is_open && let Some(per) = rate(&words, at, &amount.of) {
            amount.per = Some(per);
            at += 2;
        }
        found.all.push(amount);
        gap = at..at;
    }
    Some(found)
}

/// How many of one thing another is; nothing where they are not the same.
fn factor(of: &Of, one: &Of) -> Option<Ratio> {
    match (of, one) {
        (Of::Unit(of), Of::Unit(one)) => measures::factor(of, one),
        (Of::Period(_) | Of::Thing(_), _) if of == one => Some(Ratio::whole(1)),
        _ => None,
    }
}

/// How often one period is in another, as signs behind a product.
fn in_period(per: &Of, asked: &Of) -> Option<Vec<Sign>> {
    let times = |n: i128| vec![Sign::Of('*'), Sign::Number(Ratio::whole(n))];
    let over = |n: i128| vec![Sign::Of('/'), Sign::Number(Ratio::whole(n))];
    match (per, asked) {
        _ if per == asked => Some(vec![]),
        (Of::Unit("d"), Of::Unit("weeks")) => Some(times(7)),
        (Of::Unit("d"), Of::Period("1 y")) => Some(times(365)),
        (Of::Unit("weeks"), Of::Period("1 m")) => Some([times(52), over(12)].concat()),
        (Of::Unit("weeks"), Of::Period("1 y")) => Some(times(52)),
        (Of::Period("1 m"), Of::Period("1 y")) => Some(times(12)),
        (Of::Period("1 y"), Of::Period("1 m")) => Some(over(12)),
        _ => None,
    }
}

/// Whether a line asks for an amount and for nothing else: `how much ...`, `what is that a month`.
fn asks(line: &str) -> bool {
    let spoken = languages::detect(line);
    let (data, links) = (spoken.data(), &spoken.statements().links);
    let is_small = |norm: &str| {
        let meant = [languages::in_sum(norm), languages::in_measure(norm)];
        meant.into_iter().flatten().any(str::is_empty) && !links.contains(norm)
    };
    let is_known = |norm: &str| {
        is_small(norm)
            || links.contains(norm)
            || languages::in_measure(norm).is_some()
            || languages::span(norm).is_some()
            || languages::moment(norm).is_some()
            || norm.starts_with(|c: char| c.is_ascii_digit())
    };
    let asks = |words: Words<'_>| {
        let first = words.norm(0);
        // `how much`, and not `what should`.
        let is_how = words.len() > 1 && !data.which.contains(first) && is_small(words.norm(1));
        data.questions.contains(first) && !links.contains(first) && (is_how || words.norms().all(is_known))
    };
    let clauses = crate::intent::clauses(line);
    clauses
        .into_iter()
        .chain([line])
        .filter_map(|part| languages::readings(part).into_iter().last())
        .any(asks)
}

/// A rate times what it is for: every number of the line has its place in it.
pub(super) fn product(line: &str) -> Option<Worked> {
    let Amounts { all, asked, rest, .. } = amounts(line)?;
    let fits = (1..=MOST).contains(&all.len()) && all.iter().all(|amount| amount.of != Of::Percent);
    if !fits || asked.len() > 1 || !(asks(line) || rest <= MOST_BESIDE && all.len() > 1) {
        return None;
    }
    let mut chains = orders(all.len()).into_iter().filter_map(|order| {
        let chain: Vec<&Amount> = order.into_iter().map(|at| &all[at]).collect();
        let mut signs = vec![Sign::Number(chain[0].number)];
        for pair in chain.windows(2) {
            let times = pair[1].number.times(factor(&pair[1].of, pair[0].per.as_ref()?)?)?;
            signs.extend([Sign::Of('*'), Sign::Number(times)]);
        }
        Some((signs, chain.last()?.per.clone()))
    });
    let (mut signs, per) = chains.next().filter(|_| chains.next().is_none())?;
    match (per, asked.first()) {
        (Some(per), Some(asked)) => signs.extend(in_period(&per, asked)?),
        (None, Some(_)) => return None,
        _ => {}
    }
    let digits = if signs.contains(&Sign::Of('/')) { DIGITS } else { MAX_DIGITS };
    Some(Worked { digits, ..reckoned(signs)? })
}

/// Digits behind the point of what is worked out by periods of different lengths.
const DIGITS: usize = 2;

/// The orders of so many places.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(less) = count.checked_sub(1) else { return vec![vec![]] };
    let put = |order: Vec<usize>| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, less);
            order
        })
    };
    orders(less).into_iter().flat_map(put).collect()
}

/// What a word for an average means in the tables of the languages.
const MEAN: &str = "mean";
/// The numbers of which an average is worked out.
const LEAST_OF_MEAN: usize = 2;

/// The average of all numbers of a line, where it asks for that and they are numbers of one kind.
pub(super) fn mean(line: &str) -> Option<Worked> {
    let clauses = crate::intent::clauses(line);
    // `mean of 2, 3, 3`
    let first: Vec<String> = line.split_whitespace().take(FIRST + 1).map(crate::fold::word).collect();
    let begins = first.windows(2).any(|pair| {
        let leads =
            pair[1].starts_with(|c: char| c.is_ascii_digit()) || languages::in_sum(&pair[1]) == Some("*");
        languages::in_sum(&pair[0]) == Some(MEAN) && leads || languages::in_sum(&pair.join(" ")) == Some(MEAN)
    });
    let asks = begins
        || clauses
            .iter()
            .copied()
            .chain([line])
            .any(|part| names(part, MEAN) && crate::intent::is_question(part));
    let all = amounts(line)?.all;
    // `3 tests: 55, 67, 80`
    let first = &all.first().filter(|_| asks && all.len() >= LEAST_OF_MEAN)?.of;
    // `12, 15 and 18 points`
    let is_last = |at: usize| at + 1 == all.len() && *first == Of::Nothing;
    let is_alike =
        |(at, amount): (usize, &Amount)| (amount.of == *first || is_last(at)) && amount.per.is_none();
    if !all.iter().enumerate().all(is_alike) || all.iter().any(|amount| amount.of == Of::Percent) {
        return None;
    }
    let mut signs = vec![Sign::Of('(')];
    for (at, amount) in all.iter().enumerate() {
        signs.extend((at > 0).then_some(Sign::Of('+')));
        signs.push(Sign::Number(amount.number));
    }
    signs.extend([Sign::Of(')'), Sign::Of('/'), Sign::Number(Ratio::whole(all.len().try_into().ok()?))]);
    reckoned(signs)
}

/// Among how many first words a line names what it wants of its numbers.
const FIRST: usize = 3;

/// Whether a line has a word, or a pair of them, of that meaning in a sum.
fn names(line: &str, meaning: &str) -> bool {
    let Some(words) = languages::readings(line).into_iter().next() else { return false };
    let norms: Vec<&str> = words.norms().collect();
    let is = |words: &[&str]| languages::in_sum(&words.join(" ")) == Some(meaning);
    norms.windows(2).any(is) || norms.windows(1).any(is)
}

/// What a word for points that somebody got means in the tables of the languages.
const SCORE: &str = "score";
/// As many numbers of such a line are added.
const LEAST_OF_SCORE: usize = 3;

/// All numbers of a line together, where it asks for that, and they are of one kind or each of another thing.
pub(super) fn total(line: &str) -> Option<Worked> {
    let Amounts { all, asked, rest, is_list } = amounts(line)?;
    let is_bare = all.iter().all(|amount| amount.of == Of::Nothing);
    let is_score = || is_bare && all.len() >= LEAST_OF_SCORE && rest <= FIRST && names(line, SCORE);
    if !is_list
        || !asked.is_empty()
        || all.len() < 2
        || names(line, MEANS_PER)
        || !(names(line, TOTAL) || is_score())
    {
        return None;
    }
    let (last, before) = all.split_last()?;
    let is_thing = |amount: &Amount| matches!(amount.of, Of::Thing(_));
    // `200 + 150 + 250 ml`
    let is_alike = before.iter().all(|amount| amount.of == last.of)
        || !is_thing(last) && before.iter().all(|amount| amount.of == Of::Nothing)
        || all.iter().all(is_thing);
    let is_plain = |amount: &Amount| amount.of != Of::Percent && amount.per.is_none();
    if !is_alike || !all.iter().all(is_plain) {
        return None;
    }
    let mut signs = Vec::new();
    for amount in &all {
        signs.extend((!signs.is_empty()).then_some(Sign::Of('+')));
        signs.push(Sign::Number(amount.number));
    }
    let form = if let Of::Unit(code) = last.of { Form::Unit(code) } else { Form::Plain };
    Some(Worked { form, ..reckoned(signs)? })
}

/// What is left to a number from what the line before came to: `how much is missing to 1.5 l`.
pub(super) fn missing(to: &Amount, before: &Worked) -> Option<Worked> {
    let unit = match (before.form, &before.measured) {
        (Form::Unit(code), _) => Some(code),
        (_, Some((_, code))) => Some(*code),
        _ => None,
    };
    let of: Option<&'static str> = if let Of::Unit(of) = to.of { Some(of) } else { None };
    let times = of.zip(unit).map_or(Some(Ratio::whole(1)), |(of, unit)| measures::factor(of, unit))?;
    let (to, last) = (to.number.times(times)?, before.outcome.ok()?);
    let signs = vec![Sign::Number(to), Sign::Of('-'), Sign::Number(last)];
    Some(Worked { form: unit.or(of).map_or(Form::Plain, Form::Unit), ..reckoned(signs)? })
}

/// What words for `how long`, `how far` and `how fast` mean in the tables of the languages.
const LONG: &str = "long";
const FAR: &str = "far";
const FAST: &str = "fast";

/// The third of a way, its time and its speed, where a line tells two and asks for it: `380 miles at 55 mph how long`.
pub(super) fn travel(line: &str) -> Option<Worked> {
    let Amounts { all, asked, .. } = amounts(line)?;
    // What measures the same is added: `1 h 30 min`.
    let in_all = |one: &str| {
        let parts = all.iter().filter_map(|amount| match amount.of {
            Of::Unit(code) => Some((code, amount.number.times(measures::factor(code, one)?)?)),
            _ => None,
        });
        parts.fold(None, |sum: Option<(usize, &str, Ratio)>, (code, part)| match sum {
            Some((n, first, sum)) => Some((n + 1, first, sum.plus(part)?)),
            None => Some((1, code, part)),
        })
    };
    let (way, time, speed) = (in_all("km"), in_all("h"), in_all("km/h"));
    let told = [way, time, speed];
    if told.iter().flatten().map(|(n, ..)| n).sum::<usize>() != all.len()
        || told.iter().flatten().count() != 2
    {
        return None;
    }
    let asked = match asked[..] {
        [Of::Unit(code)] => Some(code),
        [] => None,
        _ => return None,
    };
    let is_miles =
        way.is_some_and(|(_, code, _)| code == "mi") || speed.is_some_and(|(_, code, _)| code == "mph");
    let (mile, per_hour) = if is_miles { ("mi", "mph") } else { ("km", "km/h") };
    let in_unit = |amount: Ratio, from: &str, to: &str| amount.times(measures::factor(from, to)?);
    let (first, sign, second, form) = match (way, time, speed) {
        (Some((.., way)), _, Some((.., speed))) if asked.is_none() && names(line, LONG) => {
            (in_unit(way, "km", mile)?, '/', in_unit(speed, "km/h", per_hour)?, Form::Hours)
        }
        (_, Some((.., time)), Some((.., speed))) if asked.is_none() && names(line, FAR) => {
            (in_unit(speed, "km/h", per_hour)?, '*', time, Form::Unit(mile))
        }
        (Some((.., way)), Some((.., time)), _) => {
            match asked.filter(|code| measures::factor(code, "km").is_some()) {
                Some(one) => (in_unit(time, "h", "min")?, '/', in_unit(way, "km", one)?, Form::Pace(one)),
                None if asked == Some("h") || names(line, FAST) => {
                    (in_unit(way, "km", mile)?, '/', time, Form::Unit(per_hour))
                }
                None => return None,
            }
        }
        _ => return None,
    };
    let signs = vec![Sign::Number(first), Sign::Of(sign), Sign::Number(second)];
    Some(Worked { digits: DIGITS, form, ..reckoned(signs)? })
}

/// The form of a result in which another number has taken its place.
pub(super) fn form_with(form: Form, new: &Amount) -> Form {
    match (form, &new.of) {
        (Form::Unit(old), Of::Unit(new)) if measures::factor(new, old).is_none() => Form::Unit(new),
        _ => form,
    }
}

/// The unit of what a rule of three takes first, for its result: `300 / 4 * 6` of `300 g for 4`.
pub(super) fn form_of_first(line: &str, signs: &[Sign]) -> Option<Form> {
    let [Sign::Number(first), Sign::Of('/'), Sign::Number(_), Sign::Of('*'), Sign::Number(_)] = signs else {
        return None;
    };
    amounts(line)?.all.iter().find(|amount| amount.number == *first).and_then(|amount| match amount.of {
        Of::Unit(code) => Some(Form::Unit(code)),
        _ => None,
    })
}

/// The signs of a sum with another number in the place of the one that it replaces: the percentage, the one amount beside a
/// percentage, or the one of the same thing in the lines that told the sum.
pub(super) fn exchanged(signs: &[Sign], new: &Amount, lines: &[&str]) -> Option<Vec<Sign>> {
    let number = |at: usize| match signs.get(at) {
        Some(Sign::Number(number)) => Some(*number),
        _ => None,
    };
    let is_percent = |at: usize| signs.get(at + 1) == Some(&Sign::Of('%'));
    let (percents, others): (Vec<usize>, Vec<usize>) =
        (0..signs.len()).filter(|at| number(*at).is_some()).partition(|at| is_percent(*at));
    let told = || lines.iter().filter_map(|line| amounts(line)).flat_map(|amounts| amounts.all);
    // Where an amount is divided first, as in a recipe, another thing may take its place.
    let is_divided = |at: usize| at == 0 && signs.get(1) == Some(&Sign::Of('/'));
    let fits = |at: &usize| -> Option<Ratio> {
        let of = told().find(|amount| Some(amount.number) == number(*at))?.of;
        match (&new.of, &of) {
            (Of::Unit(one), Of::Unit(other)) => {
                let alike = || is_divided(*at) && measures::are_alike(one, other);
                measures::factor(one, other).or_else(|| alike().then(|| Ratio::whole(1)))
            }
            (new, of) => (new == of).then(|| Ratio::whole(1)),
        }
    };
    let is_share = matches!(signs, [Sign::Number(_), Sign::Of('/'), Sign::Number(_), Sign::Of('*'), Sign::Number(hundred)] if *hundred == Ratio::whole(100));
    let places: Vec<usize> = match &new.of {
        Of::Nothing | Of::Thing(_) if is_share => vec![0],
        Of::Percent => percents,
        Of::Nothing if percents.len() == 1 => others,
        Of::Nothing => vec![],
        _ => others.into_iter().filter(|at| fits(at).is_some()).collect(),
    };
    let [at] = places[..] else { return None };
    let times =
        if is_share || matches!(new.of, Of::Percent | Of::Nothing) { Ratio::whole(1) } else { fits(&at)? };
    let mut signs = signs.to_vec();
    signs[at] = Sign::Number(new.number.times(times)?);
    Some(signs)
}

/// The signs of an average with one more number.
pub(super) fn with_one_more(mut signs: Vec<Sign>, new: &Amount) -> Option<Vec<Sign>> {
    let [.., Sign::Of(')'), Sign::Of('/'), Sign::Number(count)] = signs[..] else { return None };
    let numbers = signs.iter().filter(|sign| matches!(sign, Sign::Number(_))).count() - 1;
    let is_mean = signs.first() == Some(&Sign::Of('('))
        && Ratio::whole(numbers.try_into().ok()?) == count
        && signs[1..signs.len() - 3].iter().all(|sign| matches!(sign, Sign::Number(_) | Sign::Of('+')));
    if !is_mean {
        return None;
    }
    signs.truncate(signs.len() - 3);
    let all = count.plus(Ratio::whole(1))?;
    signs.extend([Sign::Of('+'), Sign::Number(new.number), Sign::Of(')'), Sign::Of('/'), Sign::Number(all)]);
    Some(signs)
}

/// What is left of an amount where each of some people gets another: `1800 - 7 * 250`.
pub(super) fn left_of(numbers: &[Amount]) -> Option<Vec<Sign>> {
    let [all, each, people] = numbers else { return None };
    let whole = all.number.times(factor(&all.of, &each.of)?)?;
    let of_each = [Sign::Number(people.number), Sign::Of('*'), Sign::Number(each.number)];
    Some([Sign::Number(whole), Sign::Of('-')].into_iter().chain(of_each).collect())
}
