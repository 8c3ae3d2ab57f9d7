//! Sentences that the program itself says, in the languages that there are files for.

use jiff::Zoned;
use language::{Language, Says, fill};
use ports::KernelContext;
use shared_types::capability::TokenSet;

/// The language in which the person is answered: the profile's, or else that of the line.
pub fn language(ctx: &KernelContext, line: &str) -> Language {
    chosen(ctx).unwrap_or_else(|| language::detect(line))
}

/// The language of the profile, where it names one.
pub fn chosen(ctx: &KernelContext) -> Option<Language> {
    let code = ctx.shared().language.as_deref()?;
    Some(Language::of_code(code).unwrap_or(Language::DEFAULT))
}

/// What is missing here, for which the profile's person can do nothing: a child hears whom to ask, and no name of a part.
pub fn missing(ctx: &KernelContext, line: &str, told: fn(&Says) -> &'static str) -> &'static str {
    let says = language(ctx, line).says();
    if ctx.shared().audience.is_minor() { says.broken_minor } else { told(says) }
}

/// What a proposal asks for, in a few words.
pub fn tokens(language: Language, tokens: &TokenSet, hosts: &[String]) -> String {
    if tokens.is_empty() {
        return language.says().asks_nothing.to_owned();
    }
    let at = match hosts {
        [] => String::new(),
        hosts => format!(" ({})", hosts.join(", ")),
    };
    fill(language.says().asks_for, &[("tokens", &format!("{tokens}{at}"))])
}

/// A time of day as it is written, without its seconds: `08:05`.
pub fn clock(time: jiff::civil::Time) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// The name of a day of the week.
pub fn weekday(day: jiff::civil::Date, language: Language) -> &'static str {
    language.calendar().0[usize::from(day.weekday().to_monday_zero_offset().unsigned_abs())]
}

/// A sentence about a day, whose parts are filled in as the language writes them.
pub fn on_day(template: &str, day: &jiff::Zoned, language: Language) -> String {
    let weekday = weekday(day.date(), language);
    let month = language.calendar().1[usize::from(day.month().unsigned_abs()) - 1];
    let (number, year) = (day.day().to_string(), day.year().to_string());
    fill(template, &[("weekday", weekday), ("day", &number), ("month", month), ("year", &year)])
}

/// A moment that is over: its time, before today with its day.
pub fn moment_of(then: &Zoned, now: &Zoned, language: Language) -> String {
    let time = clock(then.time());
    match then.date() == now.date() {
        true => time,
        false => format!("{}, {time}", on_day(language.says().span_day, then, language)),
    }
}
