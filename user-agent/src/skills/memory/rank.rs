//! Which facts a line is about: the words they share, and a little for the newer ones; in any script, whatever case and
//! accents.

use std::collections::BTreeMap;

use super::Fact;

/// The most relevant facts, at most `limit`; those that share no word with the query are left out.
pub fn best<'a>(facts: &'a [Fact], query: &str, limit: usize) -> Vec<&'a Fact> {
    let wanted = terms(query);
    let known: Vec<Vec<String>> = facts.iter().map(|f| terms(&f.text)).collect();
    let mut seen_in: BTreeMap<&str, usize> = BTreeMap::new();
    for term in known.iter().flatten() {
        *seen_in.entry(term).or_default() += 1;
    }
    let total = facts.len() as f64;
    let mut scored: Vec<(f64, &Fact)> = Vec::new();
    for (n, (fact, words)) in facts.iter().zip(&known).enumerate() {
        let overlap: f64 = wanted
            .iter()
            .filter_map(|term| words.iter().find(|word| alike(term, word)))
            // A word that stands in every fact says little.
            .map(|word| 1.0 + (total / seen_in.get(word.as_str()).map_or(1.0, |n| *n as f64)).ln())
            .sum();
        if overlap > 0.0 {
            scored.push((overlap + 0.5 * (n + 1) as f64 / total, fact));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(limit).map(|(_, fact)| fact).collect()
}

/// The facts that somebody means who names them to be forgotten: those that hold every word that counts.
pub fn meant<'a>(facts: &'a [Fact], query: &str) -> Vec<&'a Fact> {
    let wanted = terms(query);
    if wanted.is_empty() {
        return vec![];
    }
    let holds = |fact: &&Fact| {
        let words = terms(&fact.text);
        wanted.iter().all(|term| words.iter().any(|word| alike(term, word)))
    };
    facts.iter().filter(holds).collect()
}

/// The words of a text that count, folded.
fn terms(text: &str) -> Vec<String> {
    let folded = fold(text);
    let mut terms: Vec<String> = Vec::new();
    for word in folded.split_whitespace() {
        // Scripts without spaces between words are compared character by character.
        if word.chars().any(is_ideograph) {
            terms.extend(word.chars().map(String::from));
        } else if !IGNORED.contains(&word) {
            terms.push(word.to_owned());
        }
    }
    terms.sort();
    terms.dedup();
    terms
}

/// The same word, or the same beginning: plurals and cases of longer words.
fn alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short.chars().count() >= 4 && long.starts_with(short) && long.chars().count() <= short.chars().count() + 3
}

/// Lower case, without accents, only letters, digits and single spaces.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match plain(c) {
            Some(letters) => folded.push_str(letters),
            None if c.is_alphanumeric() => folded.push(c),
            // A combining accent belongs to the letter before it.
            None if ('\u{300}'..='\u{36f}').contains(&c) => {}
            None if c == '\'' || c == '’' => {}
            None => folded.push(' '),
        }
    }
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The letters without their accents.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'č' | 'ĉ' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ğ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ķ' => "k",
        'ł' | 'ļ' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ŕ' | 'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ţ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'æ' => "ae",
        'œ' => "oe",
        _ => return None,
    })
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

/// Words that stand in most lines and say nothing about what they are about.
const IGNORED: [&str; 44] = [
    "the", "a", "an", "is", "are", "was", "were", "i", "me", "my", "you", "your", "what", "who", "do",
    "does", "to", "of", "in", "on", "at", "and", "that", "it", "der", "die", "das", "ein", "eine", "ist",
    "sind", "war", "ich", "mein", "meine", "mir", "du", "was", "wer", "und", "zu", "im", "dass", "about",
];

#[cfg(test)]
mod tests;
