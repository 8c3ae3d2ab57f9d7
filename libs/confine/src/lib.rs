//! What the operating system takes away from a process: files, calls, resources.
//!
//! A process confines itself with [`confine`], in plain `main` and before any thread, and learns from
//! [`Confinement`] what the kernel granted; [`tier`] turns that into the word of the banner. A process that
//! runs others bounds them with [`Child`].
//!
//! | file | what it takes away |
//! |---|---|
//! | `confine.rs` | the order in which everything is laid on |
//! | `jail/` | the same for a child of the admin, which gets every wall that there is |
//! | `role.rs`, `rules.rs` | nothing: whose table of calls, and which files |
//! | `error.rs` | nothing: why a process could not be confined |
//! | `held.rs` | nothing: what was reached, and what a child lacks |
//! | `loopback.rs` | the machine's network: a child gets one of its own, with listeners that others answer |
//! | `limits.rs` | memory, time, sizes, core dumps |
//! | `landlock.rs` | files, TCP ports, signals to others |
//! | `seccomp/` | system calls: one table per role, a reason per row |
//! | `namespace/` | files, by a view in which there are no others; network, IPC and processes outside |
//! | `user.rs` | root |
//! | `capabilities.rs` | the parts of root's power |
//! | `process.rs` | what a process inherited: environment, descriptors; the fork in two |
//! | `probe/` | nothing: it tries what an owned process would, for the self-test |
//! | `alone.rs` | the power to start programs |
//! | `child.rs`, `child/live.rs`, `child/piped.rs` | a child's output, wall clock and descendants |
//! | `child/briefing.rs` | nothing: the orders of a child, and its own word back |
//! | `stop.rs` | nothing: a signal becomes a flag |
//! | `terminal.rs` | the caller's terminal: a child gets one of its own |
//! | `tier.rs` | the word for what holds |
//!
//! # How it works
//!
//! How well confinement holds is a word of the banner, and `security.minimum_isolation` is the least with which the bot
//! starts:
//!
//! | tier | user | files governed by | calls |
//! |---|---|---|---|
//! | `full` | its own | Landlock | seccomp |
//! | `namespace` | its own | a mount namespace: the bot's own, or a read-only one that it was given | seccomp |
//! | `process` | shared with the admin, or root | Landlock or a mount namespace | seccomp |
//! | `degraded` | any | nothing | what the kernel has |
//!
//! Its own user comes from starting it as one, or from root and `security.user`: root opens the folders, hands over
//! those that it makes, and both processes then give up groups, user and capabilities for good. A mount namespace takes
//! Landlock's place only where the kernel has none (or `security.landlock` is off): the new root holds exactly the
//! paths of the file rules, read-only but for the profile's folders, so that everything else is not there. Folders that
//! were opened before are opened anew in it, because a descriptor leads out of every mount namespace. A read-only view
//! made by a service manager or container is accepted instead if nothing but the profile's folders can be written in it
//! and nothing of the admin, the keys or other profiles can be opened. The tables of calls stand in
//! `libs/confine/src/seccomp`, and as one grid in `libs/confine/snapshots/system-calls.txt`; the filter finds a number
//! by halving, which makes its installation cheap.
//!
//! One exception is made in `mind`'s table: `socketpair` with exactly the arguments that the line editor uses for its
//! wake-up pipe. Such a pair reaches nobody but the process itself; `socket`, `connect`, `bind`, `send` and `recv` are
//! refused.

mod alone;
mod capabilities;
mod child;
mod confine;
mod error;
mod held;
mod jail;
mod landlock;
mod limits;
mod loopback;
mod namespace;
pub mod probe;
mod process;
mod role;
mod rules;
mod seccomp;
pub mod stop;
pub mod terminal;
mod tier;
mod user;

pub use alone::{exec_alone, lend, start_alone};
pub use child::{Briefing, Child, ExitKind, Live, LiveError, Outcome, Piped, Report, sealed, unsealed};
pub use confine::{Manner, Support, Wall, confine, confine_as, confine_with, support};
pub use error::ConfineError;
pub use held::{Confinement, Lack, Namespaces, NoLandlock};
pub use jail::Jail;
pub use landlock::scope_signals;
pub use limits::Limits;
pub use loopback::{Loopback, MOST_LISTENERS, receive_listeners};
pub use namespace::{Forbids, View, forbidding};
pub use process::{
    Forked, close_inherited, end_with_us, exec, fork_pair, give_back, handed_over, refuse_tracing,
    wipe_environment,
};
pub use role::Role;
pub use rules::{Access, FileRules, Handle, Hidden};
pub use tier::{Tier, UnknownTier, tier};
pub use user::{User, UserError, as_user, become_for_good};
