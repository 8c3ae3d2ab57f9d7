//! What parses, and what it parses to.

use proptest::prelude::*;

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
    assert_eq!(argvs("ls;"), [["ls"]]);
    assert_eq!(argvs("grep a#b c=d x~ {a,b} a! ] ! != \"~\" ^")[0].len(), 11);
}

#[test]
fn redirects_keep_their_descriptor_order_and_file() {
    let line = parse("cat 0< a 2>> 'b c' 1>d 2>&1 e2>f").unwrap();
    let command = &line.pipelines[0].commands[0];
    assert_eq!(command.argv, ["cat", "e2"]);
    let shown: Vec<_> = command.redirects.iter().map(|r| (r.fd, r.kind, r.path.as_str())).collect();
    let expected = [
        (0, RedirectKind::In, "a"),
        (2, RedirectKind::Append, "b c"),
        (1, RedirectKind::Out, "d"),
        (2, RedirectKind::ErrToOut, ""),
        (1, RedirectKind::Out, "f"),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn patterns_are_kept_for_whoever_knows_the_files_and_no_name_becomes_an_option() {
    let line = parse("ls *.txt '*' [a-c]? \"my files\"/*").unwrap();
    let command = &line.pipelines[0].commands[0];
    assert_eq!(command.globs, [false, true, false, true, true]);
    assert_eq!(command.argv[4], "my files/*");
    let names = |pattern: &str| match pattern {
        "*.txt" => vec!["-R.txt".to_owned(), "a.txt".to_owned()],
        _ => Vec::new(),
    };
    assert_eq!(command.expanded(names), ["ls", "./-R.txt", "a.txt", "*", "[a-c]?", "my files/*"]);
    assert_eq!(parse(&line.to_string()).unwrap(), line);
}

#[test]
fn what_only_a_shell_could_do_is_refused_with_its_place_and_the_next_step() {
    let cases = [
        ("", 1, "missing"),
        ("# nothing", 10, "missing"),
        ("ls $HOME", 4, "variable"),
        ("ls \"$HOME\"", 5, "variable"),
        ("ls $(date)", 4, "another command"),
        ("ls `date`", 4, "another command"),
        ("ls \"`date`\"", 5, "another command"),
        ("ls <(date)", 4, "another command"),
        ("tee >(cat)", 5, "another command"),
        ("cat << END", 5, "text in the line"),
        ("cat <<< x", 5, "text in the line"),
        ("sleep 9 &", 9, "running"),
        ("(ls)", 1, "subshell"),
        ("f() { ls; }", 2, "subshell"),
        ("{ ls; }", 1, "shell's language"),
        ("'if' true", 1, "shell's language"),
        ("! ls", 1, "shell's language"),
        ("ls !!", 4, "history"),
        ("A=b ls", 1, "sets a variable"),
        ("ls && A=b ls", 7, "sets a variable"),
        ("cd sub && ls", 1, "shell itself"),
        ("'eval' ls", 1, "shell itself"),
        (". file", 1, "shell itself"),
        ("ls ~", 4, "home folder"),
        ("ls ~root/x", 4, "home folder"),
        ("cp --to=~/x y", 9, "home folder"),
        ("l? x", 1, "pattern or a group"),
        ("{ls,-l}", 1, "pattern or a group"),
        ("'' x", 1, "empty name"),
        ("ls 'x", 4, "never closed"),
        ("ls \"x", 4, "never closed"),
        ("ls \\", 4, "nothing after"),
        ("ls |", 5, "missing"),
        ("ls && ", 7, "missing"),
        ("; ls", 1, "missing"),
        ("ls ; ; ls", 6, "missing"),
        ("ls ;; ls", 4, "`;;`"),
        ("ls | | wc", 6, "missing"),
        ("ls |& wc", 4, "`|&`"),
        ("ls >", 4, "no file"),
        ("ls > *", 4, "no file"),
        ("ls > ''", 4, "no file"),
        ("> x", 1, "missing"),
        ("ls &> x", 4, "running"),
        ("ls >& x", 4, "not known"),
        ("ls >| x", 4, "not known"),
        ("cat <> x", 5, "not known"),
        ("ls 3> x", 5, "descriptor"),
        ("ls 1< x", 5, "descriptor"),
        ("ls 2>&1>x", 5, "not known"),
        ("ls 2>&12", 5, "not known"),
        ("ls **", 4, "`**`"),
        ("ls .*", 4, "`..`"),
        ("ls a/.?", 4, "`..`"),
        ("ls '..'*", 4, "`..`"),
        ("ls [^a]", 4, "set of characters"),
        ("ls [", 4, ""),
        ("ls a[", 5, "set of characters"),
        ("ls '*'*", 4, "partly quoted"),
        ("ls [a]'b'", 4, "partly quoted"),
        ("ls\u{a0}x", 3, "neither space nor tab"),
        ("ls\nrm x", 3, "control"),
        ("ls \u{202e}x", 4, "invisible"),
        ("ls '\0'", 5, "control"),
    ];
    for (line, position, what) in cases {
        if what.is_empty() {
            assert!(parse(line).is_ok(), "{line}");
            continue;
        }
        let fault = parse(line).expect_err(line);
        assert!(fault.position == position && fault.what.contains(what), "{line}: {fault}");
        assert!(
            !fault.next.is_empty() && !fault.to_string().contains(shared_types::text::is_unsafe),
            "{fault}"
        );
    }
}

#[test]
fn a_line_without_end_is_refused_at_each_limit_and_taken_just_below() {
    let words = |n: usize| vec!["x"; n].join(" ");
    let commands = |n: usize| vec!["x"; n].join(";");
    assert!(parse(&words(MAX_WORDS)).is_ok() && parse(&words(MAX_WORDS + 1)).is_err());
    assert!(parse(&commands(MAX_COMMANDS)).is_ok() && parse(&commands(MAX_COMMANDS + 1)).is_err());
    assert!(parse(&"x".repeat(MAX_BYTES)).is_ok() && parse(&"x".repeat(MAX_BYTES + 1)).is_err());
}

#[test]
fn an_unparsed_line_is_high_and_says_why() {
    let found = judged("ls $HOME", SANE, &[]);
    assert_eq!((found.risk, found.parts[0].rule), (Risk::High, "unparsed"));
    assert!(found.parts[0].why.contains("character 4"), "{found:?}");
}

proptest! {
    #[test]
    fn whatever_parses_is_spelled_so_that_it_parses_to_the_same(line in "[a-c \\t'\"\\\\|&;<>*?!=~#{},.$0-2/\u{e9}\\[\\]-]{0,40}") {
        if let Ok(parsed) = parse(&line) {
            let spelled = parsed.to_string();
            let again = parse(&spelled);
            prop_assert_eq!(again.as_ref(), Ok(&parsed), "{} became {}", line, spelled);
        }
    }

    #[test]
    fn every_word_survives_its_quoting(words in prop::collection::vec("[^\\p{C}\\p{Z}]{0,6}|[ '\"\\\\$`~!*?\\[-]{0,6}", 0..6)) {
        prop_assume!(words.iter().flat_map(|w| w.chars()).all(|c| !shared_types::text::is_unsafe(c)));
        let spelled: Vec<_> = words.iter().map(|word| line::quoted(word)).collect();
        let parsed = parse(&format!("x {}", spelled.join(" "))).unwrap();
        let command = &parsed.pipelines[0].commands[0];
        prop_assert_eq!(&command.argv[1..], &words[..]);
        prop_assert!(!command.globs.contains(&true));
    }

    #[test]
    fn a_worse_rule_never_makes_a_line_better(line in "(rm|ls|env|sh -c|git|x=1|;|\\||\\$\\(|-n|'| ){0,12}") {
        let strict = judged(&line, &[], &["ls"]);
        prop_assert!(judged(&line, SANE, &[]).risk <= strict.risk);
    }
}
