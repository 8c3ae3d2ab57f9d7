//! Which conversation a talk of a client belongs to.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How many talks are known again.
pub(super) const MOST_KNOWN: usize = 512;

/// Which conversation a talk belongs to, the newest last.
#[derive(Debug, Default)]
pub(super) struct Known(Mutex<VecDeque<([u8; 32], String)>>);

impl Known {
    pub(super) fn find(&self, talk: &[u8; 32]) -> Option<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().rev().find(|(digest, _)| digest == talk).map(|(_, conversation)| conversation.clone())
    }

    pub(super) fn keep(&self, talk: [u8; 32], conversation: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.push_back((talk, conversation));
        if known.len() > MOST_KNOWN {
            known.pop_front();
        }
    }
}
