//! Which names a topic may have (Kafka's Topic.validate).

/// Greatest length of a name, so that a partition's directory fits into a file name.
const MAX_LEN: usize = 249;

/// Checks a topic's name.
///
/// # Errors
/// Kafka's text for INVALID_TOPIC_EXCEPTION.
pub fn check_topic_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("Topic name is invalid: the empty string is not allowed".to_owned());
    }
    if name == "." || name == ".." {
        return Err(format!("Topic name is invalid: '{name}' is not allowed"));
    }
    if name.encode_utf16().count() > MAX_LEN {
        return Err(format!(
            "Topic name is invalid: the length of '{name}' is longer than the max allowed length {MAX_LEN}"
        ));
    }
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) {
        return Err(format!(
            "Topic name is invalid: '{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
        ));
    }
    Ok(())
}
