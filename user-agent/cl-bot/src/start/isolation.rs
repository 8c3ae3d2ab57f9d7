//! What is said of the isolation that was reached: why it is too little and what to do, or what is weak about it.

use bot_base::config::Security;
use bot_base::error::Error;
use confine::{Confinement, Tier, View};

/// The refusal to start.
pub(super) fn too_little(found: Tier, security: &Security, held: &Confinement, own_user: bool) -> Error {
    let lacks = lacks(security, held, own_user);
    let missing = lacks.iter().map(|(what, _)| what.as_str()).collect::<Vec<_>>().join("; ");
    let remedy = lacks.iter().map(|(_, remedy)| *remedy).collect::<Vec<_>>().join("; ");
    Error::Isolation { found, wanted: security.minimum_isolation, missing, remedy }
}

/// What a person should know although the bot starts.
pub(super) fn warnings(tier: Tier, security: &Security, held: &Confinement, own_user: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    if !security.landlock {
        warnings
            .push("`security.landlock` is off: files are governed by a mount namespace at best".to_owned());
    }
    if tier == Tier::Degraded {
        let missing = lacks(security, held, own_user);
        let missing = missing.iter().map(|(what, _)| what.as_str()).collect::<Vec<_>>().join("; ");
        warnings.push(format!(
            "ISOLATION IS DEGRADED: an attacker who takes over this program has what your user has. Missing is {missing}"
        ));
    }
    warnings
}

/// Each wall that does not stand between here and the tier `full`, with the way to it.
fn lacks(security: &Security, held: &Confinement, own_user: bool) -> Vec<(String, &'static str)> {
    let mut lacks = Vec::new();
    if held.landlock_abi.is_none() {
        let landlock = match security.landlock {
            true => "file rules (this kernel has no Landlock of version 3 or later)",
            false => "file rules (`security.landlock` is off)",
        };
        let instead = match held.view {
            View::Refused { step, errno } => {
                format!(", nor a mount namespace in their place ({step} was refused: {})", errno.desc())
            }
            View::Shared | View::Given | View::Own => String::new(),
        };
        let remedy = match security.landlock {
            true => "a kernel with Landlock, or one that lets this user make a user namespace",
            false => "`security.landlock: on`",
        };
        lacks.push((format!("{landlock}{instead}"), remedy));
    }
    if !held.seccomp {
        lacks.push(("the table of system calls (seccomp)".to_owned(), "a kernel with seccomp filters"));
    }
    if !own_user {
        let remedy =
            "a user of its own: start it as another user than the admin, or as root with `security.user`";
        lacks.push(("a user of its own".to_owned(), remedy));
    }
    lacks
}

#[cfg(test)]
mod tests;
