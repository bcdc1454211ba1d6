//! The crate from outside: snapshots of every format and chart, hostile names, odd runs, whole
//! reports on the disk.

#![allow(dead_code, unreachable_pub, missing_docs)]

mod charts;
mod fixture;
mod formats;
mod hostile;
mod odd;
mod report;
