//! Floating-point numbers as Java prints them.

/// As `Double.toString`: with an exponent from ten millions on and below a thousandth.
pub fn java_double(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 || (1e-3..1e7).contains(&value.abs()) {
        return format!("{value:?}");
    }
    let text = format!("{value:E}");
    match text.split_once('E') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0E{exponent}"),
        _ => text,
    }
}

/// As `printf("%.4f")` of Java: the special values have names of their own.
pub fn four_digits(value: f64) -> String {
    if value.is_finite() { format!("{value:.4}") } else { java_double(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_java() {
        let shown = [1024.0, 0.001, 1e7, 1.5e-4, 12_345_678.9, -2.0, f64::INFINITY].map(java_double);
        assert_eq!(shown, ["1024.0", "0.001", "1.0E7", "1.5E-4", "1.23456789E7", "-2.0", "Infinity"]);
        assert_eq!((four_digits(1.23456), four_digits(f64::NAN)), ("1.2346".to_owned(), "NaN".to_owned()));
    }
}
