//! The words that a pattern may begin with, and those that it needs.

use crate::fold;

/// The words that a line may begin with which a pattern matches; `None` if any may.
pub(crate) fn first_words(pattern: &str) -> Option<Vec<String>> {
    let mut first = Vec::new();
    let mut rest = pattern.trim_start();
    while !rest.is_empty() {
        let (is_optional, item, behind) = match rest.strip_prefix('[') {
            Some(group) => {
                let (group, behind) = group.split_once(']')?;
                (true, group.trim_start(), behind)
            }
            None => (false, rest, rest.split_once(char::is_whitespace).map_or("", |(_, behind)| behind)),
        };
        let word =
            item.split(|c: char| c.is_whitespace() || matches!(c, '{' | '[')).next().unwrap_or_default();
        let choices = word.split('|').map(fold::word).filter(|choice| !choice.is_empty());
        let choices: Vec<String> = choices.collect();
        let is_any = choices.is_empty() && (is_optional || item.starts_with('{'));
        if is_any || choices.iter().any(|choice| choice.starts_with('*')) {
            return None;
        }
        // A sign is not a word and is passed over.
        let is_needed = !is_optional && !choices.is_empty();
        first.extend(choices);
        if is_needed {
            return Some(first);
        }
        rest = behind.trim_start();
    }
    None
}

/// The words of a pattern that a line must have, each as its choices. One that any word may end with is left out.
pub(crate) fn needed_words(pattern: &str) -> Vec<Vec<String>> {
    let mut needed = Vec::new();
    let mut rest = pattern.trim_start();
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '[' | '{' => rest.find(if c == '[' { ']' } else { '}' }).map_or(rest.len(), |at| at + 1),
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '[' | ']'));
                let end = end.unwrap_or(rest.len()).max(c.len_utf8());
                let choices: Vec<String> = rest[..end].split('|').map(fold::word).collect();
                // A sign is not a word and is passed over.
                if choices.iter().all(|choice| !choice.is_empty() && !choice.starts_with('*')) {
                    needed.push(choices);
                }
                end
            }
        };
        rest = rest[end..].trim_start();
    }
    needed
}
