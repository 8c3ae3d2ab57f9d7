//! Hands what a program reports about its own work to the code that writes it down: events of `tracing`, each with its fields
//! and the spans that it is in. What other crates report goes nowhere: only one target counts, the program's own.
//!
//! # How it works
//!
//! The program's own events (`user-agent/base/src/log.rs`) go to standard error, from level `error` on unless `logging`
//! or `TAMECLAW_LOG` says otherwise (`json` alone means level `info` as JSON). An event's fields are numbers, names and
//! the paths of folders; there is no field for a text. Each call of a tool carries its number and its conversation from
//! `tool_requested` over `tool_approved` or `tool_denied` to `tool_completed` or `tool_failed`.
//! `admin-service/base/src/log.rs` is the same for the service: each event has a name, a level and ids (`proposal`,
//! `skill`, `profile`), and a line that people read instead, `cl-admin: ...`. With `TAMECLAW_LOG=json` the events say
//! the spans too in which they are: the `stage` of a proposal, an `action`, a `request`. Both go through `tracing` and
//! `libs/events`, which hands on events of our own target alone, so that no event of an HTTP library is written. The
//! service that `cl-admin up` or the prompt starts writes to `admin/service.log`; at 4 MiB that becomes
//! `service.log.1`, and the older one is removed. The feature `journald` of `cl-admin` writes to systemd's journal with
//! every field.
#![forbid(unsafe_code)]

use std::fmt::Debug;

use serde_json::Value;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

/// The target of the events and spans that count.
pub const TARGET: &str = "tameclaw";

/// Names and values, in the order in which they are declared; what was left out is null.
pub type Fields = Vec<(&'static str, Value)>;

/// An event, as it is to be written down.
#[derive(Debug)]
pub struct Record {
    /// How important it is.
    pub level: Level,
    pub name: &'static str,
    /// What it says.
    pub fields: Fields,
    /// The spans that it is in, from the outermost.
    pub spans: Vec<(&'static str, Fields)>,
}

/// Writes events down.
pub trait Writer: Send + Sync + 'static {
    /// Whether events and spans of a level are written now.
    fn wants(&self, level: &Level) -> bool;

    fn write(&self, told: &Record);
}

/// Has a writer write down what this process tells from now on; the first one counts.
pub fn start(writer: impl Writer) {
    let _ = tracing::subscriber::set_global_default(subscriber(writer));
}

/// As [`start`]; where systemd reads standard error, its journal is written to instead, with every field. It is not a way
/// for a confined process, which may address no socket.
#[cfg(feature = "journald")]
pub fn start_in_journal(writer: impl Writer) {
    match std::env::var_os("JOURNAL_STREAM").and_then(|_| tracing_journald::layer().ok()) {
        Some(journal) => {
            let told = Registry::default().with(Telling { writer, writes: false }).with(journal);
            let _ = tracing::subscriber::set_global_default(told);
        }
        None => start(writer),
    }
}

/// What [`start`] starts.
pub fn subscriber(writer: impl Writer) -> impl Subscriber + Send + Sync {
    Registry::default().with(Telling { writer, writes: true })
}

/// Whether this program tells it, and no other crate: the fields of those may hold what a person typed.
fn is_own(metadata: &Metadata<'_>) -> bool {
    metadata.target() == TARGET
}

struct Telling<W> {
    writer: W,
    /// It only says what counts, and something else writes.
    writes: bool,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>, W: Writer> Layer<S> for Telling<W> {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        if is_own(metadata) { Interest::sometimes() } else { Interest::never() }
    }

    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        is_own(metadata) && self.writer.wants(metadata.level())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            let mut fields = FieldValues::of(attributes.metadata());
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        if !self.writes {
            return;
        }
        let mut fields = FieldValues::of(event.metadata());
        event.record(&mut fields);
        let scope = context.event_scope(event).into_iter().flat_map(|scope| scope.from_root());
        let spans = scope.map(|span| {
            let fields =
                span.extensions().get::<FieldValues>().map_or_else(Vec::new, |taken| taken.0.clone());
            (span.name(), fields)
        });
        let spans = spans.collect();
        let metadata = event.metadata();
        self.writer.write(&Record {
            level: *metadata.level(),
            name: metadata.name(),
            fields: fields.0,
            spans,
        });
    }
}

/// Fields, as they are taken from an event or a span.
struct FieldValues(Fields);

impl FieldValues {
    fn of(metadata: &'static Metadata<'static>) -> FieldValues {
        FieldValues(metadata.fields().iter().map(|field| (field.name(), Value::Null)).collect())
    }

    fn put(&mut self, field: &Field, value: Value) {
        self.0[field.index()].1 = value;
    }
}

impl Visit for FieldValues {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}").into());
    }
}

#[cfg(test)]
mod tests;
