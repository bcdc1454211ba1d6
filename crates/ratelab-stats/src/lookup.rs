//! Lookup: a metric by its name, members of families included.

use crate::metric::{METRICS, Metric};

/// The metric of this name, families included: `status.429` is one of `status.<code>`.
pub fn find(name: &str) -> Option<&'static Metric> {
    let plain = name.replacen("recovery-", "recovery.", 1);
    let plain = match plain.split_once('.') {
        Some(("recovery", rest)) if name.starts_with("recovery-") => {
            format!(
                "recovery.{}",
                rest.split_once('.').map_or(rest, |(_, tail)| tail)
            )
        }
        _ => plain,
    };
    METRICS
        .iter()
        .find(|metric| metric.name == plain)
        .or_else(|| {
            METRICS.iter().find(|metric| {
                let Some((head, rest)) = metric.name.split_once('<') else {
                    return false;
                };
                let tail = rest.split_once('>').map_or("", |(_, tail)| tail);
                let inner = name
                    .strip_prefix(head)
                    .and_then(|rest| rest.strip_suffix(tail));
                inner.is_some_and(|inner| !inner.is_empty())
            })
        })
}
