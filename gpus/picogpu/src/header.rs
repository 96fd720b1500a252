//! The store and execute commands, read in both directions (spec sections 4.1, 4.2 and 4.4).
//!
//! Bit 1 of either says that the next command follows without a handshake. Handshakes take no dwords, so nothing
//! here looks at it; programs that are loaded keep it.

use crate::regs::{MAX_PORTS, r};
use gpuzoo_isa::{Bits, Field, Interface, Port, Stage};

/// Dwords of a command, before the program or the inputs.
pub const COMMAND_DWORDS: usize = 3;

/// What a command is: 0 stores a program, 1 executes it.
pub const COMMAND: Field = Field::new("command", 0, 1, "0 store, 1 execute");
/// Threads of an execute command, less 1.
pub const THREADS: Field = Field::new("threads", 2, 5, "execute: threads, less 1");
const LENGTH: Field = Field::new("length", 2, 9, "store: program length in dwords");
const STAGE: Field = Field::new("stage", 11, 1, "0 vertex, 1 fragment");
const INPUTS: Field = Field::new("inputs", 12, 2, "number of inputs, less 1");
const OUTPUTS: Field = Field::new("outputs", 32, 2, "number of outputs, less 1");
const UNIFORMS: Field = Field::new("uniforms", 52, 3, "number of uniforms");

/// Components less 1, and register.
type PortFields = [Field; 2];

const fn port(size: u8, reg: u8) -> PortFields {
    [Field::new("components", size, 2, "components, less 1"), Field::new("register", reg, 4, "register")]
}

const INPUT: [PortFields; MAX_PORTS] = [port(14, 16), port(20, 22), port(26, 28)];
const OUTPUT: [PortFields; MAX_PORTS] = [port(34, 36), port(40, 42), port(46, 48)];
// Bit 31 of the second dword is skipped.
const UNIFORM: [PortFields; MAX_PORTS] = [port(55, 57), port(61, 64), port(68, 70)];

/// Why three dwords are not a store command that a unit could carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// There are fewer than three.
    Short,
    /// It is an execute command.
    NotStore,
    /// It counts four inputs or outputs, or more than three uniforms; there is room for three of each.
    TooManyPorts,
}

impl std::fmt::Display for HeaderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            HeaderError::Short => "a store command has three dwords",
            HeaderError::NotStore => "this is an execute command, not a store command",
            HeaderError::TooManyPorts => {
                "the store command counts more than three inputs, outputs or uniforms"
            }
        })
    }
}

impl std::error::Error for HeaderError {}

/// The store command of a program of `length` dwords.
pub fn encode(interface: &Interface, length: usize) -> Vec<u32> {
    let mut bits = Bits::default();
    LENGTH.set(&mut bits, length as u32);
    STAGE.set(&mut bits, u32::from(interface.stage == Stage::Fragment));
    let count = |ports: &[Port]| ports.len() as u32;
    INPUTS.set(&mut bits, count(&interface.inputs).max(1) - 1);
    OUTPUTS.set(&mut bits, count(&interface.outputs).max(1) - 1);
    UNIFORMS.set(&mut bits, count(&interface.uniforms));
    let files = [(INPUT, &interface.inputs), (OUTPUT, &interface.outputs), (UNIFORM, &interface.uniforms)];
    for (fields, ports) in files {
        for (index, [size, reg]) in fields.into_iter().enumerate() {
            // A slot that is not used has 0 components, less 1, in two bits.
            let port = ports.get(index).copied().unwrap_or_default();
            size.set(&mut bits, u32::from(port.components).wrapping_sub(1));
            reg.set(&mut bits, u32::from(port.reg.index));
        }
    }
    bits.words[..COMMAND_DWORDS].to_vec()
}

/// What a store command says of its program, and the program's length in dwords.
pub fn decode(words: &[u32]) -> Result<(Interface, usize), HeaderError> {
    let header = words.get(..COMMAND_DWORDS).ok_or(HeaderError::Short)?;
    let mut bits = Bits::default();
    bits.words[..COMMAND_DWORDS].copy_from_slice(header);
    if COMMAND.get(&bits) != 0 {
        return Err(HeaderError::NotStore);
    }
    let ports = |fields: [PortFields; MAX_PORTS], count: u32| -> Result<Vec<Port>, HeaderError> {
        let fields = fields.get(..count as usize).ok_or(HeaderError::TooManyPorts)?;
        let port = |[size, reg]: &PortFields| Port {
            reg: r(reg.get(&bits) as u16),
            components: size.get(&bits) as u8 + 1,
            ..Port::default()
        };
        Ok(fields.iter().map(port).collect())
    };
    let stage = if STAGE.get(&bits) == 0 { Stage::Vertex } else { Stage::Fragment };
    let interface = Interface {
        stage,
        inputs: ports(INPUT, INPUTS.get(&bits) + 1)?,
        outputs: ports(OUTPUT, OUTPUTS.get(&bits) + 1)?,
        uniforms: ports(UNIFORM, UNIFORMS.get(&bits))?,
        undefined_registers: false,
        header: header.to_vec(),
    };
    Ok((interface, LENGTH.get(&bits) as usize))
}

/// The execute command for a number of threads, 1 to 32.
pub fn execute(threads: u32) -> [u32; COMMAND_DWORDS] {
    let mut bits = Bits::default();
    COMMAND.set(&mut bits, 1);
    THREADS.set(&mut bits, threads.clamp(1, 32) - 1);
    [bits.words[0], 0, 0]
}

/// How ports are described on a configuration pin: their number and their components.
///
/// ```
/// // No custom attribute (spec section 4.4).
/// assert_eq!(gpuzoo_picogpu::descriptor(&[]), 0xfc);
/// ```
pub fn descriptor(ports: &[Port]) -> u8 {
    let size = |index: usize| ports.get(index).map_or(3, |port| port.components.wrapping_sub(1) & 3);
    ports.len().min(MAX_PORTS) as u8 | size(0) << 2 | size(1) << 4 | size(2) << 6
}
