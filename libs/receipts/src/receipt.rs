//! One link of the chain: canonical JSON (RFC 8785) on one line.

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shared_types::action::Reached;
use shared_types::risk::Risk;
use shared_types::text;

use crate::attempt::{Attempt, Status};

pub(crate) mod link;

/// The `previous_hash` of the first receipt.
pub const NOTHING_BEFORE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The most characters of a tool's name that are kept: a model may ask for a tool of any name.
const MOST_NAME: usize = 120;

/// What is on record of one attempt. The members stand in the order in which they are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// Who let it happen, or who did not.
    pub approved_by: String,
    /// SHA-256 of the canonical JSON of the arguments, in hex.
    pub args_hash: String,
    /// The conversation, or the workflow's run.
    pub conversation_id: String,
    /// HMAC-SHA-256 of `receipt_hash` with the profile's key, where one is kept; no part of `receipt_hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hmac: Option<String>,
    /// A UUID of version 7.
    pub id: String,
    /// The hosts that were asked for, each with the bytes that went there and came from there, as in `api.example.org:443 100 2000`,
    /// with commas between them; absent where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The `receipt_hash` of the receipt before; 64 zeros in the first.
    pub previous_hash: String,
    /// SHA-256 of the canonical JSON of all other members but `hmac`, in hex.
    pub receipt_hash: String,
    /// SHA-256 of the answer, or of the reason why there is none, in hex.
    pub result_hash: String,
    /// The risk at which it was judged.
    pub risk: Risk,
    /// What became of it.
    pub status: Status,
    /// When, in RFC 3339 to the millisecond.
    pub timestamp: String,
    /// The tool, by its full name.
    pub tool: String,
}

/// A key that only this profile's own user can read; it tells receipts written with it from others.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// Takes 32 random bytes.
    pub fn new(bytes: [u8; 32]) -> Key {
        Key(bytes)
    }

    pub(crate) fn seal(&self, receipt_hash: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(receipt_hash);
        hex(&mac.finalize().into_bytes())
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Receipt {
    /// Makes the receipt that follows the one with the hash `previous`.
    pub fn after(previous: &str, attempt: &Attempt<'_>, key: Option<&Key>) -> Receipt {
        let args = serde_json_canonicalizer::to_vec(attempt.args).unwrap_or_else(|_| {
            // A number beyond what RFC 8785 knows: its digest is that of the text as it stands.
            attempt.args.to_string().into_bytes()
        });
        let mut receipt = Receipt {
            approved_by: text::cut(attempt.approved_by, MOST_NAME),
            args_hash: digest(&[&args]),
            conversation_id: text::cut(attempt.conversation, MOST_NAME),
            hmac: None,
            id: uuid::Uuid::now_v7().hyphenated().to_string(),
            network: network(attempt.network),
            previous_hash: previous.to_owned(),
            receipt_hash: String::new(),
            result_hash: digest(&[attempt.result.as_bytes()]),
            risk: attempt.risk,
            status: attempt.status,
            timestamp: format!("{:.3}", jiff::Timestamp::now()),
            tool: text::cut(attempt.tool, MOST_NAME),
        };
        receipt.receipt_hash = receipt.own_hash();
        receipt.hmac = key.map(|key| key.seal(receipt.receipt_hash.as_bytes()));
        receipt
    }

    /// The line of the file, without its newline.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a receipt has no map and no number, so it can be written as JSON")
    }

    /// The hash that the receipt must have.
    fn own_hash(&self) -> String {
        let line = self.line();
        let cut = format!(",\"receipt_hash\":\"{}\"", self.receipt_hash);
        let sealed = self.hmac.as_ref().map(|hmac| format!(",\"hmac\":\"{hmac}\""));
        let mut rest = line.replacen(&cut, "", 1);
        if let Some(sealed) = sealed {
            rest = rest.replacen(&sealed, "", 1);
        }
        digest(&[rest.as_bytes()])
    }
}

fn network(reached: &[Reached]) -> Option<String> {
    let each = reached.iter().map(|one| format!("{} {} {}", one.host, one.sent, one.received));
    (!reached.is_empty()).then(|| each.collect::<Vec<_>>().join(", "))
}

/// SHA-256 over parts that follow each other, in hex.
pub(crate) fn digest(parts: &[&[u8]]) -> String {
    let mut sum = Sha256::new();
    for part in parts {
        sum.update(part);
    }
    hex(&sum.finalize())
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|b| [b >> 4, b & 15]).map(|n| char::from(DIGITS[usize::from(n)])).collect()
}

#[cfg(test)]
mod tests;
