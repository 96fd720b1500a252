//! Dates and times of the day, as a clock of the machine has them.

use gpuzoo_stored::stored;
use std::fmt;

/// A date and a time of the day, from 2000 to 2099: those of the board's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// 2000 to 2099.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
}

stored! { Date { year, month, day, hour, minute, second } if |own: &Date| *own == own.limited() }

impl Default for Date {
    /// The start of 2026.
    fn default() -> Date {
        Date { year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 0 }
    }
}

const DAY: u64 = 24 * 60 * 60;

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

/// Days of a month.
pub(super) fn days_of(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

impl Date {
    /// Reads `2026-07-31` or `2026-07-31T12:30:00`.
    ///
    /// ```
    /// use gpuzoo_x16::Date;
    /// let date = Date::read("2024-02-29T23:59:59").unwrap();
    /// assert_eq!(date.after(1).to_string(), "2024-03-01T00:00:00");
    /// assert_eq!(Date::read("2023-02-29"), None);
    /// ```
    pub fn read(text: &str) -> Option<Date> {
        let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00:00"));
        let number =
            |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let mut date = date.split('-').map(number);
        let mut time = time.split(':').map(number);
        let mut next = || -> Option<u16> { date.next()? };
        let (year, month, day) = (next()?, next()?, next()?);
        let mut next = || -> Option<u16> { time.next()? };
        let (hour, minute, second) = (next()?, next()?, next().unwrap_or(0));
        if date.next().is_some() || time.next().is_some() {
            return None;
        }
        let byte = |number: u16| u8::try_from(number).ok();
        let [month, day, hour, minute, second] = [month, day, hour, minute, second].map(byte);
        let read = Date { year, month: month?, day: day?, hour: hour?, minute: minute?, second: second? };
        (read == read.limited()).then_some(read)
    }

    /// The nearest date that there is.
    pub(crate) fn limited(self) -> Date {
        let (year, month) = (self.year.clamp(2000, 2099), self.month.clamp(1, 12));
        Date {
            year,
            month,
            day: self.day.clamp(1, days_of(year, month)),
            hour: self.hour.min(23),
            minute: self.minute.min(59),
            second: self.second.min(59),
        }
    }

    /// Days since the start of 2000.
    fn days(&self) -> u64 {
        let years: u64 = (2000..self.year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
        let months: u64 = (1..self.month).map(|month| u64::from(days_of(self.year, month))).sum();
        years + months + u64::from(self.day.saturating_sub(1))
    }

    /// So many seconds later; 2099 does not end.
    #[must_use]
    pub fn after(&self, seconds: u64) -> Date {
        let time = u64::from(self.hour) * 3600 + u64::from(self.minute) * 60 + u64::from(self.second);
        let all = (self.days() * DAY + time).saturating_add(seconds);
        let (mut days, time) = (all / DAY, all % DAY);
        let (mut year, mut month) = (2000, 1);
        while year < 2099 && days >= if is_leap(year) { 366 } else { 365 } {
            days -= if is_leap(year) { 366 } else { 365 };
            year += 1;
        }
        while month < 12 && days >= u64::from(days_of(year, month)) {
            days -= u64::from(days_of(year, month));
            month += 1;
        }
        let day = days.min(30) as u8 + 1;
        Date {
            year,
            month,
            day,
            hour: (time / 3600) as u8,
            minute: (time / 60 % 60) as u8,
            second: (time % 60) as u8,
        }
    }

    /// 1 is Monday, 7 Sunday, as the KERNAL counts.
    pub fn weekday(&self) -> u8 {
        // 2000 began with a Saturday.
        ((self.days() + 5) % 7) as u8 + 1
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day, hour, minute, second } = self;
        write!(out, "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_or_refused() {
        let read = |text| Date::read(text).map(|date| date.to_string());
        assert_eq!(read("2026-07-31"), Some("2026-07-31T00:00:00".to_owned()));
        assert_eq!(read("2099-12-31 23:59"), Some("2099-12-31T23:59:00".to_owned()));
        for wrong in [
            "",
            "2026",
            "2026-13-01",
            "2026-04-31",
            "2026-01-01T24:00",
            "1999-12-31",
            "2100-01-01",
            "2026-01-01 24:00:00",
            "2026-01-+1",
            "2026-01-01-1",
            "+2026-01-01",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    /// Known days of the week.
    #[test]
    fn weeks_go_on() {
        let weekday = |text| Date::read(text).unwrap().weekday();
        assert_eq!((weekday("2000-01-01"), weekday("2026-11-23"), weekday("2024-03-03")), (6, 1, 7));
    }

    #[test]
    fn time_goes_on() {
        let date = Date::read("2003-12-31T23:59:59").unwrap();
        assert_eq!(date.after(1).to_string(), "2004-01-01T00:00:00");
        assert_eq!(date.after(60 * 86_400).to_string(), "2004-02-29T23:59:59");
    }
}
