//! The present time, as records have it.

/// The present time in RFC 3339, to the millisecond.
pub fn now() -> String {
    let now = jiff::Timestamp::now();
    format!("{now:.3}")
}
