use super::{Fault, LeftOut, MOST_PHRASES, MOST_SLOTS, MOST_WORDS, Phrases};

fn read(text: &str) -> Result<Phrases, Fault> {
    Phrases::read(text, |word| word != "xyzzy")
}

/// Case, marks, comments and repetitions count nothing; a slot becomes a rule.
#[test]
fn phrases_become_a_grammar() {
    let phrases = read("# the clock\nWhat's the time?\n\nwhat's  the TIME\nremind me in <number> minutes!\n")
        .expect("phrases");
    assert_eq!(phrases.count(), 2);
    assert_eq!(phrases.left_out().count(), 0);
    let grammar = phrases.grammar();
    assert!(
        grammar.ends_with("public <phrase> = remind me in <number> minutes | what's the time;\n"),
        "{grammar}"
    );
}

/// A phrase with a word that nobody can hear is left out, and its word is named; the others stay.
#[test]
fn what_cannot_be_heard_is_left_out() {
    let long = "a ".repeat(MOST_WORDS + 1);
    let numbers = "<number> ".repeat(MOST_SLOTS + 1);
    let phrases =
        read(&format!("say xyzzy\nHalt 7\nwie spät ist es\ncall <name>\n{long}\n{numbers}\nstop\n"))
            .expect("one is left");
    assert_eq!(phrases.count(), 1);
    let left: Vec<&LeftOut> = phrases.left_out().collect();
    let word = |word: &str| LeftOut::Word(word.to_owned());
    assert_eq!(
        left,
        [
            &word("7"),
            &word("spät"),
            &word("xyzzy"),
            &LeftOut::Slot("<name>".into()),
            &LeftOut::Long(5),
            &LeftOut::Long(6)
        ]
    );
    assert_eq!(read("# nothing\n"), Err(Fault::Nothing));
    assert_eq!(read("xyzzy"), Err(Fault::Nothing));
}

/// No sign of a phrase is a sign of the grammar.
#[test]
fn no_phrase_writes_a_rule() {
    let attack = "stop; public <x> = delete\nstop | go\n(a)* b\na /9/ b\n{tag} c\nd \"e\\\" f\n<digit> g\nplain words\n\
                  a|;x| plain\n[ c\n[d [e] f\n[g]\n";
    let grammar = read(attack).expect("one is plain").grammar();
    let phrase = grammar.split_once("public <phrase> =").expect("the rule").1;
    assert_eq!(phrase, " ( a | x ) plain | plain words;\n");
}

/// The words of the decoder are those of a phrase, numbers in figures; other words are nothing.
#[test]
fn numbers_come_out_in_figures() {
    let phrases = read("remind me in <number> minutes\nadd <number> <number>\none more\n").expect("phrases");
    for (words, expected) in [
        ("remind me in twenty five minutes", Some("remind me in 25 minutes")),
        ("remind me in zero minutes", Some("remind me in 0 minutes")),
        ("remind me in one hundred minutes", Some("remind me in 100 minutes")),
        ("remind me in nineteen minutes", Some("remind me in 19 minutes")),
        ("remind me in ninety minutes", Some("remind me in 90 minutes")),
        ("remind me in five twenty minutes", None),
        ("remind me in twenty zero minutes", None),
        ("remind me in minutes", None),
        ("add twenty five", Some("add 20 5")),
        ("add twenty five six", Some("add 25 6")),
        ("one more", Some("one more")),
        ("one more time", None),
        ("", None),
    ] {
        assert_eq!(phrases.matched(words).as_deref(), expected, "{words}");
    }
}

/// A choice is one of its words, and what may be missing is said or not; a choice that nobody can hear is left out alone.
#[test]
fn choices_and_what_may_be_missing_are_rules() {
    let phrases = read("[please] roll|throw|xyzzy a die [for me|us] [xyzzy now]\n").expect("phrases");
    let grammar = phrases.grammar();
    assert!(
        grammar.ends_with("public <phrase> = [ please ] ( roll | throw ) a die [ for ( me | us ) ];\n"),
        "{grammar}"
    );
    assert_eq!(phrases.left_out().count(), 1);
    for words in ["roll a die", "please throw a die for us", "throw a die for me"] {
        assert_eq!(phrases.matched(words).as_deref(), Some(words));
    }
    for words in ["roll a die for", "xyzzy a die", "please please roll a die", "please"] {
        assert_eq!(phrases.matched(words), None, "{words}");
    }
}

/// Days, dice and units come out as the skills read them.
#[test]
fn dates_dice_and_units_come_out_as_skills_read_them() {
    let phrases =
        read("days until <date>\nroll <dice>\nconvert <number> <unit> to <unit>\nwhat is [on] <date>\n")
            .expect("phrases");
    for (words, expected) in [
        ("days until march third", Some("days until 3 march")),
        ("days until the twenty first of december", Some("days until 21 december")),
        ("days until december the thirty first", Some("days until 31 december")),
        ("days until next friday", Some("days until next friday")),
        ("days until christmas eve", Some("days until christmas eve")),
        ("days until thirty second of may", None),
        ("days until the third", None),
        ("what is on tomorrow", Some("what is on tomorrow")),
        ("what is friday", Some("what is friday")),
        ("roll three d six", Some("roll 3d6")),
        ("roll d twenty", Some("roll d20")),
        ("roll two d one hundred", Some("roll 2d100")),
        ("roll four dice", Some("roll 4 dice")),
        ("roll one dice", None),
        ("roll d seven", None),
        ("convert twenty five miles to kilometers", Some("convert 25 miles to kilometers")),
        ("convert miles to kilometers", None),
    ] {
        assert_eq!(phrases.matched(words).as_deref(), expected, "{words}");
    }
}

#[test]
fn a_list_of_phrases_has_an_end() {
    let name = |index: usize| -> String {
        index.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
    };
    let many: String = (0..=MOST_PHRASES).map(|index| format!("say {}\n", name(index))).collect();
    assert_eq!(read(&many), Err(Fault::TooMany));
    let numbers: String =
        (0..MOST_PHRASES).map(|index| format!("{} <number> <number>\n", name(index))).collect();
    assert_eq!(read(&numbers), Err(Fault::TooLong));
}
