#![expect(clippy::disallowed_methods, reason = "the tests build what the sandbox must refuse")]
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use bot_base::paths::Folder;
use open::Refused;
use shared_types::verdict::{Denial, Rule};

use super::*;

fn world() -> (tempfile::TempDir, Folder) {
    let outer = tempfile::tempdir().unwrap();
    fs::create_dir_all(outer.path().join("root/sub/deep")).unwrap();
    fs::write(outer.path().join("secret"), "outside").unwrap();
    fs::write(outer.path().join("root/sub/a.txt"), "inside").unwrap();
    let root = Folder::root(&outer.path().join("root")).unwrap();
    (outer, root)
}

fn place(text: &str) -> Place {
    Place::parse(text, &[]).unwrap()
}

#[test]
fn a_path_is_canonical_or_refused_by_a_named_rule() {
    for (given, canonical) in [
        ("a.txt", "a.txt"),
        ("./a//b/./c", "a/b/c"),
        ("sub/", "sub"),
        ("", ""),
        (".", ""),
        ("a\\b", "a\\b"),
        ("~a", "~a"),
    ] {
        assert_eq!(place(given).as_str(), canonical, "{given}");
    }
    let long = "x".repeat(256);
    let deep = "a/".repeat(20);
    for (given, rule) in [
        ("/etc/passwd", Rule::PathOutside),
        ("../../x", Rule::PathOutside),
        ("a/../../b", Rule::PathOutside),
        ("a/..", Rule::PathOutside),
        ("~/.ssh/id", Rule::PathOutside),
        ("a\0b", Rule::PathName),
        ("a\nb", Rule::PathName),
        ("a\u{1b}[2J", Rule::PathName),
        ("a\u{202e}txt.b", Rule::PathName),
        ("a\u{200b}b", Rule::PathName),
        (long.as_str(), Rule::PathName),
        (deep.as_str(), Rule::PathName),
    ] {
        let Denial { rule: named, why } = Place::parse(given, &[]).unwrap_err();
        assert_eq!(named, rule, "{given:?}: {why}");
        assert!(!why.contains('\n') && !why.contains('\u{202e}'), "{why:?}");
    }
}

#[test]
fn links_of_every_kind_second_names_and_what_is_no_file_are_not_opened() {
    let (outer, root) = world();
    let at = |name: &str| outer.path().join("root").join(name);
    symlink(outer.path().join("secret"), at("out")).unwrap();
    symlink("sub/a.txt", at("in")).unwrap();
    symlink("sub", at("way")).unwrap();
    symlink("/proc/self", at("self")).unwrap();
    fs::hard_link(outer.path().join("secret"), at("second")).unwrap();
    nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    for name in ["out", "in", "way/a.txt", "self/environ", "second"] {
        let refused = open::piece(&place(name), &root, 0, 100).unwrap_err();
        assert!(matches!(&refused, Refused::Rule(why) if why.contains("path-link")), "{name}: {refused:?}");
        let refused = open::replace(&place(name), &root, b"x").unwrap_err();
        assert!(matches!(refused, Refused::Rule(_)), "{name} was written");
    }
    for name in ["pipe", "sub"] {
        let refused = open::piece(&place(name), &root, 0, 100).unwrap_err();
        assert!(
            matches!(&refused, Refused::Failed(why) if why.contains("not a regular file")),
            "{refused:?}"
        );
        assert!(open::replace(&place(name), &root, b"x").is_err(), "{name} was written");
    }
    assert!(matches!(open::folder(&place("way"), &root), Err(Refused::Rule(_))));
    assert_eq!(fs::read_to_string(outer.path().join("secret")).unwrap(), "outside");
}

/// While one thread swaps a file and a folder with links to the outside, nothing of the outside is ever read or written.
#[test]
fn what_is_swapped_while_it_is_opened_never_leads_outside() {
    let (outer, root) = world();
    let at = |name: &str| outer.path().join("root").join(name);
    fs::create_dir(outer.path().join("elsewhere")).unwrap();
    fs::write(outer.path().join("elsewhere/a.txt"), "outside").unwrap();
    fs::create_dir(at("dir")).unwrap();
    fs::write(at("dir/a.txt"), "inside").unwrap();
    symlink(outer.path().join("elsewhere"), at("link")).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let (a, b) = (at("dir"), at("link"));
                let _ = nix::fcntl::renameat2(
                    nix::fcntl::AT_FDCWD,
                    &a,
                    nix::fcntl::AT_FDCWD,
                    &b,
                    nix::fcntl::RenameFlags::RENAME_EXCHANGE,
                );
            }
        });
        for _ in 0..3_000 {
            if let Ok(piece) = open::piece(&place("dir/a.txt"), &root, 0, 100) {
                assert_eq!(piece.text, "inside");
            }
            let _ = open::replace(&place("dir/new.txt"), &root, b"mine");
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let outside: Vec<_> = fs::read_dir(outer.path().join("elsewhere")).unwrap().flatten().collect();
    assert_eq!(outside.len(), 1, "{outside:?}");
    assert_eq!(fs::read_to_string(outer.path().join("elsewhere/a.txt")).unwrap(), "outside");
}

#[test]
fn a_long_file_is_read_in_pieces_of_whole_characters() {
    let (_outer, root) = world();
    open::replace(&place("long.txt"), &root, "ä€x".repeat(100).as_bytes()).unwrap();
    let (mut from, mut whole) = (0, String::new());
    while from < 600 {
        let piece = open::piece(&place("long.txt"), &root, from, 7).unwrap();
        assert_eq!((piece.from, piece.size), (from, 600));
        from += piece.text.len() as u64;
        whole.push_str(&piece.text);
    }
    assert_eq!(whole, "ä€x".repeat(100));
    let within = open::piece(&place("long.txt"), &root, 1, 7).unwrap();
    assert_eq!((within.from, within.text.as_str()), (2, "€xä"), "it begins with the next character");
    assert!(matches!(open::piece(&place("long.txt"), &root, 601, 7), Err(Refused::Failed(_))));
    assert!(matches!(open::piece(&place("long.txt"), &root, 0, 1), Err(Refused::Failed(_))));
}

#[test]
fn a_binary_file_is_told_as_one_with_its_size() {
    let (outer, root) = world();
    for bytes in [&b"PK\x03\x04\0\0"[..], &[0xff, 0xfe, 0x41]] {
        fs::write(outer.path().join("root/x"), bytes).unwrap();
        let Err(Refused::Failed(why)) = open::piece(&place("x"), &root, 0, 100) else {
            panic!("it was read")
        };
        assert!(why.contains("binary") && why.contains(&format!("{} bytes", bytes.len())), "{why}");
    }
}

#[test]
fn a_write_makes_folders_and_leaves_the_old_content_or_the_new() {
    let (outer, root) = world();
    open::replace(&place("new/folder/n.txt"), &root, b"one").unwrap();
    let path = outer.path().join("root/new/folder/n.txt");
    assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    // The group is the admin's where the two programs have users of their own; the profile's folder is closed to all others.
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    open::replace(&place("new/folder/n.txt"), &root, b"two").unwrap();
    assert_eq!(open::whole(&place("new/folder/n.txt"), &root, 10).unwrap(), b"two");
    assert_eq!(open::whole(&place("not-there"), &root, 10).unwrap(), b"");
    assert!(open::whole(&place("new/folder/n.txt"), &root, 2).is_err());
    assert!(matches!(open::replace(&place("sub/a.txt/b"), &root, b"x"), Err(Refused::Failed(_))));
    let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "nothing is left beside it: {left:?}");
}

/// Names in another composition or case are other names, and none of them opens a file by its alias.
#[test]
fn a_name_in_another_spelling_is_another_name() {
    let (_outer, root) = world();
    open::replace(&place("caf\u{e9}.txt"), &root, b"composed").unwrap();
    for other in ["cafe\u{301}.txt", "CAF\u{c9}.txt", "caf\u{e9}.txt.", "CAF~1.TXT"] {
        assert!(matches!(open::piece(&place(other), &root, 0, 10), Err(Refused::Missing(_))), "{other}");
    }
}

#[test]
fn each_tool_has_phrases_in_both_languages_that_parse() {
    let files = Files::default();
    // The person names it by `/attach`.
    let (attach, others): (Vec<&Tool>, Vec<&Tool>) =
        files.tools().iter().partition(|tool| tool.name.as_str() == "file_attach");
    assert!(attach.len() == 1 && attach[0].phrases.is_empty() && attach[0].examples.is_empty());
    for tool in others {
        for language in ["en", "de"] {
            assert!(tool.phrases.iter().any(|p| p.0 == language), "{} {language}", tool.name);
        }
        for phrase in &tool.phrases {
            language::Pattern::parse(&phrase.1).unwrap_or_else(|e| panic!("{}: {e}", phrase.1));
        }
    }
}

#[test]
fn what_follows_the_name_is_what_is_saved() {
    let world = bot_testing::World::new();
    let kernel = world.boot(world.built_in(&[])).unwrap();
    let specs = ports::offered::specs(&kernel.context_of("reasoning").unwrap());
    let saved = |line: &str| {
        let call = models::phrases::route(line, &specs, None).into_iter().next()?;
        (call.tool == "file_write").then(|| call.arguments.to_string())
    };
    for (line, arguments) in [
        ("save this as thanks.txt: dear gran", r#"{"content":"dear gran","path":"thanks.txt"}"#),
        ("speicher das als gruss.txt: liebe oma", r#"{"content":"liebe oma","path":"gruss.txt"}"#),
    ] {
        assert_eq!(saved(line).as_deref(), Some(arguments), "{line}");
    }
    for (line, arguments) in [
        (
            "make a file called homework.txt with the words plants need light",
            r#"{"content":"plants need light","path":"homework.txt"}"#,
        ),
        ("leg eine Datei a.txt an mit dem Inhalt: Hallo", r#"{"content":"Hallo","path":"a.txt"}"#),
    ] {
        assert_eq!(saved(line).as_deref(), Some(arguments), "{line}");
    }
    let tool =
        |line: &str| models::phrases::route(line, &specs, None).into_iter().next().map(|call| call.tool);
    for (line, called) in [
        ("Welche Dateien liegen im Ordner?", "file_list"),
        ("In welcher Datei kommt Krause vor?", "file_search"),
        ("in which file is krause mentioned", "file_search"),
    ] {
        assert_eq!(tool(line).as_deref(), Some(called), "{line}");
    }
    // It may be meant as one more line: nothing is replaced by it.
    for line in ["put milk in todo.txt too", "schreib das in todo.txt: milch"] {
        assert_eq!(saved(line), None, "{line}");
    }
}

#[test]
fn a_question_that_ends_in_a_word_is_not_taken_for_a_file() {
    for (path, line, talk) in [
        ("there", "what is in there?", true),
        ("notes.txt", "what is in notes.txt?", false),
        ("todo", "please read what I noted under todo", false),
        ("todo", "show me what stands in my file", false),
    ] {
        assert_eq!(is_talk(&place(path), line), talk, "{line}");
    }
}
