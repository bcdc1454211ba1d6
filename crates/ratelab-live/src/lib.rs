//! Real time: a tokio driver of the lane, gate and server machines that the simulator drives too.
//!
//! It decides nothing; it only waits. The server at the far end is in memory for now. A twin test
//! runs every whole-millisecond scenario under tokio's paused clock and under the simulator and
//! demands the same records in the same order, so a live run can differ from a simulation only
//! where the world does.

pub mod clock;
pub mod host;
pub mod worker;

pub use host::run;
