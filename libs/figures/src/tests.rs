use super::*;

fn figures() -> Vec<Figure> {
    vec![
        Figure::counter("calls", "Calls of tools", 2),
        Figure::counters("ends", "Ends by kind", vec![(("kind", "good"), 3), (("kind", "bad"), u64::MAX)]),
        Figure::gauge("free_bytes", "Free bytes", 5),
        Figure::gauges("waiting", "What waits", vec![(("on", "person"), 1), (("on", "room"), 0)]),
    ]
}

#[test]
fn open_metrics_names_a_counter_without_its_ending_and_marks_the_end() {
    let text = text("tameclaw", &figures(), Format::OpenMetrics).unwrap();
    let expected = "# HELP tameclaw_calls Calls of tools.\n\
                    # TYPE tameclaw_calls counter\n\
                    tameclaw_calls_total 2\n\
                    # HELP tameclaw_ends Ends by kind.\n\
                    # TYPE tameclaw_ends counter\n\
                    tameclaw_ends_total{kind=\"good\"} 3\n\
                    tameclaw_ends_total{kind=\"bad\"} 18446744073709551615\n\
                    # HELP tameclaw_free_bytes Free bytes.\n\
                    # TYPE tameclaw_free_bytes gauge\n\
                    tameclaw_free_bytes 5\n\
                    # HELP tameclaw_waiting What waits.\n\
                    # TYPE tameclaw_waiting gauge\n\
                    tameclaw_waiting{on=\"person\"} 1\n\
                    tameclaw_waiting{on=\"room\"} 0\n\
                    # EOF\n";
    assert_eq!(text, expected);
}

#[test]
fn the_older_text_names_a_counter_by_its_whole_name_and_has_no_end_mark() {
    let text = text("tameclaw", &figures(), Format::Older).unwrap();
    for line in [
        "# HELP tameclaw_calls_total Calls of tools.",
        "# TYPE tameclaw_calls_total counter",
        "tameclaw_calls_total 2",
        "# TYPE tameclaw_ends_total counter",
        "tameclaw_ends_total{kind=\"good\"} 3",
        "# TYPE tameclaw_free_bytes gauge",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(!text.contains("EOF"), "{text}");
}

#[test]
fn a_client_gets_open_metrics_where_it_names_it() {
    let asked = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    assert_eq!(Format::accepted(asked), Format::OpenMetrics);
    assert_eq!(Format::accepted("*/*"), Format::Older);
    assert!(Format::OpenMetrics.media_type().starts_with(OPEN_METRICS));
    assert!(Format::Older.media_type().starts_with("text/plain; version=0.0.4"));
}
