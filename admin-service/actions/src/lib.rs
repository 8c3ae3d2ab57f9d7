//! Effects outside the bot's sandbox, asked for by files of `kind: action`. This layer uses `audit`, `review` and the layers
//! below it.
//!
//! - [`judge`]: what becomes of one, by the shared policy, the profile's files and what a person always allowed
//! - [`moves`]: the only mover of an action; [`ledger::cases`] holds all of them
//! - [`decision`]: the one mint of a person's yes; [`allow`]: what such a yes may allow for longer than once
//! - [`plan`]: what runs, as argument vectors; [`programs`]: from a name to the file that is executed
//! - [`work`]: who runs now; [`run`]: one command from its folder to its result; [`runner`]: the confined child
//! - [`keep`]: results, and the mirror; [`sweep`]: what runs leave behind
//! - [`pages`]: what a person sees
//! - [`plugins`]: programs and MCP servers of others, pinned, approved and jailed
//!
//! # How it works
//!
//! `plugins/` are programs and MCP servers of others. `prepare.rs` copies a folder to `admin/plugins/<name>/<digest>/`,
//! pins the programs of the machine that it runs, and asks an MCP server for its tools; `page.rs` is what a person
//! reads; `decide.rs` checks the signed yes against the facts (`facts.rs`, all that runs) and the files, and keeps both
//! in the journal. The manifest has the offer and the digest of the facts alone, so the bot never learns what runs.
//! `run.rs` weighs and makes one call: the yes, the tree, the programs and the arguments are checked again each time,
//! then the program is started in the jail (`jail.rs`), or the call goes to a kept server (`servers.rs`, a thread for
//! each). `mcp/reader/` speaks the protocol of tools, in a confined child that is held open for one conversation
//! (`builder/src/workers/talk.rs`). The child has neither the server's pipes nor a socket: the service does its
//! errands, over pipes (`mcp/stdio.rs`) or HTTP (`mcp/http.rs`), and moves what the server says unread. It reads frames
//! with a limit for each field (`mcp/frames.rs`), never a server's JSON. A child that is out of memory or processor
//! time costs one failed call. `arguments.rs` has a child look at a server's schema, make what is shown of it
//! (`schema.rs`), and hold a call's arguments against it. A plugin is a node of the graph: `file:read` for the
//! workspace, `network:*` for a server elsewhere and for hosts that a program reaches. For these the jail has a network
//! of its own (`confine::Loopback`): each host has an address of its loopback, and the listeners there are handed over
//! a socket to the service. `network.rs` starts the relay for one program (`libs/models/src/http/relay.rs`), which
//! accepts, looks the host up, vets its addresses as the HTTP client does, and carries bytes.
//!
//! A file of `kind: action` asks for one effect outside the bot's sandbox. Actions are not skills: they have a table of
//! their own in `shared-types/src/status.rs`, a mover of their own (`admin-service/actions/src/moves.rs`), and stand
//! beside the tickets in the journal's state (`ledger/src/action_tickets.rs`), where nothing of the skills' pipeline sees them.
//! `actions/src/judge.rs` judges each again by `libs/policy`, the profile's `autonomy` and `grants.commands`, as if it
//! came from a mixed conversation: what is blocked or of high risk is rejected, medium risk runs with `full` and else
//! waits for a person, the network is a person's each time, and so is a `permit`, which runs nothing. A minor's profile
//! always asks. One record takes an action in with its judgement; one is written before its child is started, after
//! which it is never started again; one holds the result (a long one is kept in `admin/results/`).
//!
//! News is waited for by the service's main thread (`service/src/lib.rs`), which takes files in and starts what is due,
//! each in a thread (`actions/src/work.rs`: at most eight, four of one profile); the driver makes skills in another,
//! and asks models in threads of their own (`pipeline/src/beside.rs`), so that no proposal waits for a slow model
//! unless it needs one as well. `cl-admin child run-line` (`actions/src/runner/`) lays confinement on itself and starts
//! the argument vectors one by one, never a shell: programs from `/usr/local/bin`, `/usr/bin` and `/bin`, opened once
//! and executed by that handle. It starts in the workspace, which it may only read; `HOME`, `TMPDIR` and the files of
//! redirects are `runs/<profile>/<id>/`. Where the service is root's, each command is a user of its own that keeps the
//! one power to read, so that the root of its own and Landlock say what; the group of processes cannot be left and is
//! killed whole. Its orders reach it in a sealed file in memory; a pipe that is closed before the first program says
//! that nothing ran (`libs/confine/src/child/briefing.rs`). A run folder that stays empty goes at once, the others
//! after seven days or when all hold more than 512 MB. `scratch/` counts what one command or plugin writes while it
//! runs (128 MB, 10,000 files and folders, 64 levels), ends what writes more, takes setuid bits and the permissions of
//! others away, and removes folders of any depth by handle. Files that were unlinked and are still open are not
//! counted.
//!
//! A person's yes (`actions/src/decision.rs`) signs the digests of what is asked for and of the judgement. `approve
//! --always` adds a permission for exactly this plan and input, this profile, these programs by digest, until a day,
//! never with the network (`actions/src/allow.rs`; `cl-admin grant list|remove`).
#![forbid(unsafe_code)]

pub mod allow;
pub mod decision;
pub mod evidence;
pub mod judge;
pub mod keep;
pub mod moves;
pub mod pages;
pub mod plan;
pub mod plugins;
pub mod programs;
pub mod run;
pub mod runner;
pub mod sweep;
pub mod work;
