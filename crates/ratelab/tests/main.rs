//! Tests of the command and of the house rules: one binary, so that all link once.

mod tidy;
