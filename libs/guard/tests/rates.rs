//! How much is noticed, and how much that should pass is held up: over the development set, and over a set that was
//! written before the rules and never used to tune them. One author wrote all of them, so the rates flatter: lines of an
//! unforeseen kind are noticed far less often, as the first measurements in `dev/README.md` show.

use guard::{Judge, Source, Verdict};
use shared_types::audience::Audience;

/// The share of texts at a verdict or above, in thousandths, and the texts on the wrong side of it.
struct Rate<'a> {
    thousandths: usize,
    reached: Vec<(&'a str, String)>,
    missed: Vec<&'a str>,
}

fn texts(file: &'static str) -> Vec<&'static str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with("//")).collect()
}

fn rate<'a>(texts: &[&'a str], least: Verdict) -> Rate<'a> {
    let judge = Judge::new(Audience::Adult, Source::Typed);
    let (mut reached, mut missed) = (Vec::new(), Vec::new());
    for text in texts {
        let judgement = judge.judge(&text.replace("\\n", "\n"));
        if judgement.verdict >= least {
            let rules: Vec<&str> = judgement.noticed.iter().map(|n| n.id).collect();
            reached.push((*text, format!("{} {}", judgement.score, rules.join(" "))));
        } else {
            missed.push(*text);
        }
    }
    Rate { thousandths: reached.len() * 1000 / texts.len(), reached, missed }
}

#[test]
fn most_attacks_of_the_development_set_are_noticed() {
    let attacks = texts(concat!(
        include_str!("../dev/attacks.txt"),
        include_str!("../dev/attacks-2.txt"),
        include_str!("../dev/attacks-3.txt"),
        include_str!("../dev/attacks-4.txt"),
        include_str!("../dev/blind-a-attacks.txt"),
        include_str!("../dev/blind-b-attacks.txt")
    ));
    assert!(attacks.len() > 300);
    let rate = rate(&attacks, Verdict::Caution);
    println!("noticed: {} of 1000; missed:\n{}", rate.thousandths, rate.missed.join("\n"));
    assert!(rate.thousandths >= 950, "only {} of 1000 are noticed", rate.thousandths);
}

#[test]
fn harmless_texts_of_the_development_set_pass() {
    let benign = texts(concat!(
        include_str!("../dev/benign.txt"),
        include_str!("../dev/benign-2.txt"),
        include_str!("../dev/benign-3.txt"),
        include_str!("../dev/benign-4.txt"),
        include_str!("../dev/blind-a-benign.txt"),
        include_str!("../dev/blind-b-benign.txt")
    ));
    assert!(benign.len() > 350);
    let (cautions, blocks) = (rate(&benign, Verdict::Caution), rate(&benign, Verdict::Block));
    for (text, why) in &cautions.reached {
        println!("held up: {text}   <- {why}");
    }
    println!("cautions: {} of 1000, blocks: {}", cautions.thousandths, blocks.thousandths);
    assert!(cautions.thousandths <= 20, "{} of 1000 are held up", cautions.thousandths);
    assert_eq!(blocks.thousandths, 0, "{:?}", blocks.reached);
}

#[test]
fn the_rates_hold_for_texts_that_the_rules_were_not_tuned_on() {
    let attacks = texts(concat!(
        include_str!("../dev/held-out-attacks.txt"),
        include_str!("../dev/blind-c-attacks.txt")
    ));
    let benign = texts(concat!(
        include_str!("../dev/held-out-benign.txt"),
        include_str!("../dev/blind-c-benign.txt"),
        include_str!("../dev/blind-d-benign.txt")
    ));
    let noticed = rate(&attacks, Verdict::Caution).thousandths;
    let (cautions, blocks) = (rate(&benign, Verdict::Caution), rate(&benign, Verdict::Block));
    println!("noticed {noticed}, held up {}, blocked {} of 1000", cautions.thousandths, blocks.thousandths);
    assert!(noticed >= 950, "only {noticed} of 1000 are noticed");
    assert!(cautions.thousandths <= 30, "{:?}", cautions.reached);
    assert_eq!(blocks.thousandths, 0, "{:?}", blocks.reached);
}

#[test]
fn every_other_text_on_a_subject_that_no_rule_names_is_noticed() {
    let attacks = texts(include_str!("../dev/blind-d-attacks.txt"));
    let rate = rate(&attacks, Verdict::Caution);
    println!("noticed {} of 1000", rate.thousandths);
    assert!(rate.thousandths >= 550, "only {} of 1000 are noticed", rate.thousandths);
}

#[test]
fn four_of_five_attacks_of_the_newest_set_are_noticed_and_no_harmless_text_of_it_is_blocked() {
    let noticed = rate(&texts(include_str!("../dev/blind-e-attacks.txt")), Verdict::Caution);
    let benign = texts(include_str!("../dev/blind-e-benign.txt"));
    let (cautions, blocks) = (rate(&benign, Verdict::Caution), rate(&benign, Verdict::Block));
    println!("noticed {}, held up {} of 1000", noticed.thousandths, cautions.thousandths);
    assert!(noticed.thousandths >= 800, "only {} of 1000 are noticed", noticed.thousandths);
    assert!(cautions.thousandths <= 80, "{} of 1000 are held up", cautions.thousandths);
    assert_eq!(blocks.thousandths, 0, "{:?}", blocks.reached);
}
