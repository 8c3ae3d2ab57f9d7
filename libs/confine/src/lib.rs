//! What the operating system takes away from a process: files, calls, resources.
//!
//! A process confines itself with [`confine`], in plain `main` and before any thread, and learns from
//! [`Held`] what the kernel granted; [`tier`] turns that into the word of the banner. A process that
//! runs others bounds them with [`Child`].
//!
//! | file | what it takes away |
//! |---|---|
//! | `confine.rs` | the order in which everything is laid on |
//! | `limits.rs` | memory, time, sizes, core dumps |
//! | `landlock.rs` | files, TCP ports, signals to others |
//! | `seccomp/` | system calls: one table per role, a reason per row |
//! | `namespace/` | files, where the kernel has no Landlock: a view in which there are no others |
//! | `user.rs` | root |
//! | `capabilities.rs` | the parts of root's power |
//! | `process.rs` | what a process inherited: environment, descriptors; the fork in two |
//! | `probe/` | nothing: it tries what an owned process would, for the self-test |
//! | `child.rs`, `child/live.rs` | a child's output, wall clock and descendants |
//! | `stop.rs` | nothing: a signal becomes a flag |
//! | `terminal.rs` | the caller's terminal: a child gets one of its own |
//! | `tier.rs` | the word for what holds |

mod capabilities;
mod child;
mod confine;
mod landlock;
mod limits;
mod namespace;
pub mod probe;
mod process;
mod seccomp;
pub mod stop;
pub mod terminal;
mod tier;
mod user;

pub use child::{Child, ExitKind, Live, LiveError, Outcome};
pub use confine::{ConfineError, Held, Manner, Role, Support, Wall, confine, confine_as, support};
pub use landlock::{FileRules, scope_signals};
pub use limits::Limits;
pub use namespace::View;
pub use process::{Forked, close_inherited, end_with_us, exec, fork_pair, wipe_environment};
pub use tier::{Tier, UnknownTier, tier};
pub use user::{User, UserError};
