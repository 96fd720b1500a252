//! What a program that comes without a scene is drawn with, as far as machines differ in it.

/// A machine's part of the scene that a program gets which has none.
///
/// ```
/// use gpuzoo_machine::unit::starter::Starter;
/// let starter = Starter::new(0).input(0, "position", "Float3").state("cull", "true");
/// assert_eq!((starter.position, starter.inputs.len()), (0, 1));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Starter {
    /// The number of the vertex program's output that is the position.
    pub position: u16,
    /// What inputs hold by habit: number, attribute of the mesh, format. What the others are is seen from what the program
    /// does with them.
    pub inputs: Vec<(u16, &'static str, &'static str)>,
    /// The formats of attributes whose input is not among those.
    pub formats: &'static [(&'static str, &'static str)],
    /// The numbers of the vertex program's outputs that are texture coordinates, where they are known by number.
    pub texcoords: &'static [u16],
    /// Constants that the machine sets in every draw.
    pub own_constants: &'static [u16],
    /// What comes after clip space in the matrix of positions, column by column, where the program must do it.
    pub to_screen: Option<[[f64; 4]; 4]>,
    /// How many rows or columns programs have of the matrix of positions.
    pub rows: u16,
    /// The depth that the picture is cleared with, if it is not 1.
    pub clear_depth: Option<u32>,
    /// Settings of the draw: key and value, as in the scene file.
    pub state: Vec<(&'static str, &'static str)>,
    /// The text of a program for the other stage, where the draw must have one.
    pub partner: Option<String>,
}

impl Starter {
    /// A machine whose vertex programs write the position to this output.
    pub fn new(position: u16) -> Starter {
        Starter { position, rows: 4, ..Starter::default() }
    }

    /// With an input that holds an attribute by habit.
    #[must_use]
    pub fn input(mut self, input: u16, attribute: &'static str, format: &'static str) -> Starter {
        self.inputs.push((input, attribute, format));
        self
    }

    /// With formats for the attributes of other inputs.
    #[must_use]
    pub fn formats(mut self, formats: &'static [(&'static str, &'static str)]) -> Starter {
        self.formats = formats;
        self
    }

    /// With outputs that are texture coordinates.
    #[must_use]
    pub fn texcoords(mut self, texcoords: &'static [u16]) -> Starter {
        self.texcoords = texcoords;
        self
    }

    /// With constants that the machine sets.
    #[must_use]
    pub fn own_constants(mut self, own_constants: &'static [u16]) -> Starter {
        self.own_constants = own_constants;
        self
    }

    /// With what the program must do after clip space, and how many rows it has of the product.
    #[must_use]
    pub fn to_screen(mut self, columns: [[f64; 4]; 4], rows: u16) -> Starter {
        (self.to_screen, self.rows) = (Some(columns), rows);
        self
    }

    /// With a depth to clear with.
    #[must_use]
    pub fn clear_depth(mut self, depth: u32) -> Starter {
        self.clear_depth = Some(depth);
        self
    }

    /// With a setting of the draw.
    #[must_use]
    pub fn state(mut self, key: &'static str, value: &'static str) -> Starter {
        self.state.push((key, value));
        self
    }

    /// With a program for the other stage.
    #[must_use]
    pub fn partner(mut self, text: String) -> Starter {
        self.partner = Some(text);
        self
    }
}
