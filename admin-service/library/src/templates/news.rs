//! The titles of one feed: `what is in the news?`.

use std::collections::BTreeMap;

use shared_types::capability::Token;

use super::family::{Family, Fit, Plan};
use super::offer::{ToolShape, tool};
use super::wish::Wish;

pub(super) static FAMILY: Family = Family {
    name: "news",
    source: include_str!("skills/news.rs"),
    // The words of an address may be any.
    words: &["*"],
    most_strangers: 0,
    fit,
};

const TOOLS: &[ToolShape] = &[tool(
    "news",
    &["news", "headline", "feed", "nachricht", "schlagzeil", "title", "read", "list"],
    &[&[]],
)];

const NEWS: &[&str] = &["news", "headlines", "nachrichten", "schlagzeilen", "feed", "rss", "atom"];

fn fit(wish: &Wish) -> Fit {
    let Some(feed) = feed(wish) else {
        return Fit::No;
    };
    Fit::Yes(Plan {
        parameters: format!("feed={feed}"),
        tools: TOOLS.to_vec(),
        texts: BTreeMap::from([("feed", feed)]),
        needs: vec![Token::NetworkRead],
        ..Plan::default()
    })
}

/// The address of the feed that a wish for news names, where the proposal names its host and no other.
pub(super) fn feed(wish: &Wish) -> Option<String> {
    let address = language::address::of(&wish.said)?;
    // The words of the address itself tell nothing.
    let around = wish.said.replacen(address.url, "", 1);
    if !language::words::lower(&around).any(|word| NEWS.contains(&word.as_str())) {
        return None;
    }
    let is_only = wish.hosts.len() == 1 && wish.hosts.iter().all(|host| host.as_str() == address.host);
    is_only.then(|| address.url.to_owned())
}
