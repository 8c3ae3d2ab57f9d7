//! Figures in the two formats that Prometheus reads: OpenMetrics where it is asked for, else the older text.

use std::fmt;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use crate::bodies::Figures;

const OPEN_METRICS: &str = "application/openmetrics-text";

/// The figures as text, with its media type, in the format that a client accepts.
pub(super) fn text(figures: &Figures, accepted: &str) -> Result<(&'static str, String), fmt::Error> {
    let mut registry = Registry::with_prefix("tameclaw");
    let counters = [
        ("conversations", "Conversations that began over HTTP", figures.conversations),
        ("tool_calls", "Calls of tools that somebody wanted", figures.tool_calls),
        ("tool_denials", "Calls of tools that the gate denied", figures.tool_denials),
        ("provider_errors", "Times that a provider was asked in vain", figures.provider_errors),
    ];
    for (name, help, value) in &counters {
        registry.register(*name, *help, ConstCounter::new(*value));
    }
    let holds = i64::from(figures.receipt_chain_valid);
    registry.register("receipt_chain_valid", "1 where the chain of receipts holds", ConstGauge::new(holds));
    let waiting = i64::try_from(figures.waiting).unwrap_or(i64::MAX);
    registry.register("waiting_lines", "Lines that wait for an answer", ConstGauge::new(waiting));
    let mut text = String::new();
    encode(&mut text, &registry)?;
    if accepted.contains(OPEN_METRICS) {
        return Ok(("application/openmetrics-text; version=1.0.0; charset=utf-8", text));
    }
    // The older format has no end mark, and names a counter by its whole name in the lines about it.
    let mut older = text.trim_end_matches("# EOF\n").to_owned();
    for (name, ..) in counters {
        for about in ["HELP", "TYPE"] {
            let line = format!("# {about} tameclaw_{name}");
            older = older.replace(&format!("{line} "), &format!("{line}_total "));
        }
    }
    Ok(("text/plain; version=0.0.4; charset=utf-8", older))
}

#[cfg(test)]
mod tests;
