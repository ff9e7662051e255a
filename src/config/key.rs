//! What a key is: its name, type, default, bounds, who may change it while the broker runs, and whether it has an
//! effect yet. The tables are constants made with the builders below, so that each key is declared once.

/// The type of a key's value, as Kafka names it; the last two are ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`, in any case.
    Boolean,
    /// 16 bits, signed.
    Short,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// A 64-bit floating point number.
    Double,
    /// Text, trimmed.
    String,
    /// Texts separated by commas.
    List,
    /// The name of a Java class; nothing of ours has any.
    Class,
    /// Text that is never shown.
    Password,
    /// A size: a whole number of bytes, or one with B, KiB, MiB, GiB or TiB.
    Bytes,
    /// A time: a whole number of milliseconds, or one with ms, s, m, h or d.
    Millis,
}

/// What a key's value may be, beside its type.
#[derive(Debug, Clone, Copy)]
pub enum Allowed {
    /// Whatever the type holds.
    Any,
    /// A whole number that is not less.
    Min(i64),
    /// A whole number between two, both included.
    Between(i64, i64),
    /// The same, or the third number.
    BetweenOr(i64, i64, i64),
    /// A floating point number between two, both included.
    Ratio(f64, f64),
    /// One of these (of a list: each element).
    OneOf(&'static [&'static str]),
    /// One of these, in any case.
    OneOfAnyCase(&'static [&'static str]),
    /// Text, or a list, that is not empty.
    NonEmpty,
    /// What a function accepts.
    Checked(Check),
}

/// A check that no table can express.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// Whether the text is accepted.
    pub accepts: fn(&str) -> bool,
    /// What is, for the message.
    pub allowed: &'static str,
}

/// How a key may be changed while the broker runs (KIP-226).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// Not at all: it needs a restart.
    ReadOnly,
    /// For one broker.
    PerBroker,
    /// For one broker, or for all as their default.
    ClusterWide,
}

/// Whether a key does anything here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It does what it says.
    Honoured,
    /// It is Kafka's, its value is checked, and it changes nothing yet.
    NotYet,
}

/// Where a key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Kafka has the same key with the same meaning.
    Kafka,
    /// It is ours: `millrace.<section>.<key>` in a properties file, `key` in `[section]` in TOML.
    Millrace,
}

/// One declared key.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name, in Kafka's spelling; ours start with `millrace.`.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// The default as text; `None`: unset.
    pub default: Option<&'static str>,
    /// Which values are valid.
    pub allowed: Allowed,
    /// How it may be changed while the broker runs.
    pub update: Update,
    /// Whether it does anything yet.
    pub effect: Effect,
    /// Whose it is.
    pub origin: Origin,
    /// Kafka does not document it for users.
    pub internal: bool,
    /// A short sentence; empty for what has no effect yet.
    pub help: &'static str,
    /// `section.key` in TOML; `None`: in `[kafka]`, under its own name.
    pub toml: Option<&'static str>,
    /// Of a topic key: the broker keys that give its default, the first that is set, times the factor.
    pub synonyms: &'static [(&'static str, i64)],
}

pub(super) const fn boolean(name: &'static str) -> Key {
    Key::new(name, Kind::Boolean)
}
pub(super) const fn short(name: &'static str) -> Key {
    Key::new(name, Kind::Short)
}
pub(super) const fn int(name: &'static str) -> Key {
    Key::new(name, Kind::Int)
}
pub(super) const fn long(name: &'static str) -> Key {
    Key::new(name, Kind::Long)
}
pub(super) const fn double(name: &'static str) -> Key {
    Key::new(name, Kind::Double)
}
pub(super) const fn string(name: &'static str) -> Key {
    Key::new(name, Kind::String)
}
pub(super) const fn list(name: &'static str) -> Key {
    Key::new(name, Kind::List)
}
pub(super) const fn class(name: &'static str) -> Key {
    Key::new(name, Kind::Class)
}
pub(super) const fn password(name: &'static str) -> Key {
    Key::new(name, Kind::Password)
}

/// A key of ours: its name is `millrace.` and its name in TOML.
pub(super) const fn ours(name: &'static str, toml: &'static str, kind: Kind, help: &'static str) -> Key {
    Key { origin: Origin::Millrace, ..Key::new(name, kind).toml(toml).honoured(help) }
}

impl Key {
    const fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            default: None,
            allowed: Allowed::Any,
            update: Update::ReadOnly,
            effect: Effect::NotYet,
            origin: Origin::Kafka,
            internal: false,
            help: "",
            toml: None,
            synonyms: &[],
        }
    }

    /// The default; without it the key is unset.
    pub(super) const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }
    /// Whatever the type holds: only for a table that has a column for bounds.
    pub(super) const fn any(self) -> Self {
        self
    }
    pub(super) const fn min(self, least: i64) -> Self {
        Self { allowed: Allowed::Min(least), ..self }
    }
    pub(super) const fn between(self, least: i64, most: i64) -> Self {
        Self { allowed: Allowed::Between(least, most), ..self }
    }
    pub(super) const fn between_or(self, least: i64, most: i64, other: i64) -> Self {
        Self { allowed: Allowed::BetweenOr(least, most, other), ..self }
    }
    pub(super) const fn ratio(self, least: f64, most: f64) -> Self {
        Self { allowed: Allowed::Ratio(least, most), ..self }
    }
    pub(super) const fn one_of(self, values: &'static [&'static str]) -> Self {
        Self { allowed: Allowed::OneOf(values), ..self }
    }
    pub(super) const fn one_of_any_case(self, values: &'static [&'static str]) -> Self {
        Self { allowed: Allowed::OneOfAnyCase(values), ..self }
    }
    pub(super) const fn non_empty(self) -> Self {
        Self { allowed: Allowed::NonEmpty, ..self }
    }
    pub(super) const fn checked(self, check: Check) -> Self {
        Self { allowed: Allowed::Checked(check), ..self }
    }
    pub(super) const fn per_broker(self) -> Self {
        Self { update: Update::PerBroker, ..self }
    }
    pub(super) const fn cluster_wide(self) -> Self {
        Self { update: Update::ClusterWide, ..self }
    }
    pub(super) const fn internal(self) -> Self {
        Self { internal: true, ..self }
    }
    pub(super) const fn synonyms(self, synonyms: &'static [(&'static str, i64)]) -> Self {
        Self { synonyms, ..self }
    }
    pub(super) const fn toml(self, section_and_key: &'static str) -> Self {
        Self { toml: Some(section_and_key), ..self }
    }
    pub(super) const fn honoured(self, help: &'static str) -> Self {
        Self { effect: Effect::Honoured, help, ..self }
    }

    /// Whether its value must never be shown.
    pub fn is_sensitive(&self) -> bool {
        self.kind == Kind::Password
    }
}
