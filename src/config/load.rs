//! From file and command line to [`Config`].
//!
//! A TOML file, or none, lies over the configuration inside the program; a properties file stands alone on Kafka's
//! defaults, so that a file that ran Kafka means the same here.

use super::error::{ConfigError, Place, Warning};
use super::key::Effect;
use super::layers::{Again, Layer, Layers};
use super::settings::Config;
use super::{build, catalog, nearest, properties, toml_file};
use std::path::{Path, PathBuf};

const EMBEDDED: &str = include_str!("../../config/default.toml");

/// What was read, before it is built.
#[derive(Default)]
struct Loader {
    layers: Layers,
    warnings: Vec<Warning>,
    /// Names of Kafka's that have a value and no effect.
    idle: Vec<String>,
    /// The properties file, if it is one.
    kafka_file: Option<PathBuf>,
}

impl Config {
    /// The configuration of a file (TOML, or properties if its name ends so) and of `KEY=VALUE` arguments, which win
    /// over it. Without a file: the one inside the program.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn load(file: Option<&Path>, sets: &[String]) -> Result<(Self, Vec<Warning>), ConfigError> {
        let mut loader = Loader::default();
        match file {
            Some(path) if path.extension().is_some_and(|ending| ending == "properties") => {
                loader.read_properties(path)?;
            }
            file => {
                loader.read_toml(Layer::Embedded, EMBEDDED, &|_| Place::Embedded)?;
                if let Some(path) = file {
                    let text = String::from_utf8(read(path)?).map_err(|error| ConfigError::Syntax {
                        place: place_after(path, error.utf8_error().valid_up_to(), error.as_bytes()),
                        reason: "not UTF-8; save the file as UTF-8".to_owned(),
                    })?;
                    loader.read_toml(Layer::File, &text, &toml_file::in_file(path))?;
                }
            }
        }
        for set in sets {
            loader.read_set(set)?;
        }
        loader.finish()
    }

    /// For tests of what stands on it: one listener on a free port of 127.0.0.1, one log directory, any file system.
    ///
    /// # Panics
    /// If the directory's name has a comma.
    pub fn for_tests(dir: &Path) -> Self {
        let sets = [
            "listeners=PLAINTEXT://127.0.0.1:0".to_owned(),
            format!("log.dirs={}", dir.display()),
            "log.allow_unsafe_filesystem=true".to_owned(),
        ];
        match Self::load(None, &sets) {
            Ok((config, _)) => {
                assert_eq!(config.log_dirs, [dir], "a comma in the directory's name");
                config
            }
            Err(error) => unreachable!("the configuration for tests is wrong: {error}"),
        }
    }
}

impl Loader {
    fn read_toml(
        &mut self,
        layer: Layer,
        text: &str,
        place_of: &dyn Fn(usize) -> Place,
    ) -> Result<(), ConfigError> {
        for entry in toml_file::parse(text, place_of)? {
            let kafka = entry.key.strip_prefix("kafka.");
            let key = match kafka {
                Some(name) if self.is_idle_prefixed(name) => continue,
                Some(name) => catalog::kafka_key(name),
                None => catalog::toml_key(&entry.key),
            };
            let Some(key) = key else {
                let remedy =
                    kafka.map_or_else(|| nearest::toml_remedy(&entry.key), nearest::kafka_section_remedy);
                let key = kafka.unwrap_or(&entry.key).to_owned();
                return Err(ConfigError::UnknownKey { place: entry.place, key, remedy });
            };
            let shown = kafka.unwrap_or(&entry.key);
            self.layers.put(layer, key, shown, &entry.text, entry.place, Again::IsRefused)?;
        }
        Ok(())
    }

    fn read_properties(&mut self, path: &Path) -> Result<(), ConfigError> {
        let place_of = toml_file::in_file(path);
        let text = properties::decode(read(path)?);
        let entries = properties::parse(&text).map_err(|bad| ConfigError::Syntax {
            place: place_of(bad.line),
            reason: "a \\u without four hexadecimal digits; write \\\\ for a backslash".to_owned(),
        })?;
        let mut unknown = Vec::new();
        for entry in entries {
            let (name, place) = (entry.key.as_str(), place_of(entry.line));
            if self.is_idle_prefixed(name) {
                continue;
            }
            match catalog::broker_key(name) {
                Some(key) => self.layers.put(Layer::File, key, name, &entry.value, place, Again::Replaces)?,
                None if name.starts_with("millrace.") => {
                    let (key, remedy) = (name.to_owned(), nearest::kafka_remedy(name));
                    return Err(ConfigError::UnknownKey { place, key, remedy });
                }
                None => unknown.push(unknown_in_properties(name, entry.line)),
            }
        }
        if !unknown.is_empty() {
            let text = format!("{}: not known and ignored: {}", path.display(), unknown.join(", "));
            self.warnings.push(Warning(text));
        }
        self.kafka_file = Some(path.to_owned());
        Ok(())
    }

    /// What Kafka would refuse to start without, or what its default makes dangerous.
    fn warn_of_defaults(&mut self) {
        let Some(path) = &self.kafka_file else { return };
        let mut warn = |text: String| self.warnings.push(Warning(format!("{}: {text}", path.display())));
        if self.layers.first(&["node.id", "broker.id"]).is_none() {
            let number = build::DEFAULT_NODE_ID;
            warn(format!("node.id is not set and is {number} now; set it before the node joins others"));
        }
        if self.layers.first(&["log.dirs", "log.dir"]).is_none() {
            let text = "log.dirs is not set; data goes to Kafka's default, /tmp/kafka-logs, which many systems empty";
            warn(text.to_owned());
        }
    }

    fn read_set(&mut self, set: &str) -> Result<(), ConfigError> {
        let Some((name, text)) = set.split_once('=') else {
            let reason = format!("{set}: has no =; write --set KEY=VALUE");
            return Err(ConfigError::Syntax { place: Place::Set, reason });
        };
        let name = name.trim();
        if self.is_idle_prefixed(name) {
            return Ok(());
        }
        let Some(key) = catalog::broker_key(name).or_else(|| catalog::toml_key(name)) else {
            let in_toml = catalog::broker_keys().filter_map(|key| key.toml);
            let remedy = match nearest::nearest(name, in_toml) {
                Some(near) => format!("did you mean {near}?"),
                None => nearest::kafka_remedy(name),
            };
            return Err(ConfigError::UnknownKey { place: Place::Set, key: name.to_owned(), remedy });
        };
        self.layers.put(Layer::Set, key, name, text, Place::Set, Again::Replaces)
    }

    /// Whether a name is a known key for one listener only; such keys have no effect yet.
    fn is_idle_prefixed(&mut self, name: &str) -> bool {
        let is_known = catalog::is_listener_key(name);
        if is_known {
            self.idle.push(name.to_owned());
        }
        is_known
    }

    fn finish(mut self) -> Result<(Config, Vec<Warning>), ConfigError> {
        self.warn_of_defaults();
        let set = [Layer::File, Layer::Set].into_iter().flat_map(|layer| self.layers.of(layer));
        let without_effect = set.filter(|setting| setting.key.effect == Effect::NotYet);
        self.idle.extend(without_effect.map(|setting| setting.key.name.to_owned()));
        self.idle.sort_unstable();
        self.idle.dedup();
        if !self.idle.is_empty() {
            let text = format!("known to Kafka and without effect yet: {}", self.idle.join(", "));
            self.warnings.push(Warning(text));
        }
        let config = build::build(self.layers, &mut self.warnings)?;
        Ok((config, self.warnings))
    }
}

fn unknown_in_properties(name: &str, line: usize) -> String {
    const TYPO: usize = 2;
    let close = |near: &&'static str| nearest::distance(name, near) <= TYPO;
    match nearest::nearest(name, catalog::broker_keys().map(|key| key.name)).filter(close) {
        Some(near) => format!("{name} (line {line}; did you mean {near}?)"),
        None => format!("{name} (line {line})"),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ConfigError> {
    std::fs::read(path)
        .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}

fn place_after(path: &Path, offset: usize, bytes: &[u8]) -> Place {
    let line = bytes.iter().take(offset).filter(|byte| **byte == b'\n').count() + 1;
    Place::File { path: path.to_owned(), line }
}
