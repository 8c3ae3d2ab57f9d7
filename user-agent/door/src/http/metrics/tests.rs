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
    let text = text(&figures).unwrap();
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
}
