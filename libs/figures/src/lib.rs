//! Figures about a program, in the two text formats that Prometheus reads. No IO.
//!
//! - [`Figure`]: one figure, with a sample for each value of its label where it has one
//! - [`Format`]: OpenMetrics, or the older text
//! - [`text`]: figures as text
#![forbid(unsafe_code)]

use std::fmt;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::exemplar::Exemplar;
use prometheus_client::registry::Registry;

const OPEN_METRICS: &str = "application/openmetrics-text";

/// A text format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// OpenMetrics 1.0.0.
    OpenMetrics,
    /// The text format 0.0.4, which every Prometheus and node_exporter's textfile collector read.
    Older,
}

impl Format {
    /// The format for a client that accepts these media types: OpenMetrics where it is named.
    pub fn accepted(types: &str) -> Format {
        if types.contains(OPEN_METRICS) { Format::OpenMetrics } else { Format::Older }
    }

    /// The media type of a text in this format.
    pub fn media_type(self) -> &'static str {
        match self {
            Format::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Format::Older => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

/// A label with its value.
pub type Label = (&'static str, &'static str);

/// One figure. Names and labels are the program's own words: nothing that somebody wrote fits into one.
#[derive(Debug, Clone)]
pub struct Figure {
    name: &'static str,
    help: &'static str,
    samples: Samples,
}

#[derive(Debug, Clone)]
enum Samples {
    /// Each only grows.
    Counters(Vec<(Option<Label>, u64)>),
    Gauges(Vec<(Option<Label>, u64)>),
}

impl Figure {
    /// What only grows. Its name is without the ending `_total`, which the formats add; the help is without a full stop.
    pub fn counter(name: &'static str, help: &'static str, value: u64) -> Figure {
        Figure { name, help, samples: Samples::Counters(vec![(None, value)]) }
    }

    /// As [`Figure::counter`], one for each value of a label.
    pub fn counters(name: &'static str, help: &'static str, values: Vec<(Label, u64)>) -> Figure {
        Figure { name, help, samples: Samples::Counters(labelled(values)) }
    }

    /// What rises and falls; the help is without a full stop.
    pub fn gauge(name: &'static str, help: &'static str, value: u64) -> Figure {
        Figure { name, help, samples: Samples::Gauges(vec![(None, value)]) }
    }

    /// As [`Figure::gauge`], one for each value of a label.
    pub fn gauges(name: &'static str, help: &'static str, values: Vec<(Label, u64)>) -> Figure {
        Figure { name, help, samples: Samples::Gauges(labelled(values)) }
    }
}

fn labelled(values: Vec<(Label, u64)>) -> Vec<(Option<Label>, u64)> {
    values.into_iter().map(|(label, value)| (Some(label), value)).collect()
}

impl Collector for Figure {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let (kind, samples) = match &self.samples {
            Samples::Counters(samples) => (MetricType::Counter, samples),
            Samples::Gauges(samples) => (MetricType::Gauge, samples),
        };
        let help = format!("{}.", self.help);
        let mut metric = encoder.encode_descriptor(self.name, &help, None, kind)?;
        for (label, value) in samples {
            match label {
                None => sample(&mut metric, kind, *value)?,
                Some(label) => sample(&mut metric.encode_family(&[*label])?, kind, *value)?,
            }
        }
        Ok(())
    }
}

fn sample(metric: &mut MetricEncoder<'_>, kind: MetricType, value: u64) -> fmt::Result {
    match kind {
        MetricType::Counter => metric.encode_counter(&value, None::<&Exemplar<[Label; 0], u64>>),
        _ => metric.encode_gauge(&value),
    }
}

/// The figures as text, in the order given; each name begins with the prefix.
///
/// # Errors
/// None that a text in memory has.
pub fn text(prefix: &'static str, figures: &[Figure], format: Format) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix(prefix);
    for figure in figures {
        registry.register_collector(Box::new(figure.clone()));
    }
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(match format {
        Format::OpenMetrics => text,
        Format::Older => older(prefix, figures, &text),
    })
}

/// The older format has no end mark, and names a counter by its whole name in the lines about it.
fn older(prefix: &str, figures: &[Figure], text: &str) -> String {
    let mut older = text.trim_end_matches("# EOF\n").to_owned();
    for Figure { name, samples, .. } in figures {
        if let Samples::Counters(_) = samples {
            for about in ["HELP", "TYPE"] {
                let line = format!("# {about} {prefix}_{name}");
                older = older.replace(&format!("{line} "), &format!("{line}_total "));
            }
        }
    }
    older
}

#[cfg(test)]
mod tests;
