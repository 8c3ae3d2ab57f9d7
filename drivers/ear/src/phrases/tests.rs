use super::{Fault, Language, LeftOut, MOST_PHRASES, MOST_SLOTS, MOST_WORDS, Phrases};

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

/// A transcript is a phrase also where it has figures, marks and contractions, or an article more; a number is the one that was heard.
#[test]
fn a_transcript_is_the_phrase_that_it_comes_closest_to() {
    let phrases = Phrases::of_any_words(
        "stop\nwhat is the date\n[please] roll|throw <dice>\nremind me in <number> minutes\ndays until <date>\n\
         convert <number> <unit> to <unit>\nwhat is <number> percent of <number>\nlet us play rock paper scissors\n\
         what is <number> times <number>\nturn on the light\n",
    )
    .expect("phrases");
    for (said, expected) in [
        ("Stop.", Some("stop")),
        ("What's the date?", Some("what is the date")),
        ("What is date?", Some("what is the date")),
        ("Please roll 3d6!", Some("please roll 3d6")),
        ("Roll three D-6.", Some("roll 3d6")),
        ("Throw two dice.", Some("throw 2 dice")),
        ("Remind me in twenty-five minutes.", Some("remind me in 25 minutes")),
        ("Remind me in 25 minutes.", Some("remind me in 25 minutes")),
        ("Remind me in one hundred minutes.", Some("remind me in 100 minutes")),
        ("Days until the 3rd of March.", Some("days until 3 march")),
        ("Days until December 21st.", Some("days until 21 december")),
        ("Days until next Friday", Some("days until next friday")),
        ("Convert 60 miles to km.", Some("convert 60 miles to kilometers")),
        ("What is 5% of 80?", Some("what is 5 percent of 80")),
        ("What is 6 x 7?", Some("what is 6 times 7")),
        ("Let's play rock, paper, scissor.", Some("let us play rock paper scissors")),
        ("[Music] Stop (laughs)", Some("stop")),
        // What is only near, or holds a phrase, is nothing.
        ("Shop.", None),
        ("Stop the music.", None),
        ("Turn off the light.", None),
        ("Remind me in minutes.", None),
        ("Remind me in a few minutes.", None),
        ("[Music]", None),
        ("Thank you for watching!", None),
        ("", None),
    ] {
        assert_eq!(phrases.nearest(said, Language::English).as_deref(), expected, "{said}");
    }
}

/// German is read as English is.
#[test]
fn a_german_transcript_is_read() {
    let phrases = Phrases::of_any_words(
        "stopp\nwie spät ist es\nstelle einen timer auf <number> minuten\nwürfle|würfel <dice>\n\
         wie viele tage sind es bis <date>\nrechne <number> <unit> in <unit> um\nwas ist <number> mal <number>\n",
    )
    .expect("phrases");
    assert_eq!(phrases.left_out().count(), 0);
    for (said, expected) in [
        ("Stopp!", Some("stopp")),
        ("Wie spät ist es?", Some("wie spät ist es")),
        ("Stell einen Timer auf fünf Minuten.", Some("stelle einen timer auf 5 minuten")),
        ("Stelle einen Timer auf fünf Minuten.", Some("stelle einen timer auf 5 minuten")),
        ("Stelle einen Timer auf fünfundzwanzig Minuten", Some("stelle einen timer auf 25 minuten")),
        ("Würfle 3W6.", Some("würfle 3w6")),
        ("Würfel zwei Würfel", Some("würfel 2 würfel")),
        ("Wie viele Tage sind es bis zum 3. März?", Some("wie viele tage sind es bis 3 märz")),
        ("Wie viele Tage sind es bis 24. Dezember?", Some("wie viele tage sind es bis 24 dezember")),
        ("Wieviele Tage sind es bis Weihnachten?", Some("wie viele tage sind es bis weihnachten")),
        ("Rechne 10 km in Meilen um.", Some("rechne 10 kilometer in meilen um")),
        ("Was ist 6 x 7?", Some("was ist 6 mal 7")),
        ("Wie schön ist es?", None),
    ] {
        assert_eq!(phrases.nearest(said, Language::German).as_deref(), expected, "{said}");
    }
}

/// A list and a transcript of the greatest size take no time that a client would notice.
#[test]
fn the_greatest_list_is_compared_at_once() {
    let words: Vec<String> = (0..29).map(|at| format!("aaaa{}", char::from(b'a' + at % 26))).collect();
    let list: String =
        (0..MOST_PHRASES).map(|at| format!("a{} {}\n", "b".repeat(at % 50 + 1), words.join(" "))).collect();
    let phrases = Phrases::of_any_words(&list).expect("phrases");
    let begun = std::time::Instant::now();
    assert_eq!(phrases.nearest(&"aaaa ".repeat(40), Language::English), None);
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}
