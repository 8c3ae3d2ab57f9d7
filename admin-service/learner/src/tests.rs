use super::*;

fn learn(pairs: &[Pair]) -> Learned {
    super::learn(pairs, &AtomicBool::new(false))
}

/// The tasks: a name, the pairs to learn from, and the pairs that the search never sees.
fn tasks(text: &'static str) -> Vec<(&'static str, Vec<Pair>, Vec<Pair>)> {
    let mut tasks: Vec<(&str, Vec<Pair>, Vec<Pair>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            tasks.push((name, vec![], vec![]));
            continue;
        }
        let (unseen, pair) = match line.strip_prefix("? ") {
            Some(pair) => (true, pair),
            None => (false, line),
        };
        let (input, output) = pair.split_once(" => ").unwrap();
        let task = tasks.last_mut().unwrap();
        if unseen { &mut task.2 } else { &mut task.1 }.push(Pair::new(input, output));
    }
    tasks
}

/// A fourth of them, and all with `TAMECLAW_LONG`. Run with `--nocapture` to see what became of each task; docs/FIGURES.md has the
/// figures.
#[test]
fn half_of_the_tasks_are_solved_and_none_is_answered_wrongly() {
    let step = if std::env::var_os("TAMECLAW_LONG").is_some() { 1 } else { 4 };
    try_each(include_str!("../data/tasks.txt"), step, 200 / step);
}

#[test]
fn half_of_the_tasks_set_apart_are_solved_and_none_is_answered_wrongly() {
    try_each(include_str!("../data/apart.txt"), 1, 45);
}

fn try_each(text: &'static str, step: usize, least: usize) {
    let (mut solved, mut asked, mut nothing, mut wrong) = (0, 0, 0, vec![]);
    for (name, pairs, unseen) in tasks(text).into_iter().step_by(step) {
        let start = std::time::Instant::now();
        let l = learn(&pairs);
        let el = start.elapsed().as_millis();
        if el > 1500 {
            println!("SLOW {el} {name}");
        }
        match l {
            Learned::Rule(rule) => {
                let fails = |pair: &&Pair| rule.answer(&pair.input).as_deref() != Some(&pair.output);
                match unseen.iter().find(fails) {
                    None => {
                        solved += 1;
                        println!("solved    {name}");
                    }
                    Some(pair) => {
                        let answer = rule.answer(&pair.input);
                        println!("WRONG     {name}: {} => {answer:?}, not {}", pair.input, pair.output);
                        wrong.push(name);
                    }
                }
            }
            Learned::Question(input) => {
                asked += 1;
                println!("question  {name}: {input:?}");
            }
            Learned::Nothing(why) => {
                nothing += 1;
                println!("no rule   {name}: {why}");
            }
        }
    }
    let all = solved + asked + nothing + wrong.len();
    println!(
        "{all} tasks: {solved} solved, {asked} questions, {nothing} without a rule, {} wrong",
        wrong.len()
    );
    assert!(all >= least && solved * 2 >= all, "{solved} of {all}");
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn pairs(texts: &[(&str, &str)]) -> Vec<Pair> {
    texts.iter().map(|(input, output)| Pair::new(input, output)).collect()
}

const ROMANS: [(&str, &str); 6] =
    [("1", "I"), ("4", "IV"), ("9", "IX"), ("7", "VII"), ("5", "V"), ("40", "XL")];

#[test]
fn a_rule_is_found_again_by_every_search_and_answers_more_than_its_examples() {
    let Learned::Rule(rule) = learn(&pairs(&ROMANS)) else { panic!("no rule") };
    assert_eq!(rule.answer("1994").as_deref(), Some("MCMXCIV"));
    assert_eq!((rule.answer("4000"), rule.answer("cat")), (None, None));
    assert_eq!(learn(&pairs(&ROMANS)), Learned::Rule(rule));
}

#[test]
fn three_pairs_determine_nothing() {
    let Learned::Question(Some(input)) = learn(&pairs(&ROMANS[..3])) else { panic!("no question") };
    assert!(!["1", "4", "9"].contains(&input.as_str()), "{input}");
    assert_eq!(learn(&pairs(&ROMANS[..1])), Learned::Question(None));
}

#[test]
fn nothing_is_proposed_that_fails_on_a_pair_kept_back() {
    let wrong = [("1", "I"), ("4", "IV"), ("9", "IX"), ("7", "seven")];
    let (shown, kept) = keep_back(&pairs(&wrong));
    assert_eq!((shown.len(), kept), (3, pairs(&[("7", "seven")])));
    let unexplained = NoRule::Unexplained(Some("7".to_owned()));
    assert_eq!(learn(&pairs(&wrong)), Learned::Nothing(unexplained));
}

#[test]
fn a_frame_that_one_pair_alone_shows_is_not_kept_back() {
    let names = [("Ada Lovelace", "a"), ("Alan Turing", "b"), ("Max Planck", "c"), ("Jean Le Rond", "d")];
    let (_, kept) = keep_back(&pairs(&names));
    assert_eq!(kept, pairs(&[("Max Planck", "c")]));
}

#[test]
fn the_question_is_about_an_input_on_which_rules_differ() {
    // Half of an odd number, or half of it without its rest.
    let halves = [("4", "2"), ("10", "5"), ("12", "6"), ("26", "13"), ("40", "20")];
    let Learned::Question(Some(input)) = learn(&pairs(&halves)) else { panic!("no question") };
    assert_eq!(input.parse::<u32>().unwrap() % 2, 1);
}

#[test]
fn pairs_that_cannot_be_learned_from_are_refused_with_the_reason() {
    let many: Vec<Pair> = (0..=MOST).map(|n| Pair::new(&n.to_string(), "x")).collect();
    assert_eq!(learn(&many), Learned::Nothing(NoRule::TooMany(MOST + 1)));
    let long = "x".repeat(LONGEST + 1);
    assert_eq!(learn(&pairs(&[("a", "b"), (&long, "c")])), Learned::Nothing(NoRule::Length(2)));
    let both = learn(&pairs(&[("a", "b"), ("a", "c")]));
    assert_eq!(both, Learned::Nothing(NoRule::Contradiction("a".to_owned())));
}

#[test]
fn hostile_pairs_end_within_the_bounds_and_bring_no_code() {
    let long = |n: usize| format!("{n} {}", "a-b.c/d,".repeat(20));
    let noise: Vec<Pair> = (0..12).map(|n| Pair::new(&long(n), &long(n * 7).replace('a', "\"#"))).collect();
    let _ = learn(&noise);
    let words = ["cat", "sun", "tree", "moon", "apple", "winter"];
    let quoted: Vec<Pair> = words.iter().map(|w| Pair::new(w, &format!("{w}\"); loop {{}} //"))).collect();
    let Learned::Rule(rule) = learn(&quoted) else { panic!("no rule") };
    let skill =
        Skill { about: "x\n\"; fn y() {}", tool: "by_examples", param: "text", phrases: &[], lines: &[] };
    let source = source(&rule, &skill);
    assert!(source.contains(r#""\"); loop {} //""#), "{source}");
    assert!(!source.lines().any(|line| line.trim_start().starts_with("fn y")), "{source}");
}

#[test]
fn a_search_that_is_cancelled_says_so_and_asks_nothing() {
    let noise: Vec<Pair> =
        (0..12).map(|n| Pair::new(&format!("{n} a-b"), &format!("{}", n * n % 7))).collect();
    for pairs in [&noise, &pairs(&ROMANS[..3])] {
        assert_eq!(super::learn(pairs, &AtomicBool::new(true)), Learned::Nothing(NoRule::Stopped));
    }
}
