//! Why a module does not load, a call fails, a description is refused.

use std::time::Duration;

use skill_sdk::codec::CodecError;

use crate::imports::HostFn;

/// Why bytes are not a skill's module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Larger than any skill needs to be.
    #[error("the module has {size} bytes; the limit is {limit} bytes")]
    TooLarge {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The file is broken before its sections are read.
    #[error("the module is broken at byte {at}: {what}")]
    Malformed {
        /// Where.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// The interpreter's validation refuses it.
    #[error("the module is not valid: {0}")]
    Invalid(String),
    /// The interpreter fails at it.
    #[error("the module is not valid: {0}")]
    Panicked(#[from] Panicked),
    /// It would run code while it is instantiated.
    #[error("the module has a start section")]
    Start,
    /// It does not have one memory of its own.
    #[error("the module has {count} memories; exactly 1 is allowed")]
    Memories {
        /// How many it has.
        count: u32,
    },
    /// It has more tables than compiled code needs.
    #[error("the module has {count} tables; at most 1 is allowed")]
    Tables {
        /// How many it has.
        count: u32,
    },
    /// It imports what no host offers.
    #[error("the module imports `{module}.{name}`, which does not exist")]
    UnknownImport {
        /// The module named.
        module: String,
        /// The name within.
        name: String,
    },
    /// It imports a host function with another type, or as something else.
    #[error("the module imports `{name}` as {found}; it is a function (i32, i32) -> i64")]
    ImportType {
        name: &'static str,
        /// What it is imported as.
        found: String,
    },
    /// An export that every skill has is missing or of another type.
    #[error("the module must export `{name}` as {wanted}")]
    Export {
        name: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// It exports something that nobody calls.
    #[error("the module exports `{name}`, which no skill does")]
    UnknownExport { name: String },
}

/// Why a call into a module failed. Each is the module's failure, not the caller's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// A function that is not granted.
    #[error("the skill imports `{import}`, which it was not granted")]
    Link {
        /// The host function.
        import: &'static str,
    },
    /// The module stopped itself.
    #[error("the skill stopped: {0}")]
    Trap(String),
    /// An export that every skill has is gone.
    #[error("the skill stopped: its export `{0}` is missing")]
    MissingExport(&'static str),
    /// The interpreter fails at it.
    #[error("the skill stopped: {0}")]
    Panicked(#[from] Panicked),
    /// Its calls nest too deep.
    #[error("the skill's calls nest deeper than {limit} levels")]
    Depth {
        /// The limit in levels.
        limit: usize,
    },
    /// It computed too much.
    #[error("the skill used up its {limit} units of fuel")]
    Fuel {
        /// The limit in units.
        limit: u64,
    },
    /// It computed too long.
    #[error("the skill computed for longer than {limit:?}")]
    Wall { limit: Duration },
    /// Its host functions took too long.
    #[error("the skill waited for longer than {limit:?}")]
    HostWall { limit: Duration },
    /// It wanted too much memory, or too large a table.
    #[error("the skill wanted more memory than its {limit} bytes")]
    Memory {
        /// The limit in bytes.
        limit: usize,
    },
    /// It called the host too often.
    #[error("the skill called the host more than {limit} times")]
    HostCalls {
        /// The limit in calls.
        limit: u32,
    },
    /// A message was too long.
    #[error("a message of {size} bytes is longer than {limit} bytes")]
    MessageSize {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// A message that does not follow the protocol.
    #[error("the skill broke the protocol: {0}")]
    BadMessage(#[from] BadMessage),
    /// The caller gave up.
    #[error("the call was cancelled")]
    Cancelled,
}

/// The interpreter panicked, which no module should be able to cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the interpreter failed")]
pub struct Panicked;

/// How a module broke the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadMessage {
    /// It cannot be read or written.
    #[error("{0}")]
    Codec(CodecError),
    /// It is outside of the module's memory.
    #[error("a message of {size} bytes at {at} is beyond its memory")]
    Beyond {
        /// Its size in bytes.
        size: usize,
        /// Where it is said to be.
        at: u32,
    },
    /// The room for it is outside of the module's memory.
    #[error("its allocator gave {size} bytes at {at}, beyond its memory")]
    RoomBeyond {
        /// The size that was asked for, in bytes.
        size: u32,
        /// Where the room is said to be.
        at: u32,
    },
    /// The allocator is to allocate, and nothing else.
    #[error("its allocator called the host")]
    AllocatorCalled,
    /// The answer of a tool is invalid.
    #[error("a tool answers `ok`, `failed` or `not_mine`")]
    ToolAnswer,
    /// The answer to an event is invalid.
    #[error("an event handler answers `value`")]
    EventAnswer,
}

/// Why a module's description is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DescribeError {
    /// The module did not answer.
    #[error("the skill cannot describe itself: {0}")]
    Call(#[from] CallError),
    /// The answer is beyond what a description may be.
    #[error("the skill's description is refused at {path}: {message}")]
    Fault {
        /// Where, as in `tools.0.name`.
        path: String,
        /// What is wrong, and what is allowed.
        message: String,
    },
}

impl CallError {
    pub(crate) fn link(function: HostFn) -> CallError {
        CallError::Link { import: function.name() }
    }
}
