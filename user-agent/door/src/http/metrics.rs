//! The door's figures for a program that watches.

use std::fmt;

use figures::{Figure, Format};

use crate::bodies::Figures;

/// The figures as text, with its media type, in the format that a client accepts.
pub(super) fn text(figures: &Figures, accepted: &str) -> Result<(&'static str, String), fmt::Error> {
    let format = Format::accepted(accepted);
    let holds = u64::from(figures.receipt_chain_valid);
    let all = [
        Figure::counter("conversations", "Conversations that began over HTTP", figures.conversations),
        Figure::counter("tool_calls", "Calls of tools that somebody wanted", figures.tool_calls),
        Figure::counter("tool_denials", "Calls of tools that the gate denied", figures.tool_denials),
        Figure::counter(
            "provider_errors",
            "Times that a provider was asked in vain",
            figures.provider_errors,
        ),
        Figure::gauge("receipt_chain_valid", "1 where the chain of receipts holds", holds),
        Figure::gauge("waiting_lines", "Lines that wait for an answer", figures.waiting),
    ];
    Ok((format.media_type(), figures::text("tameclaw", &all, format)?))
}

#[cfg(test)]
mod tests;
