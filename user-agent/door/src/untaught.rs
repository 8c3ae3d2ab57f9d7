//! What a program is answered whose line asks to remember or to forget. Such a line counts as content from outside: neither is done,
//! so the answer must not say that it is.

use language::{Intent, Language};
use ports::KernelContext;
use skills::words;

/// Why something is not done.
struct Words {
    remember: &'static str,
    forget: &'static str,
}

const EN: Words = Words {
    remember: "I don't keep that. What a program or an editor sends counts as content from outside. The person of this profile can tell me in \
               `cl-bot`, or with a token that was made with `--person`.",
    forget: "I forget nothing for that. What a program or an editor sends counts as content from outside. The person of this profile can \
             have me forget it in `cl-bot`, or with a token that was made with `--person`.",
};

const DE: Words = Words {
    remember: "Das merke ich mir nicht. Was ein Programm oder ein Editor sendet, zählt als Inhalt von außen. Die Person dieses Profils kann \
               es mir in `cl-bot` sagen, oder mit einem Token, das mit `--person` gemacht wurde.",
    forget: "Dafür vergesse ich nichts. Was ein Programm oder ein Editor sendet, zählt als Inhalt von außen. Die Person dieses Profils kann \
             es mich in `cl-bot` vergessen lassen, oder mit einem Token, das mit `--person` gemacht wurde.",
};

/// The answer to a program's line that asks to remember or to forget; `None` for every other line.
pub(crate) fn answer(line: &str, ctx: &KernelContext) -> Option<&'static str> {
    let meant = language::intent(line)?;
    of(&meant.intent, words::language(ctx, line))
}

fn of(intent: &Intent, language: Language) -> Option<&'static str> {
    let words = if language.code() == "de" { &DE } else { &EN };
    match intent {
        Intent::Remember { .. } => Some(words.remember),
        Intent::Forget { .. } | Intent::ForgetAll => Some(words.forget),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
