use super::*;

#[test]
fn what_looks_like_a_secret_and_what_does_not() {
    for line in [
        "my door code is the old one",
        "the PIN: 4711",
        "4711",
        "it is 12-34-56",
        "Mein Kennwort lautet Rosenkohl",
        "use sk-abcdefghijklmnop for it",
        "K7x9Qm2LpW",
        "correctHorse7battery",
        "DE89370400440532013000",
        "4111111111111111",
    ] {
        assert!(looks_secret(line), "{line}");
    }
    for line in [
        "what is the weather in Bern today?",
        "read https://example.org/a/4711?x=K7x9Qm2LpW and tell me",
        "in 2026 we met 12 times",
        "on 2026-02-07 at 14:30",
        "mail anna@example.org",
        "a Donaudampfschifffahrtsgesellschaft",
        "write notes/2026-02-07.md",
    ] {
        assert!(!looks_secret(line), "{line}");
    }
}
