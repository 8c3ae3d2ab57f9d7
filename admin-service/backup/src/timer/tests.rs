use base::config::times::Times;

use super::*;

/// The author of the configuration does not choose what root runs: each path is one word, with any characters.
#[test]
fn the_line_for_root_holds_each_path_as_one_word() {
    let line = |folder: &str, file: &str| {
        let backups = Backups {
            folder: folder.into(),
            times: Times::new(&"backups".parse().unwrap(), "0 3 * * *", "UTC", 0).unwrap(),
            keep: 7,
            sealing: Sealing::Passphrase(file.into()),
            with_keys: false,
        };
        cron_line(&Home::new("/srv/a home".into(), None), &backups)
    };
    assert_eq!(
        line("/mnt/x; reboot", "/k/50%"),
        r"0 3 * * * root cl-admin --home '/srv/a home' backup '/mnt/x; reboot' --passphrase-file /k/50\% --keep 7"
    );
    assert!(line("/mnt/$(reboot)", "/k").contains(" backup '/mnt/$(reboot)' "));
    assert!(line("/mnt/it's", "/k").contains(r" backup '/mnt/it'\''s' "));
    assert!(line("/mnt/x\n* * * * * root reboot", "/k").contains(" backup FOLDER "));
}

#[test]
fn where_cron_goes_by_another_clock_the_line_says_so() {
    let told = |machine: &str| {
        let zone = |name| TimeZone::get(name).unwrap();
        other_clock(&zone("Europe/Berlin"), &zone(machine), "2026-01-02T03:00:00Z".parse().unwrap())
    };
    assert_eq!(told("Europe/Vienna"), "", "the same clock by another name");
    assert!(told("Etc/UTC").contains("(Etc/UTC) instead of Europe/Berlin"));
    assert!(told("Africa/Lagos").contains("Africa/Lagos"), "the same in winter alone");
}
