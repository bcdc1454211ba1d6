//! Workload W3, an M/M/8 queue, first come first served: its constants, for all engines.
//!
//! An engine event is an arrival or a departure, so a customer makes two. Erlang C says a mean wait
//! of 0.8769.

/// Arrivals a second.
pub(crate) const ARRIVALS: f64 = 7.2;
/// Servers, each of rate 1.
pub(crate) const SERVERS: u32 = 8;
