//! Findings: what is wrong with parameters that parsed but make no sense, and where.
//!
//! A check says everything it finds, not only the first thing. The place is a path of keys, from
//! which the reader of the file finds the line.

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The keys that lead to the offending value, outermost first.
    pub path: Vec<String>,
    /// What is wrong, one sentence.
    pub what: String,
    /// What to write instead.
    pub instead: String,
}

/// Collects findings under a path of keys.
///
/// ```
/// use ratelab_core::Findings;
/// let mut findings = Findings::default();
/// findings.within("limiter", |f| f.say("burst", "a burst is at least 1", "write 1 or more"));
/// assert_eq!(findings.list()[0].path, ["limiter", "burst"]);
/// ```
#[derive(Debug, Default)]
pub struct Findings {
    path: Vec<String>,
    list: Vec<Finding>,
}

impl Findings {
    /// Runs checks one key deeper.
    pub fn within(&mut self, key: &str, check: impl FnOnce(&mut Self)) {
        self.path.push(key.to_owned());
        check(self);
        self.path.pop();
    }

    /// Notes a finding at `key` of the present table; an empty key means the table itself.
    pub fn say(&mut self, key: &str, what: impl Into<String>, instead: impl Into<String>) {
        let mut path = self.path.clone();
        if !key.is_empty() {
            path.push(key.to_owned());
        }
        self.list.push(Finding {
            path,
            what: what.into(),
            instead: instead.into(),
        });
    }

    /// Notes a finding unless `holds`.
    pub fn demand(&mut self, holds: bool, key: &str, what: &str, instead: &str) {
        if !holds {
            self.say(key, what, instead);
        }
    }

    /// Everything found so far, in order.
    pub fn list(&self) -> &[Finding] {
        &self.list
    }
}
