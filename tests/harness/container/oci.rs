//! The orders for a container's runtime, as an engine makes them of a service of `compose.yaml`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::compose::Service;
use super::image::Image;
use crate::world::workspace;

/// Of `/proc` and `/sys`, what engines cover.
const MASKED: [&str; 9] = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/scsi",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/sys/firmware",
];
/// Of `/proc`, what engines make read-only.
const READ_ONLY: [&str; 5] = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

/// What engines leave to the root of a container that drops nothing.
const USUAL: [&str; 8] =
    ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"];

/// The orders for a service.
pub fn orders(
    service: &Service,
    image: &Image,
    mut mounts: Vec<Value>,
    words: &[String],
    volume: impl Fn(&str) -> PathBuf,
) -> Value {
    for (place, options) in &service.tmpfs {
        let options: Vec<&str> = options.split(',').filter(|option| !option.is_empty()).collect();
        mounts.push(json!({"type": "tmpfs", "source": "tmpfs", "destination": place, "options": options}));
    }
    for mount in &service.volumes {
        let access = if mount.read_only { "ro" } else { "rw" };
        let options = ["rbind", access, "nosuid", "nodev"];
        let source = volume(&mount.volume);
        mounts
            .push(json!({"type": "bind", "source": source, "destination": mount.target, "options": options}));
    }
    let mut orders = simplest(mounts, words);
    let (user, group) = service.user;
    orders["process"]["user"] = json!({"uid": user, "gid": group, "additionalGids": service.groups});
    orders["process"]["env"] = image.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if image.env.iter().all(|(name, _)| name != "PATH") {
        let path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        orders["process"]["env"].as_array_mut().expect("a list").push(json!(path));
    }
    let mut kept: Vec<&str> =
        if service.cap_drop.iter().any(|name| name == "ALL") { vec![] } else { USUAL.to_vec() };
    kept.extend(service.cap_add.iter().map(String::as_str));
    let names: Vec<String> = kept.iter().map(|name| format!("CAP_{name}")).collect();
    orders["process"]["capabilities"] = json!({"bounding": names, "effective": names, "permitted": names});
    orders["process"]["noNewPrivileges"] = json!(service.no_new_privileges);
    orders["root"]["readonly"] = json!(service.read_only);
    orders["linux"]["seccomp"] = match &service.seccomp {
        Some(path) => profile(path),
        None => usual_profile(),
    };
    orders
}

/// The orders for root in a container with every wall that engines put up by default.
pub fn simplest(mut mounts: Vec<Value>, words: &[impl AsRef<str>]) -> Value {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let kind = |kind: &str, place: &str, options: &[&str]| json!({"type": kind, "source": kind, "destination": place, "options": options});
    let own = [
        kind("proc", "/proc", &["nosuid", "noexec", "nodev"]),
        kind("tmpfs", "/dev", &["nosuid", "strictatime", "mode=755", "size=65536k"]),
        kind(
            "devpts",
            "/dev/pts",
            &["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"],
        ),
        kind("tmpfs", "/dev/shm", &["nosuid", "noexec", "nodev", "mode=1777", "size=65536k"]),
        kind("sysfs", "/sys", &["nosuid", "noexec", "nodev", "ro"]),
    ];
    mounts.splice(0..0, own);
    let namespaces = ["pid", "network", "ipc", "uts", "mount"].map(|kind| json!({"type": kind}));
    json!({
        "ociVersion": "1.0.0",
        "process": {
            "terminal": false, "cwd": "/", "args": words, "env": [],
            "user": {"uid": 0, "gid": 0}, "noNewPrivileges": true,
        },
        "root": {"path": "rootfs", "readonly": true},
        "hostname": "container",
        "mounts": mounts,
        "linux": {"namespaces": namespaces, "maskedPaths": MASKED, "readonlyPaths": READ_ONLY},
    })
}

/// A profile beside the composition.
fn profile(path: &str) -> Value {
    let path = workspace().join("packaging").join(path);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// What the profiles of engines refuse to a process without capabilities, as far as it matters here: no namespace, no mount.
fn usual_profile() -> Value {
    const NAMESPACES: u64 = 0x7e02_0000;
    let refused =
        ["fsmount", "fsopen", "mount", "mount_setattr", "move_mount", "open_tree", "pivot_root", "ptrace"];
    let more = ["setns", "umount2", "unshare"];
    let refused: Vec<&str> = refused.into_iter().chain(more).collect();
    let flags = [28, 25, 26, 27, 29, 30, 17].map(|bit| {
        let bit = 1_u64 << bit & NAMESPACES;
        json!({"names": ["clone"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1,
               "args": [{"index": 0, "value": bit, "valueTwo": bit, "op": "SCMP_CMP_MASKED_EQ"}]})
    });
    let mut rules = vec![
        json!({"names": refused, "action": "SCMP_ACT_ERRNO", "errnoRet": 1}),
        json!({"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38}),
    ];
    rules.extend(flags);
    json!({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": rules})
}
