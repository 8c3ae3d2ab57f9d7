# What the steps call: both programs as their users, and a service for as long as a step needs it.

# The users and the home of a setting; `one` keeps everything with one ordinary user, `two` gives the bot its own.
one() { setting person person /home/person/home; }
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
