//! Who answers in the chat: the companion, a server of this machine, or one with a key.

use std::path::Path;

use base::change::{change, planned};
use base::config::Config;
use base::error::Error;
use base::folders::READABLE_FILE;
use base::home::Home;
use base::keys;
use confine::terminal::Unseen;
use documents::edit::Change;
use documents::yaml;
use models::config::CredentialName;
use models::provider::Kind;
use models::{Endpoint, ModelsConfig, ProviderConfig};
use review::words::Words;
use serde_json::{Map, Value, json};
use shared_types::secret::Secret;

use super::args::{Answerer, ModelArgs};
use super::credential;
use super::files::{or_by_hand, present};
use super::listener::Listener;
use super::own::{self, Offer, Own};
use super::person::{Again, Person, Stop};
use super::servers::{self, Server};
use crate::commands::model::{connect, serve};

/// What was chosen.
enum Choice {
    Keep,
    Companion,
    Server(New),
    Own(Offer),
}

/// A server that is to answer.
struct New {
    address: Endpoint,
    kind: Kind,
    model: String,
    key: Option<Secret>,
}

/// Asks who answers, and writes it down.
pub(super) fn choose(home: &Home, args: &ModelArgs, person: &mut Person<'_>) -> Result<(), Stop> {
    let present = present(&home.bot_config())?;
    let configured = configured(&present);
    let words = person.words;
    let choice = match &args.model {
        Some(answerer) => flagged(args, answerer, person)?,
        None if !person.asks => Choice::Keep,
        None => asked(home, args, &configured, person)?,
    };
    match choice {
        Choice::Keep => {
            let shown = configured.first().map_or_else(String::new, shown);
            person.say(&words.fill("onboard-model-now", &[("model", &shown)]));
        }
        Choice::Companion => companion(home, &present, &configured, person)?,
        Choice::Server(new) => server(home, &present, &configured, new, person)?,
        Choice::Own(offer) => {
            let name = own::provided(home, offer, person)?;
            connect(home, Own { name, port: serve::PORT, program: None }, person)?;
        }
    }
    person.goes_on()
}

/// Where a configuration may say who is asked first, besides the order of its list; the last one holds for the chat.
const CHOSEN: [&str; 2] = ["/default_model", "/tasks/chat"];

/// The providers in their order; what the configuration lacks is the companion.
fn configured(present: &Value) -> Vec<ProviderConfig> {
    // The program that reads the configuration reports faults; nothing of it is taken for granted here.
    let mut providers = ModelsConfig::parse(of_models(present, &["providers"]))
        .map(|config| config.providers)
        .unwrap_or_default();
    for pointer in CHOSEN {
        // `default_model` may name one of its models as well.
        let named =
            present.pointer(pointer).and_then(Value::as_str).and_then(|named| named.split('/').next());
        if let Some(at) = providers.iter().position(|provider| Some(provider.name.as_str()) == named) {
            let first = providers.remove(at);
            providers.insert(0, first);
        }
    }
    providers
}

/// These keys of a configuration, as far as they are there.
fn of_models(value: &Value, keys: &[&str]) -> Value {
    let there = keys.iter().filter_map(|key| Some(((*key).to_owned(), value.get(*key)?.clone())));
    there.filter(|(_, value)| !value.is_null()).collect::<Map<String, Value>>().into()
}

fn shown(provider: &ProviderConfig) -> String {
    match (&provider.model, &provider.base_url) {
        (Some(model), Some(url)) => format!("{}: {model}, {url}", provider.name),
        _ => provider.name.clone(),
    }
}

/// What the flags say.
fn flagged(args: &ModelArgs, answerer: &Answerer, person: &Person<'_>) -> Result<Choice, Stop> {
    let usage = |why: String| Stop::Failed(Error::usage(why));
    let (address, models) = match answerer {
        Answerer::Keep => return Ok(Choice::Keep),
        Answerer::Companion => return Ok(Choice::Companion),
        Answerer::At(address) => (address.clone(), vec![]),
        Answerer::Local => {
            let mut found = servers::find(&args.ports);
            let (1, Some(only)) = (found.len(), found.pop()) else {
                let ports: Vec<String> = args.ports.iter().map(u16::to_string).collect();
                let count = if found.is_empty() { "none answers" } else { "several answer" };
                return Err(usage(format!(
                    "--model local: {count} on the ports {} of 127.0.0.1; give the address",
                    ports.join(" ")
                )));
            };
            (only.address, only.models)
        }
    };
    let model = match (&args.model_name, models.as_slice()) {
        (Some(name), _) if servers::is_name(name) => name.clone(),
        (Some(_), _) => return Err(usage("--model-name: 1 to 200 printable characters, no spaces".into())),
        (None, [only]) => only.clone(),
        (None, []) => return Err(usage("--model-name: the server's name for the model is needed".into())),
        (None, several) => {
            return Err(usage(format!("--model-name: the server has several: {}", several.join(" "))));
        }
    };
    let key = args.key_file.as_deref().map(keys::from_file).transpose().map_err(|e| person.stop(e))?;
    if key.as_ref().is_some_and(|key| !credential::is_key(key)) {
        return Err(usage("--key-file: a key is one line of printable ASCII without spaces".into()));
    }
    let kind = args.model_kind.unwrap_or(Kind::OpenaiCompatible);
    Ok(Choice::Server(New { address, kind, model, key }))
}

/// What the person says.
fn asked(
    home: &Home,
    args: &ModelArgs,
    configured: &[ProviderConfig],
    person: &mut Person<'_>,
) -> Result<Choice, Stop> {
    let words = person.words;
    person.say(&format!("\n{}", words.say("onboard-model-looking")));
    let found = servers::find(&args.ports);
    person.goes_on()?;
    let own = if found.is_empty() { own::offers(home, person)? } else { vec![] };
    let mut options = vec![];
    let has_model = configured.first().is_some_and(|first| first.kind != Kind::Embedded);
    if let Some(first) = configured.first().filter(|_| has_model) {
        options.push((words.fill("onboard-model-keep", &[("model", &shown(first))]), Offered::Keep));
    }
    options.push((words.say("onboard-model-companion").to_owned(), Offered::Companion));
    let companion = options.len() - 1;
    let default = if !has_model && !found.is_empty() { companion + 1 } else { 0 };
    options.extend(found.iter().map(|server| (offered(server, words), Offered::Server(server))));
    options.extend(own.into_iter().map(|offer| (offer.text.clone(), Offered::Own(offer))));
    options.push((words.say("onboard-model-other").to_owned(), Offered::Another));
    let texts: Vec<String> = options.iter().map(|(text, _)| text.clone()).collect();
    let chosen =
        person.choose(words.say("onboard-model"), words.say("onboard-model-why"), &texts, default)?;
    match options.swap_remove(chosen).1 {
        Offered::Keep => Ok(Choice::Keep),
        Offered::Companion => Ok(Choice::Companion),
        Offered::Server(server) => of_this_machine(server, person).map(Choice::Server),
        Offered::Own(offer) => Ok(Choice::Own(offer)),
        Offered::Another => another(person).map(Choice::Server),
    }
}

/// What the person may choose.
enum Offered<'a> {
    Keep,
    Companion,
    Server(&'a Server),
    Own(Offer),
    Another,
}

/// A server of this machine, with the owner of its process: a person who uses it trusts that process with the conversation.
fn offered(server: &Server, words: Words) -> String {
    let (address, whose) = (server.address.to_string(), whose(server, words));
    match server.models.as_slice() {
        [only] => {
            words.fill("onboard-model-found", &[("model", only), ("address", &address), ("whose", &whose)])
        }
        several => {
            let count = several.len().to_string();
            let facts = [("count", count.as_str()), ("address", &address), ("whose", &whose)];
            words.fill("onboard-model-several", &facts)
        }
    }
}

pub(super) fn whose(server: &Server, words: Words) -> String {
    match &server.listener {
        Some(Listener { user, process: Some((pid, program)) }) => {
            let pid = pid.to_string();
            words.fill("onboard-model-process", &[("program", program), ("pid", &pid), ("user", user)])
        }
        Some(Listener { user, process: None }) => words.fill("onboard-model-user", &[("user", user)]),
        None => words.say("onboard-model-nobody").to_owned(),
    }
}

fn of_this_machine(server: &Server, person: &mut Person<'_>) -> Result<New, Stop> {
    let model = which(&server.models, person)?;
    Ok(New { address: server.address.clone(), kind: Kind::OpenaiCompatible, model, key: None })
}

fn which(models: &[String], person: &mut Person<'_>) -> Result<String, Stop> {
    if let [only] = models {
        return Ok(only.clone());
    }
    let words = person.words;
    let why = words.say("onboard-model-which-why");
    let chosen = person.choose(words.say("onboard-model-which"), why, models, 0)?;
    Ok(models[chosen].clone())
}

fn another(person: &mut Person<'_>) -> Result<New, Stop> {
    let words = person.words;
    person.say("");
    let address: Endpoint = person.line(words.say("onboard-model-address"), |typed| {
        typed.parse().map_err(|e: models::config::EndpointError| {
            Again(words.fill("onboard-model-bad-address", &[("why", &e.to_string())]))
        })
    })?;
    let local = if address.is_loopback() { servers::ask(&address) } else { None };
    let kinds = [words.say("onboard-model-openai"), words.say("onboard-model-anthropic")].map(str::to_owned);
    let kind = match &local {
        Some(_) => 0,
        None => {
            let why = words.say("onboard-model-kind-why");
            person.choose(words.say("onboard-model-kind"), why, &kinds, 0)?
        }
    };
    let kind = [Kind::OpenaiCompatible, Kind::Anthropic][kind];
    let model = match &local {
        Some(server) => which(&server.models, person)?,
        None => person.line(words.say("onboard-model-name"), |typed| match servers::is_name(typed) {
            true => Ok(typed.to_owned()),
            false => Err(Again(words.say("onboard-model-bad-name").to_owned())),
        })?,
    };
    let why = words.say("onboard-model-key-why");
    let needs_key = person.agrees(words.say("onboard-model-key"), why, !address.is_loopback())?;
    let key = if needs_key { Some(typed_key(person)?) } else { None };
    Ok(New { address, kind, model, key })
}

/// The key, which is typed without being shown: it is on no command line and in no log.
fn typed_key(person: &mut Person<'_>) -> Result<Secret, Stop> {
    let words = person.words;
    loop {
        let typed =
            Unseen::begin().and_then(|mut dialogue| dialogue.ask(words.say("onboard-model-key-prompt")));
        let key = typed.map(|key| Secret::new(key.trim().to_owned()));
        match key.map_err(|_| Error::NothingTyped) {
            Ok(key) if credential::is_key(&key) => return Ok(key),
            Ok(_) => person.say(words.say("onboard-model-bad-key")),
            Err(error) => return Err(person.stop(error)),
        }
    }
}

/// The companion answers, regardless of what else is configured.
fn companion(
    home: &Home,
    present: &Value,
    configured: &[ProviderConfig],
    person: &mut Person<'_>,
) -> Result<(), Stop> {
    let words = person.words;
    let is_first = configured.first().is_none_or(|first| first.kind == Kind::Embedded);
    let there = configured.iter().find(|provider| provider.kind == Kind::Embedded);
    let changes = match (is_first, there) {
        (true, _) => vec![],
        (false, Some(there)) => {
            let mut changes = vec![("/default_model", Change::Put(json!(there.name)))];
            changes.extend(chosen(present, &there.name));
            changes
        }
        (false, None) => {
            let entry = json!({"name": "companion", "kind": "embedded"});
            let mut changes = vec![("/providers", Change::First(entry))];
            changes.extend(chosen(present, "companion"));
            changes
        }
    };
    let path = home.bot_config();
    let changed = change(&path, READABLE_FILE, &changes, |text| check(&path, text));
    if or_by_hand(person, &path, changed)? {
        person.say(words.say("onboard-model-set-companion"));
    }
    Ok(())
}

/// Where the configuration says who is asked first, that is changed too.
fn chosen(present: &Value, name: &str) -> impl Iterator<Item = (&'static str, Change)> {
    let named =
        CHOSEN.into_iter().filter(|pointer| present.pointer(pointer).is_some_and(|named| !named.is_null()));
    let changes: Vec<_> = named.map(|pointer| (pointer, Change::Put(json!(name)))).collect();
    changes.into_iter()
}

/// A server answers first; an entry for the same address is changed in place, so that its other keys stay.
fn server(
    home: &Home,
    present: &Value,
    configured: &[ProviderConfig],
    new: New,
    person: &mut Person<'_>,
) -> Result<(), Stop> {
    let words = person.words;
    let first = present.pointer("/providers/0");
    let is_same = |entry: &&Value| {
        entry["base_url"].as_str() == Some(&new.address.to_string()) && entry["kind"] == new.kind.as_str()
    };
    let same = first.filter(is_same).and_then(|entry| entry["name"].as_str());
    let name = match same {
        Some(name) => name.to_owned(),
        None => free_name(if new.address.is_loopback() { "local" } else { "remote" }, configured),
    };
    let credential = new.key.as_ref().map(|_| format!("{name}.key"));
    let mut changes: Vec<(&str, Change)> = vec![];
    if same.is_some() {
        changes.push(("/providers/0/model", Change::Put(json!(new.model))));
        changes.extend(credential.iter().map(|file| ("/providers/0/api_key_file", Change::Put(json!(file)))));
    } else {
        if present.get("providers").is_none_or(Value::is_null) {
            changes.push(("/providers", Change::First(json!({"name": "companion", "kind": "embedded"}))));
        }
        changes.push(("/providers", Change::First(entry(&name, &new, credential.as_deref()))));
    }
    changes.extend(chosen(present, &name));
    let path = home.bot_config();
    let planned = planned(&path, &changes).and_then(|text| check(&path, &text));
    if let (Some(key), Some(file), true) = (&new.key, &credential, planned.is_ok()) {
        // First the key: a configuration that names a missing key would not answer.
        let file: CredentialName = file.parse().expect("the name of a provider fits a file");
        if !credential::may_store(home) {
            let place = home.credentials().join(file.as_str()).to_string();
            let facts = [("place", place.as_str()), ("command", person.command.as_str())];
            person.leave(words.fill("onboard-left-key", &facts));
        } else {
            credential::store(home, &file, key).map_err(|e| person.stop(e))?;
        }
    }
    let changed = planned.and_then(|()| change(&path, READABLE_FILE, &changes, |text| check(&path, text)));
    if !or_by_hand(person, &path, changed)? {
        return Ok(());
    }
    let address = new.address.to_string();
    person.say(&words.fill("onboard-model-set", &[("model", &new.model), ("address", &address)]));
    writes_skills(home, &name, &new, person)
}

/// Has a fetched model of this machine answer first, with the key that its server will ask for.
pub(super) fn connect(home: &Home, own: Own, person: &mut Person<'_>) -> Result<(), Stop> {
    let (address, key) = connect::choose(home, &own.name, own.port).map_err(|e| person.stop(e))?;
    let new = New { address, kind: Kind::OpenaiCompatible, model: own.name.to_string(), key: Some(key) };
    let present = present(&home.bot_config())?;
    let configured = configured(&present);
    server(home, &present, &configured, new, person)?;
    person.own = Some(own);
    person.goes_on()
}

fn free_name(base: &str, configured: &[ProviderConfig]) -> String {
    let taken = |name: &str| configured.iter().any(|provider| provider.name == name);
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    std::iter::once(base.to_owned()).chain(numbered).find(|name| !taken(name)).expect("some number is free")
}

/// The entry of a server in a list of providers.
fn entry(name: &str, new: &New, credential: Option<&str>) -> Value {
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| drop(entry.insert(key.to_owned(), value));
    put("name", json!(name));
    put("kind", json!(new.kind.as_str()));
    put("base_url", json!(new.address.to_string()));
    put("model", json!(new.model));
    if let Some(file) = credential {
        put("api_key_file", json!(file));
    }
    entry.into()
}

/// What every change of the bot's providers has to pass.
fn check(path: &Path, text: &str) -> Result<(), Error> {
    let value: Value = yaml::from_own(text)?;
    match ModelsConfig::parse(of_models(&value, &["providers", "tasks"])) {
        Ok(_) => Ok(()),
        Err(faults) => Err(Error::Config { file: path.to_owned(), faults }),
    }
}

/// A server of this machine without a key writes skills as well, behind the templates; a key is not for the service.
fn writes_skills(home: &Home, name: &str, new: &New, person: &mut Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    if new.key.is_some() || !new.address.is_loopback() {
        person.say(words.say("onboard-model-no-skills"));
        return Ok(());
    }
    let config = Config::read(home).map_err(|e| person.stop(e))?;
    let same = |provider: &ProviderConfig| provider.base_url.as_ref() == Some(&new.address);
    let path = home.admin_config();
    let changes = match config.providers.iter().position(same) {
        Some(_) => vec![],
        None => {
            let name = free_name(name, &config.providers);
            vec![
                ("/providers", Change::Last(entry(&name, new, None))),
                ("/implementers", Change::Last(json!(name))),
            ]
        }
    };
    // Without the key the service has the templates alone; a list that begins with the model would lose them.
    let changes = match present(&path)?.get("implementers") {
        None if !changes.is_empty() => {
            [vec![("/implementers", Change::Put(json!(["templates"])))], changes].concat()
        }
        _ => changes,
    };
    let changed = change(&path, 0o600, &changes, |text| Config::parse(&path, text).map(drop));
    if or_by_hand(person, &path, changed)? {
        person.say(words.say("onboard-model-skills"));
    }
    Ok(())
}

/// The provider that is asked first in the chat.
pub(super) fn first(home: &Home) -> Result<Option<String>, Stop> {
    Ok(configured(&present(&home.bot_config())?).first().map(|provider| provider.name.clone()))
}

/// The companion's name, where the configuration has it.
pub(super) fn companion_name(home: &Home) -> Result<Option<String>, Stop> {
    let configured = configured(&present(&home.bot_config())?);
    Ok(configured.into_iter().find(|provider| provider.kind == Kind::Embedded).map(|provider| provider.name))
}
