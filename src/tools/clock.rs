//! Wall-clock times, as numbers and as text. Text is in UTC: the tools read no time zone data.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar (Hinnant's algorithm).
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

/// `2026-01-31 23:59:59,999` of a time in milliseconds.
pub fn format_ms(ms: i64, fraction: char) -> String {
    let (days, in_day) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000));
    let (year, month, day) = date(days);
    let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
    let (second, milli) = (in_day / 1000 % 60, in_day % 1000);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}{fraction}{milli:03}")
}

/// The time now, as it stands in front of a warning.
pub fn log_time() -> String {
    format_ms(now_ms(), ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(format_ms(0, ','), "1970-01-01 00:00:00,000");
        assert_eq!(format_ms(951_782_400_123, ','), "2000-02-29 00:00:00,123");
        assert_eq!(format_ms(1_795_968_000_000 - 1, '.'), "2026-11-29 15:59:59.999");
        assert_eq!(format_ms(-1, ','), "1969-12-31 23:59:59,999");
    }
}
