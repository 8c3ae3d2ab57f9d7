//! One argument vector to its risk: what is never done, what it would start, what is allowed.

use shared_types::risk::Risk;
use shared_types::text::cut;

use super::finding::Finding;
use super::interpreters::runs_its_input;
use super::judge::Scope;
use super::line::quoted;
use super::names::base;
use super::wrappers::{self, Opened};
use super::{destroy, find, flags, git, interpreters, scan, sed};

/// What was seen of one command.
pub(super) struct Sight {
    pub(super) found: Finding,
    /// The base names of all the programs that it would start, its own first.
    pub(super) programs: Vec<String>,
}

/// Judges one argument vector; `globs` tells which of its words are patterns and become others that nobody has seen yet.
pub(super) fn look(words: &[String], globs: &[bool], scope: &Scope<'_>) -> Sight {
    let Some(first) = words.first() else {
        return Sight { found: Finding::high("unparsed", "no program is named"), programs: Vec::new() };
    };
    let name = base(first);
    let mut programs = vec![name.clone()];
    if let Some(found) = destroy::blocked(first, &words[1..], scope.rules.forbidden) {
        return Sight { found, programs };
    }
    let mut found = match wrappers::open(&name, words) {
        Some(opened) => through(words, globs, &opened, scope, &mut programs),
        None => plain(&name, words, globs.contains(&true), scope, &mut programs),
    };
    if first.contains('/') && !scope.rules.allowed.iter().any(|pattern| pattern.words()[0] == *first) {
        found = found.or_worse(Finding::high(
            "path",
            format!(
                "`{}` names a program by its path, and no pattern has that path; name it without",
                cut(first, 60)
            ),
        ));
    }
    let wide =
        |(word, is_glob): &(&String, &bool)| **is_glob && (word.starts_with('/') || word.contains(".."));
    if let Some((word, _)) = words.iter().zip(globs).find(wide) {
        let why = format!(
            "`{}` is a pattern for files outside; only files beneath the workspace are found",
            cut(word, 60)
        );
        found = found.or_worse(Finding::high("forbidden-path", why));
    }
    Sight { found, programs }
}

/// A program that starts another: never better than that one.
fn through(
    words: &[String],
    globs: &[bool],
    opened: &Opened,
    scope: &Scope<'_>,
    programs: &mut Vec<String>,
) -> Finding {
    let shown = cut(&quoted(&words[0]), 60);
    let sight = look(&words[opened.at..], &globs[opened.at..], scope);
    programs.extend(sight.programs);
    let mut found = sight.found;
    if found.risk > Risk::Medium {
        found.why = format!("`{shown}` would start another program: {}", found.why);
    }
    if globs[..=opened.at].contains(&true) {
        let why = format!("`{shown}` with a pattern before the program that it starts; name that program");
        found = found.or_worse(Finding::high("wrapper", why));
    }
    if let Some(why) = opened.raises {
        programs.extend(scan::programs(words));
        found = found.or_worse(Finding::high("wrapper", format!("`{shown}`: {why}")));
        found = found.or_worse_if(scan::behind(words, scope));
    }
    let exact = scope.rules.allowed.iter().any(|pattern| pattern.words() == words);
    if found.risk == Risk::Blocked { found } else { or_exact(exact, found) }
}

/// A program that is judged by the allow-list and by what its own arguments make of it.
fn plain(
    name: &str,
    words: &[String],
    patterned: bool,
    scope: &Scope<'_>,
    programs: &mut Vec<String>,
) -> Finding {
    let listed = scope.rules.allowed.iter().filter(|pattern| pattern.matches(words));
    let covered = listed.map(|pattern| pattern.words().len()).max();
    // A program that runs its input is not described fully by its name alone.
    let exact = covered == Some(words.len()) && (words.len() > 1 || !runs_its_input(name));
    let shown = cut(&quoted(&words[0]), 60);
    let mut found = match covered {
        Some(_) => Finding::medium(format!("`{shown}` is among the commands that the profile grants")),
        None => Finding::high(
            "not-listed",
            format!(
                "`{shown}` with these words is not granted; a person can add it to `grants.commands` of the profile"
            ),
        ),
    };
    let mut raise = |rule, why: String| {
        found = found.clone().or_worse(or_exact(exact, Finding::high(rule, why)));
    };
    let mut inside = None;
    if interpreters::starts_others(name) {
        raise("wrapper", format!("`{shown}` starts other programs; only exactly this line could be granted"));
        programs.extend(scan::programs(words));
        inside = scan::behind(words, scope);
    } else if interpreters::is_one(name) && (patterned || name != "sed" || !sed::is_harmless(words)) {
        raise(
            "interpreter",
            format!("`{shown}` runs what its arguments tell; only exactly this line could be granted"),
        );
        inside = scan::texts(words, scope);
    }
    let turned = match name {
        "git" => git::turned(words, covered.unwrap_or(1)),
        _ => flags::turned(name, words, covered.unwrap_or(1), patterned),
    };
    if let Some(why) = turned {
        raise("executing-flag", format!("`{shown}`: {why}"));
        inside = inside.or_else(|| scan::texts(words, scope));
    }
    found = found.or_worse_if(inside);
    if matches!(name, "find" | "gfind") {
        found = found.or_worse(for_each_file(words, patterned, scope, programs));
    }
    if let Some(path) = words[1..].iter().find(|word| destroy::is_a_forbidden_path(word, scope.rules)) {
        let why = format!("`{}` is in a folder that no command gets", cut(path, 60));
        found = found.or_worse(Finding::high("forbidden-path", why));
    } else if let Some(path) = words[1..].iter().find(|word| destroy::climbs_out(word)) {
        let why = format!("`{}` climbs out of the workspace; name a path beneath it", cut(path, 60));
        found = found.or_worse(Finding::high("forbidden-path", why));
    }
    found
}

/// The worst of what `find` does for each file that it finds.
fn for_each_file(
    words: &[String],
    patterned: bool,
    scope: &Scope<'_>,
    programs: &mut Vec<String>,
) -> Finding {
    let mut found = Finding::medium("it only looks");
    for action in find::actions(words) {
        match action {
            find::Action::Starts(inner) => {
                let sight = look(inner, &vec![false; inner.len()], scope);
                programs.extend(sight.programs);
                found = found.or_worse(sight.found);
                // Where a pattern could become the `;`, nobody knows where the command ends.
                let unknown =
                    patterned || inner.first().is_none_or(|program| !wrappers::is_a_reader(&base(program)));
                if unknown {
                    let shown = cut(&inner.join(" "), 60);
                    let why = format!("`find` would start `{shown}` with files that nobody has seen");
                    found = found.or_worse(Finding::high("wrapper", why));
                }
            }
            find::Action::Writes(option) => {
                let why = format!("`find {option}` writes a file");
                found = found.or_worse(Finding::high("executing-flag", why));
            }
        }
    }
    found
}

/// What was granted word for word is the person's own choice.
fn or_exact(exact: bool, found: Finding) -> Finding {
    if exact { Finding::medium("granted word for word") } else { found }
}
