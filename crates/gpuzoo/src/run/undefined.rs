//! Output components whose value depends on a register that nothing wrote.

use gpuzoo_isa::{FileKind, Isa, Lowered, Mask, Output};

/// The outputs that have such components, by number.
///
/// The start values of temporaries and outputs are marked, component by component, and the marks follow the data
/// through the function. A component that is overwritten loses its mark, so a partly written register is described
/// exactly.
pub fn undefined_components(isa: &Isa, lowered: &Lowered) -> Vec<(u16, Mask)> {
    let function = &lowered.function;
    let mut marks = vec![0u8; function.insts.len()];
    for &(reg, value) in &lowered.initial {
        let starts = matches!(isa.file(reg).kind, FileKind::Temporary(_) | FileKind::Output(_));
        if let (true, Some(mark)) = (starts, marks.get_mut(value.index())) {
            *mark = if lowered.given.contains(&reg) { 0 } else { 15 };
        }
    }
    for (index, inst) in function.insts.iter().enumerate() {
        if inst.operands().next().is_none() {
            continue;
        }
        let is_marked = |component: &u8| {
            let mut marked = false;
            inst.reads(1 << component, |operand, read| marked |= marks[operand.index()] & read != 0);
            marked
        };
        let mark = (0..4).filter(is_marked).fold(0, |mark, component| mark | 1 << component);
        marks[index] = mark;
    }
    let own =
        function.outputs.iter().filter(|(number, _)| matches!(Output::of(*number), Output::Register(_)));
    let outputs = own.map(|&(index, value)| (index, Mask(marks[value.index()])));
    outputs.filter(|(_, components)| !components.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::unit;
    use gpuzoo_diag::File;
    use gpuzoo_machine::{RunState, TextOptions};

    fn undefined(text: &str) -> Vec<(u16, u8)> {
        let gpu = unit();
        let program = gpu.assemble(&File::new("x", text), &TextOptions::default()).program;
        let lowered = gpu.lower(&program, &RunState::default()).0;
        undefined_components(gpu.isa(), &lowered)
            .into_iter()
            .map(|(index, components)| (index, components.0))
            .collect()
    }

    #[test]
    fn marks_follow_the_data() {
        let rest = "ld r0 0 st tex r0 st col r0 st ocol r0 ";
        let with = |text: &str| undefined(&format!("{rest}{text}"));
        assert_eq!(with("st pos r0"), []);
        assert_eq!(with("st pos r1"), [(0, 15)]);
        // Two components are written, and the others keep what was there.
        assert_eq!(with("shf r1 r0 xyxy 0b0011 st pos r1"), [(0, 0b1100)]);
        // The unwritten components move to x and y.
        assert_eq!(with("shf r1 r0 xyxy 0b0011 shf r1 r1 zwxx 0b1111 st pos r1"), [(0, 0b0011)]);
        // A dot product depends on all components; it writes zeros to y, z and w.
        assert_eq!(with("shf r1 r0 xyzw 0b0111 dot r1 r0 st pos r1"), [(0, 0b0001)]);
        assert_eq!(undefined("ld r0 0 st pos r0"), [(1, 15), (2, 15), (3, 15)]);
    }
}
