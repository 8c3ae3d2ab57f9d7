//! What the name of a program tells.

/// The name of a program without its folder, in small letters.
pub(super) fn base(word: &str) -> String {
    word.rsplit('/').find(|part| !part.is_empty()).unwrap_or(word).to_lowercase()
}

/// Whether a program fetches something from the network.
pub(super) fn downloads(base: &str) -> bool {
    const NAMES: &[&str] = &[
        "aria2c",
        "axel",
        "curl",
        "fetch",
        "ftp",
        "get",
        "http",
        "https",
        "httpie",
        "lftp",
        "links",
        "lwp-request",
        "lynx",
        "nc",
        "ncat",
        "netcat",
        "scp",
        "sftp",
        "socat",
        "ssh",
        "telnet",
        "tftp",
        "w3m",
        "wget",
        "wget2",
        "xh",
    ];
    NAMES.contains(&base)
}
