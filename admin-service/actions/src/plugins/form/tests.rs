use super::*;

const GOOD: &str = "name = \"word-count\"\nversion = \"1.0\"\ndescription = \"Counts\"\ncommand = \"count\"\n\
                    [[tools]]\nname = \"count\"\ndescription = \"Counts\"\n";

fn read_text(text: &str) -> Result<Form, Error> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("plugin.toml"), text).unwrap();
    read(&Folder::open(dir.path()).unwrap())
}

#[test]
fn the_least_form_is_a_program_without_any_right() {
    let form = read_text(GOOD).unwrap();
    assert_eq!((form.kind, form.capabilities.len(), form.memory_mb), (Kind::Exec, 0, 1024));
}

#[test]
fn each_fault_is_named_with_its_key() {
    let wrong = [
        ("version = \"1.0\"", "version = \"1 0\"", "version"),
        ("description = \"Counts\"\ncommand", "description = \"\\u001b[2J\"\ncommand", "description"),
        ("command = \"count\"", "", "command: missing"),
        ("command = \"count\"", "command = \"count\"\nurl = \"https://example.org\"", "url"),
        ("command = \"count\"", "command = \"count\"\ncapabilities = [\"network:read\"]", "mcp-http"),
        ("command = \"count\"", "command = \"count\"\ncapabilities = [\"llm:call\"]", "file:read"),
        ("command = \"count\"", "command = \"count\"\nkind = \"mcp-stdio\"", "lists its own"),
        ("command = \"count\"", "command = \"count\"\nkind = \"mcp-http\"", "url: missing"),
        ("command = \"count\"", "command = \"count\"\nkind = \"shell\"", "mcp-stdio"),
        ("command = \"count\"", "command = \"count\"\nmemory_mb = 1", "memory_mb"),
        ("command = \"count\"", "command = \"count\"\nenv = { PATH = \"/x\" }", "PATH"),
        ("command = \"count\"", "command = \"count\"\nmore = 1", "more"),
        ("name = \"word-count\"", "name = \"Word Count\"", "skill name"),
    ];
    for (from, to, word) in wrong {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        let error = read_text(&text).expect_err(to);
        assert!(matches!(error, Error::Usage(_)), "{error}");
        assert!(error.to_string().contains(word), "{to}: {error}");
        assert!(!error.to_string().contains('\u{1b}'), "{error:?}");
    }
}

#[test]
fn the_same_tool_twice_is_a_fault() {
    let twice = format!("{GOOD}[[tools]]\nname = \"count\"\ndescription = \"Again\"\n");
    assert!(read_text(&twice).unwrap_err().to_string().contains("2 times"));
}

#[test]
fn a_folder_without_a_form_says_where_one_is_described() {
    let dir = tempfile::tempdir().unwrap();
    assert!(read(&Folder::open(dir.path()).unwrap()).unwrap_err().to_string().contains("write-a-plugin.md"));
}

/// The least that others write: name, version, capabilities, and tools with command and schema.
#[test]
fn a_manifest_with_schema_and_without_descriptions_is_read() {
    let text = "name = \"word-count\"\nversion = \"0.1.0\"\ncapabilities = [\"tools\", \"file:read\"]\n\
                [[tools]]\nname = \"count\"\ncommand = \"count.sh\"\n\
                [tools.schema]\ntype = \"object\"\nrequired = [\"text\"]\n\
                [tools.schema.properties.text]\ntype = \"string\"\n";
    let form = parse(text).unwrap();
    assert_eq!(form.capabilities.to_string(), "file:read");
    assert_eq!(form.description, "The plugin word-count");
    assert_eq!(form.tools[0].description, "The tool count of the plugin word-count");
    assert_eq!(form.tools[0].parameters.as_ref().unwrap()["required"][0], "text");
    let unknown = parse(&text.replace("\"tools\"", "\"everything\"")).unwrap_err().join("\n");
    assert!(unknown.contains("everything"), "{unknown}");
}
