//! A shell line to the argument vectors that it stands for, and how risky they are: values in, values out ([`shell`]).
//!
//! A judgement is not a boundary: regardless of it, files, processes and the network are confined by the kernel.
//!
//! # How it works
//!
//! `libs/policy/src/shell` is used by both programs, and is pure. `parse` takes words, quotes, patterns, pipes, `;`,
//! `&&`, `||` and plain redirects; what two shells could read differently, or only a shell could do (`$`, backticks,
//! `&`, brackets, here-documents, a shell's own commands), is refused with its place and what to write instead. What
//! comes out is argument vectors, and those are started: no shell ever sees the line. The starter of one expands its
//! patterns by `Command::expanded`, which lets no file's name pass for an option.
//!
//! `judge` tells a risk for each command; the worst decides. In this order:
//!
//! | rule | what | risk |
//! |---|---|---|
//! | `forbidden-command`, `destructive` | `rm`, `shutdown`, `reboot`, `mkfs*`, `dd`, the configured ones; what wipes disks, ends the machine, opens or gives away whole folders | blocked |
//! | `piped-to-interpreter`, `fork-bomb` | what a download brings is run; a function that starts itself twice | blocked |
//! | `wrapper` | a program that starts another: never better than that one; high where that one, or an option, is not known | as the other, or high |
//! | `interpreter` | shells, languages, editors, pagers: high, also when they are granted; one line can be granted word for word | high |
//! | `executing-flag` | an option by which a granted program starts another, or writes or sends something | high |
//! | `path`, `forbidden-path`, `redirect` | a program by a path that no pattern has; files in `/etc`, `/proc`, `/dev`, `.ssh` ..., or a path that climbs out of the workspace; a redirect out of the command's own folder | high |
//! | `not-listed`, `unparsed` | no pattern of `grants.commands` begins it; it does not parse | high |
//! | `allowed` | all else | medium |
//!
//! A line that does not parse never runs. `suspect` looks at its words all the same, so that a fork bomb is reported as
//! blocked; so does `scan` with the texts behind a wrapper or an interpreter. Both can only block. What a granted
//! program reads can still steer it. `git` reads `.git/config`, which can name programs: so the runner starts it
//! without the power to start anything (`actions/src/runner/git.rs`), unless the line has a network. A `git` that
//! another program starts has variables alone, which do not switch off an external diff, a filter or a text conversion.
//! The child that runs a line is confined after every judgement.
//!
//! Real shells are the measure: `libs/policy/tests/oracle.rs` hands lines to `dash` and `bash` with tracers for
//! programs, and what ran must be what was parsed, no more and no less.
#![forbid(unsafe_code)]

pub mod shell;
