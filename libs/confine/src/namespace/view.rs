//! The word for how the file system looks.

use nix::errno::Errno;

/// How the file system looks to a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// As it does to everybody.
    #[default]
    Shared,
    /// As it does to everybody, because a view of its own was refused.
    Refused {
        /// What was refused.
        step: &'static str,
        /// The kernel's answer.
        errno: Errno,
    },
    /// Read-only but for the rules' folders: the program that started the process has seen to it.
    Given,
    /// Only what the rules name is there.
    Own,
}
