//! What each machine does: the steps, in their order, as small scripts that run inside.

/// One step: a sentence that holds once it passed, and the script that tries it.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    script: &'static str,
    /// How many seconds it may take in the emulated machine.
    seconds: u32,
}

/// How the two programs share the machine.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// The function of `guest/lib.sh` that chooses it.
    word: &'static str,
}

pub(crate) const SETTINGS: [Setting; 2] =
    [Setting { name: "one user", word: "one" }, Setting { name: "two users", word: "two" }];

/// What is tried once in each setting; a step stands on those before it.
pub(crate) const STEPS: [Step; 8] = [
    Step {
        name: "a home is made",
        seconds: 60,
        script: r#"
init
# An emulated processor is several times slower than the one that it stands for.
as "$service_user" sed -i "s/compile_seconds: 60/compile_seconds: 600/" "$home/admin/admin.yaml"
"#,
    },
    Step {
        name: "a wish becomes a package",
        seconds: 600,
        script: r#"
bot agent -m "learn to roll dice"
admin run --once
rows=$(admin list --json)
has '"status":"human-review"' "$rows"
id=$(printf '%s' "$rows" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
admin show "$id" --page diff
admin approve "$id" --yes
"#,
    },
    Step {
        name: "the skill answers",
        seconds: 60,
        script: r#"
answer=$(bot agent -m "roll 3d6+2")
has "roll of 3d6+2 comes to" "$answer"
say "LEARNED: $answer"
"#,
    },
    Step {
        name: "doctor finds nothing that fails",
        seconds: 300,
        script: r#"
found=$(admin doctor) || fail "$found"
has "it makes a module in its jail" "$found"
say "$found"
printf '%s\n' "$found" | grep "^.... *isolation"
"#,
    },
    Step {
        name: "an action is done",
        seconds: 120,
        script: r#"
as "$service_user" sh -c 'cat >"$TAMECLAW_HOME/config/profiles/default.yaml"' <<END
autonomy: full
grants:
  files: {read: ["**"], write: ["**"]}
  commands: [cat, sort, head]
END
as "$bot_user" sh -c 'printf "one\ntwo\n" >"$TAMECLAW_HOME/data/profiles/default/workspace/notes.txt"'
serve
done=$(bot tool run shell --json '{"command": "cat notes.txt | sort -r | head -n 1"}')
has "exit 0" "$done"
has "two" "$done"
"#,
    },
    Step {
        name: "a plugin answers",
        seconds: 120,
        script: r#"
serve
page=$(admin plugin install /machine/word-count 2>/dev/null </dev/null) || true
digest=$(printf '%s\n' "$page" | sed -n 's/^Digest of all of this: //p')
[ -n "$digest" ] || fail "no page was shown: $page"
admin plugin install /machine/word-count --yes --digest "$digest"
answer=$(bot tool run word-count.count --json '{"text": "one two"}')
has "2 words" "$answer"
"#,
    },
    Step {
        name: "the self-test keeps every attack out",
        seconds: 1500,
        script: r#"
told=$(admin selftest --redteam 2>&1) || fail "$(printf '%s\n' "$told" | grep -v "^PASS")"
say "${told##*
}"
has " 0 got through" "${told##*
}"
"#,
    },
    Step {
        name: "every chain holds at the end",
        seconds: 60,
        script: r#"
bot receipt verify
admin audit verify
admin skill verify
"#,
    },
];

/// Every step of a machine in its order: the setting, the step, and the file that the machine runs for it.
pub(crate) fn plan() -> Vec<(&'static Setting, &'static Step, String)> {
    let of = |setting: &'static Setting| STEPS.iter().map(move |step| (setting, step, file(setting, step)));
    SETTINGS.iter().flat_map(of).collect()
}

/// The first line holds the limit for `init.sh`.
fn file(setting: &Setting, step: &Step) -> String {
    format!("# {}\nset -e\n. /machine/lib.sh\n{}\n{}", step.seconds, setting.word, step.script.trim_start())
}

#[cfg(test)]
mod tests;
