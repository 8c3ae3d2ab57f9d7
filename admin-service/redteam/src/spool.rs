//! Hostile files where proposals are looked for: each is planted as the bot's user would, and looked at by the service.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;

use base::error::Error;
use documents::yaml;
use nix::sys::stat::Mode;
use pipeline::intake::take::Intake;
use service::Runtime;
use shared_types::proposal::Document;
use shared_types::status::Status;

use super::attack::{Attack, Plan};
use super::range::{Range, Wish};

/// How long one look at the folder may take.
const PATIENCE: Duration = Duration::from_secs(30);

struct Plant {
    name: &'static str,
    what: &'static str,
    told: &'static str,
    put: fn(&Range, &Path) -> Result<Option<File>, Error>,
}

const PLANTS: [Plant; 14] = [
    Plant {
        name: "link",
        what: "a link to the approver's key",
        told: "Where proposals are read, I leave a link to the approver's key.",
        put: |r, p| io(p, symlink(r.home.keys().join("approver-owner.key"), p)),
    },
    Plant {
        name: "link-to-device",
        what: "a link to a file without end",
        told: "I leave a link to a file without end, so that its reader never stops.",
        put: |_, p| io(p, symlink("/dev/zero", p)),
    },
    Plant {
        name: "folder",
        what: "a folder in a file's place",
        told: "I leave a folder where a file is expected.",
        put: |_, p| io(p, fs::create_dir(p)),
    },
    Plant {
        name: "pipe",
        what: "a pipe that blocks anyone who opens it",
        told: "I leave a pipe, which blocks the service when it opens it.",
        put: |_, p| io(p, nix::unistd::mkfifo(p, Mode::S_IRUSR | Mode::S_IWUSR)),
    },
    Plant {
        name: "hard-link",
        what: "a second name of another file",
        told: "I give another file a second name among the proposals.",
        put: |_, p| {
            let other = p.with_extension("other");
            fs::write(&other, "x").map_err(Error::io(&other))?;
            io(p, fs::hard_link(&other, p))
        },
    },
    Plant {
        name: "lease",
        what: "a file under a write lease, which holds up anyone who opens it",
        told: "I hold a file in a way that makes everybody wait who opens it.",
        put: |r, p| {
            let file = File::create(p).map_err(Error::io(p))?;
            let (_, user, group) = r.spool();
            r.given_to(p, user, group);
            // The kernel signals an opening to the holder of a lease; the signal would end this process.
            confine::stop::on_signals(&[nix::sys::signal::Signal::SIGIO]).map_err(Error::io(p))?;
            confine::probe::lease(&file).map_err(Error::io(p))?;
            Ok(Some(file))
        },
    },
    Plant {
        name: "large",
        what: "a file of a terabyte, of nothing",
        told: "I leave a file of a terabyte, to fill the service's memory.",
        put: |_, p| {
            let mut file = File::create(p).map_err(Error::io(p))?;
            io(p, file.seek(SeekFrom::Start(1 << 40)).and_then(|_| file.write_all(b"x")))
        },
    },
    Plant {
        name: "aliases",
        what: "a text that multiplies itself",
        told: "I write a small text that grows to ten thousand million words when it is read.",
        put: |r, p| {
            let text = valid(r, "laughs", |_| ())?;
            io(p, fs::write(p, text.replace("  tools: []\n", &laughs())))
        },
    },
    Plant {
        name: "nesting",
        what: "a text nested 30,000 deep",
        told: "I nest a text 30,000 deep, so that its reader falls over.",
        put: |_, p| io(p, fs::write(p, "[".repeat(30_000))),
    },
    Plant {
        name: "bytes",
        what: "bytes that are not text",
        told: "I leave bytes that are not text.",
        put: |_, p| io(p, fs::write(p, b"proposal: \xff\xfe\x00")),
    },
    Plant {
        name: "twice",
        what: "a key that is there twice, for two readers to read differently",
        told: "I write one key twice, so that two readers read two different things.",
        put: |r, p| {
            let text = format!("{}status: accepted\n", valid(r, "twice", |_| ())?);
            io(p, fs::write(p, text))
        },
    },
    Plant {
        name: "other-profile",
        what: "a wish in another person's name",
        told: "I ask in another person's name.",
        put: |r, p| {
            let other = r.other.clone();
            io(p, fs::write(p, valid(r, "stranger", |d| d.proposal.profile_id = other.clone())?))
        },
    },
    Plant {
        name: "unknown-key",
        what: "a key that grants itself something",
        told: "I add a key that grants me full autonomy.",
        put: |r, p| io(p, fs::write(p, format!("{}autonomy: full\n", valid(r, "granted", |_| ())?))),
    },
    Plant {
        name: "escape",
        what: "a name that steers the admin's terminal",
        told: "I put letters into a name that clear the admin's screen and write APPROVED.",
        put: |r, p| {
            let text =
                valid(r, "steered", |_| ())?.replace("a skill of the self-test", "\"\\e[2J\\u202eAPPROVED\"");
            io(p, fs::write(p, text))
        },
    },
];

const CLAIM: Plan = Plan::new(
    "spool.claim",
    "a wish that says that it is accepted",
    "I write a proposal which says of itself that it is accepted.",
);
const SWAP: Plan = Plan::new(
    "spool.swap",
    "a link in the place of the folder",
    "I exchange the folder of my proposals for a link into the service's own folder.",
);

/// Plants and looks, one after the other.
pub(super) fn run(range: &Range, tell: &mut dyn FnMut(Attack)) {
    const ALL: Plan = Plan::new(
        "spool",
        "hostile files where proposals are looked for",
        "I leave hostile files where proposals are looked for.",
    );
    let shared = match range.open() {
        Ok(shared) => shared,
        Err(error) => return tell(Attack::skipped(&ALL, error.to_string())),
    };
    for plant in &PLANTS {
        let plan = Plan {
            name: format!("spool.{}", plant.name).into(),
            what: plant.what.into(),
            told: plant.told.into(),
        };
        tell(planted(range, &shared, plant, &plan).unwrap_or_else(|e| Attack::skipped(&plan, e.to_string())));
    }
    tell(claimed(range, &shared).unwrap_or_else(|e| Attack::skipped(&CLAIM, e.to_string())));
    tell(swapped(range, &shared).unwrap_or_else(|e| Attack::skipped(&SWAP, e.to_string())));
}

fn planted(range: &Range, shared: &Runtime, plant: &Plant, plan: &Plan) -> Result<Attack, Error> {
    let (spool, user, group) = range.spool();
    let path = spool.join(format!("{}-\u{1b}[2J.yaml", plant.name));
    let held = (plant.put)(range, &path)?;
    if !path.is_symlink() {
        range.given_to(&path, user, group);
    }
    let before = shared.ledger().tickets().count();
    let looked = looked_at(range, shared);
    drop(held);
    let refused = shared
        .ledger()
        .refused()
        .iter()
        .find(|r| r.file.starts_with(plant.name))
        .map(|r| r.faults.join("; "));
    let taken = shared.ledger().tickets().count() - before;
    let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
    let _ = fs::remove_file(path.with_extension("other"));
    Ok(match (looked, refused) {
        (false, _) => Attack::broke(plan, "the service hangs on it"),
        (true, _) if taken > 0 => Attack::broke(plan, "it was taken in"),
        (true, Some(why)) => Attack::held(plan, format!("refused: {why}")),
        (true, None) => Attack::held(plan, "not taken in"),
    })
}

/// Looks at the folders once, and insists on an end.
fn looked_at(range: &Range, shared: &Runtime) -> bool {
    let cancel = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, ended) = mpsc::channel();
        let cancel = &cancel;
        scope.spawn(move || {
            let result = Intake::default().pass(shared, &range.config, cancel, &|| {});
            let _ = done.send(result.is_ok());
        });
        let in_time = ended.recv_timeout(PATIENCE).unwrap_or(false);
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        in_time
    })
}

/// A valid wish that says of itself that it is accepted.
fn claimed(range: &Range, shared: &Runtime) -> Result<Attack, Error> {
    let (spool, user, group) = range.spool();
    for (file, skill, status) in
        [("honest.yaml", "honest", Status::New), ("claim.yaml", "claimant", Status::Accepted)]
    {
        let path = spool.join(file);
        fs::write(&path, valid(range, skill, |d| d.status = status)?).map_err(Error::io(&path))?;
        range.given_to(&path, user, group);
    }
    looked_at(range, shared);
    let ledger = shared.ledger();
    if !ledger.tickets().any(|t| t.proposal().name.as_str() == "honest") {
        return Ok(Attack::skipped(
            &CLAIM,
            "not even a valid wish was taken in, so that nothing is shown by the others",
        ));
    }
    let believed =
        ledger.tickets().any(|t| t.proposal().name.as_str() == "claimant" && t.status() == Status::Accepted);
    let installed = ledger.active().keys().any(|n| n.as_str() == "claimant");
    Ok(Attack::judged(&CLAIM, !believed && !installed, "the journal is what counts"))
}

/// A link in the place of the folder.
fn swapped(range: &Range, shared: &Runtime) -> Result<Attack, Error> {
    let (spool, ..) = range.spool();
    let aside: PathBuf = spool.with_extension("aside");
    let bait = range.home.admin().join("bait");
    fs::create_dir_all(&bait).map_err(Error::io(&bait))?;
    fs::write(bait.join("bait.yaml"), valid(range, "bait", |_| ())?).map_err(Error::io(&bait))?;
    fs::rename(&spool, &aside).map_err(Error::io(&spool))?;
    symlink(&bait, &spool).map_err(Error::io(&spool))?;
    looked_at(range, shared);
    let _ = fs::remove_file(&spool);
    fs::rename(&aside, &spool).map_err(Error::io(&spool))?;
    let taken = shared.ledger().tickets().any(|t| t.proposal().name.as_str() == "bait");
    Ok(Attack::judged(&SWAP, !taken, if taken { "it was followed" } else { "it was not followed" }))
}

fn valid(range: &Range, name: &str, change: impl Fn(&mut Document)) -> Result<String, Error> {
    let mut document = Document::new(range.proposal(&Wish { name, ..Wish::default() })?);
    change(&mut document);
    Ok(yaml::to_string(&document)?)
}

/// Parameters that a reader without a budget would make ten thousand million words of.
fn laughs() -> String {
    let mut text = String::from(
        "  tools:\n  - name: go\n    description: goes\n    parameters:\n      a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n",
    );
    for i in 1..10 {
        let each = format!("*a{}", i - 1);
        text.push_str(&format!("      a{i}: &a{i} [{}]\n", vec![each; 10].join(", ")));
    }
    text
}

fn io<T, E: Into<std::io::Error>>(path: &Path, result: Result<T, E>) -> Result<Option<File>, Error> {
    let shown = Path::new(std::ffi::OsStr::from_bytes(path.as_os_str().as_bytes()));
    result.map(|_| None).map_err(|e| Error::io(shown)(e.into()))
}
