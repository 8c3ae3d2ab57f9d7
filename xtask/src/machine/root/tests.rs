use super::*;

#[test]
fn what_a_package_puts_beside_usr_goes_into_it() {
    assert_eq!(merged("bin/busybox"), "usr/bin/busybox");
    assert_eq!(merged("lib/aarch64-linux-gnu/libc.so.6"), "usr/lib/aarch64-linux-gnu/libc.so.6");
    assert_eq!(merged("lib"), "usr/lib");
    assert_eq!(merged("usr/bin/ls"), "usr/bin/ls");
    assert_eq!(merged("library/file"), "library/file");
}
