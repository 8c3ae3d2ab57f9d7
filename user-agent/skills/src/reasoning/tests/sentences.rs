//! What people type, and whether the companion answers as it should.

use std::collections::BTreeMap;

use super::*;

/// How many of 100 sentences are answered as they should be, at least; this only goes up.
const REQUIRED: usize = 98;

/// The class of a reply.
fn class(answer: &Value, proposals: bool, fact: Option<&str>) -> &'static str {
    let reply = answer["reply"].as_str().unwrap_or_default();
    let is = |sentence: fn(&language::Says) -> &'static str| {
        language::Language::all().any(|language| reply == sentence(language.says()))
    };
    // A tool may have been asked first, and have said that the line is not for it.
    let lacks: [fn(&language::Says) -> &'static str; 8] = [
        |says| says.no_sound,
        |says| says.no_mail,
        |says| says.no_timer,
        |says| says.no_translate,
        |says| says.no_web,
        |says| says.no_order,
        |says| says.no_devices,
        |says| says.no_delete,
    ];
    if lacks.into_iter().any(is) {
        return "lacks";
    }
    if answer["calls"].as_u64() > Some(0) {
        return "tool";
    }
    if fact.is_some_and(|fact| reply.to_lowercase().contains(&fact.to_lowercase())) {
        return "fact";
    }
    if proposals {
        return "wish";
    }
    if language::offers_to_learn(reply).is_some() {
        return "offer";
    }
    if is(|says| says.remembered) {
        return "told";
    }
    // The sentence begins with its own words, before the moment.
    let reminds = |language: language::Language| {
        let begins = language.says().remind_set.split('{').next().unwrap_or_default();
        reply.starts_with(begins)
    };
    if language::Language::all().any(reminds) {
        return "remind";
    }
    if is(|says| says.learn_what) {
        return "ask";
    }
    if is(|says| says.harm) || is(|says| says.bypass) {
        return "harm";
    }
    if is(|says| says.which_file) {
        return "which";
    }
    let about = |says: &language::Says| says.sum_about.replace("{sum}", "").replace("{result}", "");
    let is_about = |language: language::Language| reply.contains(&about(language.says()));
    if reply.contains(" = ") || language::Language::all().any(is_about) || is(|says| says.sum_zero) {
        return "sum";
    }
    let honest: [fn(&language::Says) -> &'static str; 8] = [
        |says| says.unknown,
        |says| says.unknown_again,
        |says| says.unknown_still,
        |says| says.unknown_question,
        |says| says.unknown_question_again,
        |says| says.nothing_known,
        |says| says.heard,
        |says| says.heard_again,
    ];
    if honest.into_iter().any(is) {
        return "no";
    }
    "talk"
}

/// Asks every line of a set; in each section the program has started anew. Prints and answers what was right, and the misses.
fn asked(code: &str, text: &str) -> (usize, usize, Vec<String>) {
    let world = World::new();
    let mut ctx = boot(&world);
    let (mut wanted, mut misses, mut counted) = ("", Vec::new(), BTreeMap::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(class) = line.strip_suffix(':') {
            wanted = class;
            // What was said last is stored when the next line comes.
            tell(&ctx, "hello");
            ctx = boot(&world);
            continue;
        }
        let (line, fact) = line.split_once(" = ").map_or((line, None), |(line, fact)| (line, Some(fact)));
        let before = world.files("proposals").len();
        let answer = ctx.send(core::USER_INPUT, json!({"text": line})).unwrap();
        let came = class(&answer, world.files("proposals").len() > before, fact);
        let (right, all) = counted.entry(wanted).or_insert((0, 0));
        *all += 1;
        if came == wanted {
            *right += 1;
        } else {
            misses.push(format!("{wanted}: `{line}` is answered as {came}: {}", answer["reply"]));
        }
    }
    let (right, all) = counted.values().fold((0, 0), |sum, (r, a)| (sum.0 + r, sum.1 + a));
    println!("{code}: {right} of {all}, {counted:?}\n{}", misses.join("\n"));
    (right, all, misses)
}

#[test]
fn what_people_type_is_answered_by_its_class() {
    for (code, text) in [("en", include_str!("en.txt")), ("de", include_str!("de.txt"))] {
        let (right, all, misses) = asked(code, text);
        assert!(all >= 120, "{all} sentences are too few");
        assert!(right * 100 >= REQUIRED * all, "{code}: {right} of {all}\n{}", misses.join("\n"));
    }
}

#[test]
fn what_a_family_taught_is_found_after_a_new_start_and_what_it_did_not_is_not() {
    for (code, text) in [("en", include_str!("family-en.txt")), ("de", include_str!("family-de.txt"))] {
        let (right, all, misses) = asked(code, text);
        assert!(all >= 140, "{all} sentences are too few");
        assert!(right * 100 >= REQUIRED * all, "{code}: {right} of {all}\n{}", misses.join("\n"));
    }
}
