use super::*;

#[test]
fn the_group_reads_what_the_service_reads_and_no_memory() {
    for (below, mode, wanted) in [
        ("profiles/anna/memory/facts.jsonl", 0o640, 0o600),
        ("profiles/anna/memory/deep/notes", 0o755, 0o700),
        ("credentials/login", 0o644, 0o600),
        ("profiles/anna/logs/receipts.jsonl", 0o600, 0o640),
        ("profiles/anna/workspace/run", 0o700, 0o740),
        ("proposals/anna/roll.yaml", 0o600, 0o640),
        ("net/anna.0.jsonl", 0o600, 0o640),
    ] {
        assert_eq!(shared_mode(below, mode), wanted, "{below}");
    }
}
