use std::collections::BTreeMap;
use std::path::Path;

use super::*;

/// A language's lines of people in need, and its ordinary lines.
const LISTS: [(&str, &str, &str); 2] = [
    ("en", include_str!("en/need.txt"), include_str!("en/ordinary.txt")),
    ("de", include_str!("de/need.txt"), include_str!("de/ordinary.txt")),
];

fn kind_of(line: &str) -> Option<Kind> {
    need(line).map(|need| need.kind)
}

#[test]
fn every_line_of_a_person_in_need_is_noticed_in_its_language() {
    for (code, lines, _) in LISTS {
        let codes = lines.lines().map(|line| (line, need(line).map(|need| need.language.code())));
        let missed: Vec<_> = codes.filter(|(_, found)| *found != Some(code)).collect();
        assert!(missed.is_empty(), "{code}: {missed:#?}");
        assert!(lines.lines().count() >= 150, "{code}");
    }
}

#[test]
fn ordinary_lines_are_left_alone() {
    for (code, _, lines) in LISTS {
        let found: Vec<_> = lines.lines().filter_map(|line| Some((line, need(line)?))).collect();
        assert!(found.is_empty(), "{code}: {found:#?}");
        assert!(lines.lines().count() >= 250, "{code}");
    }
}

#[test]
fn relatives_jobs_and_half_sentences_are_no_need() {
    let lists = [include_str!("en/fresh-ordinary.txt"), include_str!("de/fresh-ordinary.txt")];
    let found: Vec<_> =
        lists.iter().flat_map(|list| list.lines()).filter(|line| need(line).is_some()).collect();
    assert!(found.is_empty(), "{found:#?}");
    // Names that no list holds.
    for line in [
        "My wife is Corinna and my son is Felipe.",
        "my sister is Agnes and my brother is Igor",
        "Meine Frau ist Corinna und mein Sohn ist Felipe.",
        "meine schwester ist agnes und mein bruder ist igor",
        "what do you do for a living",
        "can i go online",
        "tell me something about yourself",
        "i feel sick",
        "wie komme ich durch die tür",
        "will you tell my mum what i said",
    ] {
        assert_eq!(kind_of(line), None, "{line}");
    }
}

#[test]
fn lines_close_to_need_are_told_apart_and_emergencies_are_named_as_such() {
    for line in corpora().iter().filter(|line| line.file.starts_with("names-")) {
        assert_eq!(kind_of(&line.text), None, "{}", line.text);
    }
    let (mut alarms, mut missed, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let lines = corpora().into_iter().filter(|line| line.file.starts_with("near-")).collect::<Vec<_>>();
    for line in &lines {
        match (line.need, kind_of(&line.text)) {
            (None, Some(_)) => alarms.push(&line.text),
            (Some(_), None) => missed.push(&line.text),
            (Some(Some(0)), Some(kind)) if kind != Kind::Emergency => others.push(&line.text),
            _ => {}
        }
    }
    assert!(alarms.len() * 100 <= lines.len(), "{alarms:#?}");
    assert!(missed.len() * 100 <= lines.len(), "{missed:#?}");
    let emergencies = lines.iter().filter(|line| line.need == Some(Some(0))).count();
    assert!(others.len() * 20 <= emergencies, "{others:#?}");
}

/// The corpora of all languages that the score knows.
fn corpora() -> Vec<train::Line> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/need");
    let lines = MODEL.languages.iter().enumerate();
    lines.flat_map(|(n, code)| train::corpora(&folder.join(code), n)).collect()
}

/// What lines teach, as the program carries it.
fn taught(lines: &[train::Line]) -> score::Model {
    let trained = train::train(lines, MODEL.concepts, MODEL.languages.len());
    score::Model {
        concepts: MODEL.concepts,
        weights: trained.weights.leak(),
        scale: trained.scale,
        classes: trained.classes.leak(),
        class_scales: trained.class_scales.leak(),
        languages: MODEL.languages,
    }
}

#[test]
fn the_weights_of_the_program_are_those_of_the_corpora() {
    let concepts = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/need/concepts.txt");
    assert_eq!(train::concepts(&concepts), MODEL.concepts);
    let trained = taught(&corpora());
    assert!(trained.weights == MODEL.weights && trained.classes == MODEL.classes);
    assert_eq!((trained.scale, trained.class_scales), (MODEL.scale, MODEL.class_scales));
}

/// A fifth of the corpora by what the other four fifths teach; with `TAMECLAW_LONG` each fifth. The bounds only get tighter; the aims are
/// 98 of 100 noticed, and 1 of 200 everyday lines taken for need. `--nocapture` prints the figures.
#[test]
fn lines_that_training_has_not_seen_are_told_apart() {
    let corpora = corpora();
    let mut counts = BTreeMap::<(usize, String), (usize, usize)>::new();
    let folds = if std::env::var_os("TAMECLAW_LONG").is_some() { 0..5 } else { 2..3 };
    for fold in folds {
        // Lines that differ in little but their case stand in one fold.
        let is_in = |line: &train::Line| {
            let letters = line.text.to_lowercase();
            letters
                .bytes()
                .filter(u8::is_ascii_alphabetic)
                .fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)))
                / 7
                % 5
                == fold
        };
        let (test, teach): (Vec<_>, Vec<_>) = corpora.iter().cloned().partition(|line| is_in(line));
        let model = taught(&teach);
        for line in test {
            let count = counts.entry((line.language, line.file)).or_default();
            count.0 += usize::from(need_by(&line.text, model, FEW_WORDS).is_some());
            count.1 += 1;
        }
    }
    eprintln!("{counts:#?}");
    for (language, code) in MODEL.languages.iter().enumerate() {
        let per_mille = |file: &str| {
            let (taken, all) = counts[&(language, file.to_owned())];
            taken * 1000 / all
        };
        for (file, least) in
            [("typed-self-harm", 850), ("typed-abuse", 900), ("typed-emergency", 850), ("late-need", 955)]
        {
            assert!(per_mille(file) >= least, "{code}: {file}");
        }
        for (file, most) in [("everyday-ordinary", 5), ("typed-ordinary", 40), ("late-ordinary", 20)] {
            assert!(per_mille(file) <= most, "{code}: {file}");
        }
    }
}

/// Lines that no training reads. Of those that were written before it was looked at at least 98 of 100 are noticed, and of the ordinary
/// ones, most of which are near need, at most 4 of 100 are taken for it. The later ones are by others, who hint more than they say; their
/// bounds are those that are reached. The plain ones are as people type at home, short and
/// beside the point. Of the ordinary fresh ones a tenth is near need. The chatty ones are sentences of 9 to 20 words as people
/// chat with a companion, most with a comma; those of talks were typed to the program. `--nocapture` prints those that are judged wrongly.
#[test]
fn sets_that_are_kept_apart_are_told_apart() {
    let sets = [
        ("en", include_str!("unseen/en-need.txt"), 20, include_str!("unseen/en-ordinary.txt"), 29),
        ("de", include_str!("unseen/de-need.txt"), 20, include_str!("unseen/de-ordinary.txt"), 39),
        (
            "en",
            include_str!("unseen/en-later-need.txt"),
            57,
            include_str!("unseen/en-later-ordinary.txt"),
            16,
        ),
        (
            "de",
            include_str!("unseen/de-later-need.txt"),
            39,
            include_str!("unseen/de-later-ordinary.txt"),
            21,
        ),
        (
            "en",
            include_str!("unseen/en-plain-need.txt"),
            87,
            include_str!("unseen/en-plain-ordinary.txt"),
            42,
        ),
        (
            "de",
            include_str!("unseen/de-plain-need.txt"),
            47,
            include_str!("unseen/de-plain-ordinary.txt"),
            19,
        ),
        ("en", include_str!("unseen/en-fresh-need.txt"), 20, include_str!("unseen/en-fresh-ordinary.txt"), 4),
        ("de", include_str!("unseen/de-fresh-need.txt"), 10, include_str!("unseen/de-fresh-ordinary.txt"), 7),
        ("en", include_str!("unseen/en-other-need.txt"), 7, include_str!("unseen/en-other-ordinary.txt"), 10),
        ("de", include_str!("unseen/de-other-need.txt"), 7, include_str!("unseen/de-other-ordinary.txt"), 10),
        ("en", "", 0, include_str!("unseen/en-chatty-ordinary.txt"), 88),
        ("de", "", 0, include_str!("unseen/de-chatty-ordinary.txt"), 82),
        ("en", "", 0, include_str!("unseen/en-talks-ordinary.txt"), 16),
        ("de", "", 0, include_str!("unseen/de-talks-ordinary.txt"), 16),
    ];
    let mut wrong = Vec::new();
    for (code, lines, most_missed, others, most_alarms) in sets {
        let missed: Vec<_> = lines.lines().filter(|line| need(line).is_none()).collect();
        let alarms: Vec<_> = others.lines().filter(|line| need(line).is_some()).collect();
        let (count, others) = (lines.lines().count(), others.lines().count());
        let told = format!(
            "{code}: missed {} of {count}, false alarms {} of {others}\nmissed {missed:#?}\nfalse alarms {alarms:#?}",
            missed.len(),
            alarms.len(),
        );
        eprintln!("{told}");
        if missed.len() * 1000 > most_missed * count || alarms.len() * 1000 > most_alarms * others {
            wrong.push(told);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_kind_is_the_most_urgent_one() {
    for (line, kind) in [
        ("I want to die", Kind::SelfHarm),
        ("my dad hits me", Kind::Abuse),
        ("my dad hits me and I want to die", Kind::SelfHarm),
        ("I want to die, I took all the pills", Kind::Emergency),
        ("Es brennt bei uns!", Kind::Emergency),
        ("er fasst mich an", Kind::Abuse),
        ("meine Schwester ritzt sich", Kind::Another),
    ] {
        assert_eq!(kind_of(line), Some(kind), "{line}");
    }
}

#[test]
fn orthography_does_not_matter() {
    for line in [
        "I WANT TO DIE!!!",
        "i waaant to dieee",
        "I don’t want to live anymore",
        "i dont wanna live",
        "i want... to die",
        "suizidd",
        "Ich möchte sterben",
        "ich moechte sterben",
        "ich mochte sterben",
        "ich will mich umbrignen",
        "\u{200b}kys",
    ] {
        assert!(need(line).is_some(), "{line}");
    }
}

#[test]
fn what_takes_a_match_away_counts_in_its_sentence_only() {
    assert_eq!(kind_of("I want to die in this game"), None);
    assert_eq!(kind_of("I like this game. I want to die."), Some(Kind::SelfHarm));
}

#[test]
fn a_sentence_is_found_at_any_place_of_a_long_line() {
    for words in [0, 1, 31, 32, 33, 60, 61, 62, 63, 64, 65, 95, 96, 97, 1000, 200_000] {
        let line = format!("{} grandma does not wake up", "word ".repeat(words));
        assert_eq!(kind_of(&line), Some(Kind::Emergency), "behind {words} words");
        assert_eq!(kind_of(&format!("{line} {line}")), Some(Kind::Emergency), "behind {words} words");
    }
    assert_eq!(kind_of(&"a.".repeat(500_000)), None);
    assert_eq!(kind_of(&"x".repeat(1_000_000)), None);
    assert_eq!(kind_of(""), None);
}

#[test]
fn a_text_of_ordinary_lines_is_left_alone_wherever_a_window_ends() {
    for (code, _, lines) in LISTS {
        for before in 0..64 {
            let text = format!("{}.\n{lines}", "word ".repeat(before));
            assert_eq!(need(&text), None, "{code} behind {before} words");
        }
    }
}

/// A long text has many windows; what people paste and what a model writes at length adds up to no alarm.
#[test]
fn long_documents_are_left_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let documents =
        ["docs", "docs/guides", "docs/adr", "."].map(|folder| std::fs::read_dir(root.join(folder)));
    let files = documents.into_iter().flatten().flatten().flatten().map(|entry| entry.path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let texts = files.map(|path| (std::fs::read_to_string(&path).unwrap(), path));
    // Those that speak of need itself may be taken for it.
    let texts: Vec<_> = texts.filter(|(text, _)| !text.contains("self-harm")).collect();
    assert!(texts.len() > 20, "{}", texts.len());
    let taken: Vec<_> = texts.iter().filter_map(|(text, path)| Some((path, need(text)?))).collect();
    assert!(taken.is_empty(), "{taken:#?}");
    let paragraphs = texts.iter().flat_map(|(text, _)| text.split("\n\n"));
    let taken: Vec<_> = paragraphs.clone().filter(|paragraph| need(paragraph).is_some()).collect();
    assert!(taken.len() * 100 <= paragraphs.count(), "{taken:#?}");
}

#[test]
fn words_are_near_that_differ_in_one_letter_or_in_the_order_of_two() {
    for (word, is) in [
        ("suicide", true),
        ("suicde", true),
        ("suixide", true),
        ("suiicde", true),
        ("suicidee", true),
        ("sucde", false),
    ] {
        assert_eq!(is_near(word.as_bytes(), b"suicide"), is, "{word}");
    }
}

#[test]
fn an_answer_is_two_short_sentences_that_send_to_a_person() {
    for language in Language::all() {
        for kind in [Kind::Emergency, Kind::SelfHarm, Kind::Abuse] {
            let [minor, adult] = [true, false].map(|is_minor| Need { kind, language }.answer(is_minor));
            assert_ne!(minor, adult);
            for answer in [minor, adult] {
                assert!(answer.chars().count() <= 320 && !answer.contains('?'), "{answer}");
                assert_eq!(answer.matches(['.', '!']).count(), 2, "{answer}");
            }
        }
    }
}

#[test]
fn fear_for_another_is_told_from_what_one_feels() {
    for (line, kind) in [
        ("my friend says she wants to die", Kind::Another),
        ("my son wrote that he doesnt want to live anymore", Kind::Another),
        ("my sister makes herself sick after meals", Kind::Another),
        ("mein sohn hat geschrieben dass er nicht mehr leben will", Kind::Another),
        ("meine freundin ritzt sich", Kind::Another),
        ("ich hab angst dass mein bruder sich was antut", Kind::Another),
        ("ich will nicht mehr leben", Kind::SelfHarm),
        ("ich drück zigaretten auf meinem arm aus", Kind::SelfHarm),
        ("ich steck mir nach jedem essen den finger in den hals", Kind::SelfHarm),
        ("i throw up in secret so i dont get fat", Kind::SelfHarm),
        ("meine eltern schlagen mich", Kind::Abuse),
        ("die jungs warten nach der schule auf mich", Kind::Abuse),
        ("ich hab mir die pulsadern aufgeschnitten", Kind::Emergency),
        ("ich kann meine rechte seite nicht mehr bewegen und red komisch", Kind::Emergency),
        ("ich hab mir in den finger gesägt der is halb ab", Kind::Emergency),
        ("ich hab heroin genommen und mir geht es total schlecht", Kind::Emergency),
        ("ich glaub mir hat einer was ins getränk getan", Kind::Emergency),
        ("i think ive overdosed", Kind::Emergency),
        ("someone stabbed my brother", Kind::Emergency),
        ("theyre waiting for me outside with bats", Kind::Emergency),
        ("ive got the pills in front of me", Kind::Emergency),
        ("im standing on the bridge", Kind::Emergency),
        ("i tied the rope already", Kind::Emergency),
    ] {
        assert_eq!(kind_of(line), Some(kind), "{line}");
    }
}

#[test]
fn a_reminder_is_judged_by_what_it_is_to_remind_of() {
    for line in [
        "remind me on the last day of every month to pay the rent",
        "on the last day of every month remind me to pay the rent",
        "remind me to pay the rent on the last day of every month",
        "remind me every 2nd month on the last day to pay the rent",
        "erinnere mich am letzten Tag jedes Monats an die Miete",
        "erinnere mich am letzten Tag jedes Monats daran, die Miete zu zahlen",
    ] {
        assert_eq!(kind_of(line), None, "{line}");
    }
    for line in [
        "remind me to kill myself tonight",
        "remind me tonight to end it all",
        "remind me on the last day of every month that i want to die",
        "remind me tomorrow that nobody would miss me",
        "remind me tonight no one needs me and i should be gone",
        "erinnere mich heute abend daran, mich umzubringen",
        "erinnere mich morgen daran, dass mich keiner vermissen würde",
        "erinnere mich am letzten Tag jedes Monats daran, dass ich nicht mehr leben will",
    ] {
        assert!(kind_of(line).is_some(), "{line}");
    }
    // What speaks of need on its own speaks of it in a reminder: of those lines none is taken for a harmless one.
    let lines = include_str!("unseen/en-need.txt").lines().filter(|line| need(line).is_some());
    let all: Vec<&str> = lines.collect();
    let of = |line: &&&str| need(&format!("remind me tomorrow that {line}")).is_some();
    assert!(all.iter().filter(of).count() * 10 >= all.len() * 9);
}

#[test]
fn a_few_lines_may_go_on_about_need_and_commands_are_none_of_them() {
    let mut after = After::default();
    assert_eq!(after.said("what should i do"), None);
    let need = need("my dad hits me").unwrap();
    assert_eq!(after.said("my dad hits me"), Some(Said::Now(need)));
    for line in ["what should i do", "tell me a joke", "/retry", "im scared", "ok", "why", "i cant"] {
        let more = !line.starts_with('/') && line != "tell me a joke";
        assert_eq!(after.said(line), more.then_some(Said::More(need)), "{line}");
    }
    assert_eq!(after.said("im scared"), None);
}

#[test]
fn a_short_line_goes_on_about_what_was_said_before() {
    let need = need("my dad hits me").unwrap();
    for line in [
        "what should i do now",
        "im scared",
        "ok",
        "i cant",
        "nobody",
        "why",
        "I don't know.",
        "he will be angry",
        "thank you",
        "was soll ich machen",
        "ich hab angst",
        "niemand",
        "danke",
        "ich trau mich nicht",
        "er kommt gleich",
    ] {
        assert!(need.goes_on(line).is_some(), "{line}");
    }
    assert_eq!(need.goes_on("warum").map(|need| need.language.code()), Some("de"));
    for line in [
        "what time is it",
        "what is 3 plus 4",
        "tell me a joke",
        "set a timer for 5 minutes",
        "wie spät ist es",
        "was ist 12 mal 3",
        "erzähl mir einen witz",
        "stell einen timer",
        "wie wird das wetter",
        "",
        "...",
    ] {
        assert_eq!(need.goes_on(line), None, "{line}");
    }
}

#[test]
fn a_reminder_counts_by_what_it_is_about() {
    for line in [
        "tell me in 5 minutes to stop",
        "tell me in an hour to stop",
        "in 20 minutes tell me to stop the game",
        "remind me at 6 to hit the gym",
        "sag mir in 10 Minuten Bescheid",
    ] {
        assert_eq!(need(line), None, "{line}");
    }
    for line in [
        "remind me at 6 to kill myself",
        "tell me in 5 minutes to kill myself",
        "remind me tomorrow that I want to die",
        "set a timer for 10 minutes, then I end my life",
        "erinnere mich um 18 Uhr daran, mich umzubringen",
        "sag mir in 10 Minuten Bescheid, dann bringe ich mich um",
    ] {
        assert!(need(line).is_some(), "{line}");
    }
}

/// A rent, an extension or a year is rarely a part of what people in need say.
#[test]
fn a_line_with_a_large_figure_needs_a_surer_score() {
    for line in ["rent is 1340 and theres 3 of us", "Die Durchwahl von Frau Adler ist 4471."] {
        assert_eq!(need(line), None, "{line}");
    }
    for line in ["i swallowed 5000 mg of ibuprofen to die", "seit 2019 schlägt er mich jeden tag"] {
        assert!(need(line).is_some(), "{line}");
    }
}

/// A sum that somebody types has long windows of ordinary words: without a rule it is not taken for need.
#[test]
fn a_line_that_asks_for_an_amount_needs_a_surer_score() {
    for line in [
        "he gets 180g twice a day and the bag is 12 kg how long does it last",
        "wir sind seit 1974 verheiratet, wieviel jahre sind das jetzt",
    ] {
        assert_eq!(need(line), None, "{line}");
    }
    for line in
        ["i took 20 paracetamol how long do i have", "wie viele tabletten muss ich nehmen um zu sterben, 20?"]
    {
        assert!(need(line).is_some(), "{line}");
    }
}
