use super::*;

/// The most bytes of an answer.
const MOST: usize = 64 * 1024;

#[test]
fn a_home_without_anything_has_every_figure_and_stays_within_the_bound() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    let figures = || of_journal(&Ledger::default(), Timestamp::now());
    for open_metrics in [false, true] {
        let text = text(&home, figures(), false, open_metrics).unwrap();
        for line in [
            "tameclaw_admin_proposals{state=\"human-review\"} 0",
            "tameclaw_admin_actions{state=\"accepted\"} 0",
            "tameclaw_admin_waiting{on=\"person\"} 0",
            "tameclaw_admin_decisions_total{kind=\"approved\"} 0",
            "tameclaw_admin_service_running 0",
            "tameclaw_admin_emergency_stop 0",
            "tameclaw_admin_receipt_chains_valid 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        // The lines are the same in every home; a figure has at most 20 digits.
        assert!(text.len() + text.lines().count() * 20 <= MOST, "{}", text.len());
        assert!(!text.contains("last_backup") && !text.contains("last_notification"), "{text}");
    }
}

#[test]
fn what_the_bot_withdraws_and_the_program_rejects_is_no_decision_of_a_person() {
    for (actor, is_one) in [("owner", true), ("proposer", false), ("review", false), ("implementer", false)] {
        let timestamp = "2026-02-07T14:30:00Z".to_owned();
        let step = HistoryEntry { timestamp, status: Status::Rejected, actor: actor.into(), reason: None };
        assert_eq!(is_by_person(&step), is_one, "{actor}");
    }
}
