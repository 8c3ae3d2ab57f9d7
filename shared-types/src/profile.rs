//! The abstract system profile: what this system can do, without packages, versions, paths or devices.

use serde::{Deserialize, Serialize};

/// `config/system_profile.yaml`, made once at set-up; all that the bot knows of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemProfile {
    /// The kind of system: `linux`, or `container`.
    pub platform: Platform,
    /// Abstract abilities that a skill may require.
    pub available_capabilities: Vec<SystemCapability>,
    /// The names of the active skills.
    pub active_skills: Vec<String>,
}

/// The kinds of system that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// A Linux machine.
    Linux,
    /// A container on Linux.
    Container,
}

/// An abstract ability of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SystemCapability {
    /// Text in and out.
    Text,
    /// Records that last.
    Memory,
    /// Files in the workspace.
    Files,
    /// A language model that writes free text.
    LanguageModel,
    /// Hosts on a network.
    Network,
    /// A microphone.
    AudioInput,
    /// A loudspeaker.
    AudioOutput,
    /// Pins.
    Gpio,
}

impl SystemCapability {
    /// Every ability.
    pub const ALL: [SystemCapability; 8] = [
        SystemCapability::Text,
        SystemCapability::Memory,
        SystemCapability::Files,
        SystemCapability::LanguageModel,
        SystemCapability::Network,
        SystemCapability::AudioInput,
        SystemCapability::AudioOutput,
        SystemCapability::Gpio,
    ];

    /// The ability's spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            SystemCapability::Text => "text",
            SystemCapability::Memory => "memory",
            SystemCapability::Files => "files",
            SystemCapability::LanguageModel => "language-model",
            SystemCapability::Network => "network",
            SystemCapability::AudioInput => "audio-input",
            SystemCapability::AudioOutput => "audio-output",
            SystemCapability::Gpio => "gpio",
        }
    }

    /// The ability of that spelling.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.as_str() == word)
    }
}
