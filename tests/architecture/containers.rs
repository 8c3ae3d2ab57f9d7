//! What `Dockerfile`, `compose.yaml`, `kubernetes.yaml` and the profile of system calls promise, held against each other.

use std::fs;

use documents::yaml;
use serde_json::{Value, json};
use tameclaw_tests::container::compose::{Mount, Service, Services};
use tameclaw_tests::container::image::{Image, instructions};
use tameclaw_tests::world::workspace;

/// The one service that is root, and what it keeps of root's powers.
const OWNERS: (&str, [&str; 4]) = ("owners", ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID"]);
const HOME: &str = "/var/lib/tameclaw/home";

fn read(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn services() -> Services {
    Services::parse(&read("packaging/compose.yaml")).expect("a composition that can be read")
}

/// The objects of the manifest of this kind.
fn objects(kind: &str) -> Vec<Value> {
    let text = read("packaging/kubernetes.yaml");
    let each =
        text.split("\n---\n").map(|part| yaml::from_own::<Value>(part).expect("an object that can be read"));
    each.filter(|object| object["kind"] == kind).collect()
}

/// The containers of the manifest by their names, each with its pod.
fn pods() -> Vec<(String, Value, Value)> {
    let mut found = Vec::new();
    for object in objects("Deployment") {
        let pod = &object["spec"]["template"]["spec"];
        for list in ["initContainers", "containers"] {
            for container in pod[list].as_array().into_iter().flatten() {
                let name = container["name"].as_str().expect("a name").to_owned();
                found.push((name, container.clone(), pod.clone()));
            }
        }
    }
    assert_eq!(found.len(), 4, "the manifest has the containers of the composition");
    found
}

#[test]
fn every_service_has_a_read_only_root_no_power_and_a_user_of_its_own() {
    let services = services();
    for (name, service) in services.each() {
        assert!(service.read_only && service.no_new_privileges, "{name}");
        assert_eq!(service.cap_drop, ["ALL"], "{name}");
        for key in [
            "privileged",
            "devices",
            "pid",
            "ipc",
            "ports",
            "userns_mode",
            "cgroup_parent",
            "env_file",
            "configs",
        ] {
            assert_eq!(service.whole.get(key), None, "{name}: {key}");
        }
        assert!(
            service.whole["pids_limit"].is_u64() && service.whole["mem_limit"].is_string(),
            "{name} has limits"
        );
        let (user, group) = service.user;
        if name == OWNERS.0 {
            assert_eq!((user, service.cap_add.as_slice()), (0, OWNERS.1.map(str::to_owned).as_slice()));
            assert_eq!(service.whole["network_mode"], "none");
        } else {
            assert!(user != 0 && group != 0 && service.cap_add.is_empty(), "{name}");
        }
    }
    let (bot, admin) = (services.get("bot"), services.get("admin"));
    assert_ne!(bot.user, admin.user, "two users");
    assert_eq!(admin.groups, [bot.user.1], "the service reads the bot's files by its group");
    assert!(bot.groups.is_empty());
    let shared: Vec<_> = bot.networks.iter().filter(|network| admin.networks.contains(network)).collect();
    assert!(shared.is_empty() && !bot.networks.is_empty() && !admin.networks.is_empty(), "{shared:?}");
    assert_eq!((bot.seccomp.as_ref(), admin.seccomp.is_some()), (None, true));
}

#[test]
fn every_folder_of_the_home_has_one_writer() {
    let services = services();
    let mounts = |name: &str| services.get(name).volumes.clone();
    let folders = ["config", "skills", "status", "runs", "secrets", "certificates"];
    for folder in folders {
        let at =
            |read_only| Mount { target: format!("{HOME}/{folder}"), volume: folder.to_owned(), read_only };
        assert!(mounts("bot").contains(&at(true)) && mounts("admin").contains(&at(false)), "{folder}");
    }
    let closed = |mount: &Mount| mount.volume == "admin" || mount.target.contains("/admin");
    assert!(!mounts("bot").iter().any(closed), "the closed folder is not the bot's to see");
    assert!(mounts("admin").iter().any(|mount| closed(mount) && !mount.read_only));
    let data = |name: &str| {
        mounts(name).into_iter().find(|mount| mount.target == "/data").map(|mount| mount.read_only)
    };
    assert_eq!((data("bot"), data("admin"), data("home")), (Some(false), Some(true), Some(true)));
    assert_eq!(mounts("bot").len(), folders.len() + 1);
    assert_eq!(mounts("admin").len(), folders.len() + 2);
}

#[test]
fn the_images_have_users_and_start_programs_without_a_shell() {
    let services = services();
    for (stage, service) in [("bot", "bot"), ("admin", "admin")] {
        let (image, service) = (Image::of(&format!("tameclaw-{stage}")), services.get(service));
        assert_eq!(image.user, format!("{}:{}", service.user.0, service.user.1));
        assert_eq!(image.entrypoint, [format!("/usr/local/bin/cl-{stage}")]);
        for (name, value) in [("TAMECLAW_HOME", HOME), ("TAMECLAW_DATA_DIR", "/data")] {
            assert!(image.env.contains(&(name.to_owned(), value.to_owned())), "{stage}: {name}");
        }
    }
    let bot = Image::of("tameclaw-bot");
    assert_eq!(bot.base, "scratch");
    // `cl-bot serve` looks for the door beside itself.
    let door = ("/out/cl-door".to_owned(), "/usr/local/bin/cl-door".to_owned());
    assert!(bot.copied.contains(&door), "{:?}", bot.copied);
    // And `cl-admin page serve` for the page.
    let admin = Image::of("tameclaw-admin");
    let page = ("/out/cl-review".to_owned(), "/usr/local/bin/cl-review".to_owned());
    assert!(admin.copied.contains(&page), "{:?}", admin.copied);
    // And for the skill library, in `../share` of its folder.
    let library = ("admin-service/skill-library", "/usr/local/share/tameclaw/skill-library");
    assert!(
        admin.copied.iter().any(|(from, to)| (from.as_str(), to.as_str()) == library),
        "{:?}",
        admin.copied
    );
    let text = read("Dockerfile");
    let bases = instructions(&text).into_iter().filter(|line| line.starts_with("ARG ")).collect::<Vec<_>>();
    assert_eq!(bases.len(), 2, "the base images are named once each: {bases:?}");
    let pinned = |line: &String| {
        line.split_once('=').is_some_and(|(_, tag)| tag.split('.').count() >= 2 && !tag.contains("latest"))
    };
    assert!(bases.iter().all(pinned), "{bases:?}");
    let toolchain = read("rust-toolchain.toml");
    let channel = toolchain
        .lines()
        .find_map(|line| line.strip_prefix("channel = "))
        .expect("a channel")
        .trim_matches('"');
    assert!(
        text.contains(&format!("ARG RUST={channel}-"))
            && text.contains(&format!("RUSTUP_TOOLCHAIN={channel}\n"))
    );
}

/// What reaches the build is named, so that neither a home nor a key does.
#[test]
fn only_named_folders_reach_the_build() {
    let text = read(".dockerignore");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.first(), Some(&"*"));
    for line in lines.iter().filter_map(|line| line.strip_prefix('!')) {
        assert!(workspace().join(line).exists(), "{line}");
        assert!(!["data", "target", ".git"].contains(&line), "{line}");
    }
    // Cargo wants the manifest of each member, regardless of what it builds.
    let manifest: Vec<String> = read("Cargo.toml")
        .lines()
        .filter_map(|line| Some(line.trim().strip_prefix('"')?.split_once('"')?.0.to_owned()))
        .collect();
    for member in manifest.iter().filter(|member| workspace().join(member).join("Cargo.toml").exists()) {
        let top = member.split('/').next().unwrap_or_default();
        assert!(lines.contains(&format!("!{top}").as_str()), "{member}");
    }
}

/// The mounts, user and powers of each container are those of the service of the same name.
#[test]
fn the_manifest_of_the_cluster_says_what_the_composition_says() {
    let services = services();
    for (name, container, _) in pods() {
        let service = services.get(&name);
        let mut mounts: Vec<Mount> = Vec::new();
        let mut memory = Vec::new();
        for mount in container["volumeMounts"].as_array().into_iter().flatten() {
            let text = |key: &str| mount[key].as_str().unwrap_or_default().to_owned();
            let volume = if mount["subPath"].is_string() { text("subPath") } else { text("name") };
            if volume == "tmp" {
                memory.push(text("mountPath"));
            } else {
                mounts.push(Mount {
                    target: text("mountPath"),
                    volume,
                    read_only: mount["readOnly"] == true,
                });
            }
        }
        let mut wanted = service.volumes.clone();
        wanted.sort();
        mounts.sort();
        assert_eq!(mounts, wanted, "{name}");
        assert_eq!(
            memory,
            service.tmpfs.iter().map(|(place, _)| place.clone()).collect::<Vec<_>>(),
            "{name}"
        );
        let security = &container["securityContext"];
        assert_eq!(
            (&security["runAsUser"], &security["runAsGroup"]),
            (&json!(service.user.0), &json!(service.user.1)),
            "{name}"
        );
        let own = security["seccompProfile"]["type"] == "Localhost";
        assert_eq!(own, service.seccomp.is_some(), "{name}");
        let image = container["image"].as_str().expect("an image");
        assert_eq!(image, format!("{}:{}", service.image, env!("CARGO_PKG_VERSION")), "{name}");
        let entry = container.get("command").map(|_| "given");
        assert_eq!(entry.is_some(), service.entrypoint.is_some(), "{name}");
    }
}

#[test]
fn every_pod_is_restricted_and_has_no_token() {
    for (name, container, pod) in pods() {
        let security = &container["securityContext"];
        assert_eq!(security["readOnlyRootFilesystem"], true, "{name}");
        assert_eq!(security["allowPrivilegeEscalation"], false, "{name}");
        assert_eq!(security["capabilities"]["drop"], json!(["ALL"]), "{name}");
        if name == OWNERS.0 {
            assert_eq!(security["capabilities"]["add"], json!(OWNERS.1), "{name}");
        } else {
            assert_eq!(
                (&security["runAsNonRoot"], security["capabilities"].get("add")),
                (&json!(true), None),
                "{name}"
            );
        }
        assert!(
            ["RuntimeDefault", "Localhost"]
                .contains(&security["seccompProfile"]["type"].as_str().unwrap_or_default()),
            "{name}"
        );
        assert!(
            container["resources"]["limits"]["memory"].is_string()
                && container["resources"]["limits"]["cpu"].is_string(),
            "{name}"
        );
        assert_eq!(pod["automountServiceAccountToken"], false, "{name}");
        for key in ["hostNetwork", "hostPID", "hostIPC"] {
            assert_eq!(pod.get(key), None, "{name}: {key}");
        }
        let kinds = pod["volumes"].as_array().expect("volumes");
        assert!(
            kinds
                .iter()
                .all(|volume| volume.get("persistentVolumeClaim").or(volume.get("emptyDir")).is_some()),
            "{name}"
        );
    }
    let text = [read("packaging/kubernetes.yaml"), read("packaging/compose.yaml")].concat();
    for word in ["hostPath", "docker.sock", "privileged: true", "kind: Secret"] {
        assert!(!text.contains(word), "{word}");
    }
}

/// Everything is denied, and the bot alone gets two ways out.
#[test]
fn the_policies_of_the_network_deny_all_but_names_and_the_model() {
    let policies = objects("NetworkPolicy");
    assert_eq!(policies.len(), 3);
    let spec = |name: &str| {
        policies.iter().find(|policy| policy["metadata"]["name"] == name).map(|policy| policy["spec"].clone())
    };
    assert_eq!(spec("deny"), Some(json!({"podSelector": {}, "policyTypes": ["Ingress", "Egress"]})));
    let bot = spec("bot").expect("a policy for the bot");
    assert_eq!(
        (&bot["podSelector"], &bot["policyTypes"]),
        (&json!({"matchLabels": {"app": "bot"}}), &json!(["Egress"]))
    );
    let ways = bot["egress"].as_array().expect("ways out");
    let ports: Vec<&Value> = ways
        .iter()
        .flat_map(|way| way["ports"].as_array().into_iter().flatten())
        .map(|port| &port["port"])
        .collect();
    assert_eq!(ports, [53, 53, 443]);
    let model = spec("model").expect("a policy for the model");
    assert_eq!(model["podSelector"], ways[1]["to"][0]["podSelector"], "the bot may reach it, and it answers");
    assert_eq!(model["ingress"][0]["from"][0]["podSelector"], bot["podSelector"]);
    assert!(
        ways.iter().all(|way| way["to"].as_array().is_some_and(|to| !to.is_empty())),
        "each way names whom it leads to"
    );
}

/// The profile lists what is allowed, each group with its reason; what leads out of a container is not in it.
#[test]
fn the_profile_of_system_calls_is_a_list_of_what_is_allowed() {
    let profile: Value = serde_json::from_str(&read("packaging/container/admin-seccomp.json")).expect("JSON");
    assert_eq!(profile["defaultAction"], "SCMP_ACT_ERRNO");
    let groups = profile["syscalls"].as_array().expect("groups");
    let mut names: Vec<&str> = Vec::new();
    for group in groups {
        assert!(group["comment"].as_str().is_some_and(|why| why.len() > 8), "{group}");
        names.extend(group["names"].as_array().into_iter().flatten().filter_map(Value::as_str));
    }
    for name in [
        "unshare",
        "mount",
        "umount2",
        "pivot_root",
        "open_tree",
        "move_mount",
        "mount_setattr",
        "landlock_restrict_self",
        "seccomp",
    ] {
        assert!(names.contains(&name), "the jail needs `{name}`");
    }
    let refused = "acct add_key bpf chroot clock_settime delete_module finit_module fsopen fsmount init_module io_uring_enter \
                   io_uring_setup ioperm iopl kcmp kexec_load keyctl mknod mknodat modify_ldt name_to_handle_at open_by_handle_at \
                   perf_event_open pidfd_getfd process_vm_readv process_vm_writev ptrace quotactl reboot request_key sethostname setns \
                   setuid setgid setgroups setresuid settimeofday shmget swapon syslog userfaultfd vhangup";
    for name in refused.split_whitespace() {
        assert!(!names.contains(&name), "nothing needs `{name}`");
    }
    for (name, action) in
        [("clone3", "SCMP_ACT_ERRNO"), ("clone", "SCMP_ACT_ALLOW"), ("unshare", "SCMP_ACT_ALLOW")]
    {
        let of: Vec<&Value> = groups.iter().filter(|group| group["names"] == json!([name])).collect();
        assert!(of.len() == 1 && of[0]["action"] == action, "{name}");
        assert_eq!(of[0]["args"].is_array(), name != "clone3", "{name} is looked at by its flags");
    }
}

/// A reader that passed over what it does not know would let a weaker composition through.
#[test]
fn a_composition_of_another_kind_is_not_read() {
    let with = |line: &str| format!("services: {{x: {{image: a, user: \"1:1\", {line}}}}}");
    assert!(Services::parse(&with("read_only: true")).is_ok_and(|services| services.get("x").read_only));
    for line in [
        "security_opt: [\"apparmor:unconfined\"]",
        "security_opt: [\"no-new-privileges:false\"]",
        "volumes: [\"/var/run/docker.sock:/x\"]",
        "volumes: [\"a:/b:rw,z\"]",
    ] {
        assert!(Services::parse(&with(line)).is_err(), "{line}");
    }
    assert!(Services::parse("services: {x: {image: a, user: root}}").is_err());
    let plain = Services::parse(&with("tty: true")).expect("it can be read");
    let Service { read_only, no_new_privileges, .. } = plain.get("x");
    assert!(!read_only && !no_new_privileges);
}
