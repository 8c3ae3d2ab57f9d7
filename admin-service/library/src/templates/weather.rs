//! The weather of a place, by the service that the proposal names: `what is the weather in Oslo?`.

use std::collections::BTreeMap;

use shared_types::capability::Token;

use super::family::{Family, Fit, Plan};
use super::offer::{ToolShape, optional, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "weather",
    source: include_str!("skills/weather.rs"),
    // The place may be any.
    words: &["*"],
    most_strangers: 0,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "weather",
    &["weather", "wetter", "forecast", "temperature", "rain", "tell", "get", "show"],
    &[&[optional("place", &["city", "town", "where", "location", "ort", "stadt"])]],
)];

const WEATHER: &[&str] = &["weather", "wetter", "wetterbericht", "wettervorhersage", "temperature outside"];

fn fit(wish: &Wish) -> Fit {
    const LATER: &[&str] = &[
        "warn*",
        "alert*",
        "notif*",
        "remind*",
        "erinner*",
        "every",
        "jeden",
        "wear",
        "anzieh*",
        "record*",
        "remember*",
        "merk*",
        "history",
        "statisti*",
        "average*",
        "compar*",
        "vergleich*",
        "plan*",
    ];
    let Some((before, behind)) = service(wish) else {
        return Fit::No;
    };
    if wish.says(LATER) {
        return Fit::Beyond(
            "the template asks the weather service for one place and repeats its line; more than that needs a model to write it"
                .to_owned(),
        );
    }
    let place = place(wish).unwrap_or_default();
    let host = wish.hosts.first().map(ToString::to_string).unwrap_or_default();
    Fit::Yes(Plan {
        parameters: match place.as_str() {
            "" => format!("host={host}"),
            place => format!("host={host}, place={place}"),
        },
        tools: TOOLS.to_vec(),
        texts: BTreeMap::from([("before", before), ("behind", behind), ("place", place), ("host", host)]),
        needs: vec![Token::NetworkRead],
        ..Plan::default()
    })
}

/// The address of the service that a proposal for the weather names, before and behind the place; only where its host is the one
/// host of the proposal.
pub(super) fn service(wish: &Wish) -> Option<(String, String)> {
    const PLACE: &str = "{place}";
    if !wish.says(WEATHER) {
        return None;
    }
    let address = wish.service.as_deref()?;
    let (before, behind) = address.split_once(PLACE)?;
    let named = language::address::of(before)?;
    let is_whole = named.url == before && !behind.contains(PLACE);
    let is_only = wish.hosts.len() == 1 && wish.hosts.iter().all(|host| host.as_str() == named.host);
    (is_whole && is_only).then(|| (before.to_owned(), behind.to_owned()))
}

/// The place that a wish names, as in `learn to tell me the weather in New York`: what begins with a capital there.
fn place(wish: &Wish) -> Option<String> {
    const BEFORE: [&str; 6] = ["in", "for", "at", "für", "of", "von"];
    let words: Vec<&str> = wish.said.split_whitespace().collect();
    let at = words.iter().rposition(|word| BEFORE.contains(word))?;
    let is_name = |word: &&&str| word.chars().next().is_some_and(char::is_uppercase);
    let names: Vec<&str> = words[at + 1..].iter().take_while(is_name).take(4).copied().collect();
    let place = names.join(" ");
    let place = place.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let is_plain =
        place.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ' ' | '-' | '.' | '\''));
    (!place.is_empty() && place.len() <= 60 && is_plain).then(|| place.to_owned())
}
