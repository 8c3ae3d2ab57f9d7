//! Judges every line that comes in and every text that goes out.

/// The longest line that is taken from a person, in bytes.
pub const MAX_INPUT: usize = 32 * 1024;

/// What the guard says of a text.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing stands against it.
    Pass,
    /// It goes on, but these rules spoke up: it reads like an instruction to a machine.
    Caution(Vec<&'static str>),
    /// It goes no further.
    Block(Vec<&'static str>),
}

/// A text together with what the guard says of it.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The text without what may not pass.
    pub text: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// A rule: its name, and groups of words of which one phrase each must occur.
struct Rule {
    name: &'static str,
    /// Each group is a list of alternatives; a text matches when every group has a hit.
    groups: &'static [&'static [&'static str]],
}

/// Texts that try to steer the assistant past its rules. They are a warning sign, not a proof: nothing that a text says
/// can give it a right, so they only raise a caution.
const RULES: [Rule; 5] = [
    Rule {
        name: "override-instructions",
        groups: &[
            &["ignore", "disregard", "forget", "override", "ignoriere", "vergiss", "missachte"],
            &["previous", "prior", "above", "all your", "earlier", "vorherigen", "bisherigen", "obigen"],
            &["instruction", "rules", "prompt", "anweisung", "regeln"],
        ],
    },
    Rule {
        name: "reveal-prompt",
        groups: &[
            &["reveal", "print", "show", "repeat", "zeige", "wiederhole"],
            &["system prompt", "hidden instructions", "initial instructions", "systemprompt"],
        ],
    },
    Rule {
        name: "role-markup",
        groups: &[&["<|im_start|>", "<|system|>", "[inst]", "<<sys>>", "### system:", "<system>"]],
    },
    Rule {
        name: "new-identity",
        groups: &[&[
            "you are now dan",
            "developer mode",
            "jailbreak",
            "without any restrictions",
            "ohne jede einschränkung",
        ]],
    },
    Rule {
        name: "bypass-review",
        groups: &[
            &["approve", "install", "activate", "genehmige", "installiere", "aktiviere"],
            &["yourself", "without asking", "without review", "without a person", "selbst", "ohne zu fragen"],
        ],
    },
];

/// Beginnings of well-known keys, with the number of key characters that must follow.
const SECRET_PREFIXES: [(&str, usize); 9] = [
    ("sk-ant-", 20),
    ("sk-proj-", 20),
    ("sk-", 32),
    ("ghp_", 30),
    ("github_pat_", 30),
    ("xoxb-", 20),
    ("AKIA", 16),
    ("AIza", 30),
    ("hf_", 30),
];

/// Judges a line from the person: too long is blocked, control characters are taken out.
pub fn input(line: &str) -> Judged {
    if line.len() > MAX_INPUT {
        return Judged { text: String::new(), verdict: Verdict::Block(vec!["too-long"]) };
    }
    let text: String = line
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| *c == '\n' || !shared_types::text::is_refused(*c))
        .collect();
    let text = text.trim().to_owned();
    let verdict = verdict(&text);
    Judged { text, verdict }
}

/// Judges a text that a tool or a skill brought in: at most `limit` bytes of it, made safe to show.
pub fn outside(text: &str, limit: usize) -> Judged {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut kept = shared_types::text::block(&text[..end]);
    if end < text.len() {
        kept.push_str(&format!("\n[... {} more bytes]", text.len() - end));
    }
    let verdict = verdict(&kept);
    Judged { text: kept, verdict }
}

/// Makes a text fit to be shown: no unsafe character, no secret.
#[must_use]
pub fn output(text: &str) -> String {
    without_secrets(&shared_types::text::block(text))
}

/// A text on its way out, piece by piece: what it lets through, joined, is what [`output`] makes of the whole.
#[derive(Debug, Default)]
pub struct OutputStream {
    held: String,
    in_key: bool,
}

impl OutputStream {
    /// Begins; `system` is what must not leak.
    #[must_use]
    pub fn new(_system: &str) -> OutputStream {
        OutputStream::default()
    }

    /// Takes a piece; gives back what may be shown now.
    #[must_use]
    pub fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        if self.held.contains("-----BEGIN ") {
            self.in_key = true;
        }
        let end = self.held.rfind('\n').map_or(0, |at| at + 1);
        if self.in_key || end == 0 {
            return String::new();
        }
        let whole: String = self.held.drain(..end).collect();
        output(&whole)
    }

    /// What was held back to the end.
    #[must_use]
    pub fn finish(self) -> String {
        output(&self.held)
    }
}

/// Blanks what looks like a key.
#[must_use]
pub fn without_secrets(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_key = false;
    for line in text.split_inclusive('\n') {
        if line.contains("-----BEGIN ") && line.contains("PRIVATE KEY-----") {
            in_key = true;
            kept.push_str(BLANK);
            kept.push('\n');
        }
        if !in_key {
            for word in
                line.split_inclusive(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ','))
            {
                kept.push_str(&blank_word(word));
            }
        }
        if line.contains("-----END ") {
            in_key = false;
        }
    }
    kept
}

const BLANK: &str = "[secret removed]";

fn blank_word(word: &str) -> std::borrow::Cow<'_, str> {
    for (prefix, length) in SECRET_PREFIXES {
        if let Some(at) = word.find(prefix) {
            let rest = &word[at + prefix.len()..];
            let length_of_key =
                rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count();
            let key = &rest[..length_of_key];
            // Words with dashes are long too, but they hold no digits.
            if key.len() >= length && key.bytes().any(|b| b.is_ascii_digit()) {
                return format!("{}{BLANK}{}", &word[..at], &rest[key.len()..]).into();
            }
        }
    }
    word.into()
}

fn verdict(text: &str) -> Verdict {
    let lower = text.to_lowercase();
    let matches =
        |rule: &&Rule| rule.groups.iter().all(|group| group.iter().any(|words| lower.contains(words)));
    let rules: Vec<&'static str> = RULES.iter().filter(matches).map(|rule| rule.name).collect();
    if rules.is_empty() { Verdict::Pass } else { Verdict::Caution(rules) }
}

#[cfg(test)]
mod tests;
