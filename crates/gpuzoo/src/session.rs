//! Sessions: runs that go forward and backward, on every machine.
//!
//! What a session is and says, [`Session`] tells. The session of a vertex's or a fragment's run of a shader program begins
//! here, that of a computer's program at [`Software::session`](crate::computer::Software::session).
//!
//! ```
//! use gpuzoo::isa::Mask;
//! use gpuzoo::machine::RunState;
//! use gpuzoo::machine::session::{Condition, Session, Stop, Value};
//! use gpuzoo::{run::Vertices, session};
//!
//! let program = gpuzoo::dreambox().assemble("double.vu", "ld r0 0  add r0 r0  st pos r0")?;
//! let mut session = session::of_program(&program, &RunState::default(), &Vertices::nothing(), 0, &[]);
//! assert_eq!(session.run_until(&[Condition::Register("pos".into(), Mask::ALL)], 100), Stop::Met(0));
//! assert_eq!((session.position(), session.back(), session.position()), (3, true, 2));
//! assert_eq!(session.place(2).unwrap().text, "st pos r0");
//! assert_eq!(session.reads(2).unwrap()[0].value, Value::floats([0; 4]));
//! # Ok::<(), gpuzoo::Diagnostics>(())
//! ```

pub use gpuzoo_machine::session::*;

use crate::codes::NO_SUCH_VERTEX;
use crate::run::Vertices;
use crate::{Inputs, Program, State};
use gpuzoo_diag::{Diagnostic, Diagnostics};
use gpuzoo_ir::Vec4;
use gpuzoo_machine::RunState;
use gpuzoo_machine::unit::draw::VertexConstants;

/// The session of one vertex: a program in a state of the machine, and the constants that the first vertex finds. What
/// vertices before it leave in constants is there.
pub fn of_program(
    program: &Program,
    run_state: &RunState,
    vertices: &Vertices,
    vertex: usize,
    constants: &[Vec4],
) -> ShaderSession {
    let gpu = program.gpu();
    let (lowered, _) = gpu.lower(program.code(), run_state);
    let fetch = |vertex, inputs: &mut [Vec4]| vertices.fetch(vertex, inputs);
    let mut inputs = vec![[0; 4]; lowered.function.input_count()];
    fetch(vertex, &mut inputs);
    let constants = VertexConstants::new(&lowered.function, constants).before(vertex, fetch).to_vec();
    let RunState { profile, modes, start } = *run_state;
    let start = start.to_vec();
    let run = move |program: &gpuzoo_isa::Program| {
        let state = RunState { profile, modes, start: &start };
        Dataflow::run(gpu.lower(program, &state).0, &inputs, &constants)
    };
    ShaderSession::new(program.isa(), program.code(), run)
}

impl Program {
    /// The session of one of the vertices that `inputs` give, in a state of the machine.
    ///
    /// ```
    /// use gpuzoo::Inputs;
    /// use gpuzoo::session::{Session, Value};
    /// let program = gpuzoo::nv2a().assemble("p.vsh", "add oPos, v0, v0")?;
    /// let inputs = Inputs::new().set("v0", &[[1u32, 0, 0, 0]])?;
    /// let mut session = program.session("hw", &inputs, 0)?;
    /// assert!(session.step() && !session.step());
    /// assert_eq!(program.session("hw", &inputs, 1).unwrap_err().list[0].code.id, "G0212");
    /// # Ok::<(), gpuzoo::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`kernel`](Program::kernel) and [`Kernel::run`](crate::Kernel::run), and `G0212` for a vertex that there is not.
    pub fn session<'a>(
        &self,
        state: impl Into<State<'a>>,
        inputs: &Inputs,
        vertex: usize,
    ) -> Result<ShaderSession, Diagnostics> {
        let state = state.into();
        let kernel = self.kernel(state.clone())?;
        let (vertices, constants) = inputs.resolve(&kernel)?;
        let count = vertices.count();
        if vertex >= count {
            let problem = Diagnostic::error(&NO_SUCH_VERTEX, format!("there is no vertex {vertex}"));
            return Err(problem.help(format!("there are {count}, counted from 0")).into());
        }
        let resolved = self.resolved(state)?;
        Ok(of_program(self, &resolved.state(), &vertices, vertex, &constants.values))
    }
}
