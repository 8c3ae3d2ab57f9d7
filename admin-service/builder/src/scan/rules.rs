//! What is refused, why, and what to do instead: the text a model's repair loop and a reviewer read.

/// One rule of the scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The stable identifier, in kebab case.
    pub id: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do instead.
    pub next: &'static str,
}

macro_rules! rules {
    ($($ban:ident $id:literal: $why:literal => $next:literal;)*) => {
        /// A rule that was broken.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(super) enum Ban { $($ban),* }

        static RULES: &[Rule] = &[$(Rule { id: $id, why: $why, next: $next }),*];
    };
}

rules! {
    // The bytes, before any parser.
    TooLarge "too-large": "A skill is small enough for a person to read: 64 KiB, 20,000 tokens." =>
        "Do less in one skill, or shorten its tables.";
    HiddenCharacter "hidden-character": "Control, invisible and bidirectional characters make code look like other code." =>
        "Remove the character; in a string write it as \\u{...}.";
    AsciiNames "ascii-names": "A letter from another script can imitate an ASCII one." =>
        "Use ASCII outside of strings and comments.";
    Unreadable "unreadable": "A string, comment or bracket has no end, so the rest cannot be read for certain." =>
        "Close it.";
    TooDeep "too-deep": "Deeply nested or endlessly chained code exhausts the tools that must read it." =>
        "Split it into statements and functions with names.";
    TooLongToken "too-long-token": "A single literal or name of this length exhausts the tools that must read it." =>
        "Shorten it: names 100 bytes, numbers 140, strings 16 KiB.";

    // The grammar.
    Parse "parse-error": "This does not parse as Rust." =>
        "Write plain Rust, edition 2021.";
    UnsupportedSyntax "unsupported-syntax": "The scan does not know this construct, so it cannot vouch for it." =>
        "Use stable Rust, edition 2021, that compiles with Rust 1.63.";
    NotCanonical "not-canonical": "The canonical print of this source does not read back as the same program." =>
        "Write the construct in a simpler way.";
    NoUnsafe "no-unsafe": "Unsafe code can leave the sandbox of the language." =>
        "Write it in safe Rust.";
    NoExtern "no-extern": "Foreign functions, foreign crates and ABIs bypass the declared capabilities." =>
        "Use `skill_sdk` and the pure parts of `std`; the wrapper does the exports.";
    NoAsync "no-async": "A skill answers in one call; there is no executor." =>
        "Write an ordinary function.";
    NoMacroDefinition "no-macro-definition": "A macro that calls a macro of the file, or of a newer kind, can hide what the code does and make the compiler run without end." =>
        "Write a function, or repeat the lines.";
    MacroDefinition "macro-definition": "A macro that puts paths together, or brings imports, modules or attributes, makes code that nobody has read." =>
        "Write a function, or a macro_rules with fragments expr, ty, ident, pat or literal whose text names every path in full.";
    LetChain "let-chain": "`if let` joined to other conditions by `&&` needs edition 2024; skills are edition 2021." =>
        "Nest the conditions, or match a tuple.";
    NoStaticMut "no-static-mut": "Mutable global state needs unsafe code, and no state survives a call." =>
        "Pass values, or keep records with `skill_sdk::memory`.";
    NoUnion "no-union": "Reading a union needs unsafe code." =>
        "Use an enum.";
    NoRawPointer "no-raw-pointer": "Raw pointers are useful to unsafe code only." =>
        "Use references, Box or Rc.";
    NoOutsideModule "no-outside-module": "A skill is one file: `mod name;` would read another." =>
        "Write the module inline: `mod name { ... }`.";
    ModuleInFunction "module-in-function": "A module inside a function hides names from the reader and from the scan." =>
        "Move the module to the top of the file.";
    Literal "literal-not-allowed": "C strings serve foreign functions, of which a skill has none." =>
        "Use a string or a byte string.";

    // Names and paths.
    DoubleUnderscore "double-underscore": "Names with two leading underscores belong to the compiler and the wrapper." =>
        "Choose another name.";
    ReservedName "reserved-name": "A name such as `std` for something else makes every path ambiguous." =>
        "Choose another name than std, core, alloc or skill_sdk.";
    RootAlias "root-alias": "Another name for a whole crate, or for a macro, hides what is used." =>
        "Import the item itself, such as `use std::collections::HashMap;`.";
    ImportMaze "import-maze": "So many imports refer to each other that nobody can say where a path leads." =>
        "Import each item once, by its full path.";
    NoCratePath "no-crate-path": "Above the skill's own file lies the wrapper, which is not the skill's business." =>
        "Use `self::`, `super::` within the file's own modules, or `crate::` before a name that the file declares at its top.";
    UnknownRoot "unknown-root": "The path starts in something that is neither `skill_sdk`, pure `std` nor declared in this file." =>
        "Import it by name, such as `use skill_sdk::memory;`, or write it yourself.";
    SdkInternal "sdk-internal": "This part of `skill_sdk` serves the wrapper only." =>
        "Use what `skill_sdk::prelude` offers.";
    GlobNotAllowed "glob-not-allowed": "A glob import from here brings names that nobody listed." =>
        "Import by name; globs are for `skill_sdk::prelude`, `super` in tests, own enums and modules.";
    NoFiles "no-files": "A skill has no files of the machine." =>
        "Use `skill_sdk::files` and declare file:read or file:write.";
    NoNetwork "no-network": "A skill opens no socket." =>
        "Use `skill_sdk::http` and declare network:read or network:write with the host.";
    NoProcess "no-process": "A skill starts, ends and inspects no process, and calls no system library." =>
        "Compute the answer in the skill itself, and return it.";
    NoEnvironment "no-environment": "A skill knows nothing of the machine it runs on." =>
        "Take what you need as a parameter of the tool.";
    NoThreads "no-threads": "A skill is one call on one thread." =>
        "Use plain values, Rc or RefCell; of `std::sync` there are Arc, Mutex, RwLock, OnceLock and atomic.";
    NoClock "no-clock": "`std`'s clocks do not work inside a skill; only Duration is available." =>
        "Use `skill_sdk::host::now()` or the date of the call.";
    StdNotAllowed "std-not-allowed": "This part of `std` is not on the list of pure parts." =>
        "Use collections, fmt, str, string, iter, rc, cell, cmp, ops, num, char or another pure module.";

    // Macros.
    NoPrinting "no-printing": "A skill has no terminal: what it prints reaches nobody." =>
        "Return the text with `format!`.";
    Unfinished "unfinished": "A placeholder is not a finished skill." =>
        "Write the missing part, or refuse with a message.";
    NoCompileTimeReading "no-compile-time-reading": "This macro reads files or settings of the machine that compiles." =>
        "Write the value into the source.";
    MacroNotAllowed "macro-not-allowed": "Only macros on the list may run: their expansion is known." =>
        "Use format, vec, matches, write, writeln, assert*, debug_assert*, concat, stringify, unreachable or panic.";
    MacroArguments "macro-arguments": "The arguments are not plain expressions, so the scan cannot judge them." =>
        "Give comma-separated expressions without attributes.";
    MacroPosition "macro-position": "A macro in place of an item, type or pattern can stand for anything." =>
        "Write out what it stands for.";

    // Attributes.
    AttributeNotAllowed "attribute-not-allowed": "Attributes change linking, layout or meaning; only a few are known to be harmless." =>
        "Remove it; derive, must_use, inline, doc, allow, cfg(test) and test are available.";
    DeriveNotAllowed "derive-not-allowed": "Only the derives of the language itself are known." =>
        "Use Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash or Default, by their plain names.";
    LintNotAllowed "lint-not-allowed": "Silencing this lint could hide what the compiler would refuse." =>
        "Remove the attribute, or allow only dead_code, unused_* or clippy lints.";
    CfgNotAllowed "cfg-not-allowed": "Conditional code is not the code that was reviewed." =>
        "Remove it; only `#[cfg(test)]` and `#[test]` on items are dropped safely.";

    // The whole.
    EntryPoint "entry-point": "The wrapper needs exactly one skill to call." =>
        "Write one `pub struct Skill;` and one `impl skill_sdk::Skill for Skill { ... }` at the top of the file.";
    Scanner "scanner": "The scan itself failed on this source, so nothing vouches for it." =>
        "Write it in a simpler way.";
}

/// The rules, in the order of the table.
pub fn rules() -> &'static [Rule] {
    RULES
}

impl Ban {
    pub(super) fn rule(self) -> &'static Rule {
        // Both the enum and the table come from one list.
        &RULES[self as usize]
    }
}
