//! The hint for root in the home of another user: the same command, as that user.

use std::ffi::OsString;

use base::error::Error;
use base::home::Home;
use base::layout::HomeOwner;
use owners::quote;

/// The error of a home that root does not trust: where it is the home of another user, that user's name and the command.
pub fn told(home: &Home, error: Error) -> Error {
    match HomeOwner::of(home) {
        Ok(Some(owner)) => Error::Others {
            home: home.root().to_owned(),
            command: as_user(home, owner.name(), std::env::args_os().skip(1)),
            owner: owner.name().to_owned(),
        },
        _ => error,
    }
}

/// This command line as another user; `VERB` stands for words that no shell can be shown.
pub fn as_user(home: &Home, user: &str, words: impl Iterator<Item = OsString>) -> String {
    let mut verb = vec![];
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        if word == "--home" {
            words.next();
        } else if !word.to_str().is_some_and(|word| word.starts_with("--home=")) {
            verb.push(word.to_str().and_then(quote::argument));
        }
    }
    let verb = verb.into_iter().collect::<Option<Vec<_>>>().unwrap_or_else(|| vec!["VERB".to_owned()]);
    sudo(home, user, "cl-admin", &verb.join(" "))
}

/// A program as another user, with these words in the form of a shell.
pub fn sudo(home: &Home, user: &str, program: &str, words: &str) -> String {
    let place = quote::word(home.root()).unwrap_or_else(|| "\"$TAMECLAW_HOME\"".to_owned());
    // A user that has no name is named to sudo by a number.
    let user =
        if user.bytes().all(|byte| byte.is_ascii_digit()) { format!("'#{user}'") } else { user.to_owned() };
    format!("sudo -u {user} {program} --home {place} {words}").trim_end().to_owned()
}
