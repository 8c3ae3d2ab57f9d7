//! `admin/admin.yaml`: how the service works; and `admin/composition_rules.yaml`.

use shared_types::settings::{Key, Kind, NEEDED, TEXT, key, number, word};

use crate::models::PROVIDER;

/// The file's first lines.
pub const HEADER: &str = "The configuration of `cl-admin`. A key that is left out has the value shown here. \
                          `cl-admin config validate` reports every fault, `cl-admin config explain KEY` what a key means.";

/// Its keys.
pub static ADMIN: &[Key] = &[
    key(
        "language",
        Kind::Text { default: Some("en"), needed: None },
        "The language of the review: its pages, what a skill can and can never do, the question before a yes, the queue, \
         the buttons, the line mode and the pages of `cl-admin page serve`; and of the lines of `cl-admin up`. Findings, \
         errors and the other verbs are in English. `en` or `de`.",
    ),
    key(
        "poll_interval_seconds",
        number(2, 1, 3_600, "seconds"),
        "How long the service sleeps between two looks at the proposals when the kernel sends no notice of changes. With notices \
         it looks at once, and at least every ten seconds.",
    ),
    key(
        "implementers",
        Kind::Texts(&["templates"]),
        "Who writes a skill's source, in this order. `templates` is the offline library; any other name is a provider below. \
         An implementer that cannot be reached, or declines the request, is skipped; when none is left, the proposal waits.",
    ),
    key(
        "max_repairs",
        number(3, 0, 10, "repairs"),
        "How often a source may be repaired after a violation, a compiler's message or a failed trial.",
    ),
    key(
        "implementer_limits",
        Kind::Keys(EFFORT),
        "What models may cost one proposal. A proposal that needs more is rejected with the last messages.",
    ),
    key(
        "providers",
        Kind::List { keys: PROVIDER, default: "[]", most: 16 },
        "Model servers for generation, in the form that `config/default.yaml` uses too. `api_key` names an environment variable \
         of the service; the key itself never stands here.",
    )
    .example(
        "- {name: local, kind: openai-compatible, base_url: \"http://127.0.0.1:8080/v1\", model: my-model}\n\
         - {name: far, kind: openai-compatible, base_url: \"https://api.example.org/v1\", model: some-model, api_key: \"${MODEL_KEY}\"}",
    ),
    key(
        "mode",
        word("interactive", &["interactive", "headless"]),
        "Whether somebody sits at the service's terminal: interactive, or headless (no bell; the other notifiers are used).",
    ),
    key(
        "digest_minutes",
        number(15, 0, 1_440, "minutes"),
        "The least time between two messages of one notifier: the first message is sent at once, later ones are gathered. \
         A reminder waits for none.",
    ),
    key(
        "notifiers",
        Kind::List { keys: NOTIFIER, default: r#"[{"name": "terminal", "kind": "cli"}]"#, most: 16 },
        "Who is notified that a proposal waits for a person, that a scheduled run is over, or that a reminder is due which no chat told; \
         read when the service starts. A message names id, kind, profile, derived tokens and recommendation, and never a text. \
         `cl-admin notify test` tries them. One with `person` belongs to the person of a profile. A secret stands in an environment variable of the service, as \"${NAME}\". `email` needs a \
         program that was built with that feature.",
    )
    .example(
        "- {name: hook, kind: webhook, url: \"https://example.org/hook\", token: \"${HOOK_TOKEN}\", timeout_seconds: 10}\n\
         - {name: phone, kind: ntfy, url: \"https://ntfy.example.org/my-topic\", token: \"${NTFY_TOKEN}\"}\n\
         - {name: anna, kind: ntfy, url: \"https://ntfy.example.org/annas-topic\", person: anna}\n\
         - {name: mail, kind: email, server: smtp.example.org, tls: starttls, user: me, password: \"${MAIL_PASSWORD}\",\n\
        \x20  from: \"TameClaw <bot@example.org>\", to: [\"Anna <anna@example.org>\"]}",
    ),
    key(
        "review_page",
        TEXT,
        "The address at which people open the pages of the review (`cl-admin page serve`), as the browser of a phone does. With it, \
         a message carries a link: to `/item/ID` for one item that waits, to `/` for several. Read when the service starts. Allowed: \
         https://HOST[:PORT], and for this machine http://127.0.0.1:PORT; no path. The server that carries a message gets to know \
         HOST and ID.",
    )
    .example("https://review.example.org"),
    key(
        "compiler",
        Kind::Text { default: Some("auto"), needed: None },
        "The compiler for skills; `auto` looks for rustup's toolchain with the wasm32 target, then for /usr/bin/rustc. A path may \
         begin with ~/, the home folder of the user who owns this file, and name variables of the environment, as in \"${TOOLS}/rustc\".",
    ),
    key("limits", Kind::Keys(LIMITS), "What one confined child may use."),
    key(
        "allowed_pairs",
        Kind::List { keys: PAIR, default: "[]", most: 100 },
        "Single skills that may join a private source with a way to the network; empty is the safe choice.",
    )
    .example("- {skill: my-backup, source: file:read, sink: network:write}"),
    key(
        "gates",
        Kind::Keys(GATES),
        "Which moves of a proposal wait for a person: `auto` or `human`. At a `human` gate a proposal waits until `cl-admin \
         approve ID` moves it by one step. Where the program would reject, approve sends it back for another attempt, and reject \
         rejects. A person may reject anything at any time. Four gates are a person's in every configuration: only `human` is \
         allowed there.",
    ),
    key(
        "flood",
        Kind::Keys(FLOOD),
        "How fast files of proposals are looked at: a number at once, and more with every minute, for all folders of one user of \
         the system and for each profile. Further files stay in their folder until their turn.",
    ),
    key(
        "budgets",
        Kind::Keys(BUDGETS),
        "What may be spent on one day (UTC), over all profiles. Work beyond a budget waits for the next day. Of proposals and \
         of actions each profile has an equal share: with four profiles, a quarter.",
    ),
    key(
        "data_limit",
        Kind::Keys(DATA_LIMIT),
        "The most that data/ may hold, the part of the home that the bot writes. Above it the bot is stopped until \
         there is less than nine tenths of it.",
    ),
    key("audit", Kind::Keys(AUDIT), "The service watches the receipts that the bot keeps of its calls."),
    key(
        "schedules",
        Kind::List { keys: SCHEDULE, default: "[]", most: 100 },
        "The times at which a profile's workflow or message runs. Nobody can be asked then: what would ask is refused. `cron` is \
         minute, hour, day, month, day of the week, on the wall clock of `zone`. A workflow runs only as the text that a person \
         saw: `cl-admin schedule pin NAME`, or `sop_sha256`. `missed: once` runs the last missed time later; `skip` only \
         reports it. Under an emergency stop, or while the bot is halted, nothing runs: a time of the last 15 minutes runs \
         afterwards, an older one was missed.",
    )
    .example(
        "- {name: morning, profile: default, cron: \"0 7 * * 1-5\", zone: Europe/Berlin, workflow: briefing, jitter_seconds: 60}\n\
         - {name: evening, profile: anna, cron: \"30 18 * * *\", message: \"Tell me a story\", missed: once, limit_seconds: 120}",
    ),
    key(
        "weekly_digest",
        Kind::Keys(WEEKLY_DIGEST),
        "A digest of a child's or teenager's week for the approver: counts by kind, and no word of what was said or asked for. The \
         person of the profile is shown it first. Without `profiles` there is none. `docs/guides/limits-for-people.md` has more.",
    ),
    key(
        "backups",
        Kind::Keys(BACKUPS),
        "The times at which the running service backs this home up automatically; without `folder` it makes none. A backup is \
         encrypted: for public keys (`recipients`), whose identities open it and are kept elsewhere, or with the passphrase of a \
         file. A time that was missed is made up for once. With two users the service may not read the memories, and refuses to \
         start with this: root makes the backups then. `docs/RECOVERY.md` has both.",
    )
    .commented(),
];

static WEEKLY_DIGEST: &[Key] = &[
    key("profiles", Kind::Texts(&[]), "whose weeks are counted; profiles of audience child and teen alone")
        .example("[anna]"),
    key(
        "day",
        word("monday", &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
        "the day of the week on which the digest is made",
    ),
    key(
        "time",
        Kind::Text { default: Some("07:00"), needed: None },
        "when on that day, in the machine's time zone, from 00:00 to 23:59",
    )
    .example("\"07:00\""),
];

static BACKUPS: &[Key] = &[
    key("folder", TEXT, "where they go: an absolute path outside the home, best on another disk")
        .example("/mnt/usb/backups"),
    key(
        "cron",
        Kind::Text { default: Some("0 3 * * *"), needed: None },
        "minute, hour, day, month, day of the week; as in `schedules`",
    )
    .example("\"0 3 * * *\""),
    key("zone", Kind::Text { default: Some("UTC"), needed: None }, "the time zone of `cron`").example("Europe/Berlin"),
    key("keep", number(7, 1, 1_000, "backups"), "how many of this home stay in the folder, the newest ones")
        .example("7"),
    key(
        "recipients",
        Kind::Texts(&[]),
        "public keys of age (`age1...`); each of their identities opens the backups, and the machine holds none",
    )
    .example("[age1YOUR_PUBLIC_KEY]"),
    key(
        "passphrase_file",
        TEXT,
        "or the absolute path of a file with a passphrase, which only the service's user may read (mode 0600)",
    )
    .example("\"\""),
    key(
        "plain",
        Kind::Flag(false),
        "or no encryption: anyone who reads a backup reads every diary in it",
    )
    .example("false"),
    key(
        "with_keys",
        Kind::Flag(false),
        "whether keys, secrets, logins, PINs and secrets of one-time codes go along; encrypted only",
    )
    .example("false"),
];

static EFFORT: &[Key] = &[
    key(
        "tokens",
        number(100_000, 1_000, 100_000_000, "tokens"),
        "Tokens read and written, over all attempts: the server's figure, or an estimate.",
    ),
    key(
        "seconds",
        number(1_800, 1, 86_400, "seconds"),
        "Time in which models are asked, for each attempt; waiting for one that is away does not count.",
    ),
    key(
        "answer_tokens",
        number(4_096, 64, 1_000_000, "tokens"),
        "The longest answer of a model whose provider has no `max_tokens`: a small model may otherwise write for ever.",
    ),
    key(
        "at_once",
        number(2, 1, 8, "proposals"),
        "For how many proposals models are asked at the same time; the others wait for their turn, and what needs no model \
         continues. 1 where the model's server answers one request at a time.",
    ),
];

static NOTIFIER: &[Key] = &[
    key("name", NEEDED, "1 to 32 lower-case letters, digits and `-`"),
    key(
        "kind",
        Kind::Word { default: "", allowed: &["cli", "webhook", "ntfy", "email"], needed: true },
        "a line on the service's terminal, a POST of JSON, a POST with ntfy's headers, or a mail",
    ),
    key("timeout_seconds", number(10, 1, 60, "seconds"), "how long one message may take"),
    key(
        "person",
        TEXT,
        "a profile whose person alone it reaches: it sends the reminders of this profile and nothing else, with their words where the \
         profile's file has `reminders: {text: true}`; not for `cli`",
    ),
    key("url", TEXT, "webhook, ntfy: the address, or \"${NAME}\" where the address itself is a secret"),
    key("token", TEXT, "webhook, ntfy: \"${NAME}\", sent as a bearer token"),
    key("server", TEXT, "email: a host name or an address"),
    key(
        "tls",
        word("starttls", &["starttls", "tls", "none"]),
        "email: how the connection is protected; none is for this machine only",
    ),
    key(
        "port",
        Kind::Number { default: None, least: 1, most: 65_535, unit: "" },
        "email: 587 with starttls, 465 with tls, 25 with none, unless it is given",
    ),
    key("user", TEXT, "email: the user of the account"),
    key("password", TEXT, "email: \"${NAME}\", the variable that holds the password"),
    key("from", TEXT, "email: who sends"),
    key("to", Kind::Texts(&[]), "email: who receives; 1 to 16 addresses"),
];

static LIMITS: &[Key] = &[
    key(
        "compile_seconds",
        number(60, 5, 600, "seconds"),
        "Processor time of one compilation. The service waits five times as long, so that a busy machine alone refuses nothing.",
    ),
    key("compile_memory_mb", number(4_096, 1_200, 65_536, "MiB"), "Address space of the compiler."),
    key("trial_seconds", number(20, 1, 300, "seconds"), "Time of all trial runs of one module."),
];

static PAIR: &[Key] = &[
    key("skill", NEEDED, "the skill"),
    key("source", NEEDED, "the token of the private source"),
    key("sink", NEEDED, "the token of the way to the network"),
];

const fn gate(name: &'static str, default: &'static str) -> Key {
    key(name, word(default, &["auto", "human"]), "")
}

static GATES: &[Key] = &[
    gate("new_to_discovered", "auto"),
    gate("discovered_to_implementation", "auto"),
    gate("implementation_to_agent_review", "auto"),
    gate("agent_review_to_human_review", "auto"),
    gate("agent_review_to_implementation", "auto"),
    gate("human_review_to_agent_review", "human"),
    gate("human_review_to_accepted", "human"),
    gate("accepted_to_removed", "human"),
    gate("new_to_rejected", "auto"),
    gate("discovered_to_rejected", "auto"),
    gate("implementation_to_rejected", "auto"),
    gate("agent_review_to_rejected", "auto"),
    gate("human_review_to_rejected", "auto"),
    gate("rejected_to_human_review", "human"),
];

static FLOOD: &[Key] = &[
    key("burst", number(120, 1, 10_000, "files"), "At once, for one user of the system."),
    key("per_minute", number(60, 1, 10_000, "files"), "More with every minute, for one user of the system."),
    key("profile_burst", number(60, 1, 10_000, "files"), "At once, for one profile."),
    key("profile_per_minute", number(30, 1, 10_000, "files"), "More with every minute, for one profile."),
];

static BUDGETS: &[Key] = &[
    key(
        "proposals",
        number(500, 1, 1_000_000, "files"),
        "Files that are looked at: wishes, and files that cannot be read.",
    ),
    key("actions", number(2_000, 1, 1_000_000, "actions"), "Actions that are accepted."),
    key(
        "model_tokens",
        number(1_000_000, 0, 1_000_000_000_000, "tokens"),
        "Tokens of the models that write source.",
    ),
    key("compile_seconds", number(3_600, 1, 86_400, "seconds"), "Time of the compiler."),
];

static DATA_LIMIT: &[Key] = &[
    key("megabytes", number(4_096, 1, 16_777_216, "MiB"), "Space on the disk."),
    key("files", number(200_000, 20, 100_000_000, "files"), "Files and folders."),
];

static AUDIT: &[Key] = &[key(
    "unreadable_seconds",
    number(60, 2, 3_600, "seconds"),
    "Receipts that cannot be read for so long raise an alarm.",
)];

static SCHEDULE: &[Key] = &[
    key("name", NEEDED, "its name"),
    key("profile", NEEDED, "whose conversation it is"),
    key(
        "cron",
        Kind::Text {
            default: None,
            needed: Some("; as in \"0 7 * * 1-5\": minute, hour, day, month, day of the week"),
        },
        "minute, hour, day, month, day of the week",
    ),
    key("zone", Kind::Text { default: Some("UTC"), needed: None }, "the time zone of `cron`"),
    key("workflow", TEXT, "the workflow that runs"),
    key("sop_sha256", TEXT, "the digest of the workflow's text that a person saw"),
    key("message", TEXT, "or the message that is sent; 1 to 2000 characters"),
    key("missed", word("skip", &["skip", "once"]), "what happens to times at which nothing could run"),
    key("jitter_seconds", number(0, 0, 3_600, "seconds"), "a random delay of up to so long"),
    key("limit_seconds", number(600, 5, 3_600, "seconds"), "how long one run may take"),
];

/// The keys of `admin/composition_rules.yaml`.
pub static RULES: &[Key] = &[
    key(
        "max_total_capabilities",
        number(6, 1, 13, "tokens"),
        "More tokens than this, its own and those it reaches, are a finding.",
    ),
    key(
        "dangerous",
        Kind::List { keys: RULE, default: "[]", most: 1_000 },
        "Combinations of tokens that are a finding.",
    ),
];

static RULE: &[Key] = &[
    key("sources", Kind::Texts(&[]), "the tokens by which something comes in; at least one"),
    key("sink", Kind::Text { default: Some(""), needed: None }, "the token by which it goes out"),
    key("reason", Kind::Text { default: Some(""), needed: None }, "why that is dangerous, for the reviewer"),
];
