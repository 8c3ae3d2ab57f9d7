use super::*;

const ROOT: &str = "22 1 254:0 / / ro,relatime - ext4 /dev/vda rw\n";
const PROC: &str = "24 22 0:22 / /proc rw,nosuid - proc proc rw\n";
const OWN: &str =
    "30 22 254:0 /home/b/profile /home/b/pro\\040file rw,relatime shared:1 - ext4 /dev/vda rw\n";
const TMP: &str = "31 22 0:40 / /tmp rw - tmpfs tmpfs rw\n";

fn holds(mounts: &[&str]) -> bool {
    read_only_but(&mounts.concat(), &["/home/b/pro file".into()])
}

#[test]
fn a_read_only_root_with_the_own_folders_writable_is_a_view_of_its_own() {
    assert!(holds(&[ROOT, PROC, OWN]));
}

#[test]
fn any_other_writable_place_is_none() {
    assert!(!holds(&[ROOT, PROC, OWN, TMP]));
    assert!(!holds(&[ROOT, &OWN.replace("pro\\040file", "profiles")]));
    assert!(!holds(&[&ROOT.replace(" ro,", " rw,"), PROC, OWN]));
}

#[test]
fn a_writable_place_that_another_mount_covers_does_not_count() {
    let cover = "32 31 0:41 / /tmp ro - tmpfs tmpfs ro\n";
    assert!(holds(&[ROOT, PROC, OWN, TMP, cover]));
    // Beside it, not over it.
    assert!(!holds(&[ROOT, PROC, OWN, TMP, &cover.replace("32 31", "32 22")]));
    assert!(!holds(&[ROOT, PROC, OWN, TMP, &cover.replace("/tmp", "/tmp/a")]));
}

#[test]
fn a_writable_root_is_none_even_if_all_of_it_were_allowed() {
    assert!(!read_only_but(&ROOT.replace(" ro,", " rw,"), &["/".into()]));
}

#[test]
fn a_read_only_disk_counts_as_a_read_only_mount() {
    assert!(holds(&["22 1 254:0 / / rw - squashfs /dev/vda ro\n", PROC]));
}

#[test]
fn a_line_that_cannot_be_read_is_none() {
    assert!(!holds(&[ROOT, "what is this\n"]));
    assert!(!holds(&[PROC]));
    assert!(!holds(&[]));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic_and_none_without_a_root_passes(text in "[ -~\\n\\\\]{0,200}") {
        let verdict = read_only_but(&text, &["/x".into()]);
        proptest::prop_assert!(!verdict || text.contains(" / "));
    }
}
