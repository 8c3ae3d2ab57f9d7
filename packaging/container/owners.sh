#!/bin/sh
# Gives the volumes to their users: the service's (65531) and the bot's (65532). Each word is a further profile.
#
# Runs as root, without a network, before the service. Only what is still root's is changed, as a new volume is; the bot's user
# can make nothing of that kind, so no link of its own leads this script elsewhere.
set -eu
umask 027
admin=65531 bot=65532
home=$TAMECLAW_HOME data=$TAMECLAW_DATA_DIR

# is_roots FOLDER: made where it is missing
is_roots() {
    [ -d "$1" ] || mkdir "$1"
    [ "$(stat -c %u "$1")" = 0 ]
}

# give MODE OWNER FOLDER
give() {
    is_roots "$3" || return 0
    chown "$2" "$3"
    chmod "$1" "$3"
}

for name in config skills status runs secrets certificates; do
    give 2750 "$admin:$bot" "$home/$name"
done
give 0700 "$admin:$admin" "$home/admin"
for name in . profiles proposals; do
    give 2750 "$admin:$bot" "$data/$name"
done
give 2750 "$bot:$bot" "$data/net"
give 2700 "$bot:$bot" "$data/credentials"

for profile in default "$@"; do
    case $profile in
    *[!a-z0-9-]* | -* | "")
        echo "$0: \`$profile\` is not the name of a profile: use a-z, 0-9 and -" >&2
        exit 2
        ;;
    esac
    give 2750 "$bot:$bot" "$data/proposals/$profile"
    # The outer one last: from then on everything below is the bot's.
    is_roots "$data/profiles/$profile" || continue
    for name in memory logs workspace; do
        give 2750 "$bot:$bot" "$data/profiles/$profile/$name"
    done
    give 2750 "$bot:$bot" "$data/profiles/$profile"
done
