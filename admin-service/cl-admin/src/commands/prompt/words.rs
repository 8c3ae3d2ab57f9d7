//! A typed line as words.

/// A quote that is not closed.
#[derive(Debug, thiserror::Error)]
#[error("the quote {0} is not closed; nothing was done")]
pub struct OpenQuote(char);

/// Splits a line at spaces; a part in `"` or `'` stays whole.
///
/// # Errors
/// A quote that is not closed.
pub fn split(line: &str) -> Result<Vec<String>, OpenQuote> {
    let (mut words, mut word, mut quote) = (vec![], None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                // An empty pair is an empty word.
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(open) => Err(OpenQuote(open)),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

/// Lets a rejection be typed as it is spoken: what follows the proposal is the reason.
pub fn with_reason(words: Vec<String>) -> Vec<String> {
    let spoken = words.first().is_some_and(|verb| verb == "reject")
        && words.len() > 2
        && !words[1..].iter().any(|word| word.starts_with("--"));
    if !spoken {
        return words;
    }
    let reason = words[2..].join(" ");
    vec![words[0].clone(), words[1].clone(), "--reason".to_owned(), reason]
}

#[cfg(test)]
mod tests;
