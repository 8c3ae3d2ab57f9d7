//! The exact bytes of each kind of record: a journal that was written by an earlier version is read by every later one.

use super::*;

/// One line of each kind, and the line of a record's kind. A kind without a line does not compile.
macro_rules! lines {
    ($($kind:ident $line:literal)*) => {
        const LINES: &[&str] = &[$($line),*];

        fn line_of(record: &Record) -> &'static str {
            match record {
                $(Record::$kind { .. } => $line,)*
            }
        }
    };
}

lines! {
    Builtins r#"{"at":"2026-01-02T03:04:05.678Z","record":"builtins","builtin":[{"name":"clock","capabilities":[],"handles_events":[],"emits_events":[]}]}"#
    Taken r#"{"at":"2026-01-02T03:04:05.678Z","record":"taken","proposal":{"id":"01890a5d-ac96-774b-bcce-b302099a8057","kind":"skill","name":"dice","description":"rolls dice","capabilities":[],"emits_events":[],"handles_events":[],"dependencies":[],"tools":[],"network":[],"memory_scope":"own","file_scope":"own","requirements":{"system_capabilities":[]},"rationale":"asked","user_context":"roll a die","generated_by":"proposer","generated_at":"2026-01-01T00:00:00Z","profile_id":"default"},"profile":"default","file":"a.yaml","spec_sha256":"0000000000000000000000000000000000000000000000000000000000000000","given":{"by":"owner","author":"imported","source_sha256":"0000000000000000000000000000000000000000000000000000000000000000"}}"#
    Refused r#"{"at":"2026-01-02T03:04:05.678Z","record":"refused","id":"01890a5d-ac96-774b-bcce-b302099a8057","profile":"default","file":"a.yaml","digest":"0000000000000000000000000000000000000000000000000000000000000000","faults":[{"key":"proposal.name","message":"missing"}]}"#
    Recurred r#"{"at":"2026-01-02T03:04:05.678Z","record":"recurred","id":"01890a5d-ac96-774b-bcce-b302099a8057","profile":"default","file":"a.yaml","digest":"0000000000000000000000000000000000000000000000000000000000000000"}"#
    Moved r#"{"at":"2026-01-02T03:04:05.678Z","record":"moved","id":"01890a5d-ac96-774b-bcce-b302099a8057","from":"new","to":"discovered","actor":"discovery","reason":null}"#
    Waits r#"{"at":"2026-01-02T03:04:05.678Z","record":"waits","id":"01890a5d-ac96-774b-bcce-b302099a8057","on":"model","why":"no answer"}"#
    Written r#"{"at":"2026-01-02T03:04:05.678Z","record":"written","id":"01890a5d-ac96-774b-bcce-b302099a8057","attempt":1,"author":"templates/dice","source_sha256":"0000000000000000000000000000000000000000000000000000000000000000"}"#
    Wanting r#"{"at":"2026-01-02T03:04:05.678Z","record":"wanting","id":"01890a5d-ac96-774b-bcce-b302099a8057","attempt":1,"messages":["scan: no"]}"#
    Reviewed r#"{"at":"2026-01-02T03:04:05.678Z","record":"reviewed","id":"01890a5d-ac96-774b-bcce-b302099a8057","review":{"source_sha256":"0000000000000000000000000000000000000000000000000000000000000000","module_sha256":"0000000000000000000000000000000000000000000000000000000000000000","report_sha256":"0000000000000000000000000000000000000000000000000000000000000000","manifest_serial":1,"recommendation":"APPROVE WITH NOTE"}}"#
    Decided r#"{"at":"2026-01-02T03:04:05.678Z","record":"decided","id":"01890a5d-ac96-774b-bcce-b302099a8057","decision":{"text":"{}","signature":"untrusted","others":[{"approver":"second","signature":"untrusted"}]}}"#
    Installed r#"{"at":"2026-01-02T03:04:05.678Z","record":"installed","id":"01890a5d-ac96-774b-bcce-b302099a8057","entry":{"name":"dice","version":1,"description":"rolls dice","module_sha256":"0000000000000000000000000000000000000000000000000000000000000000","capabilities":["memory:read"],"network":[],"secrets":[],"memory_scope":"own","file_scope":"own","emits_events":[],"handles_events":[],"described":{"description":"rolls dice","tools":[],"handles":[],"emits":[]},"decision":{"text":"{}","signature":"untrusted"}}}"#
    Uninstalled r#"{"at":"2026-01-02T03:04:05.678Z","record":"uninstalled","name":"dice","by":"owner","reason":"old","removal":{"text":"{}","signature":"untrusted"}}"#
    ProfileAdded r#"{"at":"2026-01-02T03:04:05.678Z","record":"profile-added","id":"anna","audience":"child","users":["anna"],"pin":true}"#
    ProfileRemoved r#"{"at":"2026-01-02T03:04:05.678Z","record":"profile-removed","id":"anna"}"#
    PassphraseSet r#"{"at":"2026-01-02T03:04:05.678Z","record":"passphrase-set","approver":"owner"}"#
    Spent r#"{"at":"2026-01-02T03:04:05.678Z","record":"spent","id":"01890a5d-ac96-774b-bcce-b302099a8057","attempt":1,"by":"local","tokens":100,"millis":20}"#
    Edited r#"{"at":"2026-01-02T03:04:05.678Z","record":"edited","id":"01890a5d-ac96-774b-bcce-b302099a8057","by":"owner","attempt":2,"source_sha256":"0000000000000000000000000000000000000000000000000000000000000000"}"#
    EditDropped r#"{"at":"2026-01-02T03:04:05.678Z","record":"edit-dropped","id":"01890a5d-ac96-774b-bcce-b302099a8057","attempt":2,"messages":["scan: no"]}"#
    Held r#"{"at":"2026-01-02T03:04:05.678Z","record":"held","id":"01890a5d-ac96-774b-bcce-b302099a8057","to":"human-review","actor":"review","reason":"clean"}"#
    SentBack r#"{"at":"2026-01-02T03:04:05.678Z","record":"sent-back","id":"01890a5d-ac96-774b-bcce-b302099a8057","by":"owner"}"#
    Noted r#"{"at":"2026-01-02T03:04:05.678Z","record":"noted","id":"01890a5d-ac96-774b-bcce-b302099a8057","by":"owner","text":"ask Anna"}"#
    Changed r#"{"at":"2026-01-02T03:04:05.678Z","record":"changed","id":"01890a5d-ac96-774b-bcce-b302099a8057","what":"it is gone"}"#
    Compiled r#"{"at":"2026-01-02T03:04:05.678Z","record":"compiled","id":"01890a5d-ac96-774b-bcce-b302099a8057","millis":900}"#
    ApproversChanged r#"{"at":"2026-01-02T03:04:05.678Z","record":"approvers-changed","change":{"text":"{}","signatures":["untrusted"]},"countersigned":[]}"#
    Countersigned r#"{"at":"2026-01-02T03:04:05.678Z","record":"countersigned","countersigned":[{"skill":"dice","by":{"approver":"second","signature":"untrusted"}}]}"#
    FirstYes r#"{"at":"2026-01-02T03:04:05.678Z","record":"first-yes","id":"01890a5d-ac96-774b-bcce-b302099a8057","decision":{"text":"{}","signature":"untrusted"}}"#
    CodesSet r#"{"at":"2026-01-02T03:04:05.678Z","record":"codes-set","approver":"owner","step":7}"#
    CodesRemoved r#"{"at":"2026-01-02T03:04:05.678Z","record":"codes-removed","approver":"owner","by":"second"}"#
    CodeUsed r#"{"at":"2026-01-02T03:04:05.678Z","record":"code-used","approver":"owner","step":8}"#
    CodeWrong r#"{"at":"2026-01-02T03:04:05.678Z","record":"code-wrong","approver":"owner"}"#
    Alarm r#"{"at":"2026-01-02T03:04:05.678Z","record":"alarm","id":"01890a5d-ac96-774b-bcce-b302099a8057","log":{"of":"receipts","profile":"default"},"what":"it is shorter"}"#
    Acknowledged r#"{"at":"2026-01-02T03:04:05.678Z","record":"acknowledged","log":{"of":"admin"},"by":"owner","reason":"known","head":{"log":{"of":"admin"},"end":{"count":1,"bytes":80,"hash":"00"},"acknowledged":1,"at":"2026-01-01T00:00:00Z"}}"#
    ActionTaken r#"{"at":"2026-01-02T03:04:05.678Z","record":"action-taken","proposal":{"id":"01890a5d-ac96-774b-bcce-b302099a8057","kind":"action","name":"dice","description":"rolls dice","capabilities":[],"emits_events":[],"handles_events":[],"dependencies":[],"tools":[],"network":[],"memory_scope":"own","file_scope":"own","requirements":{"system_capabilities":[]},"action":{"type":"shell","line":"ls","timeout_s":60},"rationale":"asked","user_context":"roll a die","generated_by":"proposer","generated_at":"2026-01-01T00:00:00Z","profile_id":"default"},"profile":"default","file":"a.yaml","spec_sha256":"0000000000000000000000000000000000000000000000000000000000000000","judged":{"verdict":"asks","risk":"medium","rule":"network","why":"it needs the network","parts":[{"shown":"ls","risk":"low","rule":"reads","why":"it reads"}],"plan":"0000000000000000000000000000000000000000000000000000000000000000","allowance":"01890a5d-ac96-774b-bcce-b302099a8057"}}"#
    ActionDecided r#"{"at":"2026-01-02T03:04:05.678Z","record":"action-decided","id":"01890a5d-ac96-774b-bcce-b302099a8057","decision":{"text":"{}","signature":"untrusted"}}"#
    ActionRejected r#"{"at":"2026-01-02T03:04:05.678Z","record":"action-rejected","id":"01890a5d-ac96-774b-bcce-b302099a8057","actor":"owner","reason":"no"}"#
    ActionStarted r#"{"at":"2026-01-02T03:04:05.678Z","record":"action-started","id":"01890a5d-ac96-774b-bcce-b302099a8057"}"#
    ActionDone r#"{"at":"2026-01-02T03:04:05.678Z","record":"action-done","id":"01890a5d-ac96-774b-bcce-b302099a8057","result":{"here":{"exit":0,"stdout":"a","stderr":"","cut":false,"ms":3}}}"#
    AllowanceRemoved r#"{"at":"2026-01-02T03:04:05.678Z","record":"allowance-removed","id":"01890a5d-ac96-774b-bcce-b302099a8057","by":"owner"}"#
    PluginInstalled r#"{"at":"2026-01-02T03:04:05.678Z","record":"plugin-installed","plugin":{"name":"weather","version":"1.0","description":"tells the weather","capabilities":[],"tools":[],"facts_sha256":"0000000000000000000000000000000000000000000000000000000000000000","decision":{"text":"{}","signature":"untrusted"}},"facts":{"name":"weather","version":"1.0","kind":"mcp-stdio","tree_sha256":"0000000000000000000000000000000000000000000000000000000000000000","pinned":[{"path":"/usr/bin/node","sha256":"0000000000000000000000000000000000000000000000000000000000000000"}],"workspace":false,"memory_mb":1024,"argv":["/usr/bin/node"],"calls":{"now":{"named":"get_now"}}}}"#
    PluginRemoved r#"{"at":"2026-01-02T03:04:05.678Z","record":"plugin-removed","name":"weather","by":"owner","reason":"old","removal":{"text":"{}","signature":"untrusted"}}"#
    Schedule r#"{"at":"2026-01-02T03:04:05.678Z","record":"schedule","name":"morning","told":"begun","due":"2026-01-01T06:00:00Z","by_hand":true}"#
}

#[test]
fn each_kind_of_record_is_read_and_written_byte_by_byte_as_ever() {
    for line in LINES {
        let entry: Entry = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(line_of(&entry.record), *line);
        assert_eq!(serde_json::to_string(&entry).unwrap(), *line);
    }
}
