//! The keys of a job as data; a test holds them to what [`Job::read`](crate::Job::read) reads.

use crate::job::{FILL, NO_LIMITS};
use gpuzoo_machine::options::keys::{Key, Plain, Section};

const WORD: &str = "a word: eight hexadecimal digits in quotes";
const WORDS: &str = "a list of words";
const SIDE: &str = "an integer from 1 to 16384";

/// What a job can say; then what recorded ones say beside it, which `conform` compares.
pub static JOB: &[&dyn Key] = &[
    &Plain::new("title", "a text", "none", "\"two triangles\"", "what the job is called"),
    &Plain::new("width", SIDE, "", "320", "pixels from left to right"),
    &Plain::new("height", SIDE, "", "200", "pixels from top to bottom"),
    &Plain::new(
        "depth",
        "`true` or `false`",
        "false",
        "true",
        "whether there is a depth buffer and the depth test",
    ),
    &Plain::new(
        "profile",
        "`\"document\"` or `\"unit\"`",
        "\"document\"",
        "\"unit\"",
        "which source is followed",
    ),
    &FILL,
    &NO_LIMITS,
    &Plain::new(
        "clear_color",
        WORD,
        "\"00000000\"",
        "\"ff000000\"",
        "what pixels hold at the beginning; red is the lowest byte",
    ),
    &Plain::new(
        "clear_depth",
        WORD,
        "\"7f800000\"",
        "\"3f800000\"",
        "what depths are at the beginning, as bits of floats",
    ),
    &DRAWS,
    &Plain::new(
        "image",
        "the name of a file",
        "none",
        "\"out.png\"",
        "of a record: the picture that came out",
    ),
    &Plain::new(
        "depth_image",
        "the name of a file",
        "none",
        "\"out.bin\"",
        "of a record: the depths that came out",
    ),
    &Plain::new(
        "fragments",
        "a list, an object for each triangle",
        "none",
        "[]",
        "of a record: the fragments of each triangle",
    ),
    &Plain::new("cycles", "an integer", "none", "166699", "of a record: the cycles of all draws"),
    &Plain::new("extra_cycles_before_draw", "a list of integers", "none", "[0]", "of a record: a remark"),
    &Plain::new("note", "anything", "none", "\"by hand\"", "of a record: a remark"),
];

static DRAWS: Section =
    Section::new("draws", DRAW, "nothing is drawn, which is reported", "the draws, in their order").list();

/// What a draw of a job can say.
static DRAW: &[&dyn Key] = &[
    &Plain::new("vs", "a text", "`vs_dwords`", "\"#vertexShader …\"", "the vertex program"),
    &Plain::new(
        "vs_dwords",
        WORDS,
        "`vs`",
        "[\"00000000\"]",
        "the vertex program as stored; it counts if both are there",
    ),
    &Plain::new("fs", "a text", "`fs_dwords`", "\"#fragmentShader …\"", "the fragment program"),
    &Plain::new(
        "fs_dwords",
        WORDS,
        "`fs`",
        "[\"00000000\"]",
        "the fragment program as stored; it counts if both are there",
    ),
    &Plain::new("vertex_count", "an integer from 0 to 4294967295", "", "3", "how many vertices there are"),
    &Plain::new(
        "vertex_data",
        WORDS,
        "",
        "[\"3f800000\"]",
        "all components of all inputs of all vertices, one after the other",
    ),
    &Plain::new(
        "vs_uniforms",
        "a list of lists of words",
        "none",
        "[[\"3f800000\"]]",
        "the uniforms of the vertex program",
    ),
    &Plain::new(
        "fs_uniforms",
        "a list of lists of words",
        "none",
        "[[\"3f800000\"]]",
        "the uniforms of the fragment program",
    ),
];
