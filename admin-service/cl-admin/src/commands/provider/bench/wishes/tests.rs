use std::sync::atomic::AtomicBool;

use library::{Answer, Assignment, Implementer, Left, Templates};

use super::*;

#[test]
fn there_are_ten_wishes_with_three_examples_and_three_other_inputs_each() {
    let all = all().unwrap();
    assert_eq!(all.len(), MANY);
    for wish in all {
        let [tool] = wish.proposal.tools.as_slice() else { panic!("{}", wish.name) };
        assert_eq!((tool.examples.len(), wish.unseen.len()), (3, 3), "{}", wish.name);
        for trial in &wish.unseen {
            assert_eq!(trial.tool, tool.name.as_str());
            assert!(tool.examples.iter().all(|example| example.args != trial.args), "{}", wish.name);
            // A skill that says its input again answers none of them.
            let again = trial.args.to_string();
            assert!(!super::super::results::is_right(&again, &trial.expect), "{}: {again}", wish.name);
            assert_eq!(tool.parameters.check(&trial.args), Ok(()), "{}", wish.name);
        }
    }
}

#[test]
fn no_template_serves_one_of_them() {
    let is_served = |wish: &Wish| {
        let assignment =
            Assignment { proposal: &wish.proposal, feedback: None, installed: None, left: Left::ENDLESS };
        let answer = Templates::shipped().write(&assignment, &AtomicBool::new(false)).unwrap();
        !matches!(answer, Answer::NotMine(_))
    };
    let served: Vec<String> =
        all().unwrap().iter().filter(|wish| is_served(wish)).map(|wish| wish.name.to_string()).collect();
    assert_eq!(served, Vec::<String>::new());
}

#[test]
fn wishes_are_chosen_by_number_or_name() {
    let chosen = |only: &[&str]| chosen(&only.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    let names = |only: &[&str]| -> Vec<String> {
        chosen(only).unwrap().iter().map(|wish| wish.name.to_string()).collect()
    };
    assert_eq!(names(&["slug", "1"]), ["base64-text", "slug"]);
    assert_eq!(names(&[]).len(), MANY);
    for word in ["11", "0", "snail", ""] {
        let why = chosen(&[word]).unwrap_err();
        assert_eq!(why.exit(), shared_types::exit::USAGE);
        assert!(why.to_string().contains("base64-text, slug"), "{why}");
    }
}
