//! Sentences that the program itself says, in the languages that it has.

use models::language;
use shared_types::capability::TokenSet;

use crate::kernel::context::KernelContext;

/// Whether the person is answered in German: the profile's language, or else that of the line.
pub fn is_german(ctx: &KernelContext, line: &str) -> bool {
    match ctx.shared().language.as_deref() {
        Some(code) => code == "de",
        None => language::detect(line).code() == "de",
    }
}

/// One of two sentences.
pub fn pick<'a>(german: bool, english: &'a str, in_german: &'a str) -> &'a str {
    if german { in_german } else { english }
}

/// What a proposal asks for, in a few words.
pub fn tokens(german: bool, tokens: &TokenSet, hosts: &[String]) -> String {
    if tokens.is_empty() {
        return pick(german, "It asks for no rights at all.", "Er verlangt keine Rechte.").to_owned();
    }
    let at = match hosts {
        [] => String::new(),
        hosts => format!(" ({})", hosts.join(", ")),
    };
    match german {
        false => format!("It asks for: {tokens}{at}."),
        true => format!("Er verlangt: {tokens}{at}."),
    }
}
