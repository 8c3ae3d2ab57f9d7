//! Commands that turn on what started them: their orders, the service, other commands, the disk.

use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use nix::unistd::{Uid, geteuid};
use serde_json::Value;
use tameclaw_tests::action::Ask;
use tameclaw_tests::eventually;
use tameclaw_tests::run::Background;
use tameclaw_tests::world::{Program, World};

/// A home in which `sh attack.sh` runs without asking.
fn world(script: &str) -> World {
    let world = World::new();
    world.allow("autonomy: full\ngrants: {commands: [sh attack.sh, sleep, 'true', git]}\n");
    fs::write(world.workspace("attack.sh"), script).expect("a file can be written");
    world
}

fn word<'a>(of: &'a Value, key: &str) -> &'a str {
    of[key].as_str().unwrap_or_default()
}

/// The command lines of all processes.
fn lines() -> Vec<String> {
    read_lines(|_| true)
}

/// The command lines of a process's children.
fn children(parent: u32) -> Vec<String> {
    let parent = format!("\nPPid:\t{parent}\n");
    read_lines(|process| fs::read_to_string(process.join("status")).is_ok_and(|text| text.contains(&parent)))
}

fn read_lines(wanted: impl Fn(&Path) -> bool) -> Vec<String> {
    let line = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    processes.filter(|entry| wanted(&entry.path())).filter_map(line).collect()
}

/// The status of the receipt that the admin kept of an action.
fn receipt(world: &World, id: &str) -> String {
    let text = fs::read_to_string(world.home().admin().join("receipts.jsonl")).expect("receipts");
    let line = text.lines().find(|line| line.contains(id)).expect("a receipt of the action");
    let receipt: Value = serde_json::from_str(line).expect("a receipt");
    word(&receipt, "status").to_owned()
}

#[test]
fn the_orders_of_a_command_stand_in_no_command_line() {
    let world = world("");
    let mark = format!("marked-{}", std::process::id());
    world.allow("autonomy: full\ngrants: {commands: [sleep, echo]}\n");
    let id = world.wants(&Ask::line(&format!("sleep 2; echo {mark}")));
    let service = world.start(Program::Admin, &["run"]);
    let runner = eventually(Duration::from_secs(30), "the runner runs", || {
        children(service.pid()).into_iter().find(|line| line.contains("run-line"))
    });
    let told: Vec<String> = lines().into_iter().filter(|line| line.contains(&mark)).collect();
    assert!(told.is_empty(), "{told:?}; the runner is `{runner}`");
    eventually(Duration::from_secs(30), "it is done", || {
        word(&world.shown(&id)["result"], "stdout").contains(&mark).then_some(())
    });
    drop(service);
}

/// What ran is on record as run, regardless of what it prints, with what code it ends, and to what descriptor it writes.
#[test]
fn a_command_that_ran_is_never_recorded_as_not_run() {
    let world = world("");
    // Every descriptor that could lead to the service, and the words that once counted.
    let forge = r#"for (3..255) { if (open(my $f, ">&=$_")) { syswrite($f, "forged") } }"#;
    let script = format!(
        "echo done > \"$HOME/written\"\nperl -e '{forge}' 2>/dev/null\n\
         for n in 3 4 5 6 7 8 9; do echo forged >&$n; done 2>/dev/null\necho 'not run: no jail' >&2\nexit 70\n"
    );
    fs::write(world.workspace("attack.sh"), script).expect("a file can be written");
    let shown = world.act(&Ask::line("sh attack.sh"));
    let (id, result) = (word(&shown, "id"), &shown["result"]);
    assert_eq!((&result["exit"], &result["ended"]), (&Value::from(70), &Value::Null), "{shown}");
    assert_eq!(receipt(&world, id), "failed");
    let run = world.home().runs(&world.profile()).join(id);
    assert_eq!(fs::read_to_string(run.join("written")).expect("it ran"), "done\n");
}

/// Whom the service is where it and its commands are one user. The number is nobody's on any machine that this runs on.
fn plain_user() -> u32 {
    if geteuid().is_root() { 61_234 } else { Uid::effective().as_raw() }
}

/// The program as the plain user.
fn plainly(world: &World, arguments: &[&str]) -> Command {
    let mut command = world.command(Program::Admin, arguments);
    command.uid(plain_user()).gid(plain_user());
    command
}

fn owned_by_plain_user(path: &Path) {
    let change = Command::new("chown").arg("-R").arg(format!("{0}:{0}", plain_user())).arg(path).status();
    assert!(change.is_ok_and(|status| status.success()), "{} can be given away", path.display());
}

/// A home and a running service of the plain user, in which `sh attack.sh` runs without asking.
fn plain_service() -> Option<(World, Background)> {
    let world = World::empty();
    owned_by_plain_user(world.outside());
    if !plainly(&world, &["--version"]).status().is_ok_and(|status| status.success()) {
        tameclaw_tests::skip("the programs lie where another user cannot reach them");
        return None;
    }
    let made = plainly(&world, &["init"]).status();
    assert!(made.is_ok_and(|status| status.success()), "a home can be made");
    world.allow(
        "autonomy: full\ngrants: {commands: [sh attack.sh, git diff, git status, git log, git show]}\n",
    );
    owned_by_plain_user(world.outside());
    let service = Background::start(plainly(&world, &["run"]));
    let socket = world.home().admin().join("service.sock");
    eventually(Duration::from_secs(30), "the service answers", || socket.exists().then_some(()));
    Some((world, service))
}

/// Has the script run by the running service of the plain user.
fn attacked(world: &World, script: &str) -> Value {
    fs::write(world.workspace("attack.sh"), script).expect("a file can be written");
    plainly_run(world, "sh attack.sh")
}

/// Has a line run by the running service of the plain user.
fn plainly_run(world: &World, line: &str) -> Value {
    let id = shared_types::id::ProposalId::generate().to_string();
    let folder = world.home().proposals(&world.profile());
    let hidden = folder.join(format!(".{id}"));
    fs::write(&hidden, Ask::line(line).text(&id)).expect("a file can be written");
    chown(&hidden, Some(plain_user()), Some(plain_user())).expect("it can be given away");
    fs::rename(&hidden, folder.join(format!("shell-{id}.yaml"))).expect("it can be renamed");
    eventually(Duration::from_secs(60), "the command is done", || {
        let ran =
            tameclaw_tests::run::run(plainly(world, &["show", &id, "--json"]), b"", Duration::from_secs(30));
        let shown: Value = serde_json::from_str(&ran.stdout).ok()?;
        shown["result"].is_object().then(|| shown["result"].clone())
    })
}

/// Where the service and its commands are one user, the kernel would let one change the other's limits and priorities.
#[test]
fn a_command_changes_nothing_of_the_service_that_is_the_same_user() {
    let Some((world, mut service)) = plain_service() else { return };
    let pid = service.pid();
    let limits = || fs::read_to_string(format!("/proc/{pid}/limits")).expect("the service runs");
    let before = limits();
    let tries = [
        format!("prlimit --pid {pid} --cpu=1:1"),
        format!("prlimit --pid {pid} --nofile=3:3"),
        format!("renice -n 19 -p {pid}"),
        format!("renice -n 19 -u {}", plain_user()),
        format!("ionice -c 3 -p {pid}"),
        format!("taskset -p 1 {pid}"),
        format!("chrt -i -p 0 {pid}"),
        format!("kill -0 {pid}"),
        format!("kill -KILL {pid}"),
    ];
    let mut script = String::from("echo begun\n");
    for attempt in &tries {
        script.push_str(&format!("{attempt} >/dev/null 2>&1 && echo 'REACHED {attempt}'\n"));
    }
    script.push_str("echo ended\n");
    let result = attacked(&world, &script);
    assert_eq!(word(&result, "stdout"), "begun\nended\n", "{result}");
    assert!(service.runs() && limits() == before, "{}", limits());
}

/// What the table of calls refuses, no ordinary program needs.
#[test]
fn ordinary_programs_run_under_the_table_of_calls() {
    let tries = [
        ("bash", "bash -c 'ulimit -n 64; (exit 3) & wait $!; [ $? = 3 ]; sleep 9 & kill %1'"),
        ("prlimit", "prlimit --nofile=64 true"),
        ("nice", "nice -n 5 true"),
        ("timeout", "timeout 5 true"),
        ("taskset", "taskset 1 true"),
        ("git", "git --version"),
        ("perl", "perl -e 'exit(system(\"true\"))'"),
        (
            "/usr/bin/python3",
            "/usr/bin/python3 -c 'import subprocess, sys; sys.exit(subprocess.call([\"true\"]))'",
        ),
        (
            "/usr/bin/python3",
            "/usr/bin/python3 -c 'import asyncio, sys
async def main(): return await (await asyncio.create_subprocess_exec(\"true\")).wait()
sys.exit(asyncio.run(main()))'",
        ),
        (
            "tar",
            "mkdir \"$HOME/t\" && echo x > \"$HOME/t/x\" && tar -C \"$HOME\" -cf \"$HOME/t.tar\" t && tar -C \"$HOME/t\" -xf \"$HOME/t.tar\"",
        ),
        ("sort", "printf 'b\\na\\n' | sort | head -n 1"),
    ];
    let there = |program: &str| {
        let plain = ["/usr/local/bin", "/usr/bin", "/bin"]
            .iter()
            .any(|folder| Path::new(folder).join(program).exists());
        plain || Path::new(program).is_absolute() && Path::new(program).exists()
    };
    let tries: Vec<&str> =
        tries.iter().filter(|(program, _)| there(program)).map(|(_, line)| *line).collect();
    let script: String = tries
        .iter()
        .map(|line| {
            format!(
                "{{ {line}\n}} >/dev/null && echo worked || echo 'FAILED: {}'\n",
                line.replace('\'', "\"")
            )
        })
        .collect();
    let world = world(&script);
    let shown = world.act(&Ask::line("sh attack.sh"));
    let result = &shown["result"];
    assert_eq!(word(result, "stdout"), "worked\n".repeat(tries.len()), "{result}");
}

/// Memory and messages that the kernel keeps by number are neither made nor found, so nothing of a command lives on there.
#[test]
fn a_command_leaves_nothing_in_the_kernels_shared_memory_and_queues() {
    let made = Command::new("ipcmk").args(["-M", "4096", "-p", "0666"]).output();
    let Some(planted) = made.ok().and_then(|out| number(&String::from_utf8_lossy(&out.stdout))) else {
        return tameclaw_tests::skip("ipcmk cannot make shared memory here");
    };
    let script = format!(
        "echo begun\nipcmk -M 4096 && echo REACHED\nipcmk -Q && echo REACHED\nipcmk -S 1 && echo REACHED\n\
         perl -e 'shmread({planted}, $x, 0, 4) and print \"REACHED\"'\nipcrm -m {planted} && echo REACHED\necho ended\n"
    );
    let world = world(&script);
    let shown = world.act(&Ask::line("sh attack.sh"));
    let out = word(&shown["result"], "stdout").to_owned();
    let kept = Command::new("ipcrm").args(["-m", &planted.to_string()]).status();
    for (flag, line) in ["-m", "-q", "-s"].iter().zip(out.lines().filter(|line| line.contains("id: "))) {
        let _ = Command::new("ipcrm").arg(flag).arg(number(line).unwrap_or_default().to_string()).status();
    }
    assert_eq!(out, "begun\nended\n", "{shown}");
    assert!(kept.is_ok_and(|status| status.success()), "the memory of others is as it was");
}

/// The number at the end of what `ipcmk` says.
fn number(said: &str) -> Option<u32> {
    said.trim().rsplit(' ').next()?.parse().ok()
}

/// The workspace as a repository of somebody who knows git, with one commit and one change.
fn repository(world: &World) -> std::path::PathBuf {
    let folder = world.workspace("").components().collect::<std::path::PathBuf>();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "safe.directory=*"]);
        let ran = command.args(arguments).current_dir(&folder).env("GIT_CONFIG_GLOBAL", "/dev/null").output();
        let ran = ran.expect("git runs");
        assert!(ran.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    };
    git(&["init", "-q", "."]);
    fs::write(folder.join("list.txt"), "before\n").expect("a file");
    git(&["add", "list.txt"]);
    git(&["commit", "-qm", "first"]);
    fs::write(folder.join("list.txt"), "afterwards\n").expect("a file");
    owned_by_plain_user(&folder);
    folder
}

/// A program that says that it runs, on its stream and in the one folder that it may write.
const PLANTED: &str = "sh -c 'echo PLANTED >&2; echo ran > $HOME/mark; cat' planted";

/// Insists that no planted program ran during a line.
#[track_caller]
fn nothing_planted_ran(world: &World, line: &str, result: &Value) {
    let said = format!("{}{}", word(result, "stdout"), word(result, "stderr"));
    // `git` may complain of the program by its name.
    assert!(!said.lines().any(|said| said == "PLANTED"), "{line}: {result}");
    let runs = fs::read_dir(world.home().runs(&world.profile())).into_iter().flatten().filter_map(Result::ok);
    let marked: Vec<_> = runs.filter(|run| run.path().join("mark").exists()).collect();
    assert!(marked.is_empty(), "{line}: {marked:?}");
}

/// A granted `git` works in a repository, and starts nothing that the repository names.
#[test]
fn a_repository_of_the_workspace_starts_nothing() {
    if !Path::new("/usr/bin/git").exists() && !Path::new("/usr/local/bin/git").exists() {
        return tameclaw_tests::skip("there is no git");
    }
    let Some((world, service)) = plain_service() else { return };
    let folder = repository(&world);
    let honest = plainly_run(&world, "git diff");
    assert!(word(&honest, "stdout").contains("+afterwards"), "{honest}");
    assert_eq!(honest["exit"], 0, "{honest}");
    assert!(word(&plainly_run(&world, "git log"), "stdout").contains("first"));

    // Each of these names a program that git starts automatically.
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = \"{0}\"\n\tpager = \"{0}\"\n\thooksPath = hooks\n\
         [diff]\n\texternal = \"{0}\"\n[diff \"own\"]\n\ttextconv = \"{0}\"\n\
         [filter \"own\"]\n\tclean = \"{0}\"\n\tsmudge = \"{0}\"\n[pager]\n\tdiff = \"{0}\"\n",
        PLANTED.replace('"', "\\\"")
    );
    fs::write(folder.join(".git/config"), config).expect("a file");
    fs::write(folder.join(".gitattributes"), "*.txt filter=own diff=own\n").expect("a file");
    fs::write(folder.join("list.txt"), "once more\n").expect("a file");
    owned_by_plain_user(&folder);
    for line in ["git diff", "git status", "git log -p", "git show"] {
        nothing_planted_ran(&world, line, &plainly_run(&world, line));
    }
    drop(service);
}

/// A folder that looks like a repository without being one is not treated as one, also for a `git` that a script starts.
#[test]
fn a_workspace_dressed_up_as_a_bare_repository_is_none() {
    if !Path::new("/usr/bin/git").exists() && !Path::new("/usr/local/bin/git").exists() {
        return tameclaw_tests::skip("there is no git");
    }
    let Some((world, service)) = plain_service() else { return };
    let folder = world.workspace("").components().collect::<std::path::PathBuf>();
    for inner in ["objects", "refs"] {
        fs::create_dir(folder.join(inner)).expect("a folder");
    }
    fs::write(folder.join("HEAD"), "ref: refs/heads/main\n").expect("a file");
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = {}\n\tfsmonitor = \"{PLANTED}\"\n\
         [diff]\n\texternal = \"{PLANTED}\"\n",
        folder.display()
    );
    fs::write(folder.join("config"), config).expect("a file");
    owned_by_plain_user(&folder);
    for line in ["git diff", "git status"] {
        let result = plainly_run(&world, line);
        let said = ["ot a git repository", "cannot use bare repository"];
        assert!(said.iter().any(|said| word(&result, "stderr").contains(said)), "{line}: {result}");
        nothing_planted_ran(&world, line, &result);
    }
    let result = attacked(&world, "git status; git diff; echo ended\n");
    assert!(word(&result, "stdout").contains("ended"), "{result}");
    nothing_planted_ran(&world, "a script", &result);
    drop(service);
}

/// What one command writes is bounded while it runs, in bytes, in files and in depth, and nothing of the flood is kept.
#[test]
fn a_command_that_floods_its_folder_is_ended_and_the_folder_goes() {
    let world = world("");
    let floods = [
        (
            "more than 128 MB",
            "n=0; while :; do n=$((n+1)); head -c 50000000 /dev/zero > \"$HOME/file-$n\"; done",
        ),
        ("more than 10000 files", "cd \"$HOME\"; n=0; while :; do n=$((n+1)); : > f-$n; done"),
        ("deep", "perl -e 'chdir $ENV{HOME}; while (1) { mkdir \"d\"; chdir \"d\" or last }'"),
    ];
    for (words, script) in floods {
        fs::write(world.workspace("attack.sh"), script).expect("a file can be written");
        let shown = world.act(&Ask::shell("sh attack.sh", "timeout_s: 60"));
        let result = &shown["result"];
        assert!(word(result, "ended").contains(words), "{words}: {result}");
        assert!(result["exit"].is_null(), "{result}");
        let run = world.home().runs(&world.profile()).join(word(&shown, "id"));
        assert!(!run.exists(), "{words}: {} is still there", run.display());
    }
}

/// What a command leaves lends nobody its user's power, and nobody else can write it.
#[test]
fn what_a_command_leaves_has_no_dangerous_mode() {
    use std::os::unix::fs::MetadataExt;
    let script = "cp /bin/true \"$HOME/program\"; chmod u+s \"$HOME/program\" && echo REACHED\n\
         chmod 2777 \"$HOME/program\"; mkdir \"$HOME/inner\"; chmod 3777 \"$HOME/inner\" \"$HOME\"\n\
         perl -e 'use Fcntl; sysopen(F, \"$ENV{HOME}/born\", O_CREAT|O_WRONLY, 04777)'\numask 0; echo x > \"$HOME/open\"\n";
    let world = world(script);
    let shown = world.act(&Ask::line("sh attack.sh"));
    assert!(!word(&shown["result"], "stdout").contains("REACHED"), "{shown}");
    let run = world.home().runs(&world.profile()).join(word(&shown, "id"));
    for name in ["", "program", "inner", "born", "open"] {
        let facts = fs::symlink_metadata(run.join(name)).expect("it is there");
        let wrong = if facts.is_dir() { 0o5027 } else { 0o7027 };
        assert_eq!(facts.mode() & wrong, 0, "{name}: {:o}", facts.mode());
    }
}

/// Everything that a command started, and everything that those started, ends with the service, also if the service is killed.
#[test]
fn nothing_of_a_command_outlives_a_service_that_is_killed() {
    let mark = format!("4{:07}", std::process::id() % 10_000_000);
    let script = format!(
        "sh -c 'trap \"\" HUP TERM; sleep {mark} & sleep {mark}' &\nnohup sleep {mark} >/dev/null &\nsleep {mark}\n"
    );
    let world = world(&script);
    world.wants(&Ask::shell("sh attack.sh", "timeout_s: 600"));
    let service = world.start(Program::Admin, &["run"]);
    let sleeping = || lines().into_iter().filter(|line| line.starts_with(&format!("sleep {mark}"))).count();
    eventually(Duration::from_secs(60), "the command runs", || (sleeping() == 4).then_some(()));
    service.signal(nix::sys::signal::Signal::SIGKILL);
    eventually(Duration::from_secs(10), "everything has ended", || (sleeping() == 0).then_some(()));
}

/// A program that looks through the workspace on its own finds nothing of what the profile forbids.
#[test]
fn what_the_profile_forbids_is_hidden_from_every_program() {
    let world = World::new();
    world.allow(
        "autonomy: full\ngrants:\n  commands: [sh attack.sh]\n  forbidden_paths: [\"private/**\", \"**/*.key\"]\n",
    );
    let files = [
        ("notes.txt", "open"),
        ("private/in/a.txt", "diary"),
        ("sub/b.key", "secret"),
        ("sub/c.txt", "open"),
    ];
    for (name, text) in files {
        let path = world.workspace(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, format!("the {text} words\n")).expect("a file can be written");
    }
    let script = "grep -rh words . ; cat private/in/a.txt sub/b.key < notes.txt; cp sub/../sub/b.key \"$HOME/\"; cat \"$HOME\"/*.key; \
                  mv private other; umount private; exit 0";
    fs::write(world.workspace("attack.sh"), format!("{script}\n")).expect("a file can be written");
    std::os::unix::fs::symlink("private/in/a.txt", world.workspace("link")).expect("a link can be made");
    let told = world.act(&Ask::line("sh attack.sh"))["result"].clone();
    assert_eq!(told["exit"], 0, "{told}");
    assert!(told["stdout"].as_str().is_some_and(|text| text.contains("the open words")), "{told}");
    assert!(!told.to_string().contains("diary") && !told.to_string().contains("the secret"), "{told}");
}
