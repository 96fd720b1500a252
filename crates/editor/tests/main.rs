//! Both servers, with any messages in any order.

mod dap;
mod lsp;
