//! What a new skill offers, beside what is offered already: the assistant chooses a tool by its name and its phrases.

use language::Pattern;
use shared_types::described::Described;

use super::rules::Finding;

/// Findings about tools and phrases that another skill has too; `others` are the other skills with what they offer.
pub fn findings<'a>(
    name: &str,
    described: &Described,
    others: impl IntoIterator<Item = (&'a str, &'a Described)>,
) -> Vec<Finding> {
    let finding = |rule: &str, text: String| Finding { rule: rule.to_owned(), text, violation: false };
    let mut found = vec![];
    for (other, theirs) in others.into_iter().filter(|(other, _)| *other != name) {
        for tool in &described.tools {
            if theirs.tools.iter().any(|t| t.name == tool.name) {
                let text = format!(
                    "`{other}` has a tool `{}` too; they stay apart as `{other}.{0}` and `{name}.{0}`, but the assistant may take the one for the other",
                    tool.name
                );
                found.push(finding("tool-of-another", text));
            }
            let taken = |(language, pattern): &&(String, String)| {
                theirs.tools.iter().flat_map(|t| &t.phrases).any(|(l, p)| l == language && same(p, pattern))
            };
            if let Some((language, pattern)) = tool.phrases.iter().find(taken) {
                let pattern = shared_types::text::cut(pattern, 120);
                let text = format!("the sentence `{pattern}` ({language}) leads to `{other}` already");
                found.push(finding("phrase-of-another", text));
            }
        }
    }
    found
}

/// Whether two patterns are the same sentence to the matcher. What is no pattern leads nowhere.
fn same(a: &str, b: &str) -> bool {
    let read = |text: &str| Pattern::parse(text).ok();
    read(a).zip(read(b)).is_some_and(|(a, b)| a.says_the_same(&b))
}
