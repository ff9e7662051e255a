//! A setting's text turned into a typed value, and what a message says when it cannot be.

use super::key::{Allowed, Key, Kind};

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Unset.
    Null,
    /// Of a [`Kind::Boolean`].
    Bool(bool),
    /// Of the whole numbers, sizes and times.
    Int(i64),
    /// Of a [`Kind::Double`].
    Double(f64),
    /// Of a string, class or password.
    Text(String),
    /// Of a [`Kind::List`].
    List(Vec<String>),
}

/// Why a text is no value of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) problem: String,
    pub(super) allowed: String,
}

impl Key {
    /// The value of the default.
    pub(super) fn default_value(&self) -> Value {
        let Some(text) = self.default else { return Value::Null };
        match self.typed(text) {
            Ok(value) => value,
            Err(problem) => unreachable!("the default of {} is declared wrong: {problem}", self.name),
        }
    }

    /// The value that a text means; leading and trailing space does not count.
    pub(super) fn parse(&self, text: &str) -> Result<Value, Refusal> {
        let refused = |problem: &str| Refusal { problem: problem.to_owned(), allowed: self.allowed_text() };
        let value = self.typed(text).map_err(refused)?;
        self.check(text.trim(), &value).map_err(refused)?;
        Ok(value)
    }

    fn typed(&self, text: &str) -> Result<Value, &'static str> {
        let text = text.trim();
        Ok(match self.kind {
            Kind::Boolean if text.eq_ignore_ascii_case("true") => Value::Bool(true),
            Kind::Boolean if text.eq_ignore_ascii_case("false") => Value::Bool(false),
            Kind::Boolean => return Err("not true or false"),
            Kind::Short | Kind::Int | Kind::Long => Value::Int(self.whole(text)?),
            Kind::Double => match text.parse::<f64>() {
                Ok(number) if !number.is_nan() => Value::Double(number),
                _ => return Err("not a number"),
            },
            Kind::String | Kind::Class | Kind::Password => Value::Text(text.to_owned()),
            Kind::List if text.is_empty() => Value::List(Vec::new()),
            Kind::List => Value::List(text.split(',').map(|part| part.trim().to_owned()).collect()),
            Kind::Bytes => Value::Int(with_unit(text, BYTE_UNITS).ok_or("not a size")?),
            Kind::Millis => Value::Int(with_unit(text, TIME_UNITS).ok_or("not a time")?),
        })
    }

    fn whole(&self, text: &str) -> Result<i64, &'static str> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("not a whole number");
        }
        let (least, most) = self.type_bounds();
        let number = text.parse::<i64>().ok().filter(|number| (least..=most).contains(number));
        number.ok_or("out of range")
    }

    fn type_bounds(&self) -> (i64, i64) {
        match self.kind {
            Kind::Short => (i16::MIN.into(), i16::MAX.into()),
            Kind::Int => (i32::MIN.into(), i32::MAX.into()),
            Kind::Bytes | Kind::Millis => (0, i64::MAX),
            _ => (i64::MIN, i64::MAX),
        }
    }

    fn check(&self, text: &str, value: &Value) -> Result<(), &'static str> {
        match (self.allowed, value) {
            (Allowed::Min(least), Value::Int(number)) if *number < least => Err("too small"),
            (Allowed::Between(least, _), Value::Int(number)) if *number < least => Err("too small"),
            (Allowed::Between(_, most), Value::Int(number)) if *number > most => Err("too large"),
            (Allowed::BetweenOr(least, most, other), Value::Int(number))
                if *number != other && !(least..=most).contains(number) =>
            {
                Err("out of range")
            }
            (Allowed::Ratio(least, most), Value::Double(number)) if !(least..=most).contains(number) => {
                Err("out of range")
            }
            (Allowed::OneOf(values), Value::Text(text)) if !values.contains(&text.as_str()) => {
                Err("not one of the values there are")
            }
            (_, Value::List(parts)) if parts.iter().any(String::is_empty) => Err("has an empty element"),
            (Allowed::OneOf(values), Value::List(parts))
                if parts.iter().any(|part| !values.contains(&part.as_str())) =>
            {
                Err("has an element that is not one of the values there are")
            }
            (Allowed::OneOfAnyCase(values), Value::Text(text))
                if !values.iter().any(|known| known.eq_ignore_ascii_case(text)) =>
            {
                Err("not one of the values there are")
            }
            (Allowed::NonEmpty, _) if text.is_empty() => Err("empty"),
            (Allowed::Checked(check), _) if !(check.accepts)(text) => Err("not understood"),
            _ => Ok(()),
        }
    }

    /// What is allowed, as a message or a help page says it.
    pub fn allowed_text(&self) -> String {
        let (least, most) = self.type_bounds();
        let (noun, example) = match self.kind {
            Kind::Boolean => return "true or false".to_owned(),
            Kind::Bytes => ("a size", " (such as 64 MiB)"),
            Kind::Millis => ("a time in ms", " (or such as 10 s)"),
            Kind::Double => ("a number", ""),
            _ => ("a whole number", ""),
        };
        match self.allowed {
            Allowed::Min(least) if most == i64::MAX => format!("{noun}{example}, {least} or more"),
            Allowed::Min(least) => format!("{noun}{example} from {least} to {most}"),
            Allowed::Between(least, most) => format!("{noun}{example} from {least} to {most}"),
            Allowed::BetweenOr(least, most, other) => format!("{noun} from {least} to {most}, or {other}"),
            Allowed::Ratio(least, most) => format!("{noun} from {least} to {most}"),
            Allowed::OneOf(values) if self.kind == Kind::List => {
                format!("any of {}", values.join(", "))
            }
            Allowed::OneOf(values) | Allowed::OneOfAnyCase(values) => format!("one of {}", values.join(", ")),
            Allowed::NonEmpty => "a text that is not empty".to_owned(),
            Allowed::Checked(check) => check.allowed.to_owned(),
            Allowed::Any => match self.kind {
                Kind::String | Kind::Class | Kind::Password => "a text".to_owned(),
                Kind::List => "texts separated by commas".to_owned(),
                Kind::Double => noun.to_owned(),
                _ => format!("{noun}{example} from {least} to {most}"),
            },
        }
    }
}

const BYTE_UNITS: &[(&str, i64)] =
    &[("", 1), ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40)];
const TIME_UNITS: &[(&str, i64)] =
    &[("", 1), ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

fn with_unit(text: &str, units: &[(&str, i64)]) -> Option<i64> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim_start())?;
    digits.parse::<i64>().ok()?.checked_mul(*factor)
}

/// The processors that a list such as `0-3,8` names, ascending; `None` if it is none or names one twice.
pub(super) fn cpu_list(text: &str) -> Option<Vec<usize>> {
    const MOST: usize = 4096;
    let mut cpus = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<usize>().ok()?, last.trim().parse::<usize>().ok()?);
        if first > last || last >= MOST {
            return None;
        }
        cpus.extend(first..=last);
    }
    cpus.sort_unstable();
    cpus.windows(2).all(|pair| pair[0] != pair[1]).then_some(cpus)
}

/// Host and port of a text such as `127.0.0.1:9644` or `[::1]:9644`.
pub(super) fn host_and_port(text: &str) -> Option<(String, u16)> {
    let (host, port) = text.rsplit_once(':')?;
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let host = bare.unwrap_or(host);
    let is_host = !host.is_empty() && (bare.is_some() || !host.contains(':'));
    is_host.then_some((host.to_owned(), port.parse().ok()?))
}

/// The pairs of a text such as `10.0.0.1:5,host:7`, split at the last colon of each.
pub(super) fn counts_by_host(text: &str) -> Option<Vec<(String, usize)>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let pair = |part: &str| {
        let (host, count) = part.rsplit_once(':')?;
        let host = host.trim().trim_start_matches('[').trim_end_matches(']');
        let count = count.trim().parse::<i32>().ok()?;
        (!host.is_empty()).then_some((host.to_owned(), usize::try_from(count).ok()?))
    };
    parts.map(pair).collect()
}
