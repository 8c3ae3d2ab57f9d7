use settings::bot::BOT;
use shared_types::audience::Audience;

use super::FurtherFolder;

fn read(entry: &str) -> Result<FurtherFolder, String> {
    let mut top = crate::settings::section(BOT, &format!("folders:\n- {entry}\n"));
    let mut folders = FurtherFolder::read_all(&mut top);
    let faults: Vec<String> =
        top.finish().iter().map(|fault| format!("{}: {}", fault.key, fault.message)).collect();
    if faults.is_empty() { Ok(folders.remove(0)) } else { Err(faults.join("\n")) }
}

#[test]
fn a_folder_with_its_tree_is_the_only_pattern() {
    for path in ["/srv/plans", "~/Documents", "~anna/Documents/year one"] {
        let folder = read(&format!("{{path: \"{path}/**\", profiles: [anna]}}")).unwrap();
        assert_eq!((folder.path.as_str(), folder.write), (path, false));
    }
    for (path, why) in [
        ("/**", "a whole disk or a whole home folder"),
        ("~/**", "a whole disk or a whole home folder"),
        ("~anna/**", "a whole disk or a whole home folder"),
        ("/srv/plans", "does not end in /**"),
        ("/srv/plans/*", "does not end in /**"),
        ("/srv/*/plans/**", "has another pattern"),
        ("/srv/${NAME}/**", "has another pattern"),
        ("/srv/../etc/**", "`.` or `..`"),
        ("/srv//x/**", "an empty part"),
        ("//**", "a whole disk"),
        ("Documents/**", "is not absolute"),
        ("~/.ssh/**", "a hidden folder"),
        ("~anna/.config/x/**", "a hidden folder"),
        ("~../x/**", "names no user"),
        ("", "does not end in /**"),
    ] {
        let fault = read(&format!("{{path: \"{path}\", profiles: [anna]}}")).unwrap_err();
        assert!(fault.starts_with("folders[0].path: ") && fault.contains(why), "{path}: {fault}");
    }
}

#[test]
fn an_entry_names_its_profiles_and_a_minor_writes_only_where_that_is_said() {
    for (entry, why) in [
        ("{path: /srv/a/**}", "folders[0].profiles: names no profile"),
        ("{path: /srv/a/**, profiles: [\"*\"]}", "folders[0].profiles"),
        ("{path: /srv/a/**, profiles: [a], access: all}", "folders[0].access"),
        ("{path: /srv/a/**, profiles: [a], minors_write: true}", "needs `access: write`"),
        ("{profiles: [a]}", "folders[0].path"),
        ("/srv/a/**", "folders[0]: must be a mapping"),
    ] {
        let faults = read(entry).unwrap_err();
        assert!(faults.contains(why) && faults.lines().count() == 1, "{entry}: {faults}");
    }
    let writes = |entry: &str, audience| read(entry).unwrap().writes(audience);
    let entry = "{path: /srv/a/**, profiles: [a], access: write}";
    assert!(writes(entry, Audience::Adult) && writes(entry, Audience::Work));
    assert!(!writes(entry, Audience::Child) && !writes(entry, Audience::Teen));
    assert!(writes("{path: /srv/a/**, profiles: [a], access: write, minors_write: true}", Audience::Child));
    assert!(!writes("{path: /srv/a/**, profiles: [a]}", Audience::Adult));
}
