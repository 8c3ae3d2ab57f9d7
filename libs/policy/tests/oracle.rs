//! Real shells as the measure: for everything that the parser takes, `dash` and `bash` run exactly what it says, no more, no
//! less.
//!
//! The shells see a `PATH` with nothing but tracers, small scripts that note their argument vectors. No line that is
//! handed to them holds a `/` or a `kill`, so that nothing but tracers and files of a fresh folder can be reached.
//! `TAMECLAW_ORACLE_SECONDS` tries random lines for longer.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use policy::shell::{Command, Join, Line, RedirectKind, parse};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const LINES: [&str; 3] =
    [include_str!("lines/blocked.txt"), include_str!("lines/high.txt"), include_str!("lines/harmless.txt")];
/// How long one shell is asked, when nothing else is said.
const MOMENT: Duration = Duration::from_secs(3);
/// How many made-up lines are tried at least, and at most in that moment.
const TRIES: std::ops::Range<usize> = 60..4_000;
/// What a shell answers itself although it is a program as well.
const BUILT_IN: &[&str] = &["echo", "true", "false", "test", "[", "printf", "pwd", "kill", "time"];

#[test]
fn dash_runs_exactly_what_was_parsed() {
    compare(&["dash"]);
}

#[test]
fn bash_runs_exactly_what_was_parsed() {
    // Braces are text here, as in every other shell.
    compare(&["bash", "--norc", "--noprofile", "+B"]);
}

/// Tries the kept lines, then changes of them and made-up ones for a moment.
fn compare(shell: &[&str]) {
    if Process::new(shell[0]).args(["-c", "exit 0"]).status().is_err() {
        println!("`{}` is not there; nothing was compared", shell[0]);
        return;
    }
    let oracle = Oracle::new(shell);
    let longer =
        std::env::var("TAMECLAW_ORACLE_SECONDS").ok().and_then(|s| s.parse().ok()).map(Duration::from_secs);
    let mut runner = match longer {
        Some(_) => TestRunner::default(),
        None => TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    };
    let start = Instant::now();
    let mut compared = kept().iter().filter(|line| oracle.agrees(line)).count();
    assert!(compared > 150, "only {compared} of the kept lines could be compared");
    let (changed, made) = (changed(), made());
    let mut tried = 0;
    while tried < TRIES.start
        || (start.elapsed() < longer.unwrap_or(MOMENT) && tried < TRIES.end)
        || longer.is_some_and(|time| start.elapsed() < time)
    {
        for line in [&changed, &made].map(|lines| lines.new_tree(&mut runner).expect("a line").current()) {
            compared += usize::from(oracle.agrees(&line));
            tried += 1;
        }
    }
    println!("{}: {compared} lines compared, {tried} made up, in {:?}", shell[0], start.elapsed());
    assert!(compared > 200, "only {compared} lines of {tried} could be compared");
}

/// The kept lines, in the form in which they may be run: no path, no bomb, and what a shell would answer itself renamed.
fn kept() -> Vec<String> {
    let lines = LINES
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.contains(":|:") || line.contains("|f") || line.contains("kill"));
    lines
        .map(|line| {
            line.replace('/', "+").replace("echo", "yes").replace("true", "ok").replace("time", "tim")
        })
        .collect()
}

/// Changes of the kept lines: signs of a shell put in, characters taken out, lines joined.
fn changed() -> BoxedStrategy<String> {
    let sign = prop::sample::select(vec![
        " ", "'", "\"", "\\", "|", "&", ";", "<", ">", "&&", "||", "*", "?", "[a]", "$", "#", "~", "!", "=",
        "{", "}", "(", ")", "2>", "2>&1", ">>", "\t", "\\\\", "''", "\"\"", " no ", " yes x", "`", "a",
    ]);
    let edit = (any::<prop::sample::Index>(), sign, any::<bool>());
    (prop::sample::select(kept()), prop::sample::select(kept()), prop::collection::vec(edit, 1..4), 0..4u8)
        .prop_map(|(first, second, edits, join)| {
            let mut line = if join == 0 { format!("{first} && {second}") } else { first };
            for (place, sign, takes) in edits {
                let mut chars: Vec<char> = line.chars().collect();
                let at = place.index(chars.len() + 1);
                chars.splice(at..(at + usize::from(takes)).min(chars.len()), sign.chars());
                line = chars.into_iter().collect();
            }
            line
        })
        .boxed()
}

/// Lines made of words in every kind of quotes, joined in every way; nearly all of them parse.
fn made() -> BoxedStrategy<String> {
    let text = "[a-c $`\"\\\\|&;<>()*?~!#={}\\[\\]%^é\t-]{0,4}";
    let piece = prop_oneof![
        4 => "[a-c.:,@%+=_-]{1,3}",
        1 => "[{}!^]{0,1}",
        2 => text.prop_map(|t| format!("'{t}'")),
        2 => text.prop_map(|t| format!("\"{}\"", t.replace('\\', "\\\\").replace('"', "\\\"").replace(['$', '`'], "\\$"))),
        1 => "[a-c $`\"'\\\\|&;<>()*?~!#={}é]".prop_map(|t| format!("\\{t}")),
        1 => "[*?]|\\[a-c\\]|\\[!b\\]",
        1 => "[~#!\\]]",
    ];
    let word = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let program =
        prop::sample::select(vec!["yes", "no", "ok", "rm", "'no'", "y\\es", "\"o\"k", "n''o", "sh"]);
    let redirect =
        prop::sample::select(vec![">f", "> g", ">>f", "2>e", "2>&1", "2>> e", "1>'h'", "<none", "0<f"]);
    let part = prop_oneof![5 => word, 1 => redirect.prop_map(str::to_owned)];
    let gap = prop::sample::select(vec![" ", "  ", "\t"]);
    let command = (program, prop::collection::vec((gap, part), 0..4)).prop_map(|(program, parts)| {
        parts.into_iter().fold(program.to_owned(), |line, (gap, part)| line + gap + &part)
    });
    let joint = prop::sample::select(vec!["|", " | ", "&&", " && ", "||", " || ", ";", " ; "]);
    (
        command.clone(),
        prop::collection::vec((joint, command), 0..4),
        prop::sample::select(vec!["", ";", " # x | no"]),
    )
        .prop_map(|(first, more, end)| {
            more.into_iter().fold(first, |line, (joint, next)| line + joint + &next) + end
        })
        .boxed()
}

/// One shell, with tracers for programs.
struct Oracle {
    shell: Vec<String>,
    room: tempfile::TempDir,
}

impl Oracle {
    fn new(shell: &[&str]) -> Oracle {
        let found = Process::new("/bin/sh")
            .args(["-c", &format!("command -v {}", shell[0])])
            .output()
            .expect("a shell");
        let program = String::from_utf8(found.stdout).expect("a path").trim().to_owned();
        let shell = std::iter::once(program).chain(shell[1..].iter().map(|&word| word.to_owned())).collect();
        let oracle = Oracle { shell, room: tempfile::tempdir().expect("a folder") };
        fs::create_dir(oracle.bin()).expect("a folder");
        for (name, code) in [("tracer0", 0), ("tracer1", 1)] {
            let script =
                format!("#!/bin/sh\nprintf '%s\\n' \"${{0##*/}}\" \"$@\" > \"$TRACE/$$\"\nexit {code}\n");
            fs::write(oracle.room.path().join(name), script).expect("a script");
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(oracle.room.path().join(name), mode).expect("a mode");
        }
        // Everything that a kept line names could be run by a shell that reads it differently.
        for line in kept() {
            line.split(|c: char| !c.is_ascii_alphanumeric() && !"._+-".contains(c))
                .for_each(|word| oracle.trace(word));
        }
        oracle
    }

    fn bin(&self) -> PathBuf {
        self.room.path().join("bin")
    }

    /// Puts a tracer in place under a name; those with an `n` fail.
    fn trace(&self, name: &str) {
        if !name.is_empty() && name.len() < 200 && !matches!(name, "." | "..") && !BUILT_IN.contains(&name) {
            let script = if fails(name) { "../tracer1" } else { "../tracer0" };
            // It may be there already.
            let _ = symlink(script, self.bin().join(name));
        }
    }

    /// Whether a line was compared at all; panics where the shell ran anything else than the parser said.
    fn agrees(&self, line: &str) -> bool {
        let Ok(parsed) = parse(line) else { return false };
        let programs: BTreeSet<_> = parsed.commands().map(|command| command.argv[0].as_str()).collect();
        let has_globs = parsed.commands().any(|command| command.globs.contains(&true));
        let redirects: Vec<_> = parsed.commands().flat_map(|command| &command.redirects).collect();
        let unfit = line.contains('/')
            || line.to_lowercase().contains("kill")
            || programs.iter().any(|name| BUILT_IN.contains(name) || name.len() > 100)
            || (has_globs && !redirects.is_empty());
        if unfit {
            return false;
        }
        programs.iter().for_each(|name| self.trace(name));
        let (folder, trace) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        for name in ["a", "b.txt", "c d", "cab"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        let output = Process::new(&self.shell[0])
            .args(&self.shell[1..])
            // A line could begin with `+`, as options do.
            .args(["-c", &format!(" {line}")])
            .env_clear()
            .envs([
                ("PATH", self.bin()),
                ("TRACE", trace.path().to_owned()),
                ("LC_ALL", "C".into()),
                ("HOME", "home".into()),
            ])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("the shell starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("not found"), "`{line}` ran something that was not parsed: {said}");
        let ran = traced(trace.path());
        // A file that cannot be opened keeps its command from running; all else is exact.
        let opens = |path: &str| path.bytes().all(|b| b.is_ascii_alphanumeric()) && path.len() < 200;
        let certain = redirects
            .iter()
            .all(|r| r.kind == RedirectKind::ErrToOut || (r.kind != RedirectKind::In && opens(&r.path)));
        let names = |pattern: &str| matching(folder.path(), pattern);
        if certain {
            assert_eq!(ran, sorted(would_run(&parsed, names)), "`{line}` is {parsed:?}");
        } else {
            let mut left: Vec<_> = parsed.commands().map(|command| command.expanded(names)).collect();
            for argv in &ran {
                let at = left.iter().position(|known| known == argv);
                left.remove(at.unwrap_or_else(|| panic!("`{line}` ran {argv:?} and is {parsed:?}")));
            }
        }
        true
    }
}

/// The tracers whose names hold an `n` fail.
fn fails(program: &str) -> bool {
    program.contains('n')
}

/// The argument vectors that run, when tracers are the programs.
fn would_run(line: &Line, names: impl Fn(&str) -> Vec<String>) -> Vec<Vec<String>> {
    let mut ran = Vec::new();
    let mut failed = false;
    for pipeline in &line.pipelines {
        let runs = match pipeline.joined {
            Join::First | Join::Then => true,
            Join::And => !failed,
            Join::Or => failed,
        };
        if runs {
            ran.extend(pipeline.commands.iter().map(|command: &Command| command.expanded(&names)));
            failed = pipeline.commands.last().is_some_and(|command| fails(&command.argv[0]));
        }
    }
    ran
}

/// The names of the folder that a pattern matches, by another reader of patterns.
fn matching(folder: &Path, pattern: &str) -> Vec<String> {
    let Ok(pattern) = glob::Pattern::new(pattern) else { return Vec::new() };
    let names = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("a name"));
    let strict = glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
    let mut found: Vec<_> = names.filter(|name| pattern.matches_with(name, strict)).collect();
    found.sort();
    found
}

/// What the tracers noted.
fn traced(folder: &Path) -> Vec<Vec<String>> {
    let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let lines = files.map(|file| fs::read_to_string(file).expect("UTF-8"));
    sorted(
        lines
            .map(|text| text.strip_suffix('\n').unwrap_or(&text).split('\n').map(str::to_owned).collect())
            .collect(),
    )
}

fn sorted(mut argvs: Vec<Vec<String>>) -> Vec<Vec<String>> {
    argvs.sort();
    argvs
}
