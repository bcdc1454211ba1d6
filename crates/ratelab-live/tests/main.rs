//! The twin test: one generic body, two arms. What the simulator tells of a scenario, tokio tells
//! too: the same records in the same order, to the nanosecond.

mod twin;
