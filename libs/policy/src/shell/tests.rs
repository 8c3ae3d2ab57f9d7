//! What parses, and what it parses to.

use super::*;

fn argvs(line: &str) -> Vec<Vec<String>> {
    parse(line).unwrap().commands().map(|command| command.argv.clone()).collect()
}

#[test]
fn words_quotes_and_joints_are_read_as_a_shell_reads_them() {
    assert_eq!(argvs(r#"echo 'a b' "c \"d\" \e" f\ g ''"#), [["echo", "a b", "c \"d\" \\e", "f g", ""]]);
    let line = parse("sort < in 2>&1 | uniq >> out && wc -l x || date; pwd # the end").unwrap();
    let joins: Vec<_> = line.pipelines.iter().map(|p| (p.joined, p.commands.len())).collect();
    assert_eq!(joins, [(Join::First, 2), (Join::And, 1), (Join::Or, 1), (Join::Then, 1)]);
    assert_eq!(line.to_string(), "sort < in 2>&1 | uniq >> out && wc -l x || date; pwd");
}
