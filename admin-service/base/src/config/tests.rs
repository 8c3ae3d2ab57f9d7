use super::*;

fn parse(text: &str) -> Result<Config, Error> {
    Config::parse(Path::new("admin.yaml"), text)
}

#[test]
fn the_shipped_file_says_what_the_defaults_are() {
    let (shipped, absent) = (parse(SHIPPED).unwrap(), parse("").unwrap());
    assert_eq!(format!("{shipped:?}"), format!("{absent:?}"));
}

/// A file that looks as it did is not parsed again; a change counts at once, also one of the same length.
#[test]
fn a_changed_configuration_counts_at_the_next_reading() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    let path = home.admin_config();
    std::fs::create_dir_all(home.admin()).unwrap();
    let repairs = || Config::read(&home).unwrap().max_repairs;
    std::fs::write(&path, "max_repairs: 1\n").unwrap();
    assert_eq!(repairs(), 1);
    let stamp = Stamp::of(&path, &File::open(&path).unwrap()).unwrap();
    assert!(!stamp.is_settled(), "it was written just now");
    *LAST.lock().unwrap() = Some((stamp, Config { max_repairs: 7, ..parse("").unwrap() }));
    assert_eq!(repairs(), 7);
    // Longer than a step of the clock of a file system.
    std::thread::sleep(Duration::from_millis(50));
    std::fs::write(&path, "max_repairs: 2\n").unwrap();
    assert_eq!(repairs(), 2);
}

#[test]
fn every_fault_is_told_in_one_pass() {
    let Err(Error::Config { faults, .. }) =
        parse("poll_interval_seconds: 0\nimplementers: [ghost]\nlimits: {compile_seconds: x}\nextra: 1\n")
    else {
        panic!("accepted")
    };
    let keys: Vec<&str> = faults.iter().map(|f| f.key.as_str()).collect();
    assert_eq!(keys, ["extra", "poll_interval_seconds", "limits.compile_seconds", "implementers"]);
}

#[test]
fn the_ways_to_a_key_that_only_the_bot_has_are_refused_by_name() {
    let text = "providers:\n  - {name: p, kind: openai-compatible, base_url: \"https://x.example/v1\", model: m, \
                api_key_file: k}\n";
    let Err(Error::Config { faults, .. }) = parse(text) else { panic!("accepted") };
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].key, "providers[0].api_key_file");
    assert!(faults[0].message.contains("`api_key`"), "{faults:?}");
}

fn faults(text: &str) -> Vec<String> {
    match parse(text) {
        Err(Error::Config { faults, .. }) => faults.iter().map(ToString::to_string).collect(),
        Err(error) => panic!("{error}"),
        Ok(config) => panic!("{config:?}"),
    }
}

const RECIPIENT: &str = "age1s3595nfqpkfjstazv8rd6p3yjc2wwwzwu5zgm3f78qh9ew2lte2qxrcz4c";

#[test]
fn backups_are_off_without_a_folder_and_encrypted_unless_told_otherwise() {
    assert!(parse("").unwrap().backups.is_none() && parse("backups: {}\n").unwrap().backups.is_none());
    let of =
        |more: &str| parse(&format!("backups: {{folder: /mnt/usb, {more}}}\n")).unwrap().backups.unwrap();
    let sealed = of(&format!("recipients: [{RECIPIENT}], with_keys: true"));
    assert_eq!((sealed.keep, sealed.times.written(), sealed.with_keys), (7, "0 3 * * * UTC", true));
    assert!(matches!(&sealed.sealing, Sealing::Recipients(all) if all[0].to_string() == RECIPIENT));
    assert_eq!(of("plain: true").sealing, Sealing::Plain);
    assert_eq!(of("passphrase_file: /etc/p").sealing, Sealing::Passphrase("/etc/p".into()));
}

#[test]
fn every_fault_of_backups_is_told_with_its_key() {
    let wrong = RECIPIENT.replace("age1s", "age1q");
    for (text, expected) in [
        ("keep: 3".to_owned(), "backups.folder: missing"),
        ("folder: /b".to_owned(), "backups.recipients: missing: name the public keys"),
        ("folder: b, plain: true".to_owned(), "backups.folder: `b` is not an absolute path"),
        ("folder: /b, passphrase_file: p".to_owned(), "backups.passphrase_file: `p` is not an absolute path"),
        ("folder: /b, plain: true, keep: 0".to_owned(), "backups.keep: "),
        ("folder: /b, plain: true, cron: daily".to_owned(), "backups.cron: has 1 field(s)"),
        ("folder: /b, plain: true, zone: Mars/Base".to_owned(), "backups.zone: `Mars/Base`"),
        (
            "folder: /b, plain: true, with_keys: true".to_owned(),
            "backups.with_keys: keys are backed up encrypted only",
        ),
        ("folder: /b, plain: true, passphrase_file: /p".to_owned(), "exactly one is allowed"),
        (format!("folder: /b, plain: true, recipients: [{RECIPIENT}]"), "exactly one is allowed"),
        ("folder: /b, plain: maybe, recipients: []".to_owned(), "backups.plain: must be `true` or `false`"),
        (format!("folder: /b, recipients: [{wrong}]"), "is not a public key of age"),
        ("folder: /b, plain: true, when: now".to_owned(), "backups.when: this key is unknown"),
    ] {
        let told = faults(&format!("backups: {{{text}}}\n"));
        assert!(told.iter().any(|fault| fault.contains(expected)), "{text}: {told:?}");
    }
}

#[cfg(feature = "email")]
#[test]
fn notifiers_of_every_kind_are_read() {
    let config = parse(
        "mode: headless\ndigest_minutes: 0\nnotifiers:\n  - {name: t, kind: cli}\n  \
         - {name: hook, kind: webhook, url: \"${HOOK_URL}\", timeout_seconds: 3}\n  \
         - {name: phone, kind: ntfy, url: \"https://ntfy.example.org/topic\", token: \"${PHONE}\"}\n  \
         - {name: mail, kind: email, server: mx.example.org, tls: tls, user: me, password: \"${MAIL}\", \
         from: \"Bot <bot@example.org>\", to: [anna@example.org, \"Ben <ben@example.org>\"]}\n",
    )
    .unwrap();
    let telling = config.telling;
    assert_eq!((telling.mode, telling.digest.as_secs()), (Mode::Headless, 0));
    let kinds: Vec<&str> = telling.notifiers.iter().map(|n| n.way.kind()).collect();
    assert_eq!(kinds, ["cli", "webhook", "ntfy", "email"]);
    let Way::Email(mail) = &telling.notifiers[3].way else { panic!() };
    assert_eq!((mail.port, mail.tls, mail.to.len()), (465, Tls::Tls, 2));
    assert_eq!(telling.notifiers[1].timeout.as_secs(), 3);
    assert!(parse("notifiers: []\n").unwrap().telling.notifiers.is_empty(), "nobody is told by choice");
}

#[cfg(feature = "email")]
#[test]
fn faults_of_notifiers_are_told_without_their_secrets() {
    let told = faults(
        "notifiers:\n  - {name: a, kind: pigeon}\n  - {name: a b, kind: cli}\n  - {kind: cli}\n  \
         - {name: h, kind: webhook, url: \"http://far.example.org/x\", token: sk-hunter2}\n  \
         - {name: h, kind: ntfy}\n  \
         - {name: m, kind: email, server: mx.example.org, tls: none, user: me, from: nobody, to: []}\n  \
         - {name: t, kind: cli}\n  - {name: t, kind: cli, extra: 1}\n",
    );
    let all = told.join("\n");
    for expected in [
        "notifiers[0].kind: \"pigeon\" is not allowed; allowed: cli webhook ntfy email",
        "notifiers[1].name: 1 to 32 lower-case letters",
        "notifiers[2].name: missing",
        "notifiers[3].token: must be `${NAME}`",
        "notifiers[3].url: plain http is for this machine only",
        "notifiers[4].url: missing",
        "notifiers[5].tls: `none` is for this machine only",
        "notifiers[5].password: missing beside `user`",
        "notifiers[5].from: `nobody` is not a mail address",
        "notifiers[5].to: needs 1 to 16 addresses",
        "notifiers[7].name: `t` is there twice",
        "notifiers[7].extra: this key is unknown",
    ] {
        assert!(all.contains(expected), "{expected}\n{all}");
    }
    assert!(!all.contains("hunter2"), "{all}");
}

#[cfg(not(feature = "email"))]
#[test]
fn a_notifier_by_mail_is_refused_by_a_program_without_mail() {
    let told = faults(
        "notifiers:\n  - {name: m, kind: email, server: mx.example.org, tls: tls, user: me, password: \"${MAIL}\", \
         from: bot@example.org, to: [anna@example.org]}\n",
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("notifiers[0].kind: this program is built without mail"), "{told:?}");
}

#[test]
fn the_path_of_the_compiler_may_begin_with_the_home_folder() {
    let path = Path::new("admin.yaml");
    let compiler = Config::parse(path, "compiler: ~/bin/rustc\n").unwrap().compiler;
    assert!(compiler.ends_with("/bin/rustc") && compiler.starts_with('/'), "{compiler}");
    let Err(Error::Config { faults, .. }) = Config::parse(path, "compiler: \"${GHOST_OF_A_NAME}/rustc\"\n")
    else {
        panic!("a variable that is not set has no value");
    };
    assert_eq!(faults[0].key, "compiler");
    assert!(faults[0].message.contains("GHOST_OF_A_NAME is not set"), "{faults:?}");
}
