//! Dates: `how many days until 2030-01-01?`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use skill_sdk::Date;

use super::family::{Family, Fit, Plan, example};
use super::offer::{ToolShape, needed, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "dates",
    source: include_str!("skills/dates.rs"),
    words: &[
        "count*",
        "zaehl*",
        "day*",
        "tag*",
        "date*",
        "datum*",
        "down",
        "termin*",
        "viele",
        "lieg*",
        "daten",
        "until",
        "till",
        "bis",
        "since",
        "seit",
        "between",
        "difference*",
        "differenz*",
        "left",
        "remaining",
        "verbleib*",
        "long",
        "lange",
        "calculat*",
        "berechn*",
        "rechn*",
        "weekday*",
        "wochentag*",
        "week",
        "woche",
        "calendar",
        "kalender",
        "birthday*",
        "geburtstag*",
        "christmas",
        "weihnacht*",
        "halloween",
        "silvester",
        "year*",
        "jahr*",
        "holiday*",
        "feiertag*",
        "event*",
        "number*",
        "passed",
        "vergangen",
        "future",
        "past",
        "specific",
        "certain",
        "bestimmt*",
        "today",
        "heute",
        "jan*",
        "feb*",
        "march",
        "maerz",
        "april",
        "mai",
        "june",
        "juni",
        "july",
        "juli",
        "aug*",
        "sep*",
        "okt*",
        "oct*",
        "nov*",
        "dec*",
        "dez*",
        "eve",
        "next",
        "summer",
        "vacation*",
        "urlaub*",
        "determine",
        "find",
        "two",
        "fall*",
        "zwei",
        "ferien",
        "anniversary",
    ],
    most_strangers: 0,
    fit,
};

const UNTIL: ToolShape = tool(
    "until",
    &["until", "till", "countdown", "count_down", "bis", "remaining", "left", "days_to"],
    &[&[needed("date", DATE)]],
);
const SINCE: ToolShape = tool("since", &["since", "seit", "passed", "ago"], &[&[needed("date", DATE)]]);
const BETWEEN: ToolShape = tool(
    "between",
    &["between", "difference", "zwischen", "diff", "from_to"],
    &[&[
        needed("from", &["start", "first", "date1", "a", "von"]),
        needed("to", &["end", "second", "date2", "b", "bis"]),
    ]],
);
const WEEKDAY: ToolShape =
    tool("weekday", &["weekday", "wochentag", "day_of", "which_day", "week"], &[&[needed("date", DATE)]]);
const DATE: &[&str] = &["day", "target", "when", "datum", "event", "target_date"];

fn fit(wish: &Wish) -> Fit {
    const DAYS: &[&str] = &[
        "day",
        "days",
        "tag",
        "tage",
        "tagen",
        "date",
        "dates",
        "datum",
        "daten",
        "countdown*",
        "count down",
        "long",
        "lange",
    ];
    const COUNT: &[&str] = &[
        "until",
        "till",
        "bis",
        "since",
        "seit",
        "between",
        "zwischen",
        "countdown*",
        "count down",
        "left",
        "difference*",
        "differenz*",
        "remain*",
    ];
    const WEEK: &[&str] =
        &["weekday*", "day of the week", "wochentag*", "day of week", "which day", "what day"];
    const OTHER: &[&str] = &[
        "working day*",
        "business day*",
        "arbeitstag*",
        "moon",
        "mond*",
        "leap*",
        "schaltjahr*",
        "birthdays of",
        "word*",
        "lunar",
    ];
    let to_a_day = wish.has_all(&[&["count*"], &["days to"]]);
    let (counts, weekday) = (wish.has_all(&[DAYS, COUNT]) || to_a_day, wish.has(WEEK));
    if !(counts || weekday) || wish.has(OTHER) {
        return Fit::No;
    }
    let mut tools = Vec::new();
    if counts {
        tools.extend([UNTIL, SINCE, BETWEEN]);
    }
    if weekday {
        tools.push(WEEKDAY);
    }
    let fixed = if counts { fixed_date(wish) } else { None };
    let mut trials = Vec::new();
    if let (Some(from), Some(to)) = (Date::new(2024, 2, 1), Date::new(2030, 1, 1)) {
        let days = from.days_until(to);
        trials.push(example(
            "between",
            &[("from", json!(from.to_string())), ("to", json!(to.to_string()))],
            days.to_string(),
        ));
        trials.push(
            example("until", &[("date", json!("2030-01-01"))], to.weekday().to_string()).german("Dienstag"),
        );
        trials.push(example("since", &[("date", json!("2020-02-29"))], "2020-02-29").german("29.2.2020"));
        trials.push(
            example("weekday", &[("date", json!("1 January 2030"))], to.weekday().to_string())
                .german("Dienstag"),
        );
    }
    let mut plan = Plan {
        parameters: match (&fixed, counts, weekday) {
            (Some(date), ..) => format!("date={date}"),
            (None, true, true) => "days and weekdays".to_owned(),
            (None, true, false) => "days".to_owned(),
            (None, ..) => "weekdays".to_owned(),
        },
        tools,
        trials,
        ..Plan::default()
    };
    if let Some(date) = fixed {
        plan.switches = BTreeSet::from(["fixed"]);
        plan.texts = BTreeMap::from([("date", date)]);
        plan.trials.push(example("until", &[], ""));
    }
    Fit::Yes(plan)
}

/// The one date that the wish names, as in "count the days until Christmas".
fn fixed_date(wish: &Wish) -> Option<String> {
    const FEASTS: &[(&str, &str)] = &[
        ("christmas", "christmas"),
        ("xmas", "christmas"),
        ("weihnachten", "weihnachten"),
        ("halloween", "halloween"),
        ("silvester", "silvester"),
        ("heiligabend", "heiligabend"),
        ("neujahr", "neujahr"),
    ];
    let words = wish.typed();
    if let Some((_, feast)) = FEASTS.iter().find(|(word, _)| words.iter().any(|typed| typed == word)) {
        return Some((*feast).to_owned());
    }
    // A dash or a point divides words, so a date is three of them.
    words.windows(3).find_map(|three| {
        let date = [three.join("-"), three.join("."), three.join(" ")];
        date.iter().find_map(|text| Date::parse(text)).map(|date| date.to_string())
    })
}
