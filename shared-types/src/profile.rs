//! The abstract system profile: what this system can do, without packages, versions, paths or devices.

use serde::{Deserialize, Serialize};

/// `config/system_profile.yaml`, looked at anew at each start of the service; all that the bot knows of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemProfile {
    /// The kind of system.
    pub platform: Platform,
    /// Abstract abilities that a skill may require.
    pub available_capabilities: Vec<SystemCapability>,
    /// The names of the active skills.
    pub active_skills: Vec<String>,
}

impl SystemProfile {
    /// Whether a skill can have this ability here.
    pub fn offers(&self, ability: SystemCapability) -> bool {
        self.available_capabilities.contains(&ability)
    }
}

/// The kinds of system that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// A Linux machine.
    Linux,
    /// A container on Linux.
    Container,
    /// A Raspberry Pi of an older or another kind than those below.
    #[serde(rename = "raspberry_pi")]
    RaspberryPi,
    /// A Raspberry Pi Zero 2.
    #[serde(rename = "raspberry_pi_zero_2")]
    RaspberryPiZero2,
    /// A Raspberry Pi 3, or a module with the same processor.
    #[serde(rename = "raspberry_pi_3")]
    RaspberryPi3,
    /// A Raspberry Pi 4, or a module with the same processor.
    #[serde(rename = "raspberry_pi_4")]
    RaspberryPi4,
    /// A Raspberry Pi 5, or a module with the same processor.
    #[serde(rename = "raspberry_pi_5")]
    RaspberryPi5,
}

impl Platform {
    /// The kind's spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Platform::Linux => "linux",
            Platform::Container => "container",
            Platform::RaspberryPi => "raspberry_pi",
            Platform::RaspberryPiZero2 => "raspberry_pi_zero_2",
            Platform::RaspberryPi3 => "raspberry_pi_3",
            Platform::RaspberryPi4 => "raspberry_pi_4",
            Platform::RaspberryPi5 => "raspberry_pi_5",
        }
    }

    /// The kind of a board that calls itself so; another board is a Linux machine.
    pub fn of_board(name: &str) -> Platform {
        let Some(kind) = name.trim_end_matches(['\0', '\n', ' ']).strip_prefix("Raspberry Pi") else {
            return Platform::Linux;
        };
        let kind = kind.trim_start().trim_start_matches("Compute Module").trim_start();
        let kinds = [
            ("Zero 2", Platform::RaspberryPiZero2),
            ("3", Platform::RaspberryPi3),
            ("4", Platform::RaspberryPi4),
            ("5", Platform::RaspberryPi5),
        ];
        kinds
            .into_iter()
            .find(|(start, _)| kind.starts_with(start))
            .map_or(Platform::RaspberryPi, |found| found.1)
    }
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
    /// A service that understands speech.
    AudioInput,
    /// A service that speaks.
    AudioOutput,
    /// Pins of a GPIO chip.
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
