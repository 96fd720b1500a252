//! The settings of a scene file as data, for `explain`, `list` and the reference page. Tests hold them to what is read.

mod parts;

use gpuzoo_machine::options::keys::Plain;

/// A table of a scene file.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Where it is: `scene.draw.input`.
    pub path: &'static str,
    /// What is written around its settings, in an example.
    pub place: Place,
    /// What it is for.
    pub about: &'static str,
    /// Its settings; a table whose settings have names of the scene's or the machine's own has none.
    pub keys: &'static [SceneKey],
    /// Settings of it that can be read.
    pub example: &'static str,
}

/// Where settings of a section stand.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// At the top of the file.
    Top,
    /// Below this header.
    Below(&'static str),
    /// In braces, between these, below a header.
    Within(&'static str, &'static str, &'static str),
}

/// A setting of a scene file.
#[derive(Clone, Copy, Debug)]
pub struct SceneKey {
    /// Its name and so on. The example is empty for tables that are sections of their own.
    pub key: Plain,
    /// The settings that it needs beside it.
    pub beside: &'static str,
}

impl Section {
    /// Settings in their place, as a part of a scene file. Settings are a line each.
    ///
    /// ```
    /// use gpuzoo_scene::keys::section;
    /// let camera = section("scene.camera").unwrap();
    /// assert_eq!(camera.written("fov = 60"), "[camera]\nfov = 60");
    /// let step = section("scene.matrix").unwrap();
    /// assert_eq!(step.written("rotate = 30\naxis = [1, 0, 0]"), "[[draw]]\nmodel = [{ rotate = 30, axis = [1, 0, 0] }]");
    /// ```
    pub fn written(&self, settings: &str) -> String {
        match self.place {
            Place::Top => settings.to_owned(),
            Place::Below(header) => format!("{header}\n{settings}"),
            Place::Within(header, before, behind) => {
                format!("{header}\n{before}{}{behind}", settings.replace('\n', ", "))
            }
        }
    }
}

impl SceneKey {
    /// A line with an example, with what it needs beside it; empty for tables that are sections of their own.
    pub fn example(&self) -> String {
        let Plain { name, example, .. } = self.key;
        match (example.is_empty(), self.beside.is_empty()) {
            (true, _) => String::new(),
            (_, true) => format!("{name} = {example}"),
            _ => format!("{}\n{name} = {example}", self.beside),
        }
    }

    const fn beside(mut self, beside: &'static str) -> SceneKey {
        self.beside = beside;
        self
    }
}

/// The section of a path.
pub fn section(path: &str) -> Option<&'static Section> {
    SECTIONS.iter().find(|section| section.path == path)
}

const fn key(
    name: &'static str,
    takes: &'static str,
    default: &'static str,
    example: &'static str,
    about: &'static str,
) -> SceneKey {
    SceneKey { key: Plain::new(name, takes, default, example, about), beside: "" }
}

const NUMBER: &str = "a number, or an expression of the time in quotes";
const VECTOR: &str = "a list of three numbers, or expressions of the time in quotes";
const COLOR: &str = "a colour: `[red, green, blue]` or `[red, green, blue, alpha]` from 0 to 1, or `\"#rrggbb\"`, `\"#rrggbbaa\"`, `\"#rgb\"`, `\"#rgba\"`";
const SIZE: &str = "a list of two integers, width and height in pixels";
const MATRIX: &str = "the name of a matrix, or a table that makes one";

/// All tables, those within others behind them.
pub static SECTIONS: &[Section] = &[
    Section {
        path: "scene",
        place: Place::Top,
        about: "A scene file is TOML: for which machine it is, which programs, meshes and textures there are, and what is \
                drawn with them. Names of files count from its folder. Numbers of which it is said may be expressions of the \
                time in quotes, such as `\"360*t\"`: t is 0 at the first frame of an animation and would be 1 after the last, \
                `frame` is its number; there are `pi`, `tau`, `sin`, `cos`, `sqrt`, `abs`, `floor`, `min` and `max`.",
        keys: &[
            key(
                "gpu",
                "the id of a machine: `gpuzoo list gpus` has them",
                "",
                "",
                "for which machine the scene is",
            ),
            key(
                "profile",
                "the name of one of the machine's profiles",
                "its first one",
                "\"document\"",
                "which arithmetic counts",
            ),
            key(
                "size",
                SIZE,
                "the machine's screen",
                "[320, 240]",
                "the size of the picture; sides are 1 to 16384",
            ),
            key(
                "clear",
                "a table of `color` and `depth`",
                "opaque black, and depth 1",
                "{ color = \"#203040\" }",
                "what the picture holds before the first draw",
            ),
            key("program", "tables `[program.NAME]`", "none", "", "programs, by the names that draws use"),
            key("mesh", "tables `[mesh.NAME]`", "none", "", "meshes, by the names that draws use"),
            key("texture", "tables `[texture.NAME]`", "none", "", "textures, by the names that draws use"),
            key(
                "target",
                "tables `[target.NAME]`",
                "none",
                "",
                "pictures beside the screen to draw on, which later draws use as textures",
            ),
            key(
                "camera",
                "a table",
                "5 in front of the origin",
                "",
                "where all draws that have none of their own are seen from",
            ),
            key(
                "animation",
                "a table of `frames` and `fps`",
                "one picture",
                "{ frames = 60, fps = 30 }",
                "how many pictures there are",
            ),
            key(
                "draw",
                "tables `[[draw]]`",
                "nothing is drawn, which is reported",
                "",
                "what is drawn, in this order",
            ),
        ],
        example: "size = [320, 240]\nclear = { color = \"#203040\" }",
    },
    Section {
        path: "scene.clear",
        place: Place::Below("[clear]"),
        about: "What a picture holds before the first draw.",
        keys: &[
            key("color", COLOR, "opaque black", "\"#203040\"", "the colour of all pixels"),
            key("depth", "a number", "1", "1.0", "the depth of all pixels"),
        ],
        example: "color = \"#203040\"\ndepth = 1.0",
    },
    Section {
        path: "scene.program",
        place: Place::Below("[program.NAME]"),
        about: "A program: a file, or its text. A file whose extension is that of a shading language is compiled. On machines that ask for it, it is assembled for what its draws say of `positions`.",
        keys: &[
            key(
                "file",
                "the name of a file",
                "none",
                "\"light.vu\"",
                "the file that holds the program's text",
            ),
            key("source", "a text", "none", "\"end\"", "the program's text itself"),
            key(
                "dialect",
                "the name of one of the machine's dialects, on machines that have several",
                "what the text says",
                "\"d3d\"",
                "how the text is written",
            ),
            key(
                "entry",
                "the name of an entry point, for sources in shading languages",
                "the only one for the stage that draws use the program for",
                "\"vs\"",
                "which function of the source is compiled",
            )
            .beside("source = \"end\""),
            key(
                "host_constants",
                "`true` or `false`, for sources in shading languages",
                "`false`",
                "true",
                "whether what the source computes from uniforms alone is computed once for a draw, as constants of its own",
            )
            .beside("source = \"end\""),
        ],
        example: "file = \"light.vu\"",
    },
    parts::MESH,
    parts::TEXTURE,
    Section {
        path: "scene.target",
        place: Place::Below("[target.NAME]"),
        about: "A picture beside the screen. Draws with `target = \"NAME\"` draw on it, later ones use it as a texture.",
        keys: &[
            key("size", SIZE, "", "[64, 64]", "its size"),
            key(
                "clear",
                "a table of `color` and `depth`",
                "opaque black, and depth 1",
                "{ color = \"#ffffff\" }",
                "what it holds before the first draw",
            )
            .beside("size = [64, 64]"),
        ],
        example: "size = [64, 64]",
    },
    Section {
        path: "scene.camera",
        place: Place::Below("[camera]"),
        about: "Where the viewer is and how it sees. Programs get it by the matrices that `constants` hold.",
        keys: &[
            key("eye", VECTOR, "[0, 0, 5]", "[0, 2, 5]", "where the viewer is"),
            key("target", VECTOR, "[0, 0, 0]", "[0, 1, 0]", "what it looks at"),
            key("up", VECTOR, "[0, 1, 0]", "[1, 0, 0]", "what is up"),
            key("fov", NUMBER, "45", "60", "what is seen from bottom to top, in degrees"),
            key(
                "orthographic",
                NUMBER,
                "perspective",
                "4",
                "the height of what is seen, for a camera without perspective",
            ),
            key("near", NUMBER, "0.1", "0.5", "how near the nearest is that is seen"),
            key("far", NUMBER, "100", "20", "how far away the farthest is that is seen"),
            key("aspect", NUMBER, "the picture's", "1.5", "width divided by height"),
        ],
        example: "eye = [\"5*sin(tau*t)\", 2, \"5*cos(tau*t)\"]\nfov = 40",
    },
    Section {
        path: "scene.animation",
        place: Place::Below("[animation]"),
        about: "How many pictures there are, and how fast they follow each other.",
        keys: &[
            key("frames", "an integer from 1 to 100000", "", "60", "how many pictures there are"),
            key("fps", "an integer from 1 to 1000", "30", "25", "how many of them a second has")
                .beside("frames = 60"),
        ],
        example: "frames = 60\nfps = 30",
    },
    Section {
        path: "scene.draw",
        place: Place::Below("[[draw]]"),
        about: "One draw: a program over the vertices of a mesh, onto the screen or a target.",
        keys: &[
            key("program", "the name of a `[program.NAME]`", "", "\"light\"", "the vertex program"),
            key(
                "fragment",
                "the name of a `[program.NAME]`, on machines that have fragment programs",
                "none",
                "\"shade\"",
                "the fragment program",
            ),
            key("mesh", "the name of a `[mesh.NAME]`", "", "\"ball\"", "what is drawn"),
            key("input", "a table", "", "", "which attribute of the mesh goes to which input of the program"),
            key(
                "constants",
                "a table",
                "what the program's text defines, or zeros",
                "",
                "what the program's constants hold",
            ),
            key(
                "fragment_constants",
                "a table",
                "those of `constants`",
                "",
                "what the fragment program's constants hold, where they differ",
            ),
            key(
                "textures",
                "a list of names of textures and targets; `\"none\"` leaves a unit empty",
                "none",
                "[\"wood\"]",
                "what texture units read, from unit 0 on",
            ),
            key(
                "model",
                "a list of tables such as `{ rotate = 30 }`, done in this order",
                "nothing is moved",
                "[{ scale = 2 }, { rotate = \"360*t\", axis = [0, 1, 0] }, { translate = [0, 1, 0] }]",
                "how the mesh is placed in the world",
            ),
            key(
                "camera",
                "a table, as `[camera]`",
                "the scene's",
                "{ eye = [0, 0, 3] }",
                "where this draw is seen from",
            ),
            key(
                "target",
                "the name of a `[target.NAME]`, or `\"screen\"`",
                "\"screen\"",
                "\"screen\"",
                "what is drawn on",
            ),
            key(
                "wireframe",
                "`true` or `false`",
                "false",
                "true",
                "whether the edges of triangles are drawn as lines",
            ),
            key(
                "state",
                "a table of the machine's own settings",
                "as the machine starts",
                "",
                "what the fixed functions do",
            ),
        ],
        example: "program = \"light\"\nmesh = \"ball\"\ninput = { in0 = \"position\" }",
    },
    Section {
        path: "scene.draw.input",
        place: Place::Below("[draw.input]"),
        about: "Which attribute of the mesh goes to which input. Inputs are called as the machine calls them, or by their \
                numbers, and hold the name of an attribute or a table. They lie in a vertex one after the other unless an \
                `offset` says otherwise; `stride` is the size of a vertex in bytes.",
        keys: &[],
        example: "in0 = \"position\"\nin1 = { attribute = \"texcoord\", format = \"Float2\" }",
    },
    Section {
        path: "scene.draw.input.NAME",
        place: Place::Within("[draw.input]", "in1 = { ", " }"),
        about: "What one input gets.",
        keys: &[
            key(
                "attribute",
                "the name of an attribute of the mesh",
                "none",
                "\"texcoord\"",
                "the attribute that goes there",
            ),
            key(
                "value",
                "a list of four numbers",
                "none",
                "[1, 1, 0, 1]",
                "what the input holds at every vertex, in place of an attribute",
            ),
            key(
                "format",
                "the name of one of the machine's vertex formats",
                "the machine's usual one for the input",
                "\"Float2\"",
                "how the attribute is stored",
            )
            .beside("attribute = \"texcoord\""),
            key(
                "offset",
                "an integer from 0 to 2147483647",
                "behind the inputs before it",
                "32",
                "at which byte of a vertex it is",
            )
            .beside("attribute = \"texcoord\""),
        ],
        example: "attribute = \"texcoord\"\nformat = \"Float2\"",
    },
    Section {
        path: "scene.draw.constants",
        place: Place::Below("[draw.constants]"),
        about: "What constants hold, by the names or the numbers that the program's text has for them: a number for all four components, a list of four numbers \
                or expressions of the time, a colour, a list of such lists for as many constants, or a table.",
        keys: &[],
        example: "c0 = { matrix = \"model_view_projection\" }\nc4 = [1, 0.5, \"t\", 1]\nc5 = \"#ff8000\"\nc6 = 8",
    },
    Section {
        path: "scene.draw.constants.NAME",
        place: Place::Within("[draw.constants]", "c0 = { ", " }"),
        about: "What one constant, or four for a matrix, is computed from.",
        keys: &[
            key("matrix", MATRIX, "none", "\"model_view_projection\"", "four constants, a column each"),
            key("direction", VECTOR, "none", "[1, 1, 0]", "a direction of the world, made one long"),
            key("point", VECTOR, "none", "[0, 3, 0]", "a point of the world"),
            key(
                "space",
                "`\"world\"`, `\"view\"` or `\"model\"`",
                "\"world\"",
                "\"view\"",
                "the space in which a direction or a point is given on",
            )
            .beside("direction = [1, 1, 0]"),
        ],
        example: "direction = [1, 1, 0]\nspace = \"view\"",
    },
    Section {
        path: "scene.matrix",
        place: Place::Within("[[draw]]", "model = [{ ", " }]"),
        about: "A matrix: a step of `model`, or what `matrix` takes. Those with names are `model_view_projection`, \
                `model_view`, `view_projection`, `model`, `view`, `projection`, `normal` (of the model and the view), \
                `world_normal` (of the model) and `identity`.",
        keys: &[
            key("translate", VECTOR, "none", "[0, 1, 0]", "moves"),
            key(
                "scale",
                "a number or a list of three, or expressions of the time in quotes",
                "none",
                "2",
                "makes larger or smaller",
            ),
            key("rotate", NUMBER, "none", "\"360*t\"", "turns by so many degrees"),
            key("axis", VECTOR, "[0, 1, 0]", "[1, 0, 0]", "what `rotate` turns around").beside("rotate = 30"),
            key(
                "columns",
                "four lists of four numbers",
                "none",
                "[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]",
                "the matrix itself",
            ),
            key(
                "product",
                "a list of matrices",
                "none",
                "[{ rotate = 30 }, { scale = 2 }]",
                "the last is done first",
            ),
            key("inverse", MATRIX, "none", "{ rotate = 30 }", "undoes a matrix"),
            key("transpose", MATRIX, "none", "{ rotate = 30 }", "exchanges rows and columns"),
        ],
        example: "rotate = \"360*t\"\naxis = [0, 1, 0]",
    },
];
