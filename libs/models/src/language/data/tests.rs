use std::fs;
use std::path::Path;

use serde_json::Value;

use super::*;
use crate::phrases::words::normal;

#[test]
fn the_carried_file_says_what_the_edited_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/language");
    let edited: Vec<Value> = CODES
        .iter()
        .map(|code| {
            let text = fs::read_to_string(folder.join(format!("{code}.yaml"))).unwrap();
            shared_types::yaml::from_own(&text).unwrap_or_else(|e| panic!("{code}.yaml: {e}"))
        })
        .collect();
    if std::env::var_os("TAMECLAW_BLESS").is_some() {
        fs::write(folder.join("languages.json"), serde_json::to_string(&edited).unwrap() + "\n").unwrap();
        return;
    }
    let carried: Vec<Value> = serde_json::from_str(LANGUAGES).unwrap();
    assert!(
        carried == edited,
        "run `TAMECLAW_BLESS=1 cargo test -p models language` and look at the difference"
    );
}

#[test]
fn every_yaml_file_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/language");
    let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut found: Vec<String> = names.filter_map(|n| Some(n.strip_suffix(".yaml")?.to_owned())).collect();
    let mut listed = CODES.map(str::to_owned).to_vec();
    found.sort();
    listed.sort();
    assert_eq!(found, listed);
}

#[test]
fn every_file_parses_and_every_pattern_too() {
    for (data, code) in all().iter().zip(CODES) {
        assert_eq!(data.code, code);
        let patterns = data.patterns();
        assert!(patterns.len() > 50);
        for Compiled { pattern, take, .. } in patterns {
            match take {
                Take::Slot => assert!(pattern.slots().len() <= 2, "{pattern:?}"),
                Take::Text(template) => {
                    let slots = template.matches('{').count();
                    assert!(
                        pattern.slots().iter().filter(|s| template.contains(&format!("{{{s}}}"))).count()
                            == slots
                    );
                }
                Take::Line => {}
            }
        }
    }
}

#[test]
fn words_stand_in_the_files_in_the_form_in_which_they_are_compared() {
    for data in all() {
        let lists = [&data.markers, &data.and, &data.quote, &data.ignore, &data.draft.stop];
        let phrases = data.lead.iter().chain(&data.trail).chain(&data.requests).flatten();
        let rules = data.draft.rules.iter().flat_map(|r| &r.words).flatten();
        let keys = data.swap.keys().flat_map(|k| k.split(' '));
        let words = lists.into_iter().flatten().chain(phrases).chain(rules).map(String::as_str).chain(keys);
        for word in words.filter(|w| *w != "&") {
            assert_eq!(normal(word), word, "in {}", data.code);
        }
    }
}

#[test]
fn reading_the_files_takes_little_time() {
    // The bound is generous: a busy machine and an unoptimised build must pass too.
    let start = std::time::Instant::now();
    let read = read(LANGUAGES);
    read.iter().for_each(|d| assert!(!d.patterns().is_empty()));
    let took = start.elapsed();
    println!("language files: {took:?}");
    assert!(took.as_millis() < 500, "{took:?}");
}
