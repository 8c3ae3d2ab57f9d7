//! What an attacker could put onto the disk who has one key or both: hand-made manifests and entries.

use std::fs;
use std::io::Cursor;

use documents::yaml;
use minisign::{KeyPair, SecretKey, SecretKeyBox};
use shared_types::approvers::{Approvers, ApproversFile};
use shared_types::capability::TokenSet;
use shared_types::decision::{Decision, Verdict};
use shared_types::described::{Described, DescribedTool};
use shared_types::id::{ApproverId, Digest, HostName, ProposalId, SecretName, SkillName};
use shared_types::manifest::{Learned, Manifest};
use shared_types::proposal::Scope;
use shared_types::schema::Parameters;
use shared_types::signed::Signed;
use tameclaw_tests::world::{PATIENCE, World};

/// Whose key signs a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignedBy {
    /// The approver's, as it should be.
    Approver,
    /// The admin's, which signs manifests and decides nothing.
    Admin,
    /// A stranger's.
    Stranger,
}

/// A module that goes onto the disk without any review.
pub(crate) struct Forced<'a> {
    pub(crate) name: &'a str,
    pub(crate) module: &'a [u8],
    pub(crate) tokens: &'a [&'a str],
    pub(crate) signed_by: SignedBy,
    pub(crate) described: Described,
}

/// A description with one tool without parameters for each phrase.
pub(crate) fn described(tools: &[(&str, &str)]) -> Described {
    let tool = |(name, phrase): &(&str, &str)| DescribedTool {
        name: name.parse().expect("a tool name"),
        description: "forced onto the disk".into(),
        parameters: Parameters::none(),
        phrases: vec![("en".into(), (*phrase).into())],
        examples: vec![],
    };
    let tools = tools.iter().map(tool).collect();
    Described { description: "forced onto the disk".into(), tools, handles: vec![], emits: vec![] }
}

/// The present manifest, its signature not judged.
pub(crate) fn manifest(world: &World) -> Manifest {
    let text = fs::read_to_string(world.home().manifest()).expect("a home has a manifest");
    documents::manifest::read(&text).expect("the manifest can be read")
}

/// The approvers of a home, every signature of their chain checked.
pub(crate) fn approvers(world: &World) -> Approvers {
    let text = fs::read_to_string(world.home().approvers()).expect("a home has approvers");
    let file: ApproversFile = yaml::from_own(&text).expect("the approvers can be read");
    file.verify().expect("the chain holds")
}

/// Signs a manifest with the admin's key and puts it in place.
pub(crate) fn publish(world: &World, manifest: &Manifest) {
    publish_with(world, manifest, &admin_key(world));
}

/// Signs a manifest with any key and puts it in place.
pub(crate) fn publish_with(world: &World, manifest: &Manifest, key: &SecretKey) {
    let text = documents::manifest::to_string(manifest).expect("a manifest can be written");
    fs::write(world.home().manifest_signature(), sign(key, &text)).expect("the signature can be written");
    fs::write(world.home().manifest(), text).expect("the manifest can be written");
}

/// Forces a module onto the disk and into a signed manifest.
pub(crate) fn force(world: &World, forced: &Forced<'_>) {
    let mut manifest = manifest(world);
    manifest.serial += 1;
    manifest.learned.push(entry(world, forced));
    publish(world, &manifest);
}

/// As [`force`], for a module that may reach a host with a secret.
pub(crate) fn force_with_secret(world: &World, forced: &Forced<'_>, host: &str, secret: &str) {
    let mut manifest = manifest(world);
    manifest.serial += 1;
    let network = vec![host.parse().expect("a host")];
    manifest.learned.push(entry_with(world, forced, network, vec![secret.parse().expect("a name")]));
    publish(world, &manifest);
}

/// As [`force`], for a module that may reach hosts.
pub(crate) fn force_with_hosts(world: &World, forced: &Forced<'_>, hosts: &[&str]) {
    let mut manifest = manifest(world);
    manifest.serial += 1;
    let network = hosts.iter().map(|host| host.parse().expect("a host")).collect();
    manifest.learned.push(entry_with(world, forced, network, vec![]));
    publish(world, &manifest);
}

/// An entry as the installer would make it, with a decision of the given signer; its module is put in place.
pub(crate) fn entry(world: &World, forced: &Forced<'_>) -> Learned {
    entry_with(world, forced, vec![], vec![])
}

fn entry_with(
    world: &World,
    forced: &Forced<'_>,
    network: Vec<HostName>,
    secrets: Vec<SecretName>,
) -> Learned {
    let name: SkillName = forced.name.parse().expect("a skill name");
    let module = world.home().module(&name, 1);
    fs::create_dir_all(module.parent().expect("a module lies in a folder")).expect("a folder can be made");
    fs::write(&module, forced.module).expect("a module can be written");
    let tokens: TokenSet = forced.tokens.iter().map(|t| t.parse().expect("a token")).collect();
    let decision = Decision {
        verdict: Verdict::Approve,
        proposal_id: ProposalId::generate(),
        profile_id: world.profile(),
        name: name.clone(),
        version: 1,
        base_version: 0,
        manifest_serial: 1,
        spec_sha256: Digest::of(b"spec"),
        source_sha256: Digest::of(b"source"),
        module_sha256: Digest::of(forced.module),
        report_sha256: Digest::of(b"report"),
        described_sha256: forced.described.digest(),
        capabilities: tokens.clone(),
        network: network.clone(),
        secrets: secrets.clone(),
        memory_scope: Scope::Own,
        file_scope: Scope::Own,
        emits_events: vec![],
        handles_events: vec![],
        recipients: Default::default(),
        approver: approvers(world).listed().first().expect("a home has an approver").id.clone(),
        decided_at: "2026-02-07T14:30:00Z".into(),
    };
    let text = serde_json::to_string(&decision).expect("a decision can be written");
    let key = match forced.signed_by {
        SignedBy::Approver => approver_key(world, &decision.approver),
        SignedBy::Admin => admin_key(world),
        SignedBy::Stranger => stranger(),
    };
    let signature = sign(&key, &text);
    Learned {
        name,
        version: 1,
        description: "forced onto the disk".into(),
        module_sha256: Digest::of(forced.module),
        capabilities: tokens,
        network,
        secrets,
        memory_scope: Scope::Own,
        file_scope: Scope::Own,
        dependencies: vec![],
        emits_events: vec![],
        handles_events: vec![],
        recipients: Default::default(),
        described: forced.described.clone(),
        decision: Signed::unchecked(text, signature),
    }
}

/// A key that nobody trusts.
pub(crate) fn stranger() -> SecretKey {
    KeyPair::generate_unencrypted_keypair().expect("a key can be made").sk
}

pub(crate) fn admin_key(world: &World) -> SecretKey {
    key(world, "manifest.key")
}

pub(crate) fn approver_key(world: &World, approver: &ApproverId) -> SecretKey {
    key(world, &format!("approver-{approver}.key"))
}

fn key(world: &World, file: &str) -> SecretKey {
    let text = fs::read_to_string(world.home().keys().join(file)).expect("a new home's keys can be read");
    let boxed = SecretKeyBox::from_string(&text).expect("a key");
    boxed.into_unencrypted_secret_key().expect("a key without a passphrase")
}

pub(crate) fn sign(key: &SecretKey, text: &str) -> String {
    minisign::sign(None, key, Cursor::new(text.as_bytes()), None, None).expect("it signs").into_string()
}

/// A text as the admin's key signs it.
pub(crate) fn signed_by_admin(world: &World, text: &str) -> String {
    sign(&admin_key(world), text)
}

/// A text as the key of `owner` signs it.
pub(crate) fn signed_by_approver(world: &World, text: &str) -> String {
    sign(&approver_key(world, &"owner".parse().expect("an approver's name")), text)
}

/// The decision that would be right for a package which waits for a person, field by field.
pub(crate) fn right_decision(
    world: &World,
    id: &str,
    approver: &str,
) -> serde_json::Map<String, serde_json::Value> {
    let shown = world.admin(&["show", id, "--json"]).done().json();
    let report = &shown["report"];
    let described: Described = serde_json::from_value(report["described"].clone()).expect("a description");
    let mut decision = serde_json::Map::new();
    for field in [
        "name",
        "version",
        "base_version",
        "manifest_serial",
        "network",
        "secrets",
        "memory_scope",
        "file_scope",
    ] {
        decision.insert(field.into(), report[field].clone());
    }
    for field in
        ["emits_events", "handles_events", "spec_sha256", "source_sha256", "module_sha256", "profile_id"]
    {
        decision.insert(field.into(), report[field].clone());
    }
    for (field, value) in [
        ("verdict", "approve".into()),
        ("proposal_id", id.into()),
        ("report_sha256", shown["digest"].clone()),
        ("described_sha256", serde_json::json!(described.digest())),
        ("capabilities", report["derived"].clone()),
        ("approver", approver.into()),
        ("decided_at", "2026-02-07T14:30:00Z".into()),
    ] {
        decision.insert(field.into(), value);
    }
    decision
}

/// Asks the running service over its socket, as the admin's user could without any verb.
pub(crate) fn ask(world: &World, request: &serde_json::Value) -> serde_json::Value {
    use std::io::{BufRead, Write};
    let path = world.home().admin().join("service.sock");
    // The socket has its name a moment before it listens.
    let connect = || std::os::unix::net::UnixStream::connect(&path).ok();
    let mut stream = tameclaw_tests::eventually(PATIENCE, "the service listens", connect);
    stream.write_all(format!("{request}\n").as_bytes()).expect("it can be asked");
    let mut line = String::new();
    std::io::BufReader::new(stream).read_line(&mut line).expect("it answers");
    serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
}

/// Hands a decision in, signed with this key; answers the exit code, 0 for done.
pub(crate) fn hand_in(
    world: &World,
    decision: &serde_json::Map<String, serde_json::Value>,
    key: &SecretKey,
) -> u64 {
    let text = serde_json::to_string(decision).expect("a decision can be written");
    let signature = sign(key, &text);
    let reply = ask(
        world,
        &serde_json::json!({"ask": "approve", "decision": {"text": text, "signature": signature}}),
    );
    reply["failed"]["exit"].as_u64().unwrap_or(0)
}

/// Appends a record to the journal that is chained as it should be, past what the head signs; answers its number. Nothing
/// may run on the home.
pub(crate) fn append(world: &World, record: &serde_json::Value) -> u64 {
    let mut log = durable::ChainedLog::open(world.home().journal()).expect("the journal's chain holds");
    log.append(record).expect("it can be appended")
}

/// Signs the journal as it is, with the admin's own key.
pub(crate) fn sign_journal(world: &World) {
    let (seq, hash) = durable::verify(&world.home().journal()).expect("the journal's chain holds");
    let line = serde_json::json!({"seq": seq, "hash": hash}).to_string();
    let signed = signed_by_admin(world, &line);
    fs::write(world.home().journal_head(), format!("{line}\n{signed}")).expect("it can be written");
}

/// A service in the background that answers.
pub(crate) fn serving(world: &World) -> tameclaw_tests::run::Background {
    let service = world.start(tameclaw_tests::world::Program::Admin, &["run"]);
    let found = service.stderr.wait_for(&["serving"], std::time::Duration::from_secs(60));
    assert!(found.is_some(), "the service does not start: {}", service.stderr.text());
    service
}
