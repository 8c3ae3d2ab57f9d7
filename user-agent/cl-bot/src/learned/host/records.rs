//! A skill's own records: appended, the last one of a key counts. Each inherits whether the conversation held outside content,
//! and gives that on to the conversation that reads it.

use std::collections::BTreeMap;

use guest::Value;
use ports::KernelContext;
use serde_json::json;
use shared_types::capability::Token;
use shared_types::provenance::Provenance;

use super::{NotServed, missing};

/// The longest key and the longest text of a record, in bytes.
pub(super) const MAX_KEY: usize = 200;
pub(super) const MAX_TEXT: usize = 64 * 1024;
/// The facts that a skill with the profile's memory sees: the newest.
const MAX_FACTS: usize = 10_000;

/// The records whose key starts with `prefix`, in order of their keys.
pub(super) fn query(ctx: &KernelContext, prefix: &str) -> Result<Value, NotServed> {
    let memory = ctx.handles().memory_read().ok_or(missing(Token::MemoryRead))?;
    let mut records = BTreeMap::new();
    for record in memory.records(memory.own())? {
        let Some(key) = record["key"].as_str().filter(|k| k.starts_with(prefix)) else { continue };
        match record["text"].as_str() {
            Some(text) => records.insert(key.to_owned(), (text.to_owned(), record["outside"] == true)),
            None => records.remove(key),
        };
    }
    if let Some(facts) = memory.facts(MAX_FACTS) {
        for fact in facts? {
            let key = format!("profile/{}", fact.id);
            if key.starts_with(prefix) {
                records.insert(key, (fact.text, fact.outside));
            }
        }
    }
    if !records.is_empty() {
        let outside = records.values().any(|(_, outside)| *outside);
        ctx.brings(Provenance { outside, private: true });
    }
    let record = |(key, (text, _)): (&String, &(String, bool))| {
        Value::map([("key", key.as_str().into()), ("text", text.as_str().into())])
    };
    Ok(Value::List(records.iter().map(record).collect()))
}

/// Keeps a record, or takes it away when there is no text.
pub(super) fn store(ctx: &KernelContext, key: &str, text: Option<&str>) -> Result<Value, NotServed> {
    let memory = ctx.handles().memory_write().ok_or(missing(Token::MemoryWrite))?;
    if key.is_empty() || key.len() > MAX_KEY || text.is_some_and(|t| t.len() > MAX_TEXT) {
        return Err(NotServed::LongRecord);
    }
    let mut record = json!({"key": key, "text": text, "at": ctx.shared().timestamp()});
    if ctx.holds().outside {
        record["outside"] = json!(true);
    }
    memory.append(memory.own(), &record)?;
    Ok(Value::Null)
}
