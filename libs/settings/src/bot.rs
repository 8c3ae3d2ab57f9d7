//! `config/default.yaml`: how the chat program works.

use shared_types::region::REGIONS;
use shared_types::settings::{Key, Kind, NEEDED, TEXT, key, number, word};

use crate::models::{COMPANION, PROVIDER, TASKS};

/// The file's first lines.
pub const HEADER: &str = "The configuration of `cl-bot`. A key that is left out has the value shown here. \
                          `cl-bot config validate` reports every fault, `cl-bot config explain KEY` what a key means.";

/// Its keys.
pub static BOT: &[Key] = &[
    key(
        "providers",
        Kind::List { keys: PROVIDER, default: COMPANION, most: 16 },
        "Who answers, in order of priority. When one cannot be reached, the next one is asked. The kinds:\n\
         - embedded: the built-in companion; no key, no network\n\
         - openai-compatible: a server that speaks OpenAI-compatible chat completions\n\
         - anthropic: a server that speaks Anthropic's messages (`base_url` without `/v1`)\n\
         - human: you, at the terminal, in place of a model\n\
         - mock: scripted answers from a file beside this one (`model: script.yaml`)",
    ),
    key(
        "default_model",
        TEXT,
        "The provider that is asked first, in place of the first of the list: its name, or NAME/MODEL for one of its models.",
    )
    .example("local"),
    key(
        "tasks",
        Kind::Keys(TASKS),
        "Which provider is asked first for a task: chat, propose, extract, skill. As in `tasks: {propose: local}`.",
    ),
    key(
        "autonomy",
        word("supervised", &["readonly", "supervised", "full"]),
        "How much the tools do without asking, where a profile's file says nothing else. Each call has a risk: low, medium, \
         high.\n\
         - readonly: low runs, everything else is refused\n\
         - supervised: low runs, medium asks you in the chat (in a pipe the answer is no), high is refused\n\
         - full: low and medium run, high is refused\n\
         \n\
         Where a conversation holds private content and content from outside, a call that could carry data out asks all the \
         same.",
    ),
    key("security", Kind::Keys(SECURITY), "As whom the bot runs, and how well it is confined."),
    key("limits", Kind::Keys(LIMITS), "What one turn may take."),
    key("network", Kind::Keys(NETWORK), "What may be reached beyond public hosts."),
    key(
        "channels",
        Kind::Keys(CHANNELS),
        "The ways to talk: `cli` is the terminal, a pipe, a single message, an editor and a client of MCP; `door` is what `cl-bot \
         serve` answers over HTTP; `matrix`, `telegram` and `voice` what `cl-bot` answers by these commands.",
    ),
    key(
        "services",
        Kind::List { keys: SERVICE, default: WEATHER, most: 64 },
        "Services that a new skill may be built around. The proposal names the host; nothing is asked of it before a person \
         approved a skill that names it. For a topic without an entry the bot names no host. `services: []` means none.",
    ),
    key(
        "folders",
        Kind::List { keys: FOLDER, default: "[]", most: 32 },
        "Further folders that the tools file_* open to profiles, beside the workspace, with the tree beneath each. The kernel's \
         rules open the same trees to the program and nothing else. Learned skills, commands and plugins get none of them. \
         Hidden names, links and files with a second name are not opened there, and `grants.forbidden_paths` of the profile \
         holds there too. Hidden names and forbidden paths are held by the tools alone, not by the kernel's rules. Refused are: \
         `/`, folders of the system such as /etc, /proc and /usr, a person's whole home folder, hidden folders such as ~/.ssh, \
         the home of TameClaw and every folder above it, a link, a folder within another that the profile has. A folder that is \
         missing, closed to the bot's user or changeable by a third user is left out with a warning; `cl-admin doctor` lists \
         each.",
    )
    .example("- {path: \"~anna/Documents/**\", profiles: [anna], access: read}"),
    key(
        "web_search",
        Kind::Keys(WEB_SEARCH),
        "The search engine behind the tool `web_search`; without one the tool is not offered. A profile searches where its \
         `grants.hosts` names the engine's host, and reads a page that was found where they name the page's host. The words of a \
         search go to the engine, so a search counts as a call that can carry data out.",
    ),
    key("workspace_dir", Kind::Refused(WORKSPACE_ELSEWHERE), ""),
    key(
        "learned",
        Kind::Keys(LEARNED),
        "What one call of a learned skill may take. A call that takes more fails; the chat continues.",
    ),
    key(
        "logging",
        Kind::Keys(LOGGING),
        "What the program logs on standard error: named events with names and numbers, never a text or a key. TAMECLAW_LOG \
         overrides it for one run: a level, `json` or `human`, or both as in json,debug.",
    ),
    key(
        "receipts",
        Kind::Keys(RECEIPTS),
        "Every attempted call of a tool leaves a receipt in the profile's logs/receipts.jsonl; `cl-bot receipt list` shows them.",
    ),
    key(
        "guard",
        Kind::Keys(GUARD),
        "The guard judges what people type and what tools and memory bring, by rules of its own and by the profile's audience. It \
         is advice, and no boundary.",
    ),
    key(
        "help_lines",
        Kind::Keys(HELP_LINES),
        "What a person who speaks of self-harm, abuse or an emergency is shown; docs/IN_NEED.md describes it.",
    ),
    key("memory", Kind::Keys(MEMORY), "How facts and conversations are kept."),
];

/// Why a part of a profile is nowhere else, and what to do instead; docs/adr/0013-a-profile-lies-in-one-place.md.
const WORKSPACE_ELSEWHERE: &str = "is not read: commands, plugins, backups, erasure and `data_limit` know the workspace below `data/` \
                                   alone. To have the tools file_* work on a folder elsewhere, name it in `folders` with `access: \
                                   write`; to have all of `data/` on another disk, mount the disk there, or, without units of systemd, set TAMECLAW_DATA_DIR for \
                                   both programs";
/// As above, for what a backup, an erasure and the signed heads need together.
const PART_ELSEWHERE: &str = "is not read: a backup, an erasure and the signed heads need memory and receipts of a profile in one \
                              place. To have all of `data/` on another disk, mount the disk there, or, without units of systemd, set TAMECLAW_DATA_DIR for both \
                              programs";

static SECURITY: &[Key] = &[
    key(
        "minimum_isolation",
        word("process", &["degraded", "process", "namespace", "full"]),
        "The least isolation with which the bot starts: full, namespace, process, degraded.",
    ),
    key(
        "user",
        Kind::Name,
        "When root starts the bot, the user that it becomes before it reads any input: a name or a number, never root. \
         `cl-admin init --bot-user NAME` writes `user` and `group`, and sets owners and modes of every folder to fit.",
    )
    .example("cl-bot"),
    key("group", Kind::Name, "The one group that it has; without this key, the user's own.").example("cl-bot"),
    key(
        "landlock",
        Kind::Switch(true),
        "off: a mount namespace confines files even where the kernel has Landlock. Only for trying that out.",
    ),
];

static LIMITS: &[Key] = &[
    key(
        "max_tool_rounds",
        number(5, 1, 50, "rounds"),
        "How often the model may call tools before it must answer.",
    ),
    key(
        "tool_timeout_seconds",
        number(30, 1, 600, "seconds"),
        "How long one request of a skill to the network may take.",
    ),
    key(
        "action_wait_seconds",
        number(20, 1, 3_600, "seconds"),
        "How long a command or a plugin's tool waits for the admin service to start it. A person may take as long as the \
         chat waits.",
    ),
];

static NETWORK: &[Key] = &[key(
    "local",
    Kind::Texts(&[]),
    "Hosts of this machine or of a private network that may be reached, each with its port, as in 127.0.0.1:8080. A plugin to \
     which a person gave such a host reaches it only if it stands here too.",
)];

static WEB_SEARCH: &[Key] = &[
    key(
        "engine",
        word("none", &["none", "searxng", "brave"]),
        "none, searxng (a SearXNG of your own or of somebody you trust, with `json` in its `search.formats`), or brave (Brave's \
         search for programs, with a key).",
    ),
    key("url", TEXT, "Where a SearXNG answers, without `/search`. Plain http and addresses of this machine or network need the host in `network.local`.")
        .example("http://127.0.0.1:8888"),
    key(
        "secret",
        Kind::Name,
        "The name of the engine's key, stored by `cl-admin secret set NAME --for HOST`. Brave needs one; a SearXNG gets it as a \
         bearer token.",
    )
    .example("BRAVE_KEY"),
];

static CHANNELS: &[Key] = &[
    key("cli", Kind::Keys(CHANNEL), ""),
    key(
        "door",
        Kind::Keys(AS_CLI),
        "HTTP. What is absent here is as `cli` has it; what is given holds in its place.",
    ),
    key(
        "matrix",
        Kind::Keys(AS_CLI),
        "A Matrix room. What is absent here is as `cli` has it, as for `door`.",
    ),
    key(
        "telegram",
        Kind::Keys(AS_CLI),
        "A private chat of Telegram. What is absent here is as `cli` has it, as for `door`.",
    ),
    key("voice", Kind::Keys(AS_CLI), "Speech. What is absent here is as `cli` has it, as for `door`."),
];

static CHANNEL: &[Key] = &[ENABLED, TOOLS_ALLOW];

const ENABLED: Key = key("enabled", Kind::Flag(true), "Whether anybody may talk through it.");

const TOOLS_ALLOW: Key = key(
    "tools_allow",
    Kind::Texts(&["*"]),
    "The tools that are offered and called there: `*`, `SKILL.*`, `SKILL.TOOL`, or a built-in tool such as `file_read`.",
);

static AS_CLI: &[Key] = &[
    key("enabled", Kind::Or(&ENABLED, "channels.cli.enabled"), "Whether anybody may talk through it."),
    key(
        "tools_allow",
        Kind::Or(&TOOLS_ALLOW, "channels.cli.tools_allow"),
        "The tools that are offered and called there, as in `channels.cli.tools_allow`.",
    ),
];

const WEATHER: &str = r#"[{"topic": "weather", "host": "wttr.in", "url": "https://wttr.in/{place}?format=3",
    "words": ["weather", "forecast", "temperature outside", "wetter", "wettervorhersage"]}]"#;

static SERVICE: &[Key] = &[
    key("topic", NEEDED, "what it is about"),
    key("host", NEEDED, "its one host"),
    key("url", NEEDED, "the pattern of its addresses, with slots such as `{place}`"),
    key("words", Kind::Texts(&[]), "words in a wish that mean this service"),
];

static FOLDER: &[Key] = &[
    key(
        "path",
        NEEDED,
        "the folder and `/**`, the only pattern: /srv/plans/**, ~anna/Documents/** in the home folder of the system's user anna, \
         ~/Documents/** in that of the user who owns the configuration; HOME does not matter",
    ),
    key("profiles", Kind::Texts(&[]), "the profiles that get it, by their names; at least one"),
    key(
        "access",
        word("read", &["read", "write"]),
        "write: files are written and made there too, and nobody else but the folder's owner may be able to change the folder",
    ),
    key(
        "minors_write",
        Kind::Flag(false),
        "true: a profile of audience child or teen writes there too; without it, it only reads",
    ),
];

static LEARNED: &[Key] = &[
    key(
        "fuel",
        number(200_000_000, 1_000_000, 100_000_000_000, "instructions"),
        "Instructions of the interpreter.",
    ),
    key("memory_mb", number(4, 1, 256, "MiB"), "Its memory."),
    key("wall_seconds", number(5, 1, 600, "seconds"), "Time on the clock."),
];

static LOGGING: &[Key] = &[
    key("format", word("human", &["human", "json"]), "human or json"),
    key(
        "level",
        word("error", &["error", "warn", "info", "debug", "off"]),
        "error, warn, info, debug or off",
    ),
];

static RECEIPTS: &[Key] = &[
    key(
        "hmac",
        Kind::Flag(false),
        "Whether each receipt carries an authentication code (HMAC) made with the profile's receipts.key. A receipt written by somebody \
     who cannot read that key then fails `receipt verify`. It proves nothing about a bot under somebody else's control.",
    ),
    key("path", Kind::Refused(PART_ELSEWHERE), ""),
];

static GUARD: &[Key] = &[key(
    "blocked_words",
    Kind::Texts(&[]),
    "These words and phrases are held back as well, in every profile.",
)];

static HELP_LINES: &[Key] = &[
    key(
        "region",
        Kind::Word { default: "", allowed: &REGIONS, needed: false },
        "The country: de, at, ch, gb, ie, us, ca, au, nz, or eu for the rest of Europe. Without one, the numbers of all \
         countries that speak the line's language are shown, with their countries. `cl-admin init` takes it from the locale \
         (de_AT gives at).",
    )
    .example("de"),
    key("own", Kind::Texts(&[]), "Lines of your own, shown first, as in \"Ms Berg, school: 030 123456\"."),
];

static MEMORY: &[Key] = &[
    key(
        "backend",
        word("jsonl", &["jsonl", "sqlite", "volatile", "none"]),
        "jsonl keeps one record a line, readable with any editor, and an index that can be rebuilt at any time. sqlite keeps one \
         file. volatile keeps facts and conversations until the program ends. none leaves the skill `memory` out: the \
         conversation continues without memories. To move from one to the other: `memory export`, change this, `memory import`.",
    ),
    key(
        "extract",
        word("auto", &["auto", "rules", "off"]),
        "What is kept of what a person says in passing, such as \"I live in Bern\": auto asks a model that writes freely, where one \
         is configured, and else applies rules; rules never asks a model; off keeps only what a person asks to remember.",
    ),
    key("path", Kind::Refused(PART_ELSEWHERE), ""),
];
