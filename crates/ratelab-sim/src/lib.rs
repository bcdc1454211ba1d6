//! Virtual time. The event queue, the world that drives the model's machines, replications over
//! threads. It writes records and counts nothing.

pub mod batch;
pub mod cohort;
pub mod event;
pub mod queue;
pub mod stuck;
mod wait;
pub mod world;

pub use batch::Batch;
pub use cohort::Cohort;
pub use stuck::Stuck;
pub use world::World;
