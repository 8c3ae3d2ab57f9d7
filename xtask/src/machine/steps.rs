//! What each machine does: the steps, in their order, as small scripts that run inside.

use std::borrow::Cow;

use super::page;

/// One step: a sentence that holds once it passed, and the script that tries it.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) name: Cow<'static, str>,
    pub(crate) script: Cow<'static, str>,
    /// How many seconds it may take in the emulated machine.
    pub(crate) seconds: u32,
}

/// How the two programs share the machine.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// The function of `guest/lib.sh` that chooses it.
    pub(crate) word: &'static str,
    begin: Begin,
}

/// What comes before the steps of every setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// The page for the Raspberry Pi, to an approved skill.
    Page,
    /// [`BEGIN`], to an approved skill.
    Wish,
    /// A home alone: the first of [`BEGIN`].
    Home,
    /// The same, and then [`DRIVERS`] in place of [`STEPS`].
    Drivers,
}

impl Setting {
    /// Whether it ends with a skill; one that does not is a part of a check alone.
    pub(crate) fn has_a_skill(&self) -> bool {
        matches!(self.begin, Begin::Page | Begin::Wish)
    }
}

pub(crate) const SETTINGS: [Setting; 3] = [
    Setting { name: "one user", word: "one", begin: Begin::Page },
    Setting { name: "two users", word: "two", begin: Begin::Wish },
    Setting { name: "one user, no skill", word: "one", begin: Begin::Home },
];

/// The ear, the mouth and the pins: a machine of their own, since it needs a sound card and two more skills.
pub(crate) const DRIVEN: Setting = Setting { name: "one user, drivers", word: "one", begin: Begin::Drivers };

/// From nothing to an approved skill.
const BEGIN: [Step; 2] = [
    Step {
        name: Cow::Borrowed(HOME),
        seconds: 60,
        script: Cow::Borrowed(
            r#"
init
patient
"#,
        ),
    },
    Step {
        name: Cow::Borrowed("a wish becomes a package"),
        seconds: 1200,
        script: Cow::Borrowed(
            r#"
bot agent -m "learn to roll dice"
admin run --once
rows=$(admin list --json)
has '"status":"human-review"' "$rows"
id=$(printf '%s' "$rows" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
admin show "$id" --page diff
admin approve "$id" --yes
"#,
        ),
    },
];

/// The way to a skill, what needs the compiler or a skill, and a figure that is taken once: many minutes of an emulated machine. A
/// check does these for one user alone, or not.
pub(crate) const WITH_A_SKILL: &[&str] =
    &["a wish becomes a package", "the skill answers", "doctor finds nothing that fails", WRITES, SELF_TEST];

const HOME: &str = "a home is made";
const WRITES: &str = "a turn writes at most 64 KiB, one with a tool at most 80, and 512 MiB are enough";
const OWNED: &str = "the walls of this kernel hold against a bot that is owned";
const SELF_TEST: &str = "the self-test keeps every attack out";

/// What the machine of one user leaves out in a check: the one is done in a machine beside it, whose home compiles nothing; the other
/// compiles a dozen modules, which takes an emulated machine twenty minutes, and is a release's.
pub(crate) const NOT_BY_ONE: &[&str] = &[OWNED, SELF_TEST];

/// All of the machine that is attacked.
pub(crate) const WITHOUT_A_SKILL: &[&str] = &[HOME, OWNED, "every chain holds at the end"];

/// What is tried then in each setting; a step stands on those before it.
const STEPS: [Step; 10] = [
    Step {
        name: Cow::Borrowed("the skill answers"),
        seconds: 60,
        script: Cow::Borrowed(
            r#"
answer=$(bot agent -m "roll 3d6+2")
has "roll of 3d6+2 comes to" "$answer"
say "LEARNED: $answer"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed("doctor finds nothing that fails"),
        seconds: 300,
        script: Cow::Borrowed(
            r#"
found=$(admin doctor) || fail "$found"
has "it makes a module in its jail" "$found"
say "$found"
printf '%s\n' "$found" | grep "^.... *isolation"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed("an action is done"),
        seconds: 120,
        script: Cow::Borrowed(
            r#"
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
        ),
    },
    Step {
        name: Cow::Borrowed("a plugin answers"),
        seconds: 120,
        script: Cow::Borrowed(
            r#"
serve
page=$(admin plugin install /machine/word-count 2>/dev/null </dev/null) || true
digest=$(printf '%s\n' "$page" | sed -n 's/^Digest of all of this: //p')
[ -n "$digest" ] || fail "no page was shown: $page"
admin plugin install /machine/word-count --yes --digest "$digest"
answer=$(bot tool run word-count.count --json '{"text": "one two"}')
has "2 words" "$answer"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed(WRITES),
        seconds: 300,
        script: Cow::Borrowed(
            r#"
[ -b /dev/vda ] || skip "this kernel has no disk: its package holds no modules for one"
(
    within 512M
    serve
    bot agent -m "what time is it?"
    sleep 6
    a_turn 3 hi >/tmp/words
    a_turn 10 "what time is it?" >/tmp/tool
    sed -n "s/^VmHWM:[^0-9]*//p" "/proc/$(serving)/status" >/tmp/peak
    sleep 20 | bot agent >/tmp/chat.log 2>&1 &
    chat=$!
    sleep 10
    pss_of cl-bot >/tmp/chat
    wait "$chat" || true
)
read -r words </tmp/words
read -r tool </tmp/tool
start="$(started cl-bot --version) to say a version ($(started /usr/bin/true) to do nothing)"
memory="the service took at most $(cat /tmp/peak), a chat at rest $(cat /tmp/chat) kB"
say "block writes on ext4: $words KiB a turn, $tool KiB with a tool; $memory; $start"
[ "$(cat /tmp/chat)" -le 16384 ] || fail "a chat at rest may take 16384 kB"
[ "$words" -gt 0 ] && [ "$words" -le 64 ] || fail "a turn may write 1 to 64 KiB"
# The aim is 64 KiB (docs/FIGURES.md); on a busy machine the kernel syncs its journal more often.
[ "$tool" -gt 0 ] && [ "$tool" -le 80 ] || fail "a turn with a tool may write 1 to 80 KiB"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed("a pin is switched, and is at its safe level once the emergency stop is set"),
        seconds: 60,
        script: Cow::Borrowed(
            r#"
[ -c /dev/gpiochip0 ] || skip "this kernel has no driver for the machine's GPIO chip"
[ -e /sys/kernel/debug/gpio ] || mount -t debugfs debugfs /sys/kernel/debug
printf 'lines:\n- {name: lamp, offset: 0, direction: out}\n' >/tmp/lines.yaml
cl-pins serve --socket /tmp/pins.sock --lines /tmp/lines.yaml --stop "$home/config/stop" &
job=$!
trap 'kill "$job"' EXIT
until [ -S /tmp/pins.sock ]; do sleep 0.1; done
level() { grep cl-pins /sys/kernel/debug/gpio; }
level | grep "out lo"
(echo "on lamp"; sleep 40) | cl-pins ask --socket /tmp/pins.sock &
until level | grep "out hi"; do sleep 0.1; done
admin estop
until level | grep "out lo"; do sleep 0.1; done
has "emergency stop" "$(echo "on lamp" | cl-pins ask --socket /tmp/pins.sock)"
admin estop --clear
has on "$(echo "on lamp" | cl-pins ask --socket /tmp/pins.sock)"
until level | grep "out lo"; do sleep 0.1; done
say "line 0 of the chip was on, off at the stop, and off after its client"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed("a disk that turns read-only and a clock that jumps lose nothing"),
        seconds: 240,
        script: Cow::Borrowed(
            r#"
[ -b /dev/vda ] || skip "this kernel has no disk: its package holds no modules for one"
serve
bot agent -m "remember that the code of the shed is 4711"
# The kernel does this to a disk that fails, whoever has files open.
echo u >/proc/sysrq-trigger
until grep -q "^/dev/vda /home ext4 ro" /proc/mounts; do sleep 0.1; done
said=$(bot agent -m "remember that the code of the cellar is 1234" 2>&1) && fail "a turn that is not kept: $said"
has "the file system is read-only" "$said"
has "as process $(serving)" "$(admin status)"
mount -t ext4 -o remount,rw,noatime /dev/vda /home
for jump in 0 3456000 -6912000 3456000; do
    date -s "@$(($(date +%s) + jump))"
    bot agent -m "what time is it?"
    has 4711 "$(bot agent -m "what is the code of the shed?")"
done
bot agent -m "remember that the code of the attic is 815"
has 815 "$(bot agent -m "what is the code of the attic?")"
until bot receipt verify | grep "all of them are signed by the admin"; do sleep 1; done
"#,
        ),
    },
    Step {
        name: Cow::Borrowed(OWNED),
        seconds: 600,
        script: Cow::Borrowed(
            r#"
told=$(admin selftest --redteam --only owned 2>&1) || fail "$(printf '%s\n' "$told" | grep -v "^PASS")"
say "${told##*
}"
has " 0 got through" "${told##*
}"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed(SELF_TEST),
        seconds: 1500,
        script: Cow::Borrowed(
            r#"
told=$(admin selftest --redteam 2>&1) || fail "$(printf '%s\n' "$told" | grep -v "^PASS")"
say "${told##*
}"
has " 0 got through" "${told##*
}"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed("every chain holds at the end"),
        seconds: 60,
        script: Cow::Borrowed(
            r#"
bot receipt verify
admin audit verify
admin skill verify
"#,
        ),
    },
];

/// What is tried with the drivers. The machine has a chip with eight lines, and Debian's kernel a sound card whose two ends are
/// connected: what is played at one is recorded at the other.
const DRIVERS: [Step; 3] = [
    Step {
        name: Cow::Borrowed("wishes for a pin and for a voice become approved skills"),
        seconds: 1500,
        script: Cow::Borrowed(
            r#"
as "$service_user" sh -c 'cat >"$TAMECLAW_HOME/config/profiles/default.yaml"' <<END
autonomy: full
pins: /tmp/pins.sock
voice: {ear: /tmp/ear.sock, mouth: /tmp/mouth.sock}
END
admin run --once
has switch-lamp "$(bot agent -m "learn to switch the lamp on pin 5")"
has talk-voice "$(bot agent -m "learn to talk to me by voice")"
admin run --once
count=0
for id in $(admin list --json | grep -o '"id":"[^"]*"' | cut -d '"' -f 4); do
    admin approve "$id" --yes
    count=$((count + 1))
done
[ "$count" = 2 ] || fail "$count packages: $(admin list)"
"#,
        ),
    },
    Step {
        name: Cow::Borrowed(
            "an approved skill switches a pin, and the emergency stop brings it to its safe level",
        ),
        seconds: 120,
        script: Cow::Borrowed(
            r#"
[ -c /dev/gpiochip0 ] || fail "the kernel has no driver for the machine's GPIO chip"
[ -e /sys/kernel/debug/gpio ] || mount -t debugfs debugfs /sys/kernel/debug
chown "$bot_user" /dev/gpiochip0
printf 'lines:\n- {name: lamp, offset: 5, direction: out}\n' >/tmp/lines.yaml
as "$bot_user" cl-pins serve --socket /tmp/pins.sock --lines /tmp/lines.yaml \
    --stop "$home/config/stop" --stop "$home/data/profiles/default/stop" &
until [ -S /tmp/pins.sock ]; do sleep 0.1; done
level() { grep cl-pins /sys/kernel/debug/gpio; }
level | grep "out lo"
while :; do level; done >/tmp/levels &
watch=$!
has "is on" "$(bot agent -m "turn the lamp on")"
kill "$watch"
grep "out hi" /tmp/levels >/tmp/high || fail "the chip was not switched: $(sort -u /tmp/levels)"
# After the conversation of one line.
until level | grep "out lo"; do sleep 0.1; done
(echo "turn the lamp on"; sleep 30) | bot agent >/tmp/chat.log 2>&1 &
until level | grep "out hi"; do sleep 0.1; done
bot estop
until level | grep "out lo"; do sleep 0.1; done
said=$(bot agent -m "turn the lamp on" 2>&1) || true
level | grep "out lo" || fail "a stopped bot switches: $said"
bot estop --clear
say "line 5 was on in $(wc -l </tmp/high) looks during a turn, on in a chat, off at the stop and after each conversation"
end cl-pins serve
"#,
        ),
    },
    Step {
        name: Cow::Borrowed(
            "a question that is played to one end of a sound card is answered aloud at the other",
        ),
        seconds: 600,
        script: Cow::Borrowed(
            r#"
for module in /machine/modules/"$(uname -r)":*-soundcore* /machine/modules/"$(uname -r)":*-snd*; do
    insmod "$module"
done
[ -c /dev/snd/pcmC0D0p ] || fail "there is no sound card: $(ls /dev/snd /machine/modules)"
chown "$bot_user" /dev/snd/*
user() { as "$bot_user" "$@"; }
user cl-ear serve --socket /tmp/ear.sock &
user cl-mouth serve --socket /tmp/mouth.sock --languages en-GB &
user cl-mouth say "What time is it?" --output /tmp/question.wav
until [ -S /tmp/ear.sock ] && [ -S /tmp/mouth.sock ]; do sleep 0.1; done
raw="-q -t raw -f S16_LE -r 16000 -c 1 --buffer-time=2000000"
# The microphone, and what the loudspeaker's other end hears. A file between the microphone and the bot holds what a slow machine is
# behind with.
user arecord $raw -D hw:Loopback,1,0 >/tmp/heard.raw &
microphone=$!
user arecord $raw -D hw:Loopback,1,1 >/tmp/answer.raw &
(tail -c +1 -f --pid="$microphone" /tmp/heard.raw | bot voice 2>/tmp/said | user aplay $raw -D hw:Loopback,0,1) &
talk=$!
is_said() {
    left=300
    until grep -q "$1" /tmp/said; do
        sleep 0.5
        left=$((left - 1))
        [ "$left" -gt 0 ] && kill -0 "$talk" || fail "not said: $1. $(cat /tmp/said; ls -l /tmp/*.raw)"
    done
}
is_said "talking by voice"
user aplay -q -D hw:Loopback,0,0 /tmp/question.wav
# A pause ends the sentence, and the end of the microphone the talk, once it was answered.
sleep 2
end arecord Loopback,1,0
is_said "^bot: "
cat /tmp/said
wait "$talk"
sleep 2
end arecord Loopback,1,1
has "you: what time is it" "$(cat /tmp/said)"
# How many milliseconds are loud, by the beginnings of windows of 20, and the loudest sample. A slow machine stretches the pauses between.
speech() {
    od -An -v -t d2 -w640 | cut -c 1-672 | busybox awk '
        { w = 0; for (i = 1; i <= NF; i++) { v = $i < 0 ? -$i : $i; if (v > w) w = v }; if (w > 500) n++; if (w > m) m = w }
        END { print n * 20, m + 0 }'
}
user cl-mouth say "$(sed -n 's/^bot: //p' /tmp/said)" --output /tmp/expected.wav
read -r length loudest <<END
$(tail -c 1920000 /tmp/answer.raw | speech)
END
read -r expected _ <<END
$(tail -c +45 /tmp/expected.wav | speech)
END
[ "$loudest" -gt 2000 ] || fail "the answer is silent: $loudest"
[ $((length * 100)) -ge $((expected * 85)) ] && [ $((length * 100)) -le $((expected * 115)) ] ||
    fail "the answer is $length ms long, and its text $expected ms"
memory="the ear $(pss_of cl-ear) kB, the mouth $(pss_of cl-mouth) kB"
end cl-ear serve
end cl-mouth serve
say "$(sed -n 's/^bot: //p' /tmp/said) - $length ms of speech, $expected expected, at most $loudest loud; $memory"
"#,
        ),
    },
];

/// Every step of a machine in its order: the setting, the step, and the file that the machine runs for it.
pub(crate) fn plan() -> Vec<(&'static Setting, Step, String)> {
    let of = |setting: &'static Setting| {
        let begin = match setting.begin {
            Begin::Page => page::steps(),
            Begin::Wish => BEGIN.to_vec(),
            Begin::Home | Begin::Drivers => BEGIN[..1].to_vec(),
        };
        let then = if setting.begin == Begin::Drivers { &DRIVERS[..] } else { &STEPS };
        let steps = begin.into_iter().chain(then.iter().cloned());
        steps.map(move |step| {
            let file = file(setting, &step);
            (setting, step, file)
        })
    };
    SETTINGS.iter().chain([&DRIVEN]).flat_map(of).collect()
}

/// The first line holds the limit and the setting for `init.sh`.
fn file(setting: &Setting, step: &Step) -> String {
    let Setting { word, .. } = setting;
    format!("# {} {word}\nset -e\n. /machine/lib.sh\n{word}\n{}", step.seconds, step.script.trim_start())
}

#[cfg(test)]
mod tests;
