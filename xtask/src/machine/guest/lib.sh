# What the steps call: both programs as their users, and a service for as long as a step needs it.

# The users and the home of a setting; `one` keeps everything with one ordinary user, `two` gives the bot its own.
one() { setting person person /home/person/.tameclaw; }
two() { setting root bot /srv/home; }
setting() {
    service_user=$1
    bot_user=$2
    home=$3
}

# as USER COMMAND...: nothing of root's environment and no further group goes along.
as() {
    user=$1
    shift
    set -- env -i PATH="$PATH" HOME="/home/$user" TAMECLAW_HOME="$home" LANG=C "$@"
    case $user in
        root) "$@" ;;
        *) chroot --groups= --userspec="$user:$user" / "$@" ;;
    esac
}
admin() { as "$service_user" cl-admin "$@"; }
bot() { as "$bot_user" cl-bot "$@"; }

# Makes the home; where the bot has a user of its own, every folder gets its owner and mode.
init() {
    if [ "$service_user" = "$bot_user" ]; then admin init; else admin init --bot-user "$bot_user"; fi
}

# say WORDS...: repeats what a program said, so that it stands on the console when the step fails.
say() { printf '%s\n' "$*"; }

# fail WORDS...: ends the step.
fail() {
    say "$*"
    exit 1
}

# skip WORDS...: ends the step, which cannot be tried here.
skip() {
    say "$*"
    exit 77
}

# An emulated processor is several times slower than the one that it stands for.
patient() { as "$service_user" sed -i "/compile_seconds: 600/!s/compile_seconds: 60/compile_seconds: 600/" "$home/admin/admin.yaml"; }

# Runs the lines of a page as its reader types them: `sudo` is root's, ID is what `cl-admin list` shows.
page() {
    while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        line=${line%%  #*}
        case $line in
            *" ID"*) line=$(printf '%s' "$line" | sed "s/ ID/ $(admin list --json | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')/") ;;
        esac
        say "$ $line"
        case $line in
            "sudo "*)
                [ ! -e /machine/why ] || skip "$(cat /machine/why)"
                (cd /machine/packages && sh -c "${line#sudo }" </dev/null 2>&1) || fail "it failed"
                ;;
            *) as "$service_user" sh -c "cd; $line" </dev/null 2>&1 || fail "it failed" ;;
        esac
        [ ! -f "$home/admin/admin.yaml" ] || patient
    done
}

# within SIZE: this shell and what it starts may have so much memory.
within() {
    mkdir -p /sys/fs/cgroup/small
    echo "$1" >/sys/fs/cgroup/small/memory.max
    # 0 is the process that writes it: this shell, a part of the step's.
    echo 0 >/sys/fs/cgroup/small/cgroup.procs
}

# How much was written to the disk, in KiB, with what waits for it.
written() {
    sync
    read -r _ _ _ _ _ _ sectors _ </sys/block/vda/stat
    echo $((sectors / 2))
}

# a_turn COUNT WORDS: how much a turn writes, in KiB, as the mean of COUNT turns with a person's pause after each. Every few
# turns a file needs a new block, which costs as much as half a turn.
a_turn() {
    before=$(written)
    for turn in $(seq "$1"); do
        bot agent -m "$2" >&2
        sleep 6
        sync
    done
    echo $((($(written) - before) / $1))
}

# pss_of NAME: the memory of all processes of that name, in kB; what several share counts once.
pss_of() {
    sum=0
    for process in /proc/[0-9]*; do
        [ "$(cat "$process/comm" 2>/dev/null)" = "$1" ] || continue
        kilobytes=$(sed -n "s/^Pss:[^0-9]*\([0-9]*\) kB/\1/p" "$process/smaps_rollup" 2>/dev/null)
        sum=$((sum + ${kilobytes:-0}))
    done
    echo "$sum"
}

# end NAME PART: interrupts each process of that name whose command line holds this part.
end() {
    for process in /proc/[0-9]*; do
        [ "$(cat "$process/comm" 2>/dev/null)" = "$1" ] || continue
        case $(tr '\0' ' ' <"$process/cmdline") in *"$2"*) kill -INT "${process#/proc/}" ;; esac
    done
}

# started COMMAND...: how long it takes from start to end, the mean of twenty.
started() {
    began=$(date +%s%N)
    for turn in $(seq 20); do "$@" >/dev/null; done
    echo "$((($(date +%s%N) - began) / 20000)) us"
}

# has PART TEXT: insists on a part of a text.
has() {
    case $2 in
        *"$1"*) ;;
        *) fail "expected \`$1\`, got: $2" ;;
    esac
}

# Starts the service; it ends with the step.
serve() {
    : >/tmp/service.log
    admin run --headless >>/tmp/service.log 2>&1 &
    job=$!
    trap 'kill "$(serving)"; wait "$job"; cat /tmp/service.log' EXIT
    until [ -n "$(serving)" ]; do
        kill -0 "$job" || fail "the service ended: $(cat /tmp/service.log)"
        sleep 0.1
    done
}
serving() { sed -n 's/.*serving .* as process //p' /tmp/service.log; }
