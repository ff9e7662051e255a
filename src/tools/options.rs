//! Command-line options as Kafka's tools take them: long names that may be shortened, `--name value` or `--name=value`,
//! and the same lines on standard error when they cannot be used.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::tools::output::say;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// Ends a tool early: a text for standard error that ends it with 1, or the code after everything is said.
#[derive(Debug)]
pub enum Stop {
    /// A mistake in the options; the usage follows it.
    Usage(String),
    /// Another mistake: only this line.
    Line(String),
    /// Everything was said.
    Exit(ExitCode),
}

/// An option without a value.
pub fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

/// An option with a value. Whether it may stand more than once is judged when it is read.
pub fn value(name: &'static str, placeholder: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .value_name(placeholder)
        .action(ArgAction::Append)
        .num_args(1)
        .allow_hyphen_values(true)
}

/// An option without a value that may stand more than once, at places that matter: see [`Options::positions`].
pub fn repeated_flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::Append).num_args(0).default_missing_value("")
}

/// A tool's command; `--help` and `--version` are among its options.
pub fn command(name: &'static str, about: &'static str) -> Command {
    Command::new(name)
        .about(about)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .no_binary_name(true)
        .infer_long_args(true)
        .args_override_self(true)
        .arg(Arg::new("help").long("help").short('h').help("Show this text.").action(ArgAction::SetTrue))
        .arg(flag("version", "Show the version."))
}

/// Options that were given.
#[derive(Debug)]
pub struct Options {
    matches: ArgMatches,
    usage: String,
}

impl Options {
    /// Reads the options; answers `--help` and `--version`.
    ///
    /// # Errors
    /// [`Stop`], also after an answer.
    pub fn parse(mut command: Command, args: Vec<OsString>) -> Result<Self, Stop> {
        let usage = command.render_help().to_string();
        let none = args.is_empty();
        // Required options count only if no help is wanted, so the tools check them themselves.
        let matches = command.try_get_matches_from_mut(args).map_err(|error| Stop::Line(line_of(&error)))?;
        if matches.get_flag("help") {
            say!("{usage}");
            return Err(Stop::Exit(ExitCode::SUCCESS));
        }
        if matches.get_flag("version") {
            say!("{} (millrace)", env!("CARGO_PKG_VERSION"));
            return Err(Stop::Exit(ExitCode::SUCCESS));
        }
        let options = Self { matches, usage };
        if none {
            return Err(options.usage_error("No option was given."));
        }
        Ok(options)
    }

    /// The error with the usage behind it.
    pub fn usage_error(&self, text: &str) -> Stop {
        Stop::Usage(format!("{text}\n{}", self.usage))
    }

    /// Whether an option stands on the command line.
    pub fn has(&self, name: &str) -> bool {
        match self.matches.try_get_raw(name) {
            Ok(Some(_)) => self.matches.value_source(name) == Some(clap::parser::ValueSource::CommandLine),
            _ => false,
        }
    }

    /// Every value of an option, in their order.
    pub fn all(&self, name: &str) -> Vec<&str> {
        self.matches
            .try_get_many::<String>(name)
            .ok()
            .flatten()
            .map(|values| values.map(String::as_str).collect())
            .unwrap_or_default()
    }

    /// Where an option stands on the command line, once for each time, to compare with others.
    pub fn positions(&self, name: &str) -> Vec<usize> {
        if !self.has(name) {
            return Vec::new();
        }
        self.matches.indices_of(name).map(Iterator::collect).unwrap_or_default()
    }

    /// The value of an option that may stand once.
    ///
    /// # Errors
    /// [`Stop::Line`] if it stands more than once.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Stop> {
        match self.all(name)[..] {
            [] => Ok(None),
            [value] => Ok(Some(value)),
            _ => Err(Stop::Line(format!(
                "Found multiple arguments for option {name}, but you asked for only one"
            ))),
        }
    }

    /// The value of an option as a number.
    ///
    /// # Errors
    /// [`Stop::Line`] if it is none, or see [`Options::text`].
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Stop> {
        self.text(name)?
            .map(|text| {
                text.parse()
                    .map_err(|_| Stop::Line(format!("Cannot parse argument '{text}' of option {name}")))
            })
            .transpose()
    }

    /// Refuses the command line if one of `names` is missing.
    ///
    /// # Errors
    /// [`Stop::Usage`].
    pub fn require(&self, names: &[&str]) -> Result<(), Stop> {
        match names.iter().find(|name| !self.has(name)) {
            Some(name) => Err(self.usage_error(&format!("Missing required argument \"[{name}]\""))),
            None => Ok(()),
        }
    }

    /// Refuses `option` together with one of `others`.
    ///
    /// # Errors
    /// [`Stop::Usage`].
    pub fn exclude(&self, option: &str, others: &[&str]) -> Result<(), Stop> {
        if !self.has(option) {
            return Ok(());
        }
        match others.iter().find(|other| self.has(other)) {
            Some(other) => {
                Err(self
                    .usage_error(&format!("Option \"[{option}]\" can't be used with option \"[{other}]\"")))
            }
            None => Ok(()),
        }
    }

    /// Warns of an old name of an option, on standard output as Kafka's tools do.
    ///
    /// # Errors
    /// [`Stop::Usage`] if the new name stands beside it.
    pub fn deprecated(&self, old: &str, new: &str) -> Result<(), Stop> {
        if self.has(old) && self.has(new) {
            return Err(
                self.usage_error(&format!("Options --{new} and --{old} cannot be specified together."))
            );
        }
        if self.has(old) {
            say!(
                "Warning: --{old} is deprecated and will be removed in a future version. Use --{new} instead."
            );
        }
        Ok(())
    }
}

fn line_of(error: &clap::Error) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.trim_start_matches('-').to_owned(),
        _ => String::new(),
    };
    let invalid = context(ContextKind::InvalidArg);
    let invalid = invalid.split([' ', '=']).next().unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => format!("{invalid} is not a recognized option"),
        ErrorKind::InvalidValue | ErrorKind::WrongNumberOfValues | ErrorKind::TooFewValues
            if context(ContextKind::InvalidValue).is_empty() =>
        {
            format!("Option {invalid} requires an argument")
        }
        _ => error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
    }
}

/// Says why a tool ends, and gives its exit code.
pub fn finish(result: Result<(), Stop>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Exit(code)) => code,
        Err(Stop::Usage(text) | Stop::Line(text)) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options, Stop> {
        let command = command("x", "")
            .arg(value("topic", "topic", ""))
            .arg(value("partitions", "n", ""))
            .arg(flag("list", ""))
            .arg(repeated_flag("default", ""));
        Options::parse(command, args.iter().map(OsString::from).collect())
    }

    fn line(result: Result<Options, Stop>) -> String {
        match result {
            Err(Stop::Line(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_may_be_shortened_and_values_may_look_like_options() {
        let options = parse(&["--top", "a", "--partitions=-1", "--list"]).unwrap();
        assert_eq!(options.text("topic").unwrap(), Some("a"));
        assert_eq!(options.number::<i32>("partitions").unwrap(), Some(-1));
        assert!(options.has("list") && !options.has("help"));
    }

    #[test]
    fn places_on_the_command_line_can_be_compared() {
        let options = parse(&["--default", "--topic", "a", "--default", "--topic", "b"]).unwrap();
        let (defaults, topics) = (options.positions("default"), options.positions("topic"));
        assert_eq!((defaults.len(), topics.len()), (2, 2));
        assert!(defaults[0] < topics[0] && topics[0] < defaults[1] && defaults[1] < topics[1]);
        assert!(parse(&["--list"]).unwrap().positions("default").is_empty());
    }

    #[test]
    fn mistakes_are_said_as_kafka_says_them() {
        assert_eq!(line(parse(&["--frobnicate"])), "frobnicate is not a recognized option");
        assert_eq!(line(parse(&["--topic"])), "Option topic requires an argument");
        let options = parse(&["--topic", "a", "--topic", "b", "--partitions", "x"]).unwrap();
        let Err(Stop::Line(text)) = options.text("topic") else { panic!() };
        assert_eq!(text, "Found multiple arguments for option topic, but you asked for only one");
        let Err(Stop::Line(text)) = options.number::<i32>("partitions") else { panic!() };
        assert_eq!(text, "Cannot parse argument 'x' of option partitions");
        let Err(Stop::Usage(text)) = options.require(&["topic", "list"]) else { panic!() };
        assert!(text.starts_with("Missing required argument \"[list]\"\n"));
    }
}
