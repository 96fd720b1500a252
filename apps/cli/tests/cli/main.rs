//! The built program, from outside: what users and scripts see.

mod bench;
mod common;
mod conform;
mod conventions;
mod emit;
mod explain;
mod include;
mod outputs;
mod pages;
mod render;
mod robustness;
mod run;
mod starter;
mod vera;
