//! The examples compile on the host as well, and their own tests run here.

use skill_sdk::{Call, Skill as _};

macro_rules! examples {
    ($($name:ident = $path:literal)*) => {
        $(#[path = $path]
        mod $name;)*

        #[test]
        fn every_example_answers_outside_the_agent_without_a_panic() {
            $({
                let mut skill = $name::Skill;
                skill.describe();
                assert!(skill.call_tool(&Call::new("no such tool")).is_err(), stringify!($name));
            })*
        }
    };
}

examples! {
    audio = "../examples/audio.rs"
    dice = "../examples/dice.rs"
    events = "../examples/events.rs"
    files = "../examples/files.rs"
    gpio = "../examples/gpio.rs"
    http = "../examples/http.rs"
    llm = "../examples/llm.rs"
    memory = "../examples/memory.rs"
    user = "../examples/user.rs"
    garbage = "../examples/hostile/garbage.rs"
    greedy = "../examples/hostile/greedy.rs"
    torture = "../examples/hostile/torture.rs"
}

#[test]
fn a_sentence_that_only_looks_like_dice_is_left_to_others() {
    let refusal = dice::Skill.call_tool(&Call::new("roll").with("dice", "up your sleeves")).unwrap_err();
    assert_eq!(refusal.reason(), None);
}
