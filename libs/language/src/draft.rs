//! How a wish becomes the first draft of a proposal.

use shared_types::capability::{Token, TokenSet};
use shared_types::id::{Digest, SkillName};
use shared_types::profile::SystemCapability;
use shared_types::sorted;
use shared_types::text;

use crate::fold;
use crate::languages::Language;
use crate::words::Words;

/// What a wish asks for, as far as its words tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// A name from the words that carry the meaning.
    pub name: SkillName,
    /// The wish as one line, at most 200 characters.
    pub description: String,
    /// The tokens that such a skill needs.
    pub capabilities: TokenSet,
    /// What the system must offer.
    pub requirements: Vec<SystemCapability>,
    /// Topics, such as `weather`, for which the configuration may name a host.
    pub topics: Vec<String>,
}

/// Drafts a proposal from a wish, by the rules of the language files.
pub fn draft(wish: &str) -> Draft {
    let wish: String = text::line(&wish.chars().filter(|c| !text::is_refused(*c)).collect::<String>());
    let words = Words::of(&wish, |_| None);
    let norms: Vec<&str> = words.iter().flat_map(Words::norms).collect();
    let mut draft = Draft {
        name: name(&words, &wish),
        description: description(&wish),
        capabilities: TokenSet::new(),
        requirements: Vec::new(),
        topics: Vec::new(),
    };
    for rule in Language::all().flat_map(|l| l.data().draft.rules) {
        let applies = rule.words.iter().any(|phrase| {
            (0..norms.len()).any(|at| begins(&norms[at..], &phrase.iter().collect::<Vec<_>>()))
        });
        if applies {
            let tokens = rule.tokens.iter().filter_map(|token| token.parse::<Token>().ok());
            draft.capabilities = draft.capabilities.union(&tokens.collect());
            draft.requirements.extend(rule.requires.iter().filter_map(SystemCapability::parse));
            draft.topics.extend(rule.topic.map(str::to_owned));
        }
    }
    sorted::by(&mut draft.requirements, Ord::cmp);
    draft.requirements.dedup();
    draft.topics.sort();
    draft.topics.dedup();
    draft
}

/// Whether words begin with a phrase, in which `*` stands for one word or a few.
fn begins(words: &[&str], phrase: &[&str]) -> bool {
    const MOST: usize = 6;
    match phrase.split_first() {
        None => true,
        Some((&"*", rest)) => (1..=MOST.min(words.len())).any(|taken| begins(&words[taken..], rest)),
        Some((part, rest)) => {
            words.split_first().is_some_and(|(word, after)| word == part && begins(after, rest))
        }
    }
}

const MOST_WORDS: usize = 4;
const LONGEST_NAME: usize = 40;

fn name(words: &Option<Words<'_>>, wish: &str) -> SkillName {
    let stop = |w: &str| Language::all().any(|l| l.data().draft.stop.contains(w));
    let plain = |typed: &str| -> String {
        let word = fold::word(&fold::written_out(typed));
        word.chars().filter(char::is_ascii_alphanumeric).collect()
    };
    let all = words.iter().flat_map(|words| (0..words.len()).map(move |at| (words.norm(at), words.raw(at))));
    let telling =
        all.filter(|(norm, _)| !stop(norm)).map(|(_, typed)| plain(typed)).filter(|w| !w.is_empty());
    let mut name = String::new();
    for word in telling.take(MOST_WORDS) {
        let longer = if name.is_empty() { word } else { format!("{name}-{word}") };
        if longer.len() > LONGEST_NAME && !name.is_empty() {
            break;
        }
        name = longer.chars().take(LONGEST_NAME).collect();
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name = format!("skill-{name}").trim_end_matches('-').to_owned();
    }
    // Words of another script leave nothing; their digest still tells two wishes apart.
    if name == "skill" || name.len() < 2 {
        name = format!("skill-{}", &Digest::of(wish.as_bytes()).as_str()[..8]);
    }
    name.parse().expect("lower-case letters, digits and `-` between them, starting with a letter")
}

fn description(wish: &str) -> String {
    let wish = wish.trim().trim_end_matches(['.', '!', '?', ' ']);
    let mut chars = wish.chars();
    let line: String = match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).take(200).collect(),
        None => "A new ability".to_owned(),
    };
    line.trim_end().to_owned()
}
