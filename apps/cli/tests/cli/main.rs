//! The built program, from outside: what users and scripts see.

mod bench;
mod common;
mod conform;
mod conventions;
mod emit;
mod explain;
mod include;
mod new;
mod render;
mod robustness;
mod run;
mod starter;
mod vera;
