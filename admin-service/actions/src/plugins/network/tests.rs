use super::*;

fn hosts(names: &[&str]) -> Vec<HostName> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[test]
fn a_host_has_one_address_with_each_of_its_ports_and_each_name_another() {
    let hosts =
        with_ports(&hosts(&["b.example", "a.example:8443", "a.example", "localhost:8080", "b.example:443"]));
    let names: Vec<&str> = hosts.iter().map(HostName::as_str).collect();
    assert_eq!(names, ["a.example:443", "a.example:8443", "b.example:443", "localhost:8080"]);
    let places: Vec<String> = places(&hosts).iter().map(ToString::to_string).collect();
    assert_eq!(places, ["127.1.0.1:443", "127.1.0.1:8443", "127.1.0.2:443", "127.0.0.1:8080"]);
}

#[test]
fn the_list_of_names_holds_each_host_once_and_no_name_server_is_asked() {
    let files = files(&with_ports(&hosts(&["a.example", "a.example:8443", "localhost:8080"])));
    let list = "127.0.0.1 localhost\n127.1.0.1 a.example\n";
    let wanted = [("/etc/hosts", list), ("/etc/nsswitch.conf", "hosts: files\n")];
    assert_eq!(files, wanted.map(|(path, text)| (PathBuf::from(path), text.to_owned())));
}
