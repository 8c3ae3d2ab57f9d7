//! Programs that run what their arguments, a file or their input tells them.

const SHELLS: &str = "ash bash csh dash elvish fish hush ksh ksh93 lksh mksh nu oksh osh posh powershell pwsh rbash rksh \
    sash sh tcsh xonsh yash zsh";

/// Languages whose programs can start others; names with a version (`python3.12`) count as well.
const SCRIPTS: &str = "bun deno erl escript expect gawk ghci gjs groovy guile irb java jshell julia lua luajit mawk nawk \
    node nodejs octave osascript perl php pypy python r racket raku rscript ruby runghc sbcl scala \
    scheme tclsh ts-node wish";

/// Programs with a small language, an editor or a way out to a shell.
const OTHERS: &str = "as c++ cc clang clang++ cpp g++ gcc rustc rustdoc apt apt-get aptitude at awk batch bc clisp cpan crontab dc dialog dnf dpkg ed emacs emacsclient ex \
    ftp gem gmake gnuplot gsed info insmod jed joe latex ld less lftp links lynx m4 mail mailx make man \
    mc modprobe more most mount mutt mysql nano nc ncat netcat ninja nmap npx nvim open pacman pdflatex \
    pg pico pip pip3 pipx psql red rlwrap rpm sed sftp socat sqlite3 sudoedit telnet tex umount uvx vi \
    view vim vimdiff visudo w3m xdg-open yum zypper";

/// Programs that start another one, or hand words to a shell, in ways too many to be read word by word.
const STARTERS: &str = ". bpftrace builtin bwrap capsh catchsegv cgexec choom chpst chroot command cpulimit ctr daemonize \
    dbus-launch dbus-run-session direnv doas docker eatmydata entr eval exec fakechroot fakeroot \
    faketime firejail flatpak flatpak-spawn flock gdb gosu hyperfine inotifywait kubectl linux32 linux64 \
    lldb ltrace lxc lxc-attach machinectl mosh nerdctl newgrp nix-shell nsenter numactl parallel perf \
    pkexec podman prlimit proot proxychains proxychains4 pty reset rr rsh run-parts run0 runcon runuser \
    scp screen script setarch setpriv setuidgid sg softlimit source ssh ssh-agent start-stop-daemon \
    strace su su-exec sudo systemd-inhibit systemd-run tmux torsocks trap tsocks uclampset unbuffer \
    unshare valgrind watch xterm xvfb-run";

/// Whether a program is a shell.
pub(super) fn is_a_shell(base: &str) -> bool {
    has(SHELLS, without_version(base))
}

/// Whether a program runs a script that it reads.
pub(super) fn runs_scripts(base: &str) -> bool {
    has(SCRIPTS, without_version(base))
}

/// Whether a program runs what it reads.
pub(super) fn runs_its_input(base: &str) -> bool {
    is_a_shell(base) || runs_scripts(base) || matches!(base, "." | "source" | "eval")
}

/// Whether a program runs its input in a language of its own.
pub(super) fn is_one(base: &str) -> bool {
    runs_scripts(base) || has(OTHERS, base) || has(OTHERS, without_version(base))
}

/// Whether a program starts others, shells and the loader of programs included.
pub(super) fn starts_others(base: &str) -> bool {
    is_a_shell(base) || has(STARTERS, base) || base.starts_with("ld-") || base.starts_with("ld.so")
}

/// Whether a name stands in a list.
fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

/// `python3.12` and `lua-5.4` without their versions.
fn without_version(base: &str) -> &str {
    let name = base.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if name.is_empty() { base } else { name }
}
