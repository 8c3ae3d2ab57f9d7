//! The forms of a word that its mark stands for.

/// The forms of a written word: `w~` has the English endings, `w+` the German ones, else it stands for itself.
pub(crate) fn forms(word: &str) -> Vec<String> {
    let mut forms = if let Some(stem) = word.strip_suffix('~') {
        english(stem)
    } else if let Some(stem) = word.strip_suffix('+') {
        ["", "e", "en", "er", "es", "em", "n", "s", "t", "st", "te", "ten"]
            .iter()
            .map(|end| format!("{stem}{end}"))
            .collect()
    } else {
        vec![word.to_owned()]
    };
    let spelt: Vec<String> = forms
        .iter()
        .filter(|form| form.contains(['ä', 'ö', 'ü']))
        .map(|form| form.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue"))
        .collect();
    forms.extend(spelt);
    forms
}

fn english(stem: &str) -> Vec<String> {
    let mut forms = vec![stem.to_owned()];
    let mut add = |base: &str, ends: &[&str]| forms.extend(ends.iter().map(|end| format!("{base}{end}")));
    let last = stem.chars().last().unwrap_or(' ');
    let before = stem.chars().rev().nth(1).unwrap_or(' ');
    match last {
        'e' => {
            add(stem, &["s", "d", "r", "rs"]);
            add(&stem[..stem.len() - 1], &["ing", "ings"]);
        }
        'y' if !is_vowel(before) => {
            add(&stem[..stem.len() - 1], &["ies", "ied", "ier", "iers"]);
            add(stem, &["ing"]);
        }
        's' | 'x' | 'z' | 'h' => add(stem, &["s", "es", "ed", "ing", "er", "ers"]),
        _ => {
            add(stem, &["s", "ed", "ing", "ings", "er", "ers"]);
            if is_vowel(before) && !is_vowel(last) && last.is_ascii_alphabetic() && !matches!(last, 'w' | 'y')
            {
                add(&format!("{stem}{last}"), &["ed", "ing", "er", "ers"]);
            }
        }
    }
    forms
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u')
}
