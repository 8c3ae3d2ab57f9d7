# Runs within the container, as root: `steps.sh first|second`. Each step says `ok NAME` or `FAILED NAME: WHY` on the console.
set -u
cd /
home=/var/lib/tameclaw/home
unit=tameclaw-admin.service
admin() { setpriv --reuid=tameclaw --regid=tameclaw --init-groups cl-admin --home $home "$@" 2>&1; }
bot() { setpriv --reuid=cl-bot --regid=cl-bot --init-groups cl-bot --home $home "$@" 2>&1; }
show() { systemctl show --value --property "$1" $unit; }
fail() { echo "$*"; exit 1; }
has() { case $2 in *"$1"*) ;; *) fail "expected \`$1\`, got: $2" ;; esac; }
# until SECONDS COMMAND...: waits for a command to succeed.
until_done() {
    left=$(($1 * 5))
    shift
    while ! "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || fail "in vain: $*"
        sleep 0.2
    done
}
drop_in() {
    mkdir -p /etc/systemd/system/$unit.d
    cat >/etc/systemd/system/$unit.d/test.conf
    systemctl daemon-reload
}
no_drop_in() {
    rm -rf /etc/systemd/system/$unit.d
    systemctl daemon-reload
    systemctl reset-failed $unit
    systemctl restart $unit
}
runs() { [ "$(show ActiveState)" = active ]; }
restarted_from() { runs && [ "$(show MainPID)" != "$1" ]; }
waits_for_a_person() { admin list | grep -q human-review; }
scheduled() {
    admin schedule run daily >/dev/null
    left=40
    until admin schedule list --json | grep -q '"exit":0'; do
        left=$((left - 1))
        [ $left -gt 0 ] || fail "$(admin schedule list; cl-admin service logs -n 15)"
        sleep 0.5
    done
}

clean() {
    systemctl stop tameclaw-ear.socket tameclaw-mouth.socket tameclaw-pins.socket tameclaw-ear.service tameclaw-mouth.service \
        tameclaw-pins.service
    systemctl stop $unit 'tameclaw-bot@*.socket' 'tameclaw-bot@*.service' 'tameclaw-door@*.socket' 'tameclaw-door@*.service' \
        'tameclaw-matrix@*.service' 'tameclaw-telegram@*.service' tameclaw-review.socket tameclaw-review.service tameclaw-admin.socket
    systemctl disable $unit
    rm -rf /etc/systemd/system/tameclaw* /etc/systemd/system/*.wants/tameclaw* /var/lib/tameclaw /var/lib/systemd/linger/person \
        /etc/tameclaw
    for user in tameclaw cl-bot person; do userdel -r $user; done
    cp /programs/cl-* /usr/bin/
    mkdir -p /usr/share/tameclaw
    cp -r /programs/skill-library /usr/share/tameclaw/
    systemctl daemon-reload
} >/dev/null 2>&1

installs() {
    cl-admin service install </dev/null >/tmp/out 2>&1 && fail "it did not ask"
    id tameclaw 2>/dev/null && fail "a user was made without a yes"
    cl-admin service install --yes >/tmp/out 2>&1 || fail "$(cat /tmp/out)"
    has "up to date" "$(cl-admin service install --yes 2>&1)"
    has "as they should be" "$(admin init)"
    systemctl is-enabled $unit >/dev/null || fail "it is not enabled"
    [ -e /etc/systemd/system/tameclaw-door@.socket ] || fail "the door has no socket"
    ls /etc/systemd/system/*.wants/tameclaw-door@* 2>/dev/null && fail "a door is enabled, which nobody asked for"
    [ -e /etc/systemd/system/tameclaw-matrix@.service ] && [ -e /etc/systemd/system/tameclaw-telegram@.service ] ||
        fail "the messengers have no units"
    ls /etc/systemd/system/*.wants/tameclaw-matrix@* /etc/systemd/system/*.wants/tameclaw-telegram@* 2>/dev/null &&
        fail "a messenger is enabled, which nobody asked for"
    for driver in ear mouth pins; do
        [ -e /etc/systemd/system/tameclaw-$driver.socket ] || fail "the $driver has no socket"
        id tameclaw-$driver >/dev/null || fail "the $driver has no user"
    done
    ls /etc/systemd/system/*.wants/* 2>/dev/null | grep -E 'tameclaw-(ear|mouth|pins)' && fail "a driver is enabled, which nobody asked for"
    [ -e /etc/systemd/system/tameclaw-review.socket ] || fail "the page of the review has no socket"
    ls /etc/systemd/system/*.wants/*.socket 2>/dev/null | grep -E 'tameclaw-(review|admin)' &&
        fail "the page of the review is enabled, which nobody asked for"
    [ "$(stat -c %U:%a /var/lib/tameclaw $home/admin | tr '\n' ' ')" = "tameclaw:755 tameclaw:700 " ] ||
        fail "$(stat -c %U:%a /var/lib/tameclaw $home/admin)"
}
starts() {
    cl-admin service status >/dev/null 2>&1 && fail "it runs already"
    cl-admin service start >/tmp/out 2>&1 || fail "$(cat /tmp/out)"
    runs || fail "it does not run"
    cl-admin service status >/dev/null || fail "status says that it does not run"
    [ "$(ps -o user= -p "$(show MainPID)")" = tameclaw ] || fail "it is another user's"
    until_done 10 sh -c "systemctl show --value --property StatusText $unit | grep -q 'nothing waits'"
    has "runs as process $(show MainPID)" "$(admin status)"
    has serving "$(cl-admin service logs -n 20)"
}
learns() {
    has "wrote a proposal" "$(bot agent -m 'learn to roll dice')"
    until_done 120 waits_for_a_person
    until_done 15 sh -c "systemctl show --value --property StatusText $unit | grep -q '1 request waits'"
    name=$(admin list --json | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
    admin approve "$name" --yes >/tmp/out || fail "$(cat /tmp/out)"
    has 5 "$(bot agent -m 'roll 3d1+2')"
}
# As the service's user, in the service's view of files.
keeps_out() {
    inside="nsenter -t $(show MainPID) -m setpriv --reuid=tameclaw --regid=tameclaw --init-groups"
    memory=$home/data/profiles/default/memory/conversations.jsonl
    [ -s $memory ] || fail "there is no memory"
    $inside cat $memory >/dev/null 2>&1 && fail "a memory was read"
    $inside ls $home/data/credentials >/dev/null 2>&1 && fail "keys were listed"
    $inside touch /etc/x /usr/bin/x /var/lib/tameclaw/x /dev/shm/x 2>/dev/null && fail "it writes elsewhere"
    $inside ls $home/data/proposals/default >/dev/null || fail "proposals cannot be read"
    $inside touch $home/admin/x && rm $home/admin/x || fail "the home cannot be written"
    [ "$(sed -n 's/^CapEff:\t*//p' /proc/"$(show MainPID)"/status)" = 0000000000000020 ] || fail "it has other powers than CAP_KILL"
}
# What the port of the review's page answers.
page() {
    perl -MIO::Socket::INET -e '
        my $peer = IO::Socket::INET->new(PeerAddr => "127.0.0.1:8788", Timeout => 10) or do { print "refused"; exit };
        alarm 20;
        print $peer "GET / HTTP/1.1\r\nHost: 127.0.0.1:8788\r\nConnection: close\r\n\r\n";
        print while <$peer>'
}
shows_the_review() {
    systemctl enable tameclaw-review.socket || fail "it cannot be enabled"
    systemctl restart $unit || fail "the service does not start with the socket of the page"
    has "HTTP/1.1 " "$(page)"
    pid=$(systemctl show --value --property MainPID tameclaw-review.service)
    [ "$(sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' /proc/"$pid"/status)" = "$(id -u tameclaw-review)" ] || fail "it is another user's"
    [ "$(sed -n 's/^CapBnd:\t*//p' /proc/"$pid"/status)" = 0000000000000000 ] || fail "it has a power"
    [ "$(readlink /proc/"$pid"/ns/net)" != "$(readlink /proc/1/ns/net)" ] || fail "it has the machine's network"
    inside="nsenter -t $pid -m setpriv --reuid=tameclaw-review --regid=tameclaw-review --init-groups"
    $inside ls /run/tameclaw-review/service.sock >/dev/null || fail "the service's socket is not there"
    $inside ls /var/lib/tameclaw >/dev/null 2>&1 && fail "the home is there"
    $inside ls /run/tameclaw /run/dbus >/dev/null 2>&1 && fail "other sockets are there"
    setpriv --reuid=cl-bot --regid=cl-bot --init-groups ls /run/tameclaw-review >/dev/null 2>&1 && fail "the bot sees the socket"
    systemctl restart $unit
    has "HTTP/1.1 " "$(page)"
    systemctl stop $unit
    has refused "$(page)"
    sleep 3
    [ "$(show ActiveState)" = inactive ] || fail "the page started the service"
    systemctl start $unit
    has "HTTP/1.1 " "$(page)"
    systemctl disable --now tameclaw-review.socket tameclaw-admin.socket || fail "it cannot be disabled"
    has refused "$(page)"
    runs || fail "the service ended with the page"
    systemctl restart $unit || fail "the service does not start without the socket"
    has "runs as process" "$(admin status)"
}
# ask_voice USER DRIVER [SOCKET]: what a driver says of itself, asked by that user.
ask_voice() {
    setpriv --reuid="$1" --regid="$(id -g "$1")" --init-groups perl -MIO::Socket::UNIX -e '
        my $peer = IO::Socket::UNIX->new(Peer => $ARGV[0]) or do { print "refused: $!"; exit };
        alarm 60;
        print $peer "{\"type\":\"describe\"}\n";
        print scalar <$peer>' "${3:-/run/tameclaw-drivers/$2.sock}" 2>&1
}
hears_and_speaks() {
    mkdir -p /etc/tameclaw
    systemctl enable --now tameclaw-ear.socket tameclaw-mouth.socket || fail "they cannot be enabled"
    for driver in ear mouth; do
        for user in nobody tameclaw tameclaw-review; do
            has refused "$(ask_voice $user $driver)"
        done
        [ "$(systemctl is-active tameclaw-$driver.service)" = inactive ] || fail "it runs before anybody asks"
        has '"info"' "$(ask_voice cl-bot $driver)"
        pid=$(systemctl show --value --property MainPID tameclaw-$driver.service)
        [ "$(sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' /proc/"$pid"/status)" = "$(id -u tameclaw-$driver)" ] || fail "it is another user's"
        [ "$(sed -n 's/^CapBnd:\t*//p' /proc/"$pid"/status)" = 0000000000000000 ] || fail "it has a power"
        [ "$(readlink /proc/"$pid"/ns/net)" != "$(readlink /proc/1/ns/net)" ] || fail "it has the machine's network"
        [ "$(grep -c : /proc/"$pid"/net/dev)" = 1 ] || fail "it has a network: $(cat /proc/"$pid"/net/dev)"
        inside="nsenter -t $pid -m setpriv --reuid=tameclaw-$driver --regid=tameclaw-$driver --clear-groups"
        $inside ls /var/lib/tameclaw >/dev/null 2>&1 && fail "the home is there"
        $inside ls /dev/snd >/dev/null 2>&1 && fail "a sound device is there"
        $inside touch /etc/x /dev/shm/x 2>/dev/null && fail "it writes elsewhere"
        # It is killed, and the next who asks is answered.
        kill -9 "$pid"
        until_done 20 sh -c "systemctl is-active tameclaw-$driver.service | grep -q '^active' && \
            [ \"\$(systemctl show --value --property MainPID tameclaw-$driver.service)\" != $pid ]"
        has '"info"' "$(ask_voice cl-bot $driver)"
    done
    # The pins have the same walls, and a view that holds the stop files.
    printf 'lines:\n- {name: lamp, offset: 17, direction: out}\n' >/etc/tameclaw/pins.yaml
    mkdir -p /etc/systemd/system/tameclaw-pins.service.d
    # Another device stands for the chip, and a shell for the program.
    cat >/etc/systemd/system/tameclaw-pins.service.d/test.conf <<'WORDS'
[Service]
ExecStart=
ExecStart=/bin/sh -c 'cl-pins check --lines /etc/tameclaw/pins.yaml && (echo on 2>&1 >/dev/gpiochip0 | grep "No space" || exit 8) && cd /var/lib/tameclaw/home && \
    ls config data/profiles/default && for closed in admin skills config/profiles data/profiles/default/memory \
    data/profiles/default/workspace data/profiles/default/logs data/credentials; do ls $$closed && exit 9; done; \
    test ! -e /dev/snd && test ! -e /dev/fuse && test ! -e /dev/kmsg && echo "ended well"; id -nG; exec sleep 60'
WORDS
    systemctl daemon-reload
    systemctl start tameclaw-pins.service || fail "$(systemctl status tameclaw-pins.service)"
    until_done 20 sh -c "journalctl -u tameclaw-pins.service | grep -q -E 'ended|Failed'"
    said=$(journalctl -o cat -u tameclaw-pins.service)
    has "ended well" "$said"
    has gpio "$said"
    # The program itself watches the stop files, and then finds that the chip is none.
    rm -r /etc/systemd/system/tameclaw-pins.service.d
    systemctl daemon-reload
    systemctl restart tameclaw-pins.service
    until_done 20 sh -c "journalctl -o cat -u tameclaw-pins.service | grep -q 'number 17 of /dev/gpiochip0'"
    systemctl disable --now tameclaw-ear.socket tameclaw-mouth.socket tameclaw-pins.socket tameclaw-ear.service tameclaw-mouth.service \
        tameclaw-pins.service >/dev/null 2>&1
    systemctl daemon-reload
    [ ! -e /run/tameclaw-drivers/ear.sock ] || fail "a socket file is left"
}
schedules() {
    echo 'schedules: [{name: daily, profile: default, cron: "0 7 * * *", message: hello}]' >$home/admin/admin.yaml
    has "enable \`tameclaw-bot@default.socket\`" "$(admin schedule run daily; sleep 2; admin schedule list)"
    cl-admin service start >/dev/null 2>&1
    scheduled
    [ "$(ps -o user= -C cl-admin | sort -u | tr '\n' ' ')" = "cl-bot tameclaw " ] || fail "$(ps -C cl-admin -o user,args)"
    # What the runner sees of the home.
    runner=$(systemctl show --value --property MainPID tameclaw-bot@default.service)
    inside="nsenter -t $runner -m setpriv --reuid=cl-bot --regid=cl-bot --init-groups"
    $inside ls $home/config >/dev/null || fail "the configuration cannot be read"
    $inside test -e $home/admin && fail "the admin's folder is there"
    $inside touch $home/config/x $home/x 2>/dev/null && fail "it writes elsewhere"
    return 0
}
comes_back() {
    before=$(show MainPID)
    kill -9 "$before"
    until_done 20 restarted_from "$before"
    has roll-dice "$(admin skill list)"
}
restarts_on_75_and_not_on_3() {
    for code in 75 3; do
        rm -f $home/admin/ended
        drop_in <<WORDS
[Service]
RestartSec=200ms
ExecStart=
ExecStart=/bin/sh -c 'if [ ! -e $home/admin/ended ]; then touch $home/admin/ended; exit $code; fi; exec cl-admin --home $home run'
WORDS
        systemctl restart $unit >/dev/null 2>&1
        if [ $code = 75 ]; then
            until_done 20 runs
        else
            sleep 2
            [ "$(show ActiveState):$(show ExecMainStatus)" = failed:3 ] || fail "$(show ActiveState) $(show ExecMainStatus)"
        fi
    done
    rm -f $home/admin/ended
    no_drop_in
}
is_started_again_when_it_hangs() {
    printf '[Service]\nWatchdogSec=3s\nRestartSec=200ms\nTimeoutAbortSec=2s\n' | drop_in
    systemctl restart $unit
    before=$(show MainPID)
    sleep 7
    [ "$(show MainPID)" = "$before" ] || fail "it was started again although it lives"
    kill -STOP "$before"
    until_done 30 restarted_from "$before"
    no_drop_in
}
ends_a_bot_that_fills_the_disk() {
    mkfifo -m 666 /tmp/typed
    setpriv --reuid=cl-bot --regid=cl-bot --init-groups cl-bot --home $home agent </tmp/typed >/tmp/chat 2>&1 &
    chat=$!
    exec 9>/tmp/typed
    until_done 10 sh -c "setpriv --reuid=tameclaw --regid=tameclaw --init-groups cl-admin --home $home status | grep -q '1 chat'"
    echo 'data_limit: {files: 60}' >$home/admin/admin.yaml
    for n in $(seq 60); do
        setpriv --reuid=cl-bot --regid=cl-bot --init-groups touch $home/data/profiles/default/workspace/$n
    done
    until_done 40 sh -c "! kill -0 $chat"
    exec 9>&-
    has "full" "$(admin status)"
    rm $home/data/profiles/default/workspace/*
    until_done 40 sh -c "! test -e $home/config/halt"
    rm $home/admin/admin.yaml
}
upgrades() {
    before=$(show MainPID)
    cp /programs/cl-admin /usr/bin/cl-admin.new
    mv /usr/bin/cl-admin.new /usr/bin/cl-admin
    case $(readlink /proc/"$before"/exe) in *deleted*) ;; *) fail "the old program is not replaced" ;; esac
    admin list >/dev/null || fail "the new program does not speak with the old service"
    systemctl restart $unit || fail "it does not start"
    [ "$(readlink /proc/"$(show MainPID)"/exe)" = /usr/bin/cl-admin ] || fail "the old program runs"
    has roll-dice "$(admin skill list)"
}
came_up_by_itself() {
    until_done 20 runs
    has roll-dice "$(admin skill list)"
    has 5 "$(bot agent -m 'roll 3d1+2')"
}
makes_a_namespace_without_landlock() {
    has namespaces.conf "$(cl-admin service install --yes 2>&1)"
    sed -i 's/^  minimum_isolation: .*/  minimum_isolation: namespace/' $home/config/default.yaml
    echo 'schedules: [{name: daily, profile: default, cron: "0 7 * * *", message: hello}]' >$home/admin/admin.yaml
    cl-admin service start >/dev/null 2>&1
    scheduled
    has namespace "$(admin status)"
}
learns_without_landlock() {
    has "wrote a proposal" "$(bot agent -m 'learn to flip a coin')"
    until_done 120 waits_for_a_person
}
uninstalls() {
    digest=$(find $home -type f ! -path '*/admin/service.*' -exec sha256sum {} + | sort | sha256sum)
    systemctl stop $unit
    digest=$(find $home -type f -exec sha256sum {} + | sort | sha256sum)
    has "homes are untouched" "$(cl-admin service uninstall --yes 2>&1)"
    [ "$digest" = "$(find $home -type f -exec sha256sum {} + | sort | sha256sum)" ] || fail "the home was changed"
    ls /etc/systemd/system/tameclaw* /etc/systemd/system/*/tameclaw* 2>/dev/null && fail "something is left"
    id tameclaw >/dev/null || fail "the user is gone"
    cl-admin service status >/dev/null 2>&1 && fail "it still runs"
    return 0
}
serves_one_user() {
    useradd -m person
    loginctl enable-linger person
    until_done 10 test -S "/run/user/$(id -u person)/systemd/private"
    as() { setpriv --reuid=person --regid=person --init-groups env -i PATH="$PATH" HOME=/home/person XDG_RUNTIME_DIR=/run/user/"$(id -u person)" "$@" 2>&1; }
    has installed "$(as cl-admin service install --user --yes)"
    has "the service runs" "$(as cl-admin service start --user)"
    has "runs as process" "$(as cl-admin status)"
    as cl-admin service status --user >/dev/null || fail "status says that it does not run"
    as systemctl --user enable --now tameclaw-ear.socket tameclaw-mouth.socket || fail "they cannot be enabled"
    for driver in ear mouth; do
        has '"info"' "$(ask_voice person $driver /run/user/"$(id -u person)"/tameclaw/$driver.sock)"
        has refused "$(ask_voice nobody $driver /run/user/"$(id -u person)"/tameclaw/$driver.sock)"
    done
    has "homes are untouched" "$(as cl-admin service uninstall --user --yes)"
    find /home/person/.config/systemd -name 'tameclaw*' | grep tameclaw && fail "something is left"
    has "does not run" "$(as cl-admin status)"
}

step() {
    if words=$( ("$1") 2>&1); then echo "ok $1"; else echo "FAILED $1: $words" | tr '\n' ' '; echo; fi
}
case $1 in
    first)
        clean
        for name in installs starts learns keeps_out shows_the_review hears_and_speaks schedules comes_back restarts_on_75_and_not_on_3 \
            is_started_again_when_it_hangs ends_a_bot_that_fills_the_disk upgrades; do step $name; done
        ;;
    second)
        for name in came_up_by_itself makes_a_namespace_without_landlock learns_without_landlock hears_and_speaks uninstalls \
            serves_one_user; do step $name; done
        clean
        ;;
esac
