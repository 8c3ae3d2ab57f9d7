//! What `find` would start or write for each file that it finds.

use shared_types::text::cut;

use super::judge::{Finding, Scope};
use super::program::{base, look};
use super::wrappers::is_a_reader;

/// The worst of its actions; `-delete` is found before.
pub(super) fn look_inside(
    words: &[String],
    patterned: bool,
    scope: &Scope<'_>,
    programs: &mut Vec<String>,
) -> Finding {
    let mut found = Finding::medium("it only looks");
    let mut at = 1;
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let length = length(&words[at..]);
                let inner = &words[at..at + length];
                let sight = look(inner, &vec![false; length], scope);
                programs.extend(sight.programs);
                found = found.or_worse(sight.found);
                // Where a pattern could become the `;`, nobody knows where the command ends.
                let unknown = patterned || inner.first().is_none_or(|program| !is_a_reader(&base(program)));
                if unknown {
                    let shown = cut(&inner.join(" "), 60);
                    let why = format!("`find` would start `{shown}` with files that nobody has seen");
                    found = found.or_worse(Finding::high("wrapper", why));
                }
                at += length;
            }
            "-fprint" | "-fprint0" | "-fprintf" | "-fls" => {
                found =
                    found.or_worse(Finding::high("executing-flag", format!("`find {word}` writes a file")));
            }
            _ => {}
        }
    }
    found
}

/// How many words belong to a command of `-exec`: up to a `;`, or a `+` behind `{}`.
fn length(words: &[String]) -> usize {
    let ends = |at: &usize| words[*at] == ";" || (words[*at] == "+" && *at > 0 && words[at - 1] == "{}");
    (0..words.len()).find(ends).unwrap_or(words.len())
}
