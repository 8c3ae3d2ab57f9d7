//! What a call may spend, what is linked into it, and what it spent.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use shared_types::capability::TokenSet;

use crate::imports::{Facts, HostFn, Need};

/// What one call may spend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Fuel in all; a unit is about one simple instruction, and differs between engines.
    pub fuel: u64,
    /// Fuel between two looks at the clock.
    pub fuel_slice: u64,
    /// The module's memory in bytes.
    pub memory_bytes: usize,
    /// One message, in either direction, in bytes.
    pub message_bytes: usize,
    /// The time in which the module itself computes; what it waits for host functions does not count.
    pub wall: Duration,
    /// The time that all host functions together may take.
    pub host_wall: Duration,
    /// The number of calls to host functions.
    pub host_calls: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: 200_000_000,
            fuel_slice: 1_000_000,
            memory_bytes: 4 << 20,
            message_bytes: 256 << 10,
            wall: Duration::from_secs(5),
            // A model on a small machine, or a person who thinks, takes its time.
            host_wall: Duration::from_secs(600),
            host_calls: 1_000,
        }
    }
}

/// What is linked into a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    pub tokens: TokenSet,
    /// Whether the skill may send events.
    pub emits: bool,
}

impl Grants {
    /// Exactly what a module imports: for describing one whose calls are all refused anyway.
    pub fn of(facts: &Facts) -> Grants {
        Grants { tokens: facts.derived.clone(), emits: facts.emits }
    }

    /// Whether a host function is granted.
    pub fn allows(&self, function: HostFn) -> bool {
        match function.token() {
            Need::Nothing => true,
            Need::Token(token) => self.tokens.contains(token),
            Need::Emits => self.emits,
        }
    }
}

/// What is left of a call's limits while the host answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// When the host must have answered.
    pub deadline: Instant,
    /// Fuel that is left.
    pub fuel: u64,
    /// Memory that is left, in bytes.
    pub memory_bytes: usize,
    /// Computing time that is left.
    pub wall: Duration,
}

/// What a call spent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Fuel, what the host charged included.
    pub fuel: u64,
    /// Time from the message to the answer.
    pub wall: Duration,
    /// The most memory that the module held, in bytes.
    pub memory_peak_bytes: usize,
    /// How often each host function was called; those never called are left out.
    pub host_calls: Vec<(HostFn, u32)>,
}
