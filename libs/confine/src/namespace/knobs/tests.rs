use super::*;

#[test]
fn the_setting_that_forbids_is_named_with_what_to_do() {
    for (path, value, expected) in [
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n", vec![Forbids::AppArmor]),
        ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0\n", vec![]),
        ("/proc/sys/kernel/unprivileged_userns_clone", "0\n", vec![Forbids::Clone]),
        ("/proc/sys/kernel/unprivileged_userns_clone", "1\n", vec![]),
        ("/proc/sys/user/max_user_namespaces", "0\n", vec![Forbids::Limit]),
        ("/proc/sys/user/max_user_namespaces", "96365\n", vec![]),
    ] {
        let found = judged(|asked| (asked == path).then(|| value.to_owned()));
        assert_eq!(found, expected, "{path}");
        for forbids in found {
            let key = path.rsplit('/').next().unwrap();
            assert!(forbids.to_string().contains(key) && forbids.remedy().contains("sysctl"), "{forbids}");
        }
    }
    assert_eq!(judged(|_| None), []);
}
