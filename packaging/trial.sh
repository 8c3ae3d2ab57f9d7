#!/bin/sh
# What `cargo xtask trial` runs in a bare Debian: the packages of /srv/old and /srv/new from nothing to an approved skill,
# and to nothing again.
set -eu
export DEBIAN_FRONTEND=noninteractive
home=/var/lib/tameclaw/home
begun=$(date +%s)

say() { printf 'trial: %4d s: %s\n' "$(($(date +%s) - begun))" "$*"; }
fail() {
    say "FAILED: $*"
    exit 1
}
has() {
    case $2 in
        *"$1"*) ;;
        *) fail "expected \`$1\`, got: $2" ;;
    esac
}
as() {
    user=$1
    shift
    setpriv --reuid "$user" --regid "$user" --init-groups env HOME=/ TAMECLAW_HOME="$home" "$@"
}
# by USER COMMAND...: as a plain user with a home of their own.
by() {
    user=$1
    shift
    setpriv --reuid "$user" --regid "$user" --init-groups env -i PATH=/usr/bin:/bin HOME="/home/$user" LC_ALL=C.UTF-8 "$@"
}
anna() { by anna "$@"; }
bert() { by bert "$@"; }
admin() { as tameclaw cl-admin "$@"; }
bot() { as cl-bot cl-bot "$@"; }

apt-get -qq update
say "bare root: $(du -sxm / 2>/dev/null | cut -f1) MB"

apt-get -qq install --yes --no-install-recommends /srv/old/*.deb >/srv/install.log 2>&1 || fail "$(cat /srv/install.log)"
say "installed: $(du -sxm / 2>/dev/null | cut -f1) MB with the compiler"
dpkg --verify tameclaw-bot tameclaw-admin tameclaw-drivers tameclaw
cl-bot --version
cl-admin --version
# `cl-bot serve` and `cl-admin page serve` look for them beside themselves.
/usr/bin/cl-door --version
/usr/bin/cl-review --version
for driver in ear mouth pins; do
    /usr/bin/cl-$driver --version
    [ "$(id -nG tameclaw-$driver)" = tameclaw-$driver ] || fail "$(id tameclaw-$driver)"
done
has cl-bot "$(id -nG tameclaw)"
[ "$(id -nG tameclaw-review)" = tameclaw-review ] || fail "$(id tameclaw-review)"
[ "$(stat -c '%U:%G %a' /var/lib/tameclaw)" = "tameclaw:tameclaw 755" ] || fail "$(stat /var/lib/tameclaw)"
for file in man/man1/cl-bot.1.gz man/man1/cl-admin-approver-add.1.gz bash-completion/completions/cl-admin \
    zsh/vendor-completions/_cl-bot fish/vendor_completions.d/cl-admin.fish doc/tameclaw-admin/copyright; do
    # A bare root may be set to leave manuals and documents out.
    [ -e "/usr/share/$file" ] || say "note: /usr/share/$file is not there"
done

# The service's user may not give files away: it prints what root runs once.
if ! admin init --bot-user cl-bot >/srv/init.log 2>&1; then
    sed -n 's/^    //p' /srv/init.log >/srv/for-root.sh
    sh -e /srv/for-root.sh
    admin init --bot-user cl-bot || fail "$(cat /srv/init.log)"
fi
say "the home is made"
doctor=$(admin doctor) || fail "$doctor"
printf '%s\n' "$doctor" | head -n 12
say "doctor finds nothing that fails"

bot agent -m "learn to roll dice"
admin run --once
rows=$(admin list --json)
has '"status":"human-review"' "$rows"
id=$(printf '%s' "$rows" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
say "the package waits for a person"
admin approve "$id" --yes
answer=$(bot agent -m "roll 1d1")
has 1 "$answer"
say "approved; the skill answers: $answer"

# A plain user types what the page for the Raspberry Pi says; root has installed the packages already.
useradd --create-home anna
awk '/^<!-- not run: all: `cargo xtask machine` runs it/ { marked = 1 }
    /^```sh/ { inside = marked; marked = 0; next }
    /^```/ { inside = 0 }
    inside && !/^sudo / { sub(/  +#.*/, ""); print }' /usr/share/doc/tameclaw/docs/RASPBERRY_PI.md >/srv/page
[ "$(wc -l </srv/page)" -ge 8 ] || fail "the page has no commands: $(cat /srv/page)"
while IFS= read -r line; do
    case $line in
        *" ID"*)
            id=$(anna cl-admin list --json | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
            line=$(printf '%s' "$line" | sed "s/ ID/ $id/")
            ;;
    esac
    anna sh -c "cd; $line" </dev/null >/srv/line.log 2>&1 || fail "$line: $(cat /srv/line.log)"
    say "anna: $line"
done </srv/page
has "roll of 3d6+2 comes to" "$(anna cl-bot agent -m "roll 3d6+2")"
say "a plain user's skill answers"
anna cl-admin estop >/srv/line.log 2>&1 || fail "$(cat /srv/line.log)"
stopped=$(anna cl-bot agent -m "roll 3d6+2" 2>&1) || true
case $stopped in *"comes to"*) fail "a stopped home rolls dice: $stopped" ;; esac
anna cl-admin estop --clear >/srv/line.log 2>&1 || fail "$(cat /srv/line.log)"
has "roll of 3d6+2 comes to" "$(anna cl-bot agent -m "roll 3d6+2")"
say "the emergency stop stops it, and clearing it starts it again"

# The first evening: a plain user answers the questions of `onboard` with a model server beside it, ends with a skill that the
# model calls, and stops everything. The server greets, and rolls dice by the tool that it is offered.
cat >/srv/model.pl <<'PERL'
use strict;
use IO::Socket::INET;
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 8391, Listen => 16, ReuseAddr => 1) or die $!;
while (my $peer = $server->accept) {
    my ($first, $length) = (scalar <$peer>, 0);
    while (defined(my $line = <$peer>)) { $length = $1 if $line =~ /^content-length: *(\d+)/i; last if $line =~ /^\r?$/ }
    read $peer, my $asked, $length;
    my ($tool) = $asked =~ /"name":"([^"]*roll[^"]*)"/;
    my $result = qr/"content":"((?:[^"\\]|\\.)*)","role":"tool"/;
    my $message = $asked =~ $result ? qq("content":"The dice say: $1")
        : $tool && $asked =~ /"content":"roll 2d6"/
        ? qq("content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"$tool","arguments":"{\\"dice\\":\\"2d6\\"}"}}])
        : '"content":"Hello from the model."';
    my $body = $first =~ m{^GET /v1/models } ? '{"object":"list","data":[{"id":"evening","object":"model"}]}'
        : qq({"id":"1","object":"chat.completion","created":1,"model":"evening","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",$message}}]});
    print $peer "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ", length $body, "\r\n\r\n$body";
    close $peer;
}
PERL
perl /srv/model.pl &
model=$!
useradd --create-home bert
evening=$(date +%s)
printf '%s\n' '' 2 '' a y '' | bert cl-admin onboard --language en --region gb --no-passphrase --no-person --notify none \
    --no-install --model-port 8391 >/srv/line.log 2>&1 || fail "$(cat /srv/line.log)"
has "Hello from the model." "$(cat /srv/line.log)"
has "It used the skill roll-dice: The dice say: " "$(cat /srv/line.log)"
has "roll of 2d6 comes to" "$(cat /srv/line.log)"
bert cl-admin estop >/srv/line.log 2>&1 || fail "$(cat /srv/line.log)"
stopped=$(bert cl-bot agent -m "roll 2d6" 2>&1) || true
case $stopped in *"comes to"*) fail "a stopped home rolls dice: $stopped" ;; esac
say "the first evening, in $(($(date +%s) - evening)) s: onboarding with a model, a wish, a yes, the answer, the stop"
kill "$model"

# Root alone can back up a home of two users, as the page about recovery says.
bot agent -m "remember that the code of the shed is 4711"
(umask 077 && echo 'a passphrase of the trial' >/root/passphrase.txt)
install -d -m 700 /root/backups
saved=$(cl-admin --home "$home" backup /root/backups --passphrase-file /root/passphrase.txt --with-keys --keep 7 2>&1) || fail "$saved"
has "$(date +%Y)" "$(admin status)"
file=$(find /root/backups -type f)
[ "$(stat -c '%U:%G %a' "$file")" = "root:root 600" ] || fail "$(stat "$file")"
cl-admin backup "$file" --verify --passphrase-file /root/passphrase.txt
mv "$home" /srv/lost
cl-admin --home "$home" restore "$file" --passphrase-file /root/passphrase.txt --yes >/srv/line.log 2>&1 || fail "$(cat /srv/line.log)"
has 4711 "$(bot agent -m "what is the code of the shed?")"
has 1 "$(bot agent -m "roll 1d1")"
admin audit verify
say "root's backup brought the home of two users back"

apt-get -qq install --yes --no-install-recommends /srv/new/*.deb >/srv/upgrade.log 2>&1 || fail "$(cat /srv/upgrade.log)"
has 1 "$(bot agent -m "roll 1d1")"
case $(dpkg-query -W -f '${Version}' tameclaw-bot) in *trial*) fail "it was not upgraded" ;; esac
say "upgraded; the skill answers"

apt-get -qq remove --yes tameclaw tameclaw-admin tameclaw-drivers tameclaw-bot >/srv/remove.log 2>&1 || fail "$(cat /srv/remove.log)"
for program in cl-bot cl-door cl-admin cl-review cl-ear cl-mouth cl-pins; do
    [ ! -e /usr/bin/$program ] || fail "$program is left"
done
[ -d "$home/admin" ] || fail "the home is gone"
apt-get -qq install --yes --no-install-recommends /srv/new/*.deb >/srv/again.log 2>&1 || fail "$(cat /srv/again.log)"
has 1 "$(bot agent -m "roll 1d1")"
say "removed and installed again; the skill answers"

told=$(apt-get -qq purge --yes tameclaw tameclaw-admin tameclaw-drivers tameclaw-bot 2>&1) || fail "$told"
has "kept /var/lib/tameclaw" "$told"
[ -d "$home/admin" ] || fail "a purge deleted the home"
say "purged; the home is kept, and the purge says so"

apt-get -qq install --yes --no-install-recommends /srv/new/*.deb >/srv/again.log 2>&1 || fail "$(cat /srv/again.log)"
rm -r /var/lib/tameclaw/home
apt-get -qq purge --yes tameclaw tameclaw-admin tameclaw-drivers tameclaw-bot >/srv/purge.log 2>&1 || fail "$(cat /srv/purge.log)"
[ ! -e /var/lib/tameclaw ] || fail "an empty folder is left"
left=$(find / -xdev -name '*tameclaw*' -not -path '/srv/*' -not -path '/proc/*' -not -path '/home/*' -not -path '/root/*' 2>/dev/null || true)
[ -z "$left" ] || fail "left: $left"
say "purged without a home: nothing is left"
