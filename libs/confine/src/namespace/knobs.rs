//! Which setting of the system keeps an ordinary user from making a user namespace.

use std::fmt;

/// A setting that forbids it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbids {
    /// AppArmor lets only programs with a profile of their own make one (Ubuntu).
    AppArmor,
    /// The switch of Debian's kernels.
    Clone,
    /// The limit of user namespaces is zero.
    Limit,
}

impl Forbids {
    /// What an administrator does about it.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            Forbids::AppArmor => {
                "give cl-admin an AppArmor profile with `userns,`, or run \
                 `sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
            }
            Forbids::Clone => "run `sysctl kernel.unprivileged_userns_clone=1`",
            Forbids::Limit => "run `sysctl user.max_user_namespaces=10000`",
        }
    }
}

impl fmt::Display for Forbids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbids::AppArmor => "AppArmor (kernel.apparmor_restrict_unprivileged_userns is 1)",
            Forbids::Clone => "kernel.unprivileged_userns_clone is 0",
            Forbids::Limit => "user.max_user_namespaces is 0",
        })
    }
}

/// The settings of this system that forbid user namespaces to ordinary users; empty does not mean that they are allowed.
#[must_use]
pub fn forbidding() -> Vec<Forbids> {
    judged(|path| std::fs::read_to_string(path).ok())
}

fn judged(read: impl Fn(&str) -> Option<String>) -> Vec<Forbids> {
    let is = |path: &str, value: &str| read(path).is_some_and(|text| text.trim() == value);
    let knobs = [
        (Forbids::AppArmor, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"),
        (Forbids::Clone, "/proc/sys/kernel/unprivileged_userns_clone", "0"),
        (Forbids::Limit, "/proc/sys/user/max_user_namespaces", "0"),
    ];
    knobs.into_iter().filter(|(_, path, value)| is(path, value)).map(|(forbids, _, _)| forbids).collect()
}

#[cfg(test)]
mod tests;
