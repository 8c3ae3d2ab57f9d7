//! What this program is to its kernel, and what handles are made of: files, the way to the admin service, the guard. This layer
//! uses `net` and what is below.
//!
//! - [`verified`]: the signed manifest and approvers, and modules by their digests
//! - [`program`]: what this program is to its kernel
//! - [`handles`]: by which a skill reaches what it was granted
//! - [`further`]: the further folders that the configuration opens
//! - [`Shared`]: what boot read and every skill may know; [`Places`]: what is open and no skill's to use
//! - [`stop`]: the file of the emergency stop
//! - [`halt`]: whether anybody may talk at all
//! - [`talk`]: how much the profile's person may still talk
//! - [`budget`]: what is left of a learned skill's limits
//! - [`own`]: what built-in skills write in their sources
//! - [`offered`]: the tools that the channel may call
//! - [`spool`]: the files of proposals and of their mirror
//! - [`actions`]: the one way to an effect outside of the sandbox; [`permit`]: a yes from elsewhere
//! - [`receipts`]: what is on record of every attempted call
//! - [`remembered`]: the memory's files
//! - [`guard`]: judges what comes in and goes out
//! - [`deadline`]: a time that ends what takes too long
//! - [`voice`]: speech, for a learned skill in a conversation by voice
//! - [`pins`]: lines of a GPIO chip, for a learned skill
//! - [`tongue`]: what the program says about its own work, by language
//!
//! What only the kernel may do takes a [`ByKernel`], which nothing else can make.
//!
//! # How it works
//!
//! The emergency stop is a file: `data/profiles/<id>/stop` stops the tools of one profile (`cl-bot estop`),
//! `config/stop` everything (`cl-admin estop`). Presence alone stops, and the service never reads the words of a
//! profile's stop. `kernel/src/stop.rs` is asked by the gate, again before the call is made, and every 20 ms while it
//! runs: then the call's own cancel flag ends it, and the turn continues in words. A learned skill's event handler is
//! treated as a call. In the service one thread sleeps over `config/` and sets `Runtime::halt`, the flag that every
//! stage, child and request to a model gets as its cancel; nothing new begins, and requests that would bring something
//! are refused.
//!
//! The kernel, `user-agent/kernel`, has at most 1,500 lines and depends on `shared-types` alone: it names no file, no
//! socket and no model. It freezes the registry that `cl-bot/src/start/mind.rs` made from the manifest
//! (`ports/src/verified.rs`), dispatches events and judges calls. What it needs of the program is one trait, `Program`,
//! and `user-agent/ports/src/program.rs` is its one implementation; beside it in `ports` are the way to the admin
//! service, receipts and the guard. What is open beside the handles of skills (`ports::Opened`) is given to who holds
//! the kernel, and no skill does. New handles, permits and receipts take a proof, `ByKernel`, that nothing but the
//! kernel can make; it names the program, so another implementation of the trait gets none that this program takes.
//! Everything that a person notices is a skill: `cli`, `reasoning`, `memory`, `proposer`, `clock`, `files`, `web`,
//! `shell`, plugins and the learned ones. A skill sees a context made for it, with the services that its tokens grant.
//! What a built-in skill may do beyond its tokens (keep the facts, have the whole workspace, read pages, send
//! proposals, ask for actions, call tools) is a power: one table in `user-agent/skills/src/powers.rs`, compiled into
//! the program. The signed manifest may name the powers that an entry keeps; the shipped list names none, which keeps
//! all. A power that the table lacks gives nothing.
//!
//! The parts of the bot say to each other what `shared-types/src/message.rs` names, one type for each event, and answer
//! with its `Answer`. Only a learned skill speaks JSON: what it sends is read as such a message or refused, and what
//! reaches it is written out for it.
//!
//! Every call of a tool goes through `kernel/src/calls.rs`, and that asks `kernel/src/gate.rs` first: one call after
//! the other, is there such a tool, may the channel use it, do the arguments fit, what would it do (`Skill::weigh`; for
//! a learned skill `kernel/src/reach.rs`: its tokens and those of all that its events reach), and what does the
//! autonomy say to that risk (`shared-types/src/verdict.rs`, pure). Where it asks, `kernel/src/approval.rs` is the one
//! place that does: the chat is shown the program's facts and the arguments behind a margin
//! (`terminal/src/approval.rs`), nobody but the gate can pose that question, and a minor's profile is never asked.
//!
//! `shared-types/src/taint.rs` is what a conversation holds. The kernel notes it (`kernel/src/taint.rs`) where it
//! passes: what a tool brings, before it answers; what memory hands into a turn (a command such as `/memory` only
//! shows, and marks nothing); what the person typed. Content is *outside* or *private*. What the person typed is
//! private too, towards each host that was not typed in the same line: once content from outside came after it, or at
//! once where it looks like a secret (`shared-types/src/typed/secret.rs`). `shared-types/src/verdict.rs` is the rule, a
//! pure function of what a call would do and of these circumstances:
//!
//! | content from outside is held, and the call | asks in every autonomy | risk |
//! |---|---|---|
//! | can carry data out, private content is held, and not every word was typed for that host | yes | one level higher |
//! | the same, every word typed, and two such calls ran in this conversation | yes | medium at least |
//! | can carry data out to an address that nobody typed | yes | medium at least |
//! | overwrites or empties a file | yes | medium at least |
//!
//! Each typed word excuses one call (`shared-types/src/typed.rs`: addresses as a whole). The count is in
//! `logs/excused.jsonl`, written before the call is made; what was typed in an earlier run of the program excuses
//! nothing. A yes covers the same tool, destination and strange addresses, and eight more addresses that a page or file
//! named, in this conversation, in this run. Records inherit: an answer given in such a conversation, and a skill's own
//! record, keep `outside` and `private`, and a conversation that is resumed or recalls them holds them again.
//! `rounds.rs` runs calls beside each other only where none of them would be asked about in any case; every other call
//! waits for those before it.
//!
//! `ports/src/actions.rs` is the one way to an effect outside of the sandbox. It writes a proposal of `kind: action`
//! and looks at the mirror until it is settled: after a millisecond at first, then ever more rarely, so that neither a
//! short command nor a long one pays for the wait. It says for whom one waits; Ctrl-C, a person who is not there and a
//! service that does not answer withdraw the action. The handle is granted to the skill `shell` and to plugins, and
//! through `ports/src/permit.rs` to the gate: where nobody in the chat may say yes (a minor's profile, a scheduled
//! run), the approver does, once for each call. The shell judges a line by `libs/policy`; what is high or blocked ends
//! there, and the rest is the admin's to judge again and to run. A plugin in the bot is names, descriptions and
//! parameters that an approver signed; it holds nothing but the way to ask.
#![forbid(unsafe_code)]

pub mod actions;
pub mod budget;
pub mod deadline;
mod excused;
pub mod further;
pub mod guard;
pub mod halt;
pub mod handles;
pub mod offered;
pub mod own;
pub mod permit;
pub mod pins;
pub mod program;
pub mod receipts;
pub mod remembered;
mod session;
mod shared;
pub mod spool;
pub mod stop;
pub mod talk;
pub mod tongue;
mod types;
pub mod verified;
pub mod voice;

pub use session::{Later, Pictures, Session, Texts};
pub use shared::{Opened, Places, Shared};
pub use types::{ByKernel, Entry, Grants, Kernel, KernelContext};
