//! The steps of a rule: one row for each function that a rule may use, with what it costs.

use skill_sdk::Date;

use crate::helpers as h;
use crate::value::{Kind, Value};

/// A function of [`crate::helpers`], by what it takes and gives.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    Text(fn(&str) -> Option<String>),
    TextMark(fn(&str, &str) -> Option<String>),
    TextCount(fn(&str, i64) -> Option<String>),
    TextTable(fn(&str, &str, &str) -> Option<String>),
    Split(fn(&str) -> Option<Vec<String>>),
    SplitMark(fn(&str, &str) -> Option<Vec<String>>),
    Read(fn(&str) -> Option<f64>),
    ReadMark(fn(&str, &str) -> Option<f64>),
    ReadDate(fn(&str) -> Option<Date>),
    Pick(fn(&[String]) -> Option<String>),
    PickCount(fn(&[String], i64) -> Option<String>),
    Join(fn(&[String], &str) -> Option<String>),
    List(fn(&[String]) -> Option<Vec<String>>),
    Add(fn(&[String]) -> Option<f64>),
    Number(fn(f64) -> Option<f64>),
    NumberBy(fn(f64, f64) -> Option<f64>),
    Write(fn(f64) -> Option<String>),
    WriteCount(fn(f64, i64) -> Option<String>),
    OfDate(fn(Date) -> Option<f64>),
    Name(fn(Date) -> Option<String>),
    Later(fn(Date, i64) -> Option<Date>),
}

impl Run {
    pub(crate) fn takes(self) -> Kind {
        match self {
            Run::Text(_) | Run::TextMark(_) | Run::TextCount(_) | Run::TextTable(_) => Kind::Text,
            Run::Split(_) | Run::SplitMark(_) | Run::Read(_) | Run::ReadMark(_) | Run::ReadDate(_) => {
                Kind::Text
            }
            Run::Pick(_) | Run::PickCount(_) | Run::Join(_) | Run::List(_) | Run::Add(_) => Kind::List,
            Run::Number(_) | Run::NumberBy(_) | Run::Write(_) | Run::WriteCount(_) => Kind::Number,
            Run::OfDate(_) | Run::Name(_) | Run::Later(_) => Kind::Date,
        }
    }
}

/// One function that a rule may use.
pub(crate) struct Helper {
    pub(crate) name: &'static str,
    /// In tenths of a plain step.
    pub(crate) cost: u32,
    pub(crate) run: Run,
    /// Whether a loop over a list may use it.
    pub(crate) in_loops: bool,
}

const fn row(name: &'static str, cost: u32, run: Run) -> Helper {
    Helper { name, cost, run, in_loops: false }
}

const fn looped(name: &'static str, cost: u32, run: Run) -> Helper {
    Helper { name, cost, run, in_loops: true }
}

/// Every function, the plain ones first: of two that do the same, the earlier one is taken.
pub(crate) static HELPERS: &[Helper] = &[
    looped("lower_case", 10, Run::Text(h::lower_case)),
    looped("upper_case", 10, Run::Text(h::upper_case)),
    looped("capital", 11, Run::Text(h::capital)),
    looped("first_letters", 10, Run::TextCount(h::first_letters)),
    looped("last_letters", 12, Run::TextCount(h::last_letters)),
    looped("without_first_letters", 13, Run::TextCount(h::without_first_letters)),
    looped("without_last_letters", 14, Run::TextCount(h::without_last_letters)),
    row("only_digits", 12, Run::Text(h::only_digits)),
    row("only_letters", 14, Run::Text(h::only_letters)),
    row("only_capitals", 16, Run::Text(h::only_capitals)),
    row("without_blanks", 13, Run::Text(h::without_blanks)),
    row("without_vowels", 20, Run::Text(h::without_vowels)),
    row("each_letter_once", 22, Run::Text(h::each_letter_once)),
    looped("backwards", 16, Run::Text(h::backwards)),
    row("other_case", 22, Run::Text(h::other_case)),
    looped("plural", 20, Run::Text(h::plural)),
    row("with_article", 20, Run::Text(h::with_article)),
    row("with_zeros", 14, Run::TextCount(h::with_zeros)),
    row("without_zeros", 16, Run::Text(h::without_zeros)),
    row("repeated", 20, Run::TextCount(h::repeated)),
    row("moved_letters", 24, Run::TextCount(h::moved_letters)),
    row("changed_letters", 30, Run::TextTable(h::changed_letters)),
    row("before", 11, Run::TextMark(h::before)),
    row("after", 11, Run::TextMark(h::after)),
    row("before_last", 13, Run::TextMark(h::before_last)),
    row("after_last", 13, Run::TextMark(h::after_last)),
    row("without", 13, Run::TextMark(h::without)),
    row("words", 4, Run::Split(h::words)),
    row("pieces", 6, Run::SplitMark(h::pieces)),
    row("letters", 8, Run::Split(h::letters)),
    row("digit_groups", 8, Run::Split(h::digit_groups)),
    row("letter_groups", 9, Run::Split(h::letter_groups)),
    row("letter_and_digit_groups", 10, Run::Split(h::letter_and_digit_groups)),
    row("numbers_in", 10, Run::Split(h::numbers_in)),
    row("capital_words", 14, Run::Split(h::capital_words)),
    row("item", 6, Run::PickCount(h::item)),
    row("joined", 10, Run::Join(h::joined)),
    row("longest", 16, Run::Pick(h::longest)),
    row("shortest", 17, Run::Pick(h::shortest)),
    row("sorted", 26, Run::List(h::sorted)),
    row("sorted_numbers", 27, Run::List(h::sorted_numbers)),
    row("sorted_by_length", 30, Run::List(h::sorted_by_length)),
    row("turned_around", 12, Run::List(h::turned_around)),
    row("without_repeats", 16, Run::List(h::without_repeats)),
    row("without_first", 13, Run::List(h::without_first)),
    row("without_last", 13, Run::List(h::without_last)),
    row("count", 12, Run::Add(h::count)),
    row("sum", 12, Run::Add(h::sum)),
    row("product", 15, Run::Add(h::product)),
    row("difference", 15, Run::Add(h::difference)),
    row("quotient", 17, Run::Add(h::quotient)),
    row("largest", 20, Run::Add(h::largest)),
    row("smallest", 21, Run::Add(h::smallest)),
    row("average", 16, Run::Add(h::average)),
    row("number", 4, Run::Read(h::number)),
    row("length", 14, Run::Read(h::length)),
    row("vowels_in", 18, Run::Read(h::vowels_in)),
    row("capitals_in", 19, Run::Read(h::capitals_in)),
    row("times_in", 18, Run::ReadMark(h::times_in)),
    row("place_in_alphabet", 18, Run::Read(h::place_in_alphabet)),
    row("letter_at", 16, Run::Write(h::letter_at)),
    row("plus", 14, Run::NumberBy(h::plus)),
    row("times", 15, Run::NumberBy(h::times)),
    row("divided", 16, Run::NumberBy(h::divided)),
    row("whole_times", 18, Run::NumberBy(h::whole_times)),
    row("rest", 18, Run::NumberBy(h::rest)),
    row("square", 18, Run::Number(h::square)),
    row("rounded", 14, Run::Number(h::rounded)),
    row("plain", 4, Run::Write(h::plain)),
    row("with_decimals", 9, Run::WriteCount(h::with_decimals)),
    row("with_commas", 14, Run::Write(h::with_commas)),
    row("roman", 12, Run::Write(h::roman)),
    row("roman_worth", 12, Run::Read(h::roman_worth)),
    row("ordinal", 14, Run::Write(h::ordinal)),
    row("in_words", 14, Run::Write(h::in_words)),
    row("worth_of_words", 14, Run::Read(h::worth_of_words)),
    row("binary", 15, Run::Write(h::binary)),
    row("binary_worth", 17, Run::Read(h::binary_worth)),
    row("hexadecimal", 16, Run::Write(h::hexadecimal)),
    row("hexadecimal_worth", 18, Run::Read(h::hexadecimal_worth)),
    row("month_name", 13, Run::Write(h::month_name)),
    row("german_month_name", 14, Run::Write(h::german_month_name)),
    row("month_number", 13, Run::Read(h::month_number)),
    row("date", 8, Run::ReadDate(h::date)),
    row("american_date", 10, Run::ReadDate(h::american_date)),
    row("compact_date", 10, Run::ReadDate(h::compact_date)),
    row("day_of", 6, Run::OfDate(h::day_of)),
    row("month_of", 6, Run::OfDate(h::month_of)),
    row("year_of", 6, Run::OfDate(h::year_of)),
    row("weekday_of", 10, Run::Name(h::weekday_of)),
    row("days_later", 18, Run::Later(h::days_later)),
];

/// What a function is given beside the value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Arg {
    Nothing,
    Count(i64),
    Mark(String),
    Table(String, String),
    Number(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// A function of the table, by its place there.
    Call(usize, Arg),
    /// The same steps for each of a list.
    Each(Vec<Step>),
    /// Those of a list for which something is so.
    Those(Test),
}

/// The place of a function in the table.
pub(crate) fn place(name: &str) -> usize {
    HELPERS.iter().position(|helper| helper.name == name).expect("the table holds it")
}

/// The step that calls a function.
pub(crate) fn call(name: &str, arg: Arg) -> Step {
    Step::Call(place(name), arg)
}

impl Step {
    pub(crate) fn takes(&self) -> Kind {
        match self {
            Step::Call(at, _) => HELPERS[*at].run.takes(),
            Step::Each(_) | Step::Those(_) => Kind::List,
        }
    }

    /// What it costs, in tenths of a plain step.
    pub(crate) fn cost(&self) -> u32 {
        match self {
            Step::Call(at, arg) => HELPERS[*at].cost + arg.cost(),
            Step::Each(steps) => 4 + steps.iter().map(Step::cost).sum::<u32>(),
            Step::Those(test) => 10 + test.cost(),
        }
    }

    /// What it makes of a value; nothing where it has no answer.
    pub(crate) fn run(&self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Step::Each(steps), Value::List(list)) => {
                let change = |item: &str| {
                    let mut value = Value::Text(item.to_owned());
                    for step in steps {
                        value = step.run(&value)?;
                    }
                    value.as_text().map(str::to_owned)
                };
                h::each(list, change).map(Value::List)
            }
            (Step::Those(test), Value::List(list)) => {
                h::those(list, |item| test.holds(item)).map(Value::List)
            }
            (Step::Call(at, arg), value) => call_one(HELPERS[*at].run, arg, value),
            _ => None,
        }
    }
}

impl Arg {
    fn cost(&self) -> u32 {
        match self {
            Arg::Nothing => 0,
            // 1 is plainer than 4, and a place from the front plainer than one from the end.
            Arg::Count(count) if *count < 0 => 1 + count.unsigned_abs().min(9) as u32,
            Arg::Count(count) => (*count).clamp(0, 9) as u32,
            Arg::Mark(mark) => mark.chars().count().min(9) as u32,
            Arg::Table(from, _) => from.chars().count().min(30) as u32,
            Arg::Number(number) => h::plain(*number).map_or(9, |text| text.len().min(9) as u32),
        }
    }
}

fn call_one(run: Run, arg: &Arg, value: &Value) -> Option<Value> {
    use Value::{Date, List, Number, Text};
    match (run, value, arg) {
        (Run::Text(f), Text(text), _) => f(text).map(Text),
        (Run::TextMark(f), Text(text), Arg::Mark(mark)) => f(text, mark).map(Text),
        (Run::TextCount(f), Text(text), Arg::Count(count)) => f(text, *count).map(Text),
        (Run::TextTable(f), Text(text), Arg::Table(from, to)) => f(text, from, to).map(Text),
        (Run::Split(f), Text(text), _) => f(text).map(List),
        (Run::SplitMark(f), Text(text), Arg::Mark(mark)) => f(text, mark).map(List),
        (Run::Read(f), Text(text), _) => f(text).map(Number),
        (Run::ReadMark(f), Text(text), Arg::Mark(mark)) => f(text, mark).map(Number),
        (Run::ReadDate(f), Text(text), _) => f(text).map(Date),
        (Run::Pick(f), List(list), _) => f(list).map(Text),
        (Run::PickCount(f), List(list), Arg::Count(count)) => f(list, *count).map(Text),
        (Run::Join(f), List(list), Arg::Mark(mark)) => f(list, mark).map(Text),
        (Run::List(f), List(list), _) => f(list).map(List),
        (Run::Add(f), List(list), _) => f(list).map(Number),
        (Run::Number(f), Number(number), _) => f(*number).map(Number),
        (Run::NumberBy(f), Number(number), Arg::Number(by)) => f(*number, *by).map(Number),
        (Run::Write(f), Number(number), _) => f(*number).map(Text),
        (Run::WriteCount(f), Number(number), Arg::Count(count)) => f(*number, *count).map(Text),
        (Run::OfDate(f), Date(date), _) => f(*date).map(Number),
        (Run::Name(f), Date(date), _) => f(*date).map(Text),
        (Run::Later(f), Date(date), Arg::Count(count)) => f(*date, *count).map(Date),
        _ => None,
    }
}

/// A question about a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Test {
    Has(String),
    EndsIn(String),
    HasWords(i64),
    HasLetters(i64),
    IsAtLeast(i64),
    IsDividedBy(i64),
    BeginsWithVowel,
    BeginsWithCapital,
    HasDigits,
    IsNumber,
    Not(Box<Test>),
}

impl Test {
    pub(crate) fn holds(&self, text: &str) -> bool {
        match self {
            Test::Has(mark) => h::has(text, mark),
            Test::EndsIn(ending) => h::ends_in(text, ending),
            Test::HasWords(many) => h::has_words(text, *many),
            Test::HasLetters(many) => h::has_letters(text, *many),
            Test::IsAtLeast(least) => h::is_at_least(text, *least),
            Test::IsDividedBy(by) => h::is_divided_by(text, *by),
            Test::BeginsWithVowel => h::begins_with_vowel(text),
            Test::BeginsWithCapital => h::begins_with_capital(text),
            Test::HasDigits => h::has_digits(text),
            Test::IsNumber => h::is_number(text),
            Test::Not(test) => !test.holds(text),
        }
    }

    pub(crate) fn cost(&self) -> u32 {
        match self {
            Test::Has(_) | Test::HasWords(_) => 10,
            Test::HasDigits | Test::IsNumber | Test::BeginsWithVowel | Test::BeginsWithCapital => 12,
            Test::EndsIn(ending) => 13 + ending.len().min(9) as u32,
            Test::IsAtLeast(_) | Test::IsDividedBy(_) => 14,
            Test::HasLetters(_) => 16,
            Test::Not(test) => 2 + test.cost(),
        }
    }
}
