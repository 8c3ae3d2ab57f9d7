//! What a new skill or plugin offers, beside what is offered already: the assistant chooses a tool by its name and its phrases.

use language::Pattern;
use shared_types::described::DescribedTool;
use shared_types::id::ToolName;
use shared_types::plugin::PluginTool;

use super::rules::Finding;

/// A tool as the assistant chooses it.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    name: &'a ToolName,
    /// Language and pattern.
    phrases: &'a [(String, String)],
}

impl<'a> From<&'a DescribedTool> for Offer<'a> {
    fn from(tool: &'a DescribedTool) -> Offer<'a> {
        Offer { name: &tool.name, phrases: &tool.phrases }
    }
}

impl<'a> From<&'a PluginTool> for Offer<'a> {
    fn from(tool: &'a PluginTool) -> Offer<'a> {
        Offer { name: &tool.name, phrases: &tool.phrases }
    }
}

/// Finds tools and phrases that another skill or plugin offers too. `others` lists every offered tool with the name of its skill or
/// plugin; tools of `name` itself are skipped, since the new version replaces them.
pub fn findings<'a, T>(
    name: &str,
    tools: &'a [T],
    others: impl IntoIterator<Item = (&'a str, Offer<'a>)>,
) -> Vec<Finding>
where
    Offer<'a>: From<&'a T>,
{
    let finding = |rule: &str, text: String| Finding { rule: rule.to_owned(), text, violation: false };
    let mut found = vec![];
    for (other, theirs) in others.into_iter().filter(|(other, _)| *other != name) {
        for tool in tools.iter().map(Offer::from) {
            if theirs.name == tool.name {
                let text = format!(
                    "`{other}` has a tool `{}` too; they stay apart as `{other}.{0}` and `{name}.{0}`, but the assistant may take the one for the other",
                    tool.name
                );
                found.push(finding("tool-of-another", text));
            }
            let taken = |(language, pattern): &&(String, String)| {
                theirs.phrases.iter().any(|(l, p)| l == language && same(p, pattern))
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

/// Whether two patterns are the same sentence to the matcher. A text that is not a pattern leads nowhere.
fn same(a: &str, b: &str) -> bool {
    let read = |text: &str| Pattern::parse(text).ok();
    read(a).zip(read(b)).is_some_and(|(a, b)| a.says_the_same(&b))
}
