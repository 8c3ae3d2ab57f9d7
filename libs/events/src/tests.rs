use std::sync::{Arc, Mutex};

use serde_json::json;

use super::*;

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Value>>>);

impl Writer for Kept {
    fn wants(&self, level: &Level) -> bool {
        *level <= Level::INFO
    }

    fn write(&self, told: &Record) {
        let fields = |fields: &Fields| fields.iter().map(|(n, v)| json!([n, v])).collect::<Vec<_>>();
        let spans: Vec<Value> = told.spans.iter().map(|(name, f)| json!([name, fields(f)])).collect();
        self.0.lock().unwrap().push(json!([told.level.as_str(), told.name, fields(&told.fields), spans]));
    }
}

fn told(work: impl FnOnce()) -> Vec<Value> {
    let kept = Kept::default();
    tracing::subscriber::with_default(subscriber(kept.clone()), work);
    // Another thread that meets an event for the first time may hold it too, for a moment.
    std::mem::take(&mut *kept.0.lock().unwrap())
}

#[test]
fn an_event_has_its_fields_in_order_and_the_spans_that_it_lies_in() {
    let lines = told(|| {
        let outer = tracing::info_span!(target: TARGET, "outer", id = "a", n = 3).entered();
        let inner = tracing::info_span!(target: TARGET, "inner", step = %"s").entered();
        let none: Option<u64> = None;
        tracing::event!(name: "named", target: TARGET, Level::WARN, z = 1_u64, a = true, gone = none);
        drop(inner);
        drop(outer);
        tracing::event!(name: "after", target: TARGET, Level::INFO, {});
    });
    let spans = json!([["outer", [["id", "a"], ["n", 3]]], ["inner", [["step", "s"]]]]);
    let expected =
        json!([["WARN", "named", [["z", 1], ["a", true], ["gone", null]], spans], ["INFO", "after", [], []]]);
    assert_eq!(json!(lines), expected);
}

#[test]
fn what_others_tell_goes_nowhere_and_what_is_not_wanted_neither() {
    let lines = told(|| {
        let _foreign = tracing::info_span!(target: "hyper::client", "request", url = "secret").entered();
        tracing::error!(target: "rustls::conn", "secret");
        tracing::error!("of this crate, but not of the target");
        tracing::event!(name: "low", target: TARGET, Level::DEBUG, {});
        tracing::event!(name: "own", target: TARGET, Level::INFO, {});
    });
    assert_eq!(json!(lines), json!([["INFO", "own", [], []]]));
}
