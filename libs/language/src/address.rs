//! The address of a page that a line names.

/// An address in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address<'a> {
    /// The whole, such as `https://example.org/feed.xml`.
    pub url: &'a str,
    /// Its host, with a port where it names one.
    pub host: &'a str,
}

/// The most bytes of an address.
const LONGEST: usize = 300;

/// The first address of a line, without the mark that ends a sentence; none that names a user, or holds what no address holds.
pub fn of(line: &str) -> Option<Address<'_>> {
    let around = |c: char| matches!(c, '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '„' | '“' | '”');
    let words = line.split(char::is_whitespace).map(|word| word.trim_matches(around));
    let url = words
        .map(|word| word.trim_end_matches(['.', ',', '!', '?', ';', ':']).trim_end_matches(around))
        .find(|word| word.starts_with("https://") || word.starts_with("http://"))?;
    let host = url.split_once("://")?.1.split(['/', '?', '#']).next()?;
    let is_plain = url.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&()*+,;=%".contains(&b));
    let is_address = is_plain && !host.is_empty() && !host.contains('@') && url.len() <= LONGEST;
    is_address.then_some(Address { url, host })
}

#[cfg(test)]
mod tests;
