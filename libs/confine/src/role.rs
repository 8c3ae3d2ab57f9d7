//! The roles of a process.

/// Whose table of system calls is laid on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Talks and thinks: files and a terminal, no network.
    Mind,
    /// Holds the keys and the network: outgoing IP connections, no terminal.
    Net,
    /// Answers those who come to a socket that listens already: it accepts, and opens and connects to nothing.
    Door,
    /// The same, and it reads and sets lines of a GPIO chip that are open.
    Pins,
    /// Computes from stdin to stdout and opens nothing at all.
    Worker,
    /// Runs programs that somebody else wrote: a compiler, a linker.
    Compiler,
    /// Runs commands that somebody asked for, without any network.
    Action,
    /// The same, with connections out: a person gave that.
    Online,
    /// Runs one program of others that answers on a TCP port: it connects to nobody and starts no other program.
    Server,
}

impl Role {
    /// Whether it executes programs that somebody else wrote.
    pub(crate) fn runs_others(self) -> bool {
        matches!(self, Role::Compiler | Role::Action | Role::Online | Role::Server)
    }
}
