//! The tables of meshes and textures.

use super::{COLOR, Place, SIZE, Section, key};

const POSITIVE: &str = "a number above 0";
const COUNT: &str = "an integer from 1 to 4096";
const SEED: &str = "an integer from 0 to 4294967295";
const LIST: &str = "a list of vectors, each of one to four numbers";
const TRIANGLE: &str = "position = [[-1, -1], [1, -1], [0, 1]]";

/// Of a mesh.
pub const MESH: Section = Section {
    path: "scene.mesh",
    place: Place::Below("[mesh.NAME]"),
    about: "A mesh: a file, a shape, or lists of its own, of which `position` is one. Every mesh has the attributes \
            `position`, `normal`, `texcoord` and `color`; what is missing is computed, zero, or white. Space is right-handed \
            with +y up, fronts are counter-clockwise, and texture coordinates begin at the top left.",
    keys: &[
        key(
            "file",
            "the name of a glTF, GLB or OBJ file",
            "none",
            "\"model.obj\"",
            "the file that holds the mesh",
        ),
        key(
            "shape",
            "`\"teapot\"`, `\"torus_knot\"`, `\"torus\"`, `\"sphere\"`, `\"cube\"`, `\"plane\"` or `\"heightfield\"`",
            "none",
            "\"teapot\"",
            "a shape that is computed",
        ),
        key(
            "fit",
            POSITIVE,
            "as the mesh is",
            "2",
            "the mesh is centred, and its longest side gets this length",
        )
        .beside("shape = \"teapot\""),
        key(
            "repeat",
            "a list of two numbers above 0",
            "[1, 1]",
            "[4, 4]",
            "how often a texture is repeated over the mesh",
        )
        .beside("shape = \"plane\""),
        key(
            "color",
            "a colour, `\"position\"` or `\"normal\"`; of a mesh of lists a list of vectors",
            "that of the file, or white",
            "\"normal\"",
            "paints the mesh, or shows one of its attributes",
        )
        .beside("shape = \"teapot\""),
        key(
            "divisions",
            COUNT,
            "10, of a cube 1",
            "4",
            "quads on a side of each patch of the teapot, or of each face of the cube",
        )
        .beside("shape = \"teapot\""),
        key("radius", POSITIVE, "1", "1.5", "of a sphere, a torus or a torus knot: its radius")
            .beside("shape = \"sphere\""),
        key(
            "tube",
            POSITIVE,
            "0.4, of a torus knot 0.25",
            "0.3",
            "of a torus or a torus knot: the radius of its tube",
        )
        .beside("shape = \"torus\""),
        key("p", COUNT, "2", "3", "how often a torus knot goes around its axis")
            .beside("shape = \"torus_knot\""),
        key("q", COUNT, "3", "4", "how often a torus knot goes through its hole")
            .beside("shape = \"torus_knot\""),
        key(
            "columns",
            COUNT,
            "48 of a sphere, 64 of a torus or a heightfield, 256 of a torus knot, 1 of a plane",
            "24",
            "quads around, along, or from left to right",
        )
        .beside("shape = \"sphere\""),
        key(
            "rows",
            COUNT,
            "24 of a sphere or a torus knot, 32 of a torus, 64 of a heightfield, 1 of a plane",
            "12",
            "quads from pole to pole, around the tube, or from front to back",
        )
        .beside("shape = \"sphere\""),
        key(
            "size",
            "a number above 0 of a cube, a list of two of a plane or a heightfield",
            "2, or [2, 2]",
            "[4, 4]",
            "the length of the sides",
        )
        .beside("shape = \"plane\""),
        key("height", POSITIVE, "0.5", "1", "how far a heightfield goes up")
            .beside("shape = \"heightfield\""),
        key("cells", COUNT, "4", "8", "how many hills a heightfield has on a side")
            .beside("shape = \"heightfield\""),
        key("seed", SEED, "0", "7", "which hills a heightfield has").beside("shape = \"heightfield\""),
        key(
            "position",
            LIST,
            "none",
            "[[-1, -1], [1, -1], [0, 1]]",
            "positions: what is not given is 0, w is 1",
        ),
        key("normal", LIST, "computed", "[[0, 0, 1], [0, 0, 1], [0, 0, 1]]", "normals of a mesh of lists")
            .beside(TRIANGLE),
        key(
            "texcoord",
            LIST,
            "zeros",
            "[[0, 1], [1, 1], [0.5, 0]]",
            "texture coordinates of a mesh of lists",
        )
        .beside(TRIANGLE),
        key("tangent", LIST, "none", "[[1, 0, 0], [1, 0, 0], [1, 0, 0]]", "tangents of a mesh of lists")
            .beside(TRIANGLE),
        key("joints", LIST, "none", "[[0], [0], [1]]", "numbers of bones, of a mesh of lists")
            .beside(TRIANGLE),
        key("weights", LIST, "none", "[[1], [1], [1]]", "how much each bone counts, of a mesh of lists")
            .beside(TRIANGLE),
        key(
            "indices",
            "a list of integers from 0",
            "each vertex once, in order",
            "[0, 1, 2]",
            "the vertices in the order of their use",
        )
        .beside(TRIANGLE),
        key(
            "topology",
            "`\"triangles\"`, `\"triangle_strip\"`, `\"lines\"` or `\"line_strip\"`",
            "\"triangles\"",
            "\"line_strip\"",
            "what vertices make",
        )
        .beside(TRIANGLE),
    ],
    example: "shape = \"teapot\"\nfit = 2",
};

/// Of a texture.
pub const TEXTURE: Section = Section {
    path: "scene.texture",
    place: Place::Below("[texture.NAME]"),
    about: "A texture: a picture, raw bytes, or a pattern. It has the colours that its format can hold.",
    keys: &[
        key(
            "file",
            "the name of a PNG or JPEG file",
            "none",
            "\"wood.png\"",
            "the file that holds the picture",
        ),
        key("raw", "the name of a file", "none", "\"wood.bin\"", "the file that holds the texture's bytes")
            .beside("size = [4, 4]\nformat = \"RGBA8888\""),
        key(
            "pattern",
            "`\"checker\"`, `\"bricks\"`, `\"gradient\"`, `\"glow\"`, `\"noise\"`, `\"solid\"` or `\"uv\"`",
            "none",
            "\"checker\"",
            "a picture that is computed",
        ),
        key(
            "size",
            SIZE,
            "the picture's, or 64 × 64",
            "[128, 128]",
            "the size that the picture is brought to",
        )
        .beside("pattern = \"noise\""),
        key(
            "format",
            "the name of one of the machine's texture formats",
            "the one that keeps every byte",
            "\"RGB565\"",
            "how the texture is stored",
        )
        .beside("pattern = \"noise\""),
        key(
            "cells",
            "an integer from 1 to 16384",
            "8, of bricks and noise 4",
            "2",
            "how many fields a checker, bricks, noise or uv pattern has on a side",
        )
        .beside("pattern = \"checker\""),
        key("seed", SEED, "0", "7", "which noise it is").beside("pattern = \"noise\""),
        key("color", COLOR, "white", "\"#ff8000\"", "the pattern's first colour")
            .beside("pattern = \"checker\""),
        key("color2", COLOR, "black", "\"#203040\"", "the pattern's second colour")
            .beside("pattern = \"checker\""),
    ],
    example: "pattern = \"checker\"\ncells = 4",
};
