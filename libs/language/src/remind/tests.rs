use super::*;

#[test]
fn an_order_in_a_clause_is_found_with_what_stands_beside_it() {
    for (line, command, beside) in [
        (
            "i got a bio test friday, remind me thursday at 7pm to study",
            "set || thursday at 7pm to study",
            "i got a bio test friday,",
        ),
        ("i take my tablets at 8, remind me please", "maybe", "i take my tablets at 8,"),
        ("stop the onion timer, they burned", "cancel || timer onion", "they burned"),
        ("nudeln sind fertig, den timer brauch ich nimmer", "cancel || timer", "nudeln sind fertig"),
    ] {
        let found = in_clauses(line).into_iter().next().map(|(command, _, beside)| (command, beside));
        assert_eq!(found, Some((command.to_owned(), beside.to_owned())), "{line}");
    }
    for line in ["remind me at 5 to call mum", "the song reminds me of you, and of home", "stop it, please"] {
        assert!(in_clauses(line).is_empty(), "{line}: {:?}", in_clauses(line));
    }
}

#[test]
fn another_moment_is_found_behind_a_denial_or_an_order_to_change_it() {
    for (line, moment) in [
        ("make it 2", "2"),
        ("ach mach halb sieben", "halb sieben"),
        ("mach 60 minuten draus", "60 minuten"),
        ("nee lieber 10 vor 7", "10 vor 7"),
        ("doch besser freitag um 17 uhr", "freitag um 17 uhr"),
        ("wait no its 6:30, i got practice after", "6:30"),
        ("sorry i meant friday, half eleven", "friday, half eleven"),
        ("jeden tag meine ich", "jeden tag"),
    ] {
        let found = instead(line).unwrap_or_else(|| panic!("{line}")).0;
        assert!(found.iter().any(|one| one == moment), "{line}: {found:?}");
    }
    for line in ["what is it?", "i like tea", "it is 6:30", "make it 2?"] {
        assert_eq!(instead(line), None, "{line}");
    }
    // Neither is an order of its own.
    for line in ["make it 2", "and at 3.15pm pick him up", "noch einen 45 min für den braten"] {
        assert_eq!(remind(line), None, "{line}");
    }
}

#[test]
fn what_tells_something_is_not_a_reminder() {
    for text in ["pick him up", "call Mr Okafor", "die andere", "oma anrufen", "water the plants"] {
        assert!(may_be_reminded(text, true), "{text}");
    }
    for text in ["i have swimming", "my brother comes", "hab ich den doktor meier", "kommt mein bruder"] {
        assert!(!may_be_reminded(text, true), "{text}");
    }
}
