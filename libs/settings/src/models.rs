//! `providers` and `tasks`, which the configurations of both programs have.

use shared_types::settings::{Key, Kind, NEEDED, TEXT, key, number};

/// What crosses between the two processes of the bot is capped at 4 MiB, so an answer must stay well below.
const MOST_BYTES: u64 = 2 * 1024 * 1024;

pub static PROVIDER: &[Key] = &[
    key("name", NEEDED, "the name by which it is chosen and shown").example("local"),
    key(
        "kind",
        Kind::Word {
            default: "",
            allowed: &["embedded", "openai-compatible", "anthropic", "mock", "human"],
            needed: true,
        },
        "see above",
    )
    .example("openai-compatible"),
    key("base_url", TEXT, "where the server is").example("http://127.0.0.1:8080/v1"),
    key("model", TEXT, "the name of the model; for `mock` the file with the script").example("my-model"),
    key("models", Kind::Texts(&[]), "what `--model` and `/model` may choose beside it")
        .example("[another-model]"),
    key("api_key", TEXT, "the name of an environment variable, never the key itself")
        .example("\"${MODEL_KEY}\""),
    key("api_key_file", TEXT, "or a file in data/credentials/ (mode 0600), or of systemd's LoadCredential=")
        .example("local.key"),
    key(
        "login",
        Kind::Keys(LOGIN),
        "or a login: `cl-bot login NAME` (OAuth 2.0 with PKCE, a public client of your own)",
    ),
    key("stream", Kind::Flag(true), "false: the whole answer at once"),
    key("images", Kind::Flag(false), "true: the model takes pictures, as `/attach FILE` gives them").example("true"),
    key(
        "max_tokens",
        Kind::Number { default: None, least: 1, most: 1_000_000, unit: "tokens" },
        "the longest answer; without it the server decides (anthropic: 4096)",
    )
    .example("1024"),
    key(
        "temperature",
        Kind::Decimal { least: 0.0, most: 2.0 },
        "how much the answers vary: 0 to 2 (anthropic: to 1); without it the server decides",
    )
    .example("0.7"),
    key(
        "timeout_seconds",
        Kind::Number { default: None, least: 1, most: 3_600, unit: "seconds" },
        "for the first byte of an answer, and between two; without it 20, and 120 for a server of this machine or a private network",
    )
    .example("120"),
    key(
        "total_seconds",
        Kind::Number { default: None, least: 1, most: 3_600, unit: "seconds" },
        "for the whole answer; without it 300, and 1800 for such a server, or `timeout_seconds` where that is more",
    )
    .example("1800"),
    key("max_response_bytes", number(1_048_576, 1_024, MOST_BYTES, "bytes"), "how long an answer may be"),
];

/// Where a person can log in to a provider.
static LOGIN: &[Key] = &[
    key("authorization_url", NEEDED, "the page that the person opens")
        .example("https://login.example/authorize"),
    key("token_url", NEEDED, "where a code becomes a token").example("https://login.example/token"),
    key("revocation_url", TEXT, "optional; `cl-bot logout` revokes the token there")
        .example("https://login.example/revoke"),
    key("client_id", NEEDED, "the client that you registered").example("my-own-client"),
    key("client_secret", Kind::Any("a text"), "refused: only public clients are used, with PKCE"),
    key("scopes", Kind::Texts(&[]), "what is asked for").example("[chat]"),
    key("redirect_uri", NEEDED, "no server listens there: you paste the address")
        .example("http://127.0.0.1:8123/callback"),
];

/// Which provider is asked first for a task.
pub static TASKS: &[Key] = &[
    key("chat", TEXT, "conversation"),
    key("propose", TEXT, "turning a wish into a proposal"),
    key("extract", TEXT, "finding facts in what a person says"),
    key("implement", TEXT, "writing the source of a skill"),
    key("skill", TEXT, "what learned skills ask with `llm:call`"),
];

/// The models of a configuration that says nothing of its own.
pub static MODELS: &[Key] = &[
    key("providers", Kind::List { keys: PROVIDER, default: COMPANION, most: 16 }, ""),
    key("tasks", Kind::Keys(TASKS), ""),
];

/// The companion alone: no key, no network.
pub const COMPANION: &str = r#"[{"name": "companion", "kind": "embedded"}]"#;
