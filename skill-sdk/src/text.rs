//! Small letters without the tables of Unicode.

use alloc::string::String;

/// Makes the letters of Latin, Greek and Cyrillic small and keeps all others. `str::to_lowercase` knows every script and
/// brings 20 KB of tables and code into a module.
pub fn lower(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for letter in text.chars() {
        lower.push(small(letter));
    }
    lower
}

fn small(letter: char) -> char {
    let number = u32::from(letter);
    let step = match letter {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ϋ' | 'А'..='Я' => 32,
        'Ѐ'..='Џ' => 80,
        // Here a large letter is followed by its small one.
        'Ā'..='Į' | 'Ĳ'..='Ķ' | 'Ŋ'..='Ŷ' => 1 - number % 2,
        'Ĺ'..='Ň' | 'Ź'..='Ž' => number % 2,
        _ => 0,
    };
    char::from_u32(number + step).unwrap_or(letter)
}

#[cfg(test)]
mod tests;
