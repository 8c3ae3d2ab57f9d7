//! Moves a proposal from stage to stage; each stage can be done again without doing it twice. This layer uses `actions`, `library`
//! and the layers below it.
//!
//! - [`intake`]: opens what the bot wrote, as a stranger's file
//! - [`driver`]: which stage is due; [`progress`]: for how long; [`discover`], [`implement`], [`agent_review`], [`install`]: the stages
//! - [`advance`]: the only mover; [`decision`], [`removal`]: the one mint of a person's yes, and of their word that a skill must go
//! - [`decide`], [`edit`], [`people`], [`actions`], [`upkeep`]: what a person asks, carried out
//! - [`tryout`]: a tool of a package, called by hand
//! - [`life`]: an installed skill: taken along, verified, counted, looked at beside its next version
//! - [`budget`], [`provider`]: what may be spent, and on which model
//! - [`profiles`]: adds and removes people's profiles; [`door`]: the tokens and the address of one
//! - [`page`]: the tokens of the page of the review
//!
//! # How it works
//!
//! Files are looked at profile by profile in turn (`pipeline/src/intake/take.rs`), as fast as `flood:` lets each user
//! and each profile; what is too much stays in its folder, and `cl-admin list` counts it as waiting. One proposal is
//! open for a skill's name, for every profile together: a skill is installed for the whole home. What a day may cost
//! (`budgets:`) is counted out of the journal (`ledger/src/spent.rs`), so no restart and no clock refills it.
//! `pipeline/src/intake/room.rs` counts what is in `data/`, a step at a time; beyond `data_limit:` it writes
//! `config/halt`, ends the processes that hold `logs/chat.lock`, and takes the file away when less than nine tenths is
//! used. No chat starts, and none begins a turn, while that file exists.
//!
//! A decision is canonical JSON that names the digests of proposal, source, module and report, the versions, the serial
//! of the manifest and everything that is granted, signed with the approver's key (`review/src/decision.rs`).
//! `pipeline/src/decision.rs` checks it against the journal and the files; the bot checks it again against
//! `approvers.yaml`.
//!
//! Every move of the program asks the gates first (`base/src/config/gates.rs`: the table with what `admin.yaml` says
//! over it). Where a gate is a person's, `advance` records what it would have done, and the proposal waits for a
//! person; `approve` lets it continue by one step, and what would be rejected is sent back for one more attempt. A
//! configuration that cannot be read closes every gate. The grid is `tests/snapshots/transition-grid.txt`. Bare
//! `cl-admin` (`cl-admin/src/commands/prompt.rs`) starts the service as a child, shows its log above the line that is
//! being typed, and ends it with itself.
//!
//! After its installation a skill is `life/`'s matter: its versions follow from the journal, a removal is a second kind
//! of signed text (`pipeline/src/removal.rs`), and what is rolled back or imported comes in as a proposal with a source
//! of its own (`Given` in the journal), which takes agent-review and human-review like any other. `compose/` is the
//! graph of who may hand which event to whom; an edge stands for every handler, although the kernel hands an event to
//! one only, because that one changes.
//!
//! Who may approve is a chain of signed changes (`shared-types/src/approvers.rs`), kept in the journal and written to
//! `config/approvers.yaml`; the bot replays it at every start and remembers the newest change that it saw. A decision
//! counts if enough present approvers signed its text: one, or two where a rule of the chain names its tokens. The
//! first of two yeses is a record, and is void once the package is analysed anew or the approvers change. A key of the
//! chain is minisign's or a passkey's (`shared-types/src/passkey.rs`). For a key on another device,
//! `review/src/elsewhere.rs` writes the signing request `admin/signing/NAME.json`, which the page in
//! `packaging/signing-page/` shows. `data/credentials/approvers_seen` holds the newest change that any profile of the
//! home has seen. One-time codes (`base/src/totp.rs`) are checked where the request is done (`codes/src/lib.rs`), not
//! in the verb.
#![forbid(unsafe_code)]

pub mod actions;
pub mod advance;
pub mod agent_review;
pub mod beside;
pub mod budget;
pub mod decide;
pub mod decision;
pub mod discover;
pub mod door;
pub mod driver;
pub mod edit;
pub mod implement;
pub mod install;
pub mod intake;
pub mod lifecycle;
pub mod page;
pub mod people;
pub mod profiles;
pub mod progress;
pub mod provider;
pub mod removal;
pub mod stage;
pub mod tryout;
pub mod upkeep;
