use super::frames::MOST_LISTED;
use super::*;

#[test]
fn a_fault_says_what_happened_with_its_parts() {
    let endpoint = || "https://example.org/mcp".parse().unwrap();
    let faults: [(Fault, &str); 7] = [
        (ProtocolFault::Said("a".to_owned()).into(), "it does not keep to the protocol: a"),
        (
            ReaderFault::Killed(6).into(),
            "its messages cannot be read: they take more memory or processor time than the child that reads them has (signal 6)",
        ),
        (
            ProtocolFault::Tools(MOST_LISTED).into(),
            "it does not keep to the protocol: it lists more than 512 tools",
        ),
        (Fault::Ended(Ending::Silent), "it ended"),
        (Fault::Ended(Ending::Words("no".to_owned())), "it ended; its last words: no"),
        (Fault::Overfull(None), "it was ended: it wrote more than 128 MB or 10000 files"),
        (
            Hindrance::Redirect { endpoint: endpoint(), status: 302 }.into(),
            "https://example.org/mcp answers with a redirect (302), which is not followed",
        ),
    ];
    for (fault, words) in faults {
        assert_eq!(fault.to_string(), words);
    }
}
