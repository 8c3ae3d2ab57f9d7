//! `config/profiles/<id>.yaml`: one person's space.

use shared_types::settings::{Key, Kind, NEEDED, TEXT, key, word};

/// The file's first lines.
pub const HEADER: &str = "A profile. A key that is left out has the value shown here, but for `grants`: a missing list grants nothing. \
                          The bot only reads this file.";

/// Its keys.
pub static PROFILE: &[Key] = &[
    key(
        "audience",
        word("adult", &["child", "teen", "adult", "work"]),
        "child, teen, adult or work: how strict the guard is, and the tone.",
    )
    .commented(),
    key(
        "language",
        TEXT,
        "A language that is always spoken; without it, that of the person's lines. A terminal's banner, commands, questions and \
         notices are in it too. In English stay: what skills and tools say of themselves, `/skills`, `/proposals`, `/model`, \
         `/call`, `/attach`, warnings at the start, and the other verbs of `cl-bot`.",
    )
        .example("de"),
    key("persona", TEXT, "How the assistant presents itself, in place of `persona.<audience>.md`.")
        .example("\"You are ...\""),
    key("open", Kind::Keys(OPEN), "Who may open the profile; without it, the owner of its data, and root.")
        .commented(),
    key(
        "autonomy",
        Kind::Word { default: "", allowed: &["readonly", "supervised", "full"], needed: false },
        "How much happens without asking; without it, as config/default.yaml says.",
    )
    .example("supervised"),
    key("memory", Kind::Keys(MEMORY), "For how long the profile's memory is kept.").commented(),
    key(
        "talk",
        Kind::Keys(TALK),
        "How much the profile's person may talk; docs/guides/limits-for-people.md describes it. Without a key nothing is limited.",
    )
    .commented(),
    key(
        "reminders",
        Kind::Keys(REMINDERS),
        "What leaves the profile of its reminders; docs/OPERATING.md describes the notifiers.",
    )
    .commented(),
    key(
        "door",
        Kind::Keys(DOOR),
        "How programs and browsers reach the profile; `cl-bot serve` reads it. `cl-admin door` writes tokens and address.",
    )
    .commented(),
    key(
        "matrix",
        Kind::Keys(MATRIX),
        "How the profile's person reaches it through Matrix; `cl-bot matrix` reads it. Rooms of two are answered, without encryption.",
    )
    .commented(),
    key(
        "telegram",
        Kind::Keys(TELEGRAM),
        "How the profile's person reaches it through a Telegram bot; `cl-bot telegram` reads it. Private chats are answered; \
         Telegram can read them.",
    )
    .commented(),
    key(
        "voice",
        Kind::Keys(VOICE),
        "The services by which the profile's person talks; `cl-bot voice` reads it. docs/guides/voice.md describes it.",
    )
    .commented(),
    key(
        "pins",
        TEXT,
        "The socket file of `cl-pins serve`, as an absolute path; approved skills read and switch its pins. docs/guides/pins.md \
         describes it.",
    )
    .example("/run/user/1000/pins.sock"),
    key(
        "grants",
        Kind::Keys(GRANTS),
        "What the profile's tools may reach, by patterns. What no pattern names is denied. `*` stays within one name, `**` spans \
         folders, hidden names (.git) must be named, as in \".git/**\".",
    ),
];

static MEMORY: &[Key] = &[key(
    "keep",
    Kind::Any("`forever`, or a number of days as in `90 days`"),
    "The bot removes facts and messages that are older, from the logs, the index \
     and the lines that the editor offers, when a chat starts and once a day while it is open. A record goes when two looks, at \
     least a day apart, find it too old. Receipts, the service's journal, the workspace, records of learned skills and backups \
     keep what they hold.",
)
.example("90 days")];

/// The most minutes of a day.
const MINUTES: u64 = 24 * 60;

static TALK: &[Key] = &[
    key(
        "minutes_a_day",
        Kind::Number { default: None, least: 1, most: MINUTES, unit: "minutes" },
        "The minutes of talk in a day. The time from a line to the next counts where it is at most five minutes, and every answer's \
         own time; a line after a longer pause counts one minute.",
    )
    .example("60"),
    key(
        "tokens_a_day",
        Kind::Number { default: None, least: 1, most: 1_000_000_000_000, unit: "" },
        "The tokens that language models read and write in a day for this profile. Where a server does not count them, four bytes \
         count as one.",
    )
    .example("20000"),
    key(
        "quiet_hours",
        Kind::Any("a time as in \"21:00-07:00\", or a list of such times"),
        "When nobody is answered, by the clock of `time_zone`; a time may cross midnight. A person in need gets the help lines all the \
         same.",
    )
    .example("\"21:00-07:00\""),
    key(
        "time_zone",
        TEXT,
        "The time zone of the quiet hours and of the day, as in Europe/Berlin; without it, that of the machine.",
    )
    .example("Europe/Berlin"),
];

static REMINDERS: &[Key] = &[key(
    "text",
    Kind::Flag(false),
    "Whether the words of a reminder that no chat told go to the notifiers that admin.yaml marks as this person's own (`person`).",
)];

/// The most tokens of a door.
pub const MOST_TOKENS: usize = 32;

static DOOR: &[Key] = &[
    key(
        "listen",
        TEXT,
        "The address, as IP:PORT. Without it the door is a socket file of the profile's user alone. An address that other machines \
         reach needs `tls`, or a proxy such as Caddy or Tailscale serve before it.",
    )
    .example("127.0.0.1:8787"),
    key(
        "hosts",
        Kind::Texts(&[]),
        "At most 16 names, each without a port, by which browsers and clients may call the door besides the address itself \
         (their header Host): companion.lan",
    )
    .example("[companion.lan]"),
    key(
        "proxies",
        Kind::Texts(&[]),
        "At most 16 IP addresses of proxies before the door. Of a request that comes from one, the last address in X-Forwarded-For \
         is where it came from, for the limits at the log-in. Name only a proxy that writes this header itself.",
    )
    .example("[127.0.0.1]"),
    key(
        "tls",
        Kind::Keys(TLS),
        "The certificate with which the door answers by TLS at its address; `cl-admin door listen` writes it. A relative path \
         is taken from the home. Both files are read at each start.",
    )
    .example("{certificate: /etc/tameclaw/door.crt, key: /etc/tameclaw/door.key}"),
    key(
        "tokens",
        Kind::List { keys: TOKEN, default: "[]", most: MOST_TOKENS },
        "Who may use the door. `cl-admin door add NAME` makes a token, shows it once and writes its digest here.",
    )
    .example("[{name: phone, sha256: \"...\", person: true}]"),
];

static TLS: &[Key] = &[
    key("certificate", TEXT, "the file of the certificate in PEM, and after it those that sign it"),
    key(
        "key",
        TEXT,
        "the file of its key in PEM, without a passphrase; only its owner and its group may read it",
    ),
];

static TOKEN: &[Key] = &[
    key("name", NEEDED, "1 to 40 lower-case letters, digits and `-`; no two tokens have the same"),
    key(
        "sha256",
        NEEDED,
        "the SHA-256 of the token's text: 64 lower-case hexadecimal digits; no two tokens have the same",
    ),
    key(
        "person",
        Kind::Flag(false),
        "true: what comes with this token counts as typed by the person of the profile; false: it counts as content from outside",
    ),
];

/// The most accounts of a profile's person.
pub const MOST_PEOPLE: usize = 8;

const MINORS: Key = key(
    "minors",
    Kind::Flag(false),
    "Whether a profile of a child or a teenager may be reached so; without `true` it is not.",
);

const DRAFTS: Key = key(
    "drafts",
    Kind::Flag(true),
    "Whether an answer that takes longer is shown while it comes: a sign that the assistant types, and a message that grows.",
);

const REVIEW_PAGE: Key = key(
    "review_page",
    TEXT,
    "The address of the pages of the review, https://HOST or https://HOST:PORT; http for this machine alone. A message that something \
     is ready for review carries a link to it. The messenger's server gets to know it.",
)
.example("https://review.example.org");

static MATRIX: &[Key] = &[
    key(
        "server",
        TEXT,
        "The homeserver; one without TLS must be on this machine and stand in `network.local` of the configuration. Without \
         this key the channel is off.",
    )
    .example("https://matrix.example.org"),
    key("user", TEXT, "The account of the assistant.").example("\"@companion:example.org\""),
    key(
        "token",
        Kind::Name,
        "The name of the account's access token, stored by `cl-admin secret set NAME --for HOST`.",
    )
    .example("MATRIX_TOKEN"),
    MINORS,
    DRAFTS,
    REVIEW_PAGE,
    key(
        "people",
        Kind::List { keys: PERSON, default: "[]", most: MOST_PEOPLE },
        "The accounts of the profile's person. What comes from them counts as typed by the person; anybody else gets no answer.",
    )
    .example("[{id: \"@anna:example.org\"}]"),
];

static PERSON: &[Key] = &[key("id", NEEDED, "the account, as in @anna:example.org"), MAY_CONFIRM];

const MAY_CONFIRM: Key = key(
    "may_confirm",
    Kind::Flag(false),
    "whether the questions of the gate are asked there, for calls of medium risk; false: such calls are refused there",
);

static VOICE: &[Key] = &[
    key("ear", TEXT, "The socket file of the service that understands speech, as an absolute path.")
        .example("/run/user/1000/ear.sock"),
    key("mouth", TEXT, "The socket file of the service that speaks, as an absolute path.")
        .example("/run/user/1000/mouth.sock"),
    key(
        "wake",
        TEXT,
        "The word, or up to three, that a sentence begins with, as in `computer, what time is it`. Any other sentence is not acted on, but \
         for the stop. Without it every sentence is.",
    )
    .example("computer"),
    key(
        "push",
        TEXT,
        "A line of `pins`, such as that of a button: the person is heard while it is on, and no sound at other times reaches the ear. It \
         needs an approved skill that may read pins.",
    )
    .example("button"),
    key(
        "volume",
        Kind::Number { default: None, least: 1, most: 100, unit: "percent" },
        "How loud answers are, as a part of what the mouth makes.",
    )
    .example("60"),
    key(
        "longest_answer",
        Kind::Number { default: None, least: 1, most: 1_800, unit: "seconds" },
        "The most seconds that an answer, or a text of a skill, is spoken. It ends after a whole sentence where one fits.",
    )
    .example("30"),
    MINORS,
];

/// The server of Telegram itself.
pub const TELEGRAM_SERVER: &str = "https://api.telegram.org";

/// The largest number of a user: "at most 52 significant bits" (Bot API, User).
const LARGEST_USER: u64 = (1 << 52) - 1;

static TELEGRAM: &[Key] = &[
    key(
        "server",
        Kind::Text { default: Some(TELEGRAM_SERVER), needed: None },
        "The server of the Bot API; one without TLS must be on this machine and stand in `network.local` of the configuration.",
    ),
    key(
        "token",
        Kind::Name,
        "The name of the bot's token, stored by `cl-admin secret set NAME --for HOST`. Without this key the channel is off.",
    )
    .example("TELEGRAM_TOKEN"),
    MINORS,
    DRAFTS,
    REVIEW_PAGE,
    key(
        "people",
        Kind::List { keys: USER, default: "[]", most: MOST_PEOPLE },
        "The users who are the profile's person. What comes from them counts as typed by the person; anybody else gets no answer.",
    )
    .example("[{id: 123456789}]"),
];

static USER: &[Key] = &[
    key(
        "id",
        Kind::Number { default: None, least: 1, most: LARGEST_USER, unit: "" },
        "the number of the user; the log of `cl-bot telegram` names it when the user writes",
    ),
    MAY_CONFIRM,
];

static OPEN: &[Key] = &[
    key(
        "users",
        Kind::Any("a text or a list"),
        "These users of the system get in freely, and nobody else does.",
    )
    .example("[anna, 1001]"),
    key(
        "pin",
        Kind::Any("a text"),
        "Anybody else is asked for the PIN; `cl-admin profile add ID --pin` makes the hash.",
    )
    .example("\"$argon2id$...\""),
];

/// The keys of `grants`.
pub static GRANTS: &[Key] = &[
    key("files", Kind::Keys(FILES), ""),
    key(
        "hosts",
        Kind::Texts(&[]),
        "Hosts whose pages may be read: example.org, example.org:8443, \"*.example.org\". An address of this machine or of a \
         private network must stand in network.local of default.yaml too.",
    ),
    key(
        "commands",
        Kind::Texts(&[]),
        "Commands by their first words, as in \"git status\"; none by default. These only read, and write nothing: [basename, cat, \
         cut, date, df, diff, dirname, du, echo, file, find, grep, head, ls, nl, pwd, sha256sum, sort, stat, tail, tr, uniq, \
         wc, git status, git log, git diff, git show]. (`git` reads .git/config, which can name programs: grant it only where \
         the bot cannot write .git)",
    ),
    key(
        "forbidden_paths",
        Kind::Texts(&[]),
        "What is forbidden regardless of the keys above: files and folders of the workspace by patterns, other folders as in \
         /srv/private, ~/private, ~anna/private or \"${DATA}/private\" (a variable of the environment). `~/` is the home folder of \
         the user who owns the configuration, as in `folders`; HOME does not matter. This only adds: /etc, /sys, /boot and ~/.ssh \
         are forbidden in any case. The tools file_* and learned skills open no forbidden file, a command line that names one is \
         refused, and a command that looks through folders finds none. A plugin that reads the workspace is not called for a \
         profile that forbids a part of it.",
    ),
    key(
        "forbidden_commands",
        Kind::Texts(&[]),
        "Commands that never run, by their first words. This only adds: rm, dd, mkfs, shutdown and reboot are forbidden in any \
         case.",
    ),
];

static FILES: &[Key] = &[
    key("read", Kind::Texts(&[]), "Files of the workspace that may be read, by their paths beneath it.")
        .shipped("[\"**\"]"),
    key(
        "write",
        Kind::Texts(&[]),
        "Files of the workspace that may be written. Writing asks a person unless `autonomy: full` is set.",
    )
    .shipped("[\"**\"]"),
];
