//! What `Dockerfile` puts into an image.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::world::{Program, workspace};

/// The last stage of an image, as `Dockerfile` names it.
#[derive(Debug, Clone)]
pub struct Image {
    /// The image that it begins with.
    pub base: String,
    /// What it starts.
    pub entrypoint: Vec<String>,
    /// Its environment.
    pub env: Vec<(String, String)>,
    /// Its user.
    pub user: String,
    /// Copied files, from where and to where.
    pub copied: Vec<(String, String)>,
    programs: bool,
}

impl Image {
    /// The image of this name: `tameclaw-` and the name of its stage.
    #[must_use]
    pub fn of(name: &str) -> Image {
        let text = fs::read_to_string(workspace().join("Dockerfile")).expect("there is a Dockerfile");
        let stage = name.strip_prefix("tameclaw-").expect("an image of this project");
        Image::parse(&text, stage).unwrap_or_else(|| panic!("there is no stage `{stage}`"))
    }

    /// Reads one stage.
    #[must_use]
    pub fn parse(text: &str, stage: &str) -> Option<Image> {
        let mut image: Option<Image> = None;
        for line in instructions(text) {
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            if word == "FROM" {
                if image.is_some() {
                    break;
                }
                let (base, name) = rest.split_once(" AS ").unwrap_or((rest, ""));
                image = (name == stage).then(|| Image::begun(base));
                continue;
            }
            let Some(image) = &mut image else { continue };
            match word {
                "ENTRYPOINT" => image.entrypoint = serde_json::from_str(rest).unwrap_or_default(),
                "USER" => image.user = rest.to_owned(),
                "ENV" => image.env.extend(rest.split_whitespace().filter_map(pair)),
                "COPY" => {
                    let words: Vec<&str> =
                        rest.split_whitespace().filter(|word| !word.starts_with("--")).collect();
                    let [from, to] = words[..] else { panic!("a COPY of another kind: {line}") };
                    image.copied.push((from.to_owned(), to.to_owned()));
                }
                _ => {}
            }
        }
        image
    }

    fn begun(base: &str) -> Image {
        let (entrypoint, env, copied) = (Vec::new(), Vec::new(), Vec::new());
        Image {
            base: base.to_owned(),
            entrypoint,
            env,
            user: String::new(),
            copied,
            programs: base != "scratch",
        }
    }

    /// The same with this machine's programs, which take the place of a distribution's.
    #[must_use]
    pub fn with_programs(mut self) -> Image {
        self.programs = true;
        self
    }

    /// Lays the image's files at `root`; answers the mounts for those that are this machine's.
    #[must_use]
    pub fn lay(&self, root: &Path) -> Vec<Value> {
        let make = |path: &str| fs::create_dir_all(root.join(path)).expect("a folder");
        for folder in ["proc", "dev", "sys", "tmp", "etc", "usr"] {
            make(folder);
        }
        let mut mounts = Vec::new();
        let mut mount = |from: &Path, to: &str| {
            mounts.push(json!({"type": "bind", "source": from, "destination": to, "options": ["rbind", "ro", "nosuid", "nodev"]}));
        };
        if self.programs {
            for name in ["bin", "lib", "lib64", "libexec", "sbin", "share"] {
                let from = Path::new("/usr").join(name);
                if from.is_dir() {
                    mount(&from, &format!("/usr/{name}"));
                }
                if fs::read_link(Path::new("/").join(name)).is_ok() {
                    symlink(format!("usr/{name}"), root.join(name)).expect("a link");
                }
            }
            mount(Path::new("/etc/alternatives"), "/etc/alternatives");
        }
        // Several programs are linked to the same ones.
        let mut linked = BTreeSet::new();
        for (from, to) in &self.copied {
            let from = match Path::new(from).file_name().and_then(|name| name.to_str()) {
                Some("cl-bot") => Program::Bot.path(),
                Some("cl-admin") => Program::Admin.path(),
                Some("cl-door") => Program::Door.path(),
                Some("cl-review") => Program::Review.path(),
                _ if from.starts_with('/') => PathBuf::from(from),
                _ => workspace().join(from),
            };
            // What comes of a distribution is there already beside its programs, or this machine lacks it.
            if from.starts_with("/usr/share") && self.programs || !from.exists() {
                continue;
            }
            mount(&from, to);
            if !self.programs && from.starts_with(workspace()) {
                linked.extend(libraries(&from));
            }
        }
        for library in linked {
            mount(&library, &library.display().to_string());
        }
        if self.base != "scratch" {
            self.lay_users(root);
        }
        mounts
    }

    /// The users of the image, and the home that it makes for them.
    fn lay_users(&self, root: &Path) {
        let users = "root:x:0:0::/root:/bin/sh\ntameclaw:x:65531:65531::/nonexistent:/usr/sbin/nologin\n";
        fs::write(root.join("etc/passwd"), users).expect("a file");
        fs::write(root.join("etc/group"), "root:x:0:\ntameclaw:x:65531:\ncl-bot:x:65532:tameclaw\n")
            .expect("a file");
        let home = self.env.iter().find(|(name, _)| name == "TAMECLAW_HOME").expect("the image names a home");
        let home = root.join(home.1.trim_start_matches('/'));
        fs::create_dir_all(home.parent().expect("a folder above")).expect("a folder");
        fs::DirBuilder::new().mode(0o750).create(&home).expect("a folder");
        chown(&home, Some(65531), Some(65532)).expect("root may");
        fs::set_permissions(&home, std::os::unix::fs::PermissionsExt::from_mode(0o2750)).expect("root may");
    }
}

/// The instructions of a Dockerfile, each in one line, without comments.
#[must_use]
pub fn instructions(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    let joined = lines.join("\n").replace("\\\n", " ");
    joined.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn pair(word: &str) -> Option<(String, String)> {
    word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
}

/// What a program of the tests is linked to; the image's own is static.
fn libraries(program: &Path) -> Vec<PathBuf> {
    let told = Command::new("ldd").arg(program).output().expect("ldd runs");
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let paths = told.split_whitespace().filter(|word| word.starts_with('/'));
    paths.map(PathBuf::from).collect()
}
