//! The levels of what is logged, which administrators change while the broker runs (KIP-412). Nothing of it is kept over
//! a restart. One for the process: a filter of tracing is one.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tracing_subscriber::EnvFilter;

/// Name of the logger that gives the level to all that have none.
pub const ROOT: &str = "root";

/// The loggers: all of the broker, and its parts.
const LOGGERS: [&str; 13] = [
    ROOT,
    "millrace",
    "millrace::api",
    "millrace::config",
    "millrace::controller",
    "millrace::coordinator",
    "millrace::log",
    "millrace::net",
    "millrace::partition",
    "millrace::protocol",
    "millrace::runtime",
    "millrace::security",
    "millrace::server",
];

/// Kafka's names of levels, and what the filter calls them. Nothing is fatal here but what ends the process, so at that
/// level nothing is logged.
const LEVELS: [(&str, &str); 6] = [
    ("DEBUG", "debug"),
    ("ERROR", "error"),
    ("FATAL", "off"),
    ("INFO", "info"),
    ("TRACE", "trace"),
    ("WARN", "warn"),
];

/// Puts another filter into effect.
type Reload = Box<dyn Fn(EnvFilter) -> Result<(), String> + Send + Sync>;

/// A change of one logger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelChange {
    /// The logger.
    pub logger: String,
    /// Kafka's name of the level; None: that of the logger above it.
    pub level: Option<String>,
}

/// The levels.
pub struct LogLevels {
    /// The filter that the process was started with.
    base: String,
    /// What was set since, by logger: names of the filter.
    set: Mutex<BTreeMap<&'static str, &'static str>>,
    reload: Reload,
}

impl LogLevels {
    /// Levels over a filter; `reload` puts a new one into effect.
    #[must_use]
    pub fn new(base: &str, reload: Reload) -> Self {
        // A filter without a word lets errors through.
        let base = if base.trim().is_empty() { "error" } else { base };
        Self { base: base.to_owned(), set: Mutex::default(), reload }
    }

    /// The names of all loggers.
    pub fn loggers() -> impl Iterator<Item = &'static str> {
        LOGGERS.into_iter()
    }

    /// Kafka's names of all levels, in their order.
    pub fn levels() -> impl Iterator<Item = &'static str> {
        LEVELS.into_iter().map(|(name, _)| name)
    }

    /// Every logger with Kafka's name of its level.
    #[must_use]
    pub fn describe(&self) -> Vec<(&'static str, &'static str)> {
        let filter = self.filter(&self.set.lock().unwrap_or_else(PoisonError::into_inner));
        LOGGERS.into_iter().map(|logger| (logger, level_in(&filter, logger))).collect()
    }

    /// Changes levels, all or none. Unknown loggers and levels are passed over: who asks has checked them.
    ///
    /// # Errors
    /// What the filter says.
    pub fn change(&self, changes: &[LevelChange]) -> Result<(), String> {
        let mut present = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        let mut set = present.clone();
        for LevelChange { logger, level } in changes {
            let Some(logger) = LOGGERS.into_iter().find(|known| known == logger) else { continue };
            match level {
                None => drop(set.remove(logger)),
                Some(level) => {
                    let known = LEVELS.into_iter().find(|(name, _)| name == level);
                    set.extend(known.map(|(_, level)| (logger, level)));
                }
            }
        }
        let filter = EnvFilter::try_new(self.filter(&set)).map_err(|error| error.to_string())?;
        (self.reload)(filter)?;
        *present = set;
        Ok(())
    }

    /// The filter as tracing reads it; what stands later counts.
    fn filter(&self, set: &BTreeMap<&'static str, &'static str>) -> String {
        let mut filter = self.base.clone();
        for (logger, level) in set {
            filter.push(',');
            if *logger != ROOT {
                filter.push_str(logger);
                filter.push('=');
            }
            filter.push_str(level);
        }
        filter
    }
}

/// Kafka's name of the level that a filter gives a logger. Of the filter's parts, those that ask for spans or fields are
/// about single events and are passed over.
fn level_in(filter: &str, logger: &str) -> &'static str {
    let mut found = (0, "FATAL");
    for part in filter.split(',').map(str::trim).filter(|part| !part.is_empty() && !part.contains('[')) {
        let (target, level) = match part.split_once('=') {
            Some((target, level)) => (target, level_named(level)),
            None => match level_named(part) {
                Some(level) => ("", Some(level)),
                None => (part, Some("TRACE")),
            },
        };
        let applies = target.is_empty() || (logger != ROOT && logger.starts_with(target));
        if let Some(level) = level.filter(|_| applies && target.len() >= found.0) {
            found = (target.len(), level);
        }
    }
    found.1
}

fn level_named(text: &str) -> Option<&'static str> {
    let by_number = ["off", "error", "warn", "info", "debug", "trace"];
    let text = match text.parse::<usize>() {
        Ok(number) => by_number.get(number).copied()?,
        Err(_) => text,
    };
    LEVELS.into_iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(level, _)| level)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_longest_name_decides_and_what_is_unset_follows_the_one_above() {
        let filters: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = filters.clone();
        let reload = move |filter: EnvFilter| {
            seen.lock().unwrap().push(filter.to_string());
            Ok(())
        };
        let levels = LogLevels::new("warn,millrace::net=debug,millrace[span]=trace", Box::new(reload));
        let level = |name: &str| levels.describe().into_iter().find(|(known, _)| *known == name).unwrap().1;
        assert_eq!((level(ROOT), level("millrace::log"), level("millrace::net")), ("WARN", "WARN", "DEBUG"));
        let change = |logger: &str, level: Option<&str>| LevelChange {
            logger: logger.to_owned(),
            level: level.map(str::to_owned),
        };
        let set = [change(ROOT, Some("ERROR")), change("millrace", Some("INFO"))];
        levels.change(&set).unwrap();
        assert_eq!((level(ROOT), level("millrace::log"), level("millrace::net")), ("ERROR", "INFO", "DEBUG"));
        let filter = filters.lock().unwrap().last().unwrap().clone();
        assert!(filter.contains("error") && filter.contains("millrace=info"), "{filter}");
        assert!(!filter.contains("warn"), "the later word replaces the earlier: {filter}");
        levels.change(&[change("millrace", None), change("millrace::net", Some("FATAL"))]).unwrap();
        assert_eq!((level("millrace::log"), level("millrace::net")), ("ERROR", "FATAL"));
        let refusing = LogLevels::new("", Box::new(|_| Err("no".to_owned())));
        assert_eq!(refusing.change(&[change(ROOT, Some("TRACE"))]), Err("no".to_owned()));
        assert_eq!(refusing.describe().first(), Some(&(ROOT, "ERROR")));
    }
}
