//! Sentences that the program itself says, in the languages that there are files for.

use language::{Language, fill};
use ports::KernelContext;
use shared_types::capability::TokenSet;

/// The language in which the person is answered: the profile's, or else that of the line.
pub fn language(ctx: &KernelContext, line: &str) -> Language {
    chosen(ctx).unwrap_or_else(|| language::detect(line))
}

/// The language of the profile, where it names one.
pub fn chosen(ctx: &KernelContext) -> Option<Language> {
    let code = ctx.shared().language.as_deref()?;
    Some(Language::of_code(code).unwrap_or(Language::DEFAULT))
}

/// What a proposal asks for, in a few words.
pub fn tokens(language: Language, tokens: &TokenSet, hosts: &[String]) -> String {
    if tokens.is_empty() {
        return language.says().asks_nothing.to_owned();
    }
    let at = match hosts {
        [] => String::new(),
        hosts => format!(" ({})", hosts.join(", ")),
    };
    fill(language.says().asks_for, &[("tokens", &format!("{tokens}{at}"))])
}
