//! The few scripts of `sed` that only print, skip and replace.

/// Whether a line of `sed` neither starts a program nor writes a file.
pub(super) fn is_harmless(words: &[String]) -> bool {
    const OPTIONS: &[&str] =
        &["--quiet", "--silent", "--regexp-extended", "--separate", "--unbuffered", "--null-data"];
    let mut scripts = Vec::new();
    let mut operands = Vec::new();
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        if word == "-e" {
            let Some(script) = rest.next() else { return false };
            scripts.push(script);
        } else if let Some(letters) = word.strip_prefix('-') {
            let known = OPTIONS.contains(&word.as_str())
                || (!letters.is_empty() && letters.chars().all(|c| "nErsuz".contains(c)));
            if !known {
                return false;
            }
        } else {
            operands.push(word);
        }
    }
    if scripts.is_empty() && !operands.is_empty() {
        scripts.push(operands.remove(0));
    }
    !scripts.is_empty() && scripts.iter().all(|script| only_edits(script))
}

/// Whether a script is made of addresses and of commands that have no way out.
fn only_edits(script: &str) -> bool {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ';']);
        if rest.is_empty() {
            return true;
        }
        let Some(after) = address(rest).and_then(command) else { return false };
        rest = after.trim_start_matches([' ', '\t']);
        if !rest.is_empty() && !rest.starts_with(';') {
            return false;
        }
    }
}

/// What follows an address, or two of them, and `!`.
fn address(text: &str) -> Option<&str> {
    let mut rest = one_address(text)?;
    if let Some(second) = rest.strip_prefix(',') {
        rest = one_address(second).filter(|after| after.len() < second.len())?;
    }
    Some(rest.trim_start_matches(' ').trim_start_matches('!').trim_start_matches(' '))
}

fn one_address(text: &str) -> Option<&str> {
    match text.chars().next()? {
        '/' => segment(&text[1..], '/'),
        '$' => Some(&text[1..]),
        _ => Some(text.trim_start_matches(|c: char| c.is_ascii_digit())),
    }
}

/// What follows one command.
fn command(text: &str) -> Option<&str> {
    let letter = text.chars().next()?;
    let rest = &text[letter.len_utf8()..];
    match letter {
        'p' | 'P' | 'd' | 'D' | '=' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' => Some(rest),
        'q' | 'Q' => Some(rest.trim_start_matches(|c: char| c.is_ascii_digit())),
        's' | 'y' => {
            let sign =
                rest.chars().next().filter(|c| c.is_ascii_punctuation() && !matches!(c, '\\' | ';'))?;
            let rest = segment(segment(&rest[1..], sign)?, sign)?;
            let flags = if letter == 's' { "gpiI0123456789" } else { "" };
            Some(rest.trim_start_matches(|c| flags.contains(c)))
        }
        _ => None,
    }
}

/// What follows the next `sign` that no backslash stands before; none where brackets could hide it.
fn segment(text: &str, sign: char) -> Option<&str> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == sign => {
                let (inside, after) = (&text[..at], &text[at + c.len_utf8()..]);
                let hidden = inside.rfind('[').is_some_and(|open| !inside[open..].contains(']'));
                return (!hidden).then_some(after);
            }
            _ => {}
        }
    }
    None
}
