//! Machine code for parts of a [scalar graph](gpuzoo_ir::scalar): nodes that follow one another become one loop.
//!
//! An engine that takes one operation after the other makes a pass over columns of numbers for each. Where an operation is
//! a single instruction, memory traffic is what takes the time. Here such nodes become one loop over vectors of 16
//! lanes that keeps its values in registers. The processor is an x86-64 with AVX-512 ([`is_supported`]).
//!
//! What the instructions are comes from the [record](gpuzoo_ir::record) of the evaluator's own functions, so that there is no
//! second definition of any operation. Operations that compute in f64 (powers, truncating arithmetic) have no machine
//! code ([`has_code`]): their loops keep everything in registers anyhow.
//!
//! # How it works
//!
//! | file | from | to |
//! |---|---|---|
//! | `template` | operations | instructions, NaNs made canonical only where that can be observed |
//! | `segment` | nodes | instructions of a loop |
//! | `allocate` | instructions | registers |
//! | `code` | instructions with registers | bytes |
mod allocate;
mod code;
mod segment;
mod template;

use allocate::{Constants, Needs};
use code::Code as Bytes;
use gpuzoo_ir::scalar::{Graph, Id, Node};
use segment::{Facts, Segment};
use template::Template;

/// Names a column: one number of every lane.
pub type Column = u16;

/// Names a number that is the same in all lanes: its place in the scalars that [`Code::run`] gets.
pub type Scalar = u16;

/// Lanes of a vector.
pub const VECTOR: usize = 16;

/// The most columns that a loop reads or writes: its table of addresses lies on the stack.
pub const COLUMNS: usize = 128;

/// Where the value of a node is outside of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A column, for what varies.
    Column(Column),
    /// A scalar, for what does not.
    Scalar(Scalar),
}

/// True if this processor can run the code: an x86-64 that has AVX-512 F, BW, DQ and VL.
pub fn is_supported() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// True for nodes that can be part of a loop.
pub fn has_code(node: &Node) -> bool {
    // Which NaN is right makes no difference to that.
    node.operation().is_some_and(|operation| Template::of(operation, true).is_some())
}

/// Writes the loops of one graph.
pub struct Writer<'g> {
    facts: Facts<'g>,
    place: &'g dyn Fn(Id) -> Place,
    code: Bytes,
    constants: Constants,
    loops: Vec<Loop>,
    spills: usize,
}

#[derive(Debug)]
struct Loop {
    /// Where its code begins.
    start: usize,
    needs: Needs,
}

impl<'g> Writer<'g> {
    /// For a graph whose nodes have values at these places outside of the loops.
    pub fn new(graph: &'g Graph, place: &'g dyn Fn(Id) -> Place) -> Writer<'g> {
        Writer {
            facts: Facts::new(graph),
            place,
            code: Bytes::default(),
            constants: Constants::default(),
            loops: Vec::new(),
            spills: 0,
        }
    }

    /// A loop that computes these nodes, and its number. They [have code](has_code) and are in the graph's order; the
    /// values of other nodes that they read are at their places before it, and what is read after the last of them is at
    /// its place after it. None if the loop needs more than [`COLUMNS`] or than the masks that the processor has, or
    /// if it is too long.
    pub fn add(&mut self, nodes: &[Id]) -> Option<u16> {
        let number = u16::try_from(self.loops.len()).ok()?;
        let segment = Segment::new(&self.facts, nodes, self.place);
        let start = self.code.0.len();
        let needs = allocate::emit(&segment, &mut self.code, &mut self.constants)?;
        self.spills = self.spills.max(needs.spills);
        self.loops.push(Loop { start, needs });
        Some(number)
    }

    /// The loops, ready to run; none if there are none, or the system gives no memory for code.
    pub fn finish(self) -> Option<Code> {
        let Writer { code, constants, loops, spills, .. } = self;
        if loops.is_empty() {
            return None;
        }
        let mut map = memmap2::MmapMut::map_anon(code.0.len()).ok()?;
        map.copy_from_slice(&code.0);
        Some(Code { loops, constants: constants.bits, spills, code: map.make_exec().ok()? })
    }
}

/// Loops of machine code.
#[derive(Debug)]
pub struct Code {
    loops: Vec<Loop>,
    constants: Vec<u32>,
    spills: usize,
    code: memmap2::Mmap,
}

impl Code {
    /// Vectors for which [`run`](Code::run) needs room.
    pub fn spills(&self) -> usize {
        self.spills
    }

    /// Runs a loop over so many lanes, a multiple of [`VECTOR`]; `column` gives the addresses of columns, and gets whether
    /// the loop stores to them.
    ///
    /// # Safety
    /// The processor [is supported](is_supported). Each address is that of as many numbers as there are lanes, which may be
    /// read, and where the loop stores to the column, written; no column that is stored to overlaps another. At `spills` there
    /// is room for as many vectors as [`spills`](Code::spills) says. With debug assertions, what can be seen of this is
    /// checked.
    ///
    /// # Panics
    /// If there is no such loop, its lanes are not whole vectors, or it reads more than these scalars.
    pub unsafe fn run(
        &self,
        number: u16,
        lanes: usize,
        mut column: impl FnMut(Column, bool) -> *mut u32,
        scalars: &[u32],
        spills: *mut u32,
    ) {
        /// The addresses of the columns, what is the same in all lanes, constants, room for spills, and the lanes' size
        /// in bytes.
        #[cfg(target_arch = "x86_64")]
        type Function = unsafe extern "sysv64" fn(*const *mut u32, *const u32, *const u32, *mut u32, usize);
        /// Never called: no other processor is supported.
        #[cfg(not(target_arch = "x86_64"))]
        type Function = unsafe extern "C" fn(*const *mut u32, *const u32, *const u32, *mut u32, usize);
        assert!(lanes.is_multiple_of(VECTOR), "{lanes} lanes");
        if lanes == 0 {
            return;
        }
        let Loop { start, needs } = &self.loops[usize::from(number)];
        assert!(scalars.len() >= needs.scalars, "{} scalars, not {}", needs.scalars, scalars.len());
        let mut table = [std::ptr::null_mut(); COLUMNS];
        let entries = table.iter_mut().zip(&needs.columns);
        entries.for_each(|(address, (number, is_stored))| *address = column(*number, *is_stored));
        if cfg!(debug_assertions) {
            assert!(is_supported(), "code for another processor");
            assert!(*start < self.code.len(), "a loop behind the code");
            assert!(
                needs.spills <= self.spills && (needs.spills == 0 || !spills.is_null()),
                "no room to spill"
            );
            check_columns(&table, &needs.columns, lanes);
        }
        // SAFETY: `start` is where `emit` began a function of this type, and the memory is executable and not writable.
        // The code reads and writes whole vectors below so many bytes in columns that it has addresses of, each once in
        // the table; it reads scalars, of which there are enough, and constants that are there, and writes to `spills`. The
        // caller vouches for the processor, the columns and the spills.
        unsafe {
            let function: Function = std::mem::transmute(self.code.as_ptr().add(*start));
            function(
                table.as_ptr(),
                scalars.as_ptr(),
                self.constants.as_ptr(),
                spills,
                lanes * size_of::<u32>(),
            );
        }
    }
}

/// Checks that there are numbers at the addresses, as far as they tell, and that no column that is stored to overlaps another.
fn check_columns(table: &[*mut u32], columns: &[(Column, bool)], lanes: usize) {
    let size = lanes * size_of::<u32>();
    let known = || table.iter().zip(columns).map(|(address, column)| (address.addr(), column));
    for (at, (address, (column, is_stored))) in known().enumerate() {
        assert!(address != 0 && address.is_multiple_of(align_of::<u32>()), "no numbers at column {column}");
        let mut others = known().enumerate().filter(|(other, _)| *is_stored && *other != at);
        assert!(
            others.all(|(_, (other, _))| other.abs_diff(address) >= size),
            "column {column} overlaps another"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuzoo_ir::record::{Operation, Type};

    /// What `check_columns` says of columns so many numbers apart, of which the second is stored to, over 16 lanes.
    fn checked(apart: usize, is_stored: bool) -> std::thread::Result<()> {
        let mut numbers = [0u32; 64];
        let first = numbers.as_mut_ptr();
        let table = [first, first.wrapping_add(apart)];
        std::panic::catch_unwind(|| check_columns(&table, &[(0, false), (1, is_stored)], 16))
    }

    #[test]
    fn columns_that_are_stored_to_overlap_no_others() {
        assert!(checked(16, true).is_ok());
        assert!(checked(15, true).is_err());
        assert!(checked(0, true).is_err());
        // What is only read may be the same.
        assert!(checked(0, false).is_ok());
        let null = [std::ptr::null_mut()];
        assert!(std::panic::catch_unwind(|| check_columns(&null, &[(0, false)], 16)).is_err());
    }

    /// One loop, of a sum alone: column 0 is the input, and the sum goes to column 1.
    #[test]
    fn a_sum_becomes_a_loop() {
        let mut b = gpuzoo_ir::Builder::default();
        let x = b.input(0);
        let x = b.swizzle(x, [0; 4]);
        let sum = b.map2(gpuzoo_ir::Op2::FAdd, x, x);
        b.output(0, sum);
        let graph = Graph::new(&b.finish(), &gpuzoo_ir::scalar::Options::default());
        let sum = graph.outputs()[0][0];
        let place = |id| Place::Column(u16::from(id == sum));
        let mut writer = Writer::new(&graph, &place);
        let number = writer.add(&[sum]).unwrap();
        let code = writer.finish().unwrap();
        if is_supported() {
            let mut columns = [[1.5f32; 32], [0.0; 32]];
            let [from, to] = columns.each_mut().map(|column| column.as_mut_ptr().cast::<u32>());
            let address = |column, _is_stored| [from, to][usize::from(column)];
            // SAFETY: the processor has AVX-512, both columns have 32 numbers, and the loop spills nothing.
            unsafe { code.run(number, 32, address, &[], std::ptr::null_mut()) };
            assert_eq!(columns[1], [3.0; 32]);
        }
    }

    /// Code is written to pages that cannot be executed yet, and cannot be written any more once they can.
    #[cfg(target_os = "linux")]
    #[allow(clippy::disallowed_methods, reason = "the system says what may be done with a page")]
    #[test]
    fn code_is_never_writable() {
        let mut b = gpuzoo_ir::Builder::default();
        let x = b.input(0);
        let sum = b.map2(gpuzoo_ir::Op2::FAdd, x, x);
        b.output(0, sum);
        let graph = Graph::new(&b.finish(), &gpuzoo_ir::scalar::Options::default());
        let place = |id| Place::Column(u16::from(id == graph.outputs()[0][0]));
        let mut writer = Writer::new(&graph, &place);
        writer.add(&[graph.outputs()[0][0]]).unwrap();
        let code = writer.finish().unwrap();
        let at = code.code.as_ptr() as usize;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let permissions = maps.lines().find_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (from, to) = range.split_once('-')?;
            let [from, to] = [from, to].map(|address| usize::from_str_radix(address, 16).unwrap());
            (from..to).contains(&at).then(|| rest[..4].to_owned())
        });
        assert_eq!(permissions.as_deref(), Some("r-xp"));
        assert!(!maps.lines().any(|line| line.contains(" rwx")), "{maps}");
    }

    /// What computes in f32 alone has a template, and integer sums, whose f64s are only a way to say them.
    #[test]
    fn operations_with_templates() {
        for operation in Operation::all() {
            let has_doubles = operation.record().types.contains(&Type::Double);
            let is_sum = ["iadd", "isub", "ineg"].contains(&operation.name());
            for exact in [false, true] {
                let has_template = Template::of(operation, exact).is_some();
                assert_eq!(has_template, is_sum || !has_doubles, "{}", operation.name());
            }
        }
    }
}
