//! What a typed line looks like when it holds a secret. It finds too much rather than too little: the cost is a question.

/// Words that announce a secret in the same line, in the languages of the program.
const ANNOUNCING: &[&str] = &[
    // English
    "code",
    "credential",
    "credentials",
    "login",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "puk",
    "pwd",
    "secret",
    "token",
    // German
    "geheim",
    "geheimnis",
    "geheimwort",
    "geheimzahl",
    "kennwort",
    "losungswort",
    "passwort",
    "tan",
    "zugangscode",
    "zugangsdaten",
];

/// How long a run of digits is that looks like a PIN, a code, a card or an account.
const DIGITS: std::ops::RangeInclusive<usize> = 4..=34;

/// Four digits that are more likely a year.
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2099;

/// From this length on a word of letters and digits is measured, in characters.
const LONG: usize = 10;

/// From this number of bits per character on, such a word looks drawn at random.
const RANDOM: f64 = 2.9;

/// Beginnings of keys that are known.
const KEYS: &[&str] =
    &["AKIA", "eyJ", "gho_", "ghp_", "github_pat_", "glpat-", "pk_", "sk-", "sk_", "xoxb-", "xoxp-"];

/// Whether a line looks as if it held a secret.
pub fn looks_secret(line: &str) -> bool {
    let announced = line.split(|c: char| !c.is_alphanumeric()).any(|word| {
        let word = word.to_lowercase();
        ANNOUNCING.contains(&word.as_str())
    });
    announced || line.split_whitespace().any(is_one)
}

/// Whether a word looks like a secret on its own. Addresses do not: they say where, and are judged as addresses.
fn is_one(token: &str) -> bool {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    if token.contains("://") || token.contains('@') || token.contains('/') {
        return false;
    }
    KEYS.iter().any(|key| token.len() > key.len() + 8 && token.starts_with(key))
        || is_number(token)
        || is_random(token)
}

/// Digits as of a PIN, perhaps in groups (`1234 5678` comes as two words, `12-34-56` as one).
fn is_number(token: &str) -> bool {
    let digits: String = token.chars().filter(char::is_ascii_digit).collect();
    let plain = token.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | ' '));
    let year = digits.len() == 4 && digits.parse().is_ok_and(|year: u32| YEARS.contains(&year));
    // `2026-02-07` and `07.02.2026` are days.
    let day = digits.len() == 8 && token.len() == 10 && token.split(['-', '.']).count() == 3;
    plain && DIGITS.contains(&digits.len()) && !year && !day
}

/// A long word that mixes letters with digits or cases, and repeats few of them.
fn is_random(token: &str) -> bool {
    let characters: Vec<char> = token.chars().collect();
    if characters.len() < LONG {
        return false;
    }
    let has = |kind: fn(&char) -> bool| usize::from(characters.iter().any(kind));
    let digits = has(|c| c.is_ascii_digit());
    let inner_capital = usize::from(characters[1..].iter().any(|c| c.is_uppercase()));
    let kinds =
        digits + inner_capital + has(|c| c.is_lowercase()) + has(|c| !c.is_alphanumeric() && *c != '-');
    kinds >= 2 && (digits + inner_capital) > 0 && bits(&characters) >= RANDOM
}

/// The entropy of a word by the frequency of its characters, in bits a character.
fn bits(characters: &[char]) -> f64 {
    let mut counted = std::collections::BTreeMap::<char, f64>::new();
    characters.iter().for_each(|c| *counted.entry(*c).or_default() += 1.0);
    let all: f64 = counted.values().sum();
    counted.values().map(|times| -(times / all) * (times / all).log2()).sum()
}

#[cfg(test)]
mod tests;
