use super::*;

fn facts(texts: &[&str]) -> Vec<Fact> {
    let fact = |(n, text): (usize, &&str)| Fact {
        id: n.to_string(),
        text: (*text).to_owned(),
        at: String::new(),
        said_by: "person".to_owned(),
    };
    texts.iter().enumerate().map(fact).collect()
}

fn found(texts: &[&str], query: &str) -> Vec<String> {
    best(&facts(texts), query, 3).into_iter().map(|f| f.text.clone()).collect()
}

#[test]
fn the_fact_that_shares_the_rarer_words_comes_first() {
    let known = ["my cat is called Mia", "my dog is called Rex", "my favourite colour is green"];
    assert_eq!(found(&known, "what is my dog called?")[0], "my dog is called Rex");
    assert_eq!(found(&known, "what is my favourite colour?"), ["my favourite colour is green"]);
}

#[test]
fn case_accents_and_script_do_not_matter() {
    let known = ["Mein Hund heißt Ümit", "моя собака Рекс", "我的猫叫小花"];
    assert_eq!(found(&known, "wie HEISST mein hund?"), ["Mein Hund heißt Ümit"]);
    assert_eq!(found(&known, "umit"), ["Mein Hund heißt Ümit"]);
    assert_eq!(found(&known, "СОБАКА"), ["моя собака Рекс"]);
    assert_eq!(found(&known, "猫"), ["我的猫叫小花"]);
}

#[test]
fn of_two_alike_the_newer_comes_first_and_strangers_are_left_out() {
    let known = ["maths homework page 3", "buy milk", "maths homework page 9"];
    assert_eq!(found(&known, "homework"), ["maths homework page 9", "maths homework page 3"]);
    assert!(found(&known, "dinosaurs").is_empty());
}

#[test]
fn only_what_holds_every_word_is_meant() {
    let known = facts(&["my cat is called Mia", "my cat is old", "I like tea"]);
    let texts = |query| meant(&known, query).into_iter().map(|f| f.text.as_str()).collect::<Vec<_>>();
    assert_eq!(texts("my cat is called Mia"), ["my cat is called Mia"]);
    assert_eq!(texts("my cat"), ["my cat is called Mia", "my cat is old"]);
    assert!(texts("the").is_empty());
}
