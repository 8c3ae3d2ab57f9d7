use bot_testing::World;

use super::*;

#[test]
fn an_input_of_several_lines_comes_back_from_the_history_as_it_was() {
    let world = World::new();
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let ctx = kernel.context_of("cli").unwrap();
    let inputs = ["one", "two\nlines", "a \\n that is no line", "C:\\path\\", "\\\\\n\\"];
    for input in inputs {
        keep(input, &ctx);
    }
    let kept: Vec<String> =
        handles::history(ctx.user_input().unwrap(), ctx.shared()).iter().map(|l| unkept(l)).collect();
    assert_eq!(kept, inputs);
}
