//! The values of an attribute.

use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::limits::memory;

/// A vector for each vertex. Trailing components that all vertices have the same are kept once: most positions have the w
/// of the others, and most meshes one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The components that each vertex has for itself, vertex after vertex.
    own: Vec<f32>,
    /// How many these are of one vertex.
    width: usize,
    /// The others; of the first ones any numbers.
    shared: [f32; 4],
    len: usize,
}

impl Attribute {
    /// From a vector for each vertex.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn new(values: &[[f32; 4]]) -> Result<Attribute, Refusal> {
        let shared = values.first().copied().unwrap_or_default();
        let differs = |at: &usize| values.iter().any(|value| value[*at].to_bits() != shared[*at].to_bits());
        let width = (0..4).rev().find(differs).map_or(0, |last| last + 1);
        let own = values.iter().flat_map(|value| &value[..width]).copied();
        let own = memory::collect(values.len() * width, own)?;
        Ok(Attribute { own, width, shared, len: values.len() })
    }

    /// The same for all vertices.
    pub fn same(value: [f32; 4], len: usize) -> Attribute {
        Attribute { own: Vec::new(), width: 0, shared: value, len }
    }

    /// A copy, for what must not fail for want of memory.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn copied(&self) -> Result<Attribute, Refusal> {
        let own = memory::collect(self.own.len(), self.own.iter().copied())?;
        Ok(Attribute { own, ..*self })
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The vector of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn get(&self, vertex: usize) -> [f32; 4] {
        assert!(vertex < self.len, "there is no vertex {vertex} of {}", self.len);
        let mut value = self.shared;
        value[..self.width].copy_from_slice(&self.own[vertex * self.width..][..self.width]);
        value
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [f32; 4]> {
        (0..self.len).map(|vertex| self.get(vertex))
    }

    /// Changes each vector; `f` gets the number of a component and the component.
    pub(crate) fn change(&mut self, f: impl Fn(usize, f32) -> f32) {
        for (at, component) in self.own.iter_mut().enumerate() {
            *component = f(at % self.width, *component);
        }
        for (at, component) in self.shared.iter_mut().enumerate() {
            *component = f(at, *component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_back_and_shared_components_are_kept_once() {
        let same = [[1.0, 2.0, 3.0, 4.0]; 3];
        let cases: [(&[[f32; 4]], usize); 5] = [
            (&[], 0),
            (&same, 0),
            (&[[1.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 1.0]], 1),
            (&[[1.0, 0.0, 5.0, 1.0], [1.0, 0.0, 6.0, 1.0]], 3),
            // Zeros with different signs are different.
            (&[[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, -0.0]], 4),
        ];
        for (values, width) in cases {
            let attribute = Attribute::new(values).unwrap();
            assert_eq!(attribute.own.len(), values.len() * width);
            assert_eq!((attribute.len(), attribute.is_empty()), (values.len(), values.is_empty()));
            let bits = |value: [f32; 4]| value.map(f32::to_bits);
            assert!(attribute.iter().map(bits).eq(values.iter().copied().map(bits)));
            assert_eq!(attribute.copied().unwrap(), attribute);
        }
        assert_eq!(Attribute::same(same[0], 3), Attribute::new(&same).unwrap());
    }

    #[test]
    fn changes_are_of_components() {
        let mut attribute = Attribute::new(&[[1.0, 2.0, 7.0, 1.0], [3.0, 4.0, 7.0, 1.0]]).unwrap();
        attribute.change(|at, component| component * [10.0, 100.0, 2.0, 1.0][at]);
        assert!(attribute.iter().eq([[10.0, 200.0, 14.0, 1.0], [30.0, 400.0, 14.0, 1.0]]));
    }
}
