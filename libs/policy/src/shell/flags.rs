//! Options that make a harmless program start others, write files or change the machine.

use shared_types::text::cut;

/// One program, or several of a kind.
struct Row {
    names: &'static [&'static str],
    /// Options of one letter, found in any cluster.
    short: &'static str,
    /// Long options, found in any abbreviation.
    long: &'static [&'static str],
}

const ROWS: &[Row] = &[
    Row {
        names: &["sort", "gsort"],
        short: "oT",
        long: &["output", "compress-program", "temporary-directory"],
    },
    Row { names: &["date", "gdate"], short: "s", long: &["set"] },
    Row { names: &["file"], short: "CzZ", long: &["compile", "uncompress", "uncompress-noreport"] },
    Row { names: &["rg", "ripgrep"], short: "z", long: &["pre", "pre-glob", "hostname-bin", "search-zip"] },
    Row { names: &["fd", "fdfind"], short: "xX", long: &["exec", "exec-batch"] },
    Row { names: &["ag", "ack"], short: "z", long: &["pager", "search-zip", "ackrc"] },
    Row { names: &["bat", "batcat"], short: "", long: &["pager", "diff", "config-file"] },
    Row { names: &["tree"], short: "oR", long: &["output"] },
    Row { names: &["diff3", "sdiff"], short: "o", long: &["diff-program", "output"] },
    Row { names: &["split", "csplit"], short: "", long: &["filter"] },
    Row { names: &["zip"], short: "TOom", long: &["test", "unzip-command", "move", "output-file"] },
    Row {
        names: &["tar", "gtar", "bsdtar"],
        short: "IFPC",
        long: &[
            "absolute-names",
            "checkpoint-action",
            "info-script",
            "new-volume-script",
            "remove-files",
            "rmt-command",
            "rsh-command",
            "to-command",
            "use-compress-program",
            "directory",
        ],
    },
    Row {
        names: &["cpio"],
        short: "FOIH",
        long: &["file", "rsh-command", "absolute-filenames", "to-stdout"],
    },
    Row {
        names: &["rsync"],
        short: "eMT",
        long: &[
            "backup-dir",
            "config",
            "daemon",
            "delete",
            "delete-after",
            "delete-before",
            "delete-during",
            "delete-excluded",
            "log-file",
            "only-write-batch",
            "partial-dir",
            "remote-option",
            "remove-source-files",
            "rsh",
            "rsync-path",
            "temp-dir",
            "write-batch",
        ],
    },
    Row {
        names: &["curl"],
        short: "oOKTdFcDxQJE",
        long: &[
            "alt-svc",
            "config",
            "cookie-jar",
            "data",
            "data-ascii",
            "data-binary",
            "data-raw",
            "data-urlencode",
            "dump-header",
            "engine",
            "etag-save",
            "form",
            "form-string",
            "hsts",
            "json",
            "libcurl",
            "output",
            "output-dir",
            "preproxy",
            "proxy",
            "quote",
            "remote-name",
            "remote-name-all",
            "stderr",
            "trace",
            "trace-ascii",
            "unix-socket",
            "upload-file",
            "url-query",
        ],
    },
    Row {
        names: &["wget", "wget2"],
        short: "OoaPiePrm",
        long: &[
            "append-output",
            "body-file",
            "config",
            "directory-prefix",
            "execute",
            "input-file",
            "output-document",
            "output-file",
            "post-data",
            "post-file",
            "recursive",
            "save-cookies",
            "use-askpass",
            "warc-file",
        ],
    },
    Row { names: &["cargo"], short: "CZ", long: &["config", "manifest-path", "target-dir"] },
    Row { names: &["go"], short: "", long: &["exec", "toolexec", "overlay", "modfile", "vettool"] },
    Row {
        names: &["npm", "pnpm", "yarn"],
        short: "cC",
        long: &["prefix", "script-shell", "node-options", "dir", "cwd", "call"],
    },
    Row {
        names: &["gcc", "g++", "cc", "c++", "clang", "clang++", "rustc"],
        short: "BoC",
        long: &["codegen"],
    },
    Row { names: &["tcpdump"], short: "zwW", long: &["postrotate-command"] },
    Row {
        names: &["journalctl"],
        short: "",
        long: &["flush", "rotate", "sync", "vacuum-files", "vacuum-size", "vacuum-time"],
    },
    Row { names: &["openssl"], short: "", long: &["config", "engine", "out", "provider", "provider-path"] },
    Row { names: &["yq"], short: "i", long: &["inplace"] },
    Row {
        names: &["gzip", "bzip2", "xz", "zstd", "gunzip", "bunzip2", "unxz", "unzstd"],
        short: "S",
        long: &["rm", "suffix"],
    },
    Row { names: &["ip", "tc"], short: "b", long: &["batch", "netns"] },
    Row { names: &["pg_dump", "mysqldump"], short: "fr", long: &["file", "result-file"] },
    Row { names: &["hostname", "domainname"], short: "Fb", long: &["file", "boot"] },
    Row {
        names: &["dmesg"],
        short: "cCDEn",
        long: &["clear", "console-off", "console-on", "console-level", "read-clear"],
    },
    Row { names: &["column", "hexdump", "jq", "xmllint"], short: "", long: &["output", "shell"] },
];

/// Programs that write where their operands say.
const WRITERS: &[&str] = &[
    "cp", "csplit", "install", "link", "ln", "mkdir", "mkfifo", "mknod", "mv", "patch", "rmdir", "rsync",
    "split", "sponge", "tar", "gtar", "bsdtar", "tee", "touch", "truncate", "unlink", "unzip", "zip", "xxd",
    "chmod", "chown", "chgrp", "setfacl",
];

/// Whether `given`, without its dashes, means the long option `option`: GNU programs take any beginning of a name, and
/// some programs take a single dash.
pub(super) fn abbreviates(given: &str, option: &str) -> bool {
    let name = given.split('=').next().unwrap_or(given);
    !name.is_empty() && option.starts_with(name)
}

/// Why a program does more than its pattern says; words before `covered` were granted as they are. A `--` ends nothing
/// here, since the value of an option can look like one.
pub(super) fn turned(name: &str, words: &[String], covered: usize, patterned: bool) -> Option<String> {
    let rest = &words[covered..];
    let row = ROWS.iter().find(|row| row.names.contains(&name));
    if let Some(word) = row.and_then(|row| rest.iter().find(|word| is_flagged(row, word))) {
        return Some(format!(
            "the option `{}` starts a program, or writes or sends something",
            cut(word, 40)
        ));
    }
    if WRITERS.contains(&name)
        && let Some(word) = rest.iter().find(|word| leaves(word))
    {
        return Some(format!("`{}` lies outside the command's own folder", cut(word, 60)));
    }
    let operands = || rest.iter().filter(|word| !word.starts_with('-') || *word == "-").count();
    match name {
        "uniq" if patterned || operands() > 1 => Some("its second file would be written".to_owned()),
        "tar" | "gtar" | "bsdtar" => tar(words, covered, patterned),
        "curl" | "wget"
            if rest.iter().any(|word| word.to_lowercase().starts_with("file:") || word.contains('@')) =>
        {
            Some("it would send a file, or read one".to_owned())
        }
        "go" | "openssl" if rest.iter().any(|word| single_dashed(row, word)) => {
            Some("an option that starts a program or writes a file".to_owned())
        }
        "cargo" if rest.iter().any(|word| word.starts_with('+')) => {
            Some("`+` chooses another toolchain".to_owned())
        }
        "hostname" | "domainname" if operands() > 0 => Some("it would change the machine's name".to_owned()),
        _ => None,
    }
}

fn is_flagged(row: &Row, word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => row.long.iter().any(|option| abbreviates(long, option)),
        None => word.starts_with('-') && word.contains(|c| row.short.contains(c)),
    }
}

/// Whether a word is one of the long options behind a single dash.
fn single_dashed(row: Option<&Row>, word: &str) -> bool {
    let given = word.strip_prefix('-').unwrap_or_default();
    let name = given.split('=').next().unwrap_or(given);
    row.is_some_and(|row| row.long.contains(&name))
}

/// The first word may be a cluster without a dash, and a name with `:` is another machine's.
fn tar(words: &[String], covered: usize, patterned: bool) -> Option<String> {
    let first = words.get(1)?;
    if covered < 2 && !first.starts_with('-') && (patterned || first.contains(['I', 'F', 'P', 'C'])) {
        return Some("its letters can start a program or leave the folder".to_owned());
    }
    words[covered..]
        .iter()
        .any(|word| word.contains(':'))
        .then(|| "a name with `:` is on another machine".to_owned())
}

fn leaves(word: &str) -> bool {
    let beneath = |part: &str| !part.starts_with('/') && !part.split('/').any(|name| name == "..");
    let attached = word.starts_with('-') && word.contains('/');
    attached || !word.split(['=', ':']).all(beneath)
}
