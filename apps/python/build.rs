//! What the linker of macOS wants to hear about symbols that only Python has.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
