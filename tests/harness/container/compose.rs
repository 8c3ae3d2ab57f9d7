//! The services of a `compose.yaml`, as far as they say how a container is confined.

use std::collections::BTreeMap;

use documents::yaml;
use serde_json::Value;

use super::words;

/// The services by their names.
#[derive(Debug, Clone)]
pub struct Services(BTreeMap<String, Service>);

/// One service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// The name of its image.
    pub image: String,
    /// What it starts instead of the image's own program.
    pub entrypoint: Option<Vec<String>>,
    /// The words after that.
    pub command: Vec<String>,
    /// User and group, by number.
    pub user: (u32, u32),
    /// Further groups.
    pub groups: Vec<u32>,
    /// Whether the root is read-only.
    pub read_only: bool,
    /// Capabilities that are taken away.
    pub cap_drop: Vec<String>,
    /// Capabilities that are given back.
    pub cap_add: Vec<String>,
    /// Whether programs with an s-bit gain nothing.
    pub no_new_privileges: bool,
    /// The profile of system calls, beside the composition; without it, the engine's own.
    pub seccomp: Option<String>,
    /// The networks that it is in.
    pub networks: Vec<String>,
    /// File systems in memory, with their options.
    pub tmpfs: Vec<(String, String)>,
    /// What is mounted.
    pub volumes: Vec<Mount>,
    /// All of it, as it is written.
    pub whole: Value,
}

/// A volume at its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mount {
    /// The path within.
    pub target: String,
    /// The volume.
    pub volume: String,
    /// Whether it is read-only.
    pub read_only: bool,
}

impl Services {
    /// Reads a composition.
    ///
    /// # Errors
    /// What is not as this reader knows it: nothing that is written is passed over for that reason.
    pub fn parse(text: &str) -> Result<Services, String> {
        let whole: Value = yaml::from_own(text).map_err(|e| e.to_string())?;
        let services = whole["services"].as_object().ok_or("there are no services")?;
        let parsed = services.iter().map(|(name, value)| {
            let service = Service::parse(value).map_err(|why| format!("{name}: {why}"))?;
            Ok((name.clone(), service))
        });
        Ok(Services(parsed.collect::<Result<_, String>>()?))
    }

    /// A service that is there.
    #[must_use]
    pub fn get(&self, name: &str) -> &Service {
        self.0.get(name).unwrap_or_else(|| panic!("there is no service `{name}`"))
    }

    /// As [`Services::get`], to be changed.
    pub fn get_mut(&mut self, name: &str) -> &mut Service {
        self.0.get_mut(name).unwrap_or_else(|| panic!("there is no service `{name}`"))
    }

    /// All of them.
    pub fn each(&self) -> impl Iterator<Item = (&str, &Service)> {
        self.0.iter().map(|(name, service)| (name.as_str(), service))
    }
}

impl Service {
    fn parse(value: &Value) -> Result<Service, String> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let user = text("user").ok_or("it has no user")?;
        let user =
            user.split_once(':').and_then(|(user, group)| Some((user.parse().ok()?, group.parse().ok()?)));
        let (mut no_new_privileges, mut seccomp) = (false, None);
        for option in words(&value["security_opt"]) {
            match option.split_once(':') {
                Some(("no-new-privileges", "true")) => no_new_privileges = true,
                Some(("seccomp", path)) => seccomp = Some(path.to_owned()),
                _ => return Err(format!("an unknown option of security: {option}")),
            }
        }
        let tmpfs = words(&value["tmpfs"]).into_iter().map(|line| {
            let (place, options) = line.split_once(':').unwrap_or((&line, ""));
            (place.to_owned(), options.to_owned())
        });
        let groups = words(&value["group_add"])
            .into_iter()
            .map(|group| group.parse().map_err(|e| format!("{group}: {e}")));
        Ok(Service {
            image: text("image").ok_or("it has no image")?,
            entrypoint: value.get("entrypoint").map(words),
            command: words(&value["command"]),
            user: user.ok_or("its user and group are no numbers")?,
            groups: groups.collect::<Result<_, _>>()?,
            read_only: value["read_only"] == true,
            cap_drop: words(&value["cap_drop"]),
            cap_add: words(&value["cap_add"]),
            no_new_privileges,
            seccomp,
            networks: words(&value["networks"]),
            tmpfs: tmpfs.collect(),
            volumes: words(&value["volumes"])
                .iter()
                .map(|line| Mount::parse(line))
                .collect::<Result<_, _>>()?,
            whole: value.clone(),
        })
    }
}

impl Mount {
    fn parse(line: &str) -> Result<Mount, String> {
        let parts: Vec<&str> = line.split(':').collect();
        let (volume, target, read_only) = match parts[..] {
            [volume, target] => (volume, target, false),
            [volume, target, "ro"] => (volume, target, true),
            _ => return Err(format!("a volume of another kind: {line}")),
        };
        if volume.contains('/') {
            return Err(format!("a folder of the machine: {line}"));
        }
        Ok(Mount { target: target.to_owned(), volume: volume.to_owned(), read_only })
    }
}
