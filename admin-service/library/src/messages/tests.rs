use super::*;

const SOURCE: &str = "use skill_sdk::prelude::*;\n\nfn f() -> i64 {\n    nothing(1)\n}\n";

#[test]
fn an_error_comes_with_its_line_its_excerpt_and_its_advice() {
    let words = "warning: unused\n --> skill.rs:1:1\n\n\
                 error[E0425]: cannot find function `nothing` in this scope\n --> skill.rs:4:5\n  |\n\
                 4 |     nothing(1)\n  |     ^^^^^^^ not found in this scope\n  |\n  = note: look here\n\
                 help: call another\n\n\
                 error: aborting due to 1 previous error\n\nFor more information, see elsewhere.\n";
    assert_eq!(
        of_compiler(words, SOURCE),
        [
            "compile: line 4, column 5: error[E0425]: cannot find function `nothing` in this scope\n    nothing(1)\n    \
          note: look here\n    help: call another"
        ]
    );
}

#[test]
fn the_first_errors_come_first_and_the_others_are_counted() {
    let words: String = (1..=20).map(|n| format!("error: number {n}\n --> skill.rs:{n}:1\n")).collect();
    let messages = of_compiler(&words, SOURCE);
    assert_eq!(messages.len(), MOST_ERRORS + 1);
    assert!(messages[0].contains("number 1\n"), "{messages:?}");
    assert_eq!(messages[MOST_ERRORS], "compile: and 12 more errors, which may follow from these");
}

#[test]
fn words_of_another_form_are_kept_and_cut() {
    assert_eq!(
        of_compiler("the compiler needed more than 60 s", SOURCE),
        ["compile: the compiler needed more than 60 s"]
    );
    let long = of_compiler(&"ü".repeat(9_000), SOURCE);
    assert!(long[0].chars().count() < 1_700 && long[0].ends_with("..."));
    let odd =
        of_compiler("error: a\n --> skill.rs:x:1\nerror: b\n --> skill.rs:99:1\n --> skill.rs:", SOURCE);
    assert_eq!(odd, ["compile: line 99, column 1: error: b\n    "]);
}
