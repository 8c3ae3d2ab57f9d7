//! What the terminal says in the profile's language.

use language::{Language, Says};
use ports::KernelContext;

/// The sentences of the profile's language.
pub(super) fn says(ctx: &KernelContext) -> &'static Says {
    language(ctx).says()
}

/// The profile's language.
pub(super) fn language(ctx: &KernelContext) -> Language {
    ctx.shared().language.as_deref().and_then(Language::of_code).unwrap_or(Language::DEFAULT)
}
