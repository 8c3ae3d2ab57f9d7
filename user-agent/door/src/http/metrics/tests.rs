use super::*;

#[test]
fn the_figures_have_the_names_that_were_promised() {
    let figures = Figures {
        conversations: 1,
        tool_calls: 2,
        tool_denials: 3,
        provider_errors: 4,
        receipt_chain_valid: true,
        waiting: 5,
    };
    let (kind, text) = text(&figures, "application/openmetrics-text;version=1.0.0,text/plain;q=0.5").unwrap();
    assert!(kind.starts_with("application/openmetrics-text"));
    for line in [
        "tameclaw_conversations_total 1",
        "tameclaw_tool_calls_total 2",
        "tameclaw_tool_denials_total 3",
        "tameclaw_provider_errors_total 4",
        "tameclaw_receipt_chain_valid 1",
        "tameclaw_waiting_lines 5",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert!(text.ends_with("# EOF\n"), "{text}");
    let (kind, older) = super::text(&figures, "*/*").unwrap();
    assert!(kind.starts_with("text/plain; version=0.0.4") && !older.contains("EOF"), "{older}");
    for line in ["# TYPE tameclaw_tool_calls_total counter", "tameclaw_tool_calls_total 2"] {
        assert!(older.lines().any(|found| found == line), "{line}\n{older}");
    }
}
