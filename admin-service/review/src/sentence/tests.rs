use super::*;

/// The words by which each granted power is known; each must be in the sentence exactly once.
const GRANTED: [(Token, &str); 13] = [
    (Token::UserInput, "ask you questions"),
    (Token::UserOutput, "show you messages of its own"),
    (Token::MemoryRead, "read its own notes again (not what the assistant remembers about you)"),
    (Token::MemoryWrite, "keep notes of its own"),
    (Token::LlmCall, "put questions to the language model that the chat uses"),
    (Token::FileRead, "read the files of its own folder"),
    (Token::FileWrite, "write files into its own folder"),
    (Token::AudioRead, "hear the room while `cl-bot voice` runs"),
    (Token::AudioWrite, "speak aloud while `cl-bot voice` runs"),
    (Token::GpioRead, "read what is wired to the pins"),
    (Token::GpioWrite, "switch what is wired to the pins"),
    (Token::NetworkRead, "fetch from wttr.in (an address that it fetches can carry words out)"),
    (Token::NetworkWrite, "send to wttr.in what it knows"),
];

/// Words of a "never", with the tokens that must all be absent for it to be true.
const NEVER: [(&str, &[Token]); 16] = [
    ("reach the network", &[Token::NetworkRead, Token::NetworkWrite]),
    ("ask a language model", &[Token::LlmCall]),
    ("remember anything", &[Token::MemoryRead, Token::MemoryWrite]),
    ("read notes again", &[Token::MemoryRead]),
    ("keep notes", &[Token::MemoryWrite]),
    ("touch files", &[Token::FileRead, Token::FileWrite]),
    ("read files", &[Token::FileRead]),
    ("write files", &[Token::FileWrite]),
    ("hear or speak", &[Token::AudioRead, Token::AudioWrite]),
    ("listen", &[Token::AudioRead]),
    ("speak aloud", &[Token::AudioWrite]),
    ("use the pins", &[Token::GpioRead, Token::GpioWrite]),
    ("read pins", &[Token::GpioRead]),
    ("switch pins", &[Token::GpioWrite]),
    ("ask you", &[Token::UserInput]),
    ("show you", &[Token::UserOutput]),
];

fn of(tokens: &TokenSet, emits: &[EventType]) -> String {
    let network: Vec<HostName> = vec!["wttr.in".parse().unwrap()];
    sentence(
        Words::DEFAULT,
        &Powers {
            tokens,
            network: &network,
            secrets: &[],
            memory: Scope::Own,
            files: Scope::Own,
            emits,
            handles: &[],
        },
    )
}

#[test]
fn every_set_of_tokens_gets_a_true_sentence() {
    for bits in 0_u32..1 << 13 {
        let tokens: TokenSet = Token::ALL
            .into_iter()
            .enumerate()
            .filter(|(at, _)| bits >> at & 1 == 1)
            .map(|(_, t)| t)
            .collect();
        let said = of(&tokens, &[]);
        let (can, never) = said.split_once(" It can never ").unwrap_or_else(|| panic!("{said}"));
        for (token, words) in GRANTED {
            let times = can.matches(words).count();
            assert_eq!(times, usize::from(tokens.contains(token)), "{token} in: {said}");
        }
        for (words, absent) in NEVER {
            let times = never.matches(words).count();
            assert!(times <= 1, "`{words}` stands twice in: {said}");
            let kept_out = absent.iter().all(|t| !tokens.contains(*t));
            assert!(times == 0 || kept_out, "`{words}` is not true in: {said}");
        }
        assert!(never.ends_with("start a program."), "{said}");
        let mut seen = TokenSet::new();
        for token in kept_out(&tokens).into_iter().flat_map(|(tokens, _)| tokens) {
            assert!(!seen.contains(token) && !tokens.contains(token), "{token}: {said}");
            seen.insert(token);
        }
        // Nothing that is absent goes unsaid, but for the other half of a network.
        let half = |t: Token| matches!(t, Token::NetworkRead | Token::NetworkWrite);
        let unsaid = Token::ALL.into_iter().find(|t| !tokens.contains(*t) && !seen.contains(*t) && !half(*t));
        assert_eq!(unsaid, None, "{said}");
    }
}

#[test]
fn a_skill_without_rights_can_only_work_out_an_answer() {
    assert_eq!(
        of(&TokenSet::new(), &[]),
        "It can only work out an answer from what it is given. It can never reach the network, ask a language model, \
         remember anything, touch files, hear or speak, use the pins, ask you or show you anything beside its \
         answers or start a program."
    );
}

#[test]
fn who_may_send_events_is_promised_nothing_for_those_who_receive_them() {
    let said = of(&TokenSet::new(), &["dice.rolled".parse().unwrap()]);
    assert!(said.contains("send other skills the events dice.rolled. By itself it can never"), "{said}");
}

#[test]
fn scopes_and_secrets_are_said() {
    let tokens: TokenSet = [Token::MemoryRead, Token::FileWrite, Token::NetworkRead].into_iter().collect();
    let (network, secrets) = (vec!["a.org".parse().unwrap()], vec!["KEY".parse().unwrap()]);
    let said = sentence(
        Words::DEFAULT,
        &Powers {
            tokens: &tokens,
            network: &network,
            secrets: &secrets,
            memory: Scope::Profile,
            files: Scope::Profile,
            emits: &[],
            handles: &[],
        },
    );
    for words in
        ["everything that the assistant remembers", "change every file", "have KEY put in for it, unseen"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn the_sentence_is_said_in_the_language_of_who_reads_it() {
    let tokens: TokenSet = [Token::MemoryRead, Token::MemoryWrite].into_iter().collect();
    let said = sentence(
        Words::of("de"),
        &Powers {
            tokens: &tokens,
            network: &[],
            secrets: &[],
            memory: Scope::Own,
            files: Scope::Own,
            emits: &[],
            handles: &[],
        },
    );
    assert!(said.starts_with("Es kann eigene Notizen wieder lesen"), "{said}");
    assert!(said.contains(" und eigene Notizen behalten. Es kann nie ins Netz gehen, "), "{said}");
    assert!(said.ends_with(" oder ein Programm starten."), "{said}");
}
