//! Figures in the format of OpenMetrics, which Prometheus reads.

use std::fmt;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use crate::bodies::Figures;

/// The media type of the text.
pub(super) const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The figures as text.
pub(super) fn text(figures: &Figures) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix("tameclaw");
    let counters = [
        ("conversations", "Conversations that began over HTTP", figures.conversations),
        ("tool_calls", "Calls of tools that somebody wanted", figures.tool_calls),
        ("tool_denials", "Calls of tools that the gate denied", figures.tool_denials),
        ("provider_errors", "Times that a provider was asked in vain", figures.provider_errors),
    ];
    for (name, help, value) in counters {
        registry.register(name, help, ConstCounter::new(value));
    }
    let holds = i64::from(figures.receipt_chain_valid);
    registry.register("receipt_chain_valid", "1 where the chain of receipts holds", ConstGauge::new(holds));
    let waiting = i64::try_from(figures.waiting).unwrap_or(i64::MAX);
    registry.register("waiting_lines", "Lines that wait for an answer", ConstGauge::new(waiting));
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(text)
}

#[cfg(test)]
mod tests;
