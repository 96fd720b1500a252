//! The facade's own codes, and the list of all codes there are.
//!
//! `G01` is about the command line and files: a program that exits with a code exits with 2 for these, and for any other
//! whose place is in an argument. `G02` is about the data that programs run on, `C` about conformance files; they mean that
//! an input is wrong, as all other codes do.

use gpuzoo_diag::Code;
pub use gpuzoo_machine::options::arguments::BAD_ARGUMENT;

gpuzoo_diag::codes! {
    WHICH_GPU = "G0101", "which GPU is meant?",
        "A file name's extension gives the machine if just one machine uses it. Otherwise name it: `--gpu dreambox`. \
         `gpuzoo list gpus` shows the machines and their extensions.";
    NO_SUCH_GPU = "G0102", "no such GPU",
        "The name after `--gpu` is not one of those that `gpuzoo list gpus` shows.";
    NO_SUCH_PROFILE = "G0103", "no such profile",
        "A profile is one of the numeric behaviours of a machine. `gpuzoo list profiles` shows them; the first of a \
         machine is what it uses when none is given.";
    NO_SUCH_TEXT_OPTION = "G0111", "no such way to write a text",
        "A machine may have several assembly dialects, numberings of constants and places of positions. The message lists those that \
         it has.";
    UNREADABLE = "G0104", "file cannot be read",
        "The operating system did not give the file's bytes. The message says why.";
    UNWRITABLE = "G0105", "file cannot be written",
        "The operating system did not take the bytes. The message says why.";
    OUTPUT_IS_INPUT = "G0131", "output over an input",
        "What was read would be lost. Outputs are compared with every file that was read, links and other names of the \
         same file included. Give another file with `-o`. A program that saves to the folder of `--files` replaces and removes what it has read itself, \
         and no other input: not its source, not its project file.";
    BINARY_TO_TERMINAL = "G0106", "binary output to a terminal",
        "Binary output would garble the terminal. Give a file with `-o FILE`, choose a text form such as `--emit hex`, \
         or insist with `-o -`.";
    NO_INPUT = "G0107", "no input",
        "Name a file, or `-` for standard input, or send the input through a pipe.";
    USAGE = "G0121", "command line that cannot be understood",
        "A verb, an option or a value is not one of those that there are, or one is missing. `gpuzoo VERB --help` shows what \
         the verb takes.";
    NOT_APPLICABLE = "G0142", "option that does not apply",
        "The option has no effect on the verb, or on the kind of input that it was given. The message says what it applies to.";
    NOTHING_TO_CHECK = "G0122", "folder without anything to check",
        "In a folder, programs are checked that have an extension of one of the machines, scenes (`.toml` files that name \
         a `gpu`) and jobs. None of its files is one of these. A program with another name is checked on its own, with \
         `--gpu`.";
    WATCHING = "G0123", "files are watched",
        "With `--watch` a verb is done again whenever a file changes that it read: the program, what it includes, the \
         scene, its meshes and textures, the data. Ctrl-C ends it. A mistake in a file does not; one in the command line, \
         or a file that is not there at the start, does.";
    NO_SUCH_CODE = "G0109", "no such diagnostic code",
        "Codes are a letter and four digits. `gpuzoo list codes` shows them all.";
    NO_SUCH_TOPIC = "G0110", "nothing of this name to explain",
        "`gpuzoo explain` takes a diagnostic code (`D0102`), an instruction (`mulm --gpu dreambox`, or \
         `dreambox.mulm`), a machine (`dreambox`), or the words of an instruction (`0x03d10457 --gpu dreambox`).";

    NO_JOBS = "G0112", "machine does not take jobs",
        "A job is raw commands for a machine, in JSON. Only machines that are driven by commands and memory have them; \
         for others write a scene.";

    NO_SHADER_UNIT = "G0113", "machine without shader units",
        "Some machines run no programs over vertices and fragments: a CPU's program writes to their registers. Such a \
         program is assembled, checked, run, recorded, traced and rendered as a whole; what needs vertices, constants or \
         an instruction set is for machines with shader units. `gpuzoo list gpus` shows what each machine runs.";
    NO_COMPUTER = "G0117", "machine without a computer",
        "What is recorded is what a CPU's program sends to a machine. A machine with shader units has vertices and draws \
         in place of such a program: `run`, `trace` and `render` show what those do.";
    NO_SUCH_FORM = "G0118", "no such form of a program",
        "Programs of the machine are neither read nor written in this form, or the extension of the file to write says none. \
         The message lists what there is; `gpuzoo list formats` shows the forms of all machines, and `--emit` chooses one.";

    NO_SUCH_LEVEL = "G0114", "no such instruction set",
        "The environment variable `GPUZOO_SIMD` chooses what programs run on: `portable`, `avx2`, `avx512`, or `jit` \
         for machine code for AVX-512, where the processor has it. `gpuzoo list engines` shows them. Without the \
         variable it is the fastest.";

    NOT_FORMATTED = "G0250", "text that is not laid out",
        "`gpuzoo fmt --check` found a text that `gpuzoo fmt` would change. Only blanks would change: words, comments and what is \
         assembled stay.";
    FORMAT_CHANGES = "G0251", "layout that would change a text",
        "`gpuzoo fmt` changes blanks alone, and compares the words, the comments and what is assembled before a file is replaced. \
         They would differ here, so the file stays as it is. This is a bug in gpuzoo.";
    NO_TEXT = "G0252", "not a text to lay out",
        "`gpuzoo fmt` lays out assembly texts: of shaders in every dialect, and of the 65C02. Binaries, words in hexadecimal, scenes and \
         recordings are left alone.";

    BROKEN_STREAM = "G0133", "stream that is no protocol",
        "`gpuzoo lsp` and `gpuzoo dap` read messages of the protocols of editors: a header with `Content-Length`, an empty line, and so many \
         bytes of JSON. Behind a header without a length nothing can be told apart, so the server ends. A message whose JSON is wrong \
         is answered with an error instead.";

    CANNOT_LISTEN = "G0134", "port that cannot be listened on",
        "`gpuzoo dap --port N` waits for an editor on a port of this machine. Somebody else has the port, or it is one that only the system \
         may have.";
    BAD_REQUEST = "G0340", "request of an editor that cannot be understood",
        "`gpuzoo dap` got a message that is no request of the Debug Adapter Protocol, one for what it does not do, or one that lacks an argument. \
         The message says which. What it can do is in its answer to `initialize`.";
    NOT_NOW = "G0341", "request of an editor that has no answer at this point",
        "A session begins with `initialize` and `launch`; breakpoints are set after `initialized`, and the run begins with \
         `configurationDone`. While a run goes on it can be paused, and nothing else; backward there is nothing before its start.";
    NOT_THERE = "G0342", "nothing there that a request of an editor is about",
        "A thread, frame, variable, memory or breakpoint that a request names does not exist, or not any more. Threads are runs: a pixel has \
         its fragment's and those of the vertices behind it.";

    NOT_BUILT_IN = "G0350", "host's GPU in a build without it",
        "`--backend wgpu` needs the feature `wgpu`, which is not in a usual build because it brings 82 crates more: \
         `cargo install --path apps/cli --features wgpu`, or `cargo run --release --features wgpu -- …`.";
    NO_DEVICE = "G0351", "no GPU to run on",
        "`--backend wgpu` runs programs through Vulkan, and there is no driver that opens. A GPU has the driver of its maker. Without a \
         GPU Mesa's lavapipe computes on the processor: on Debian and Ubuntu `apt install mesa-vulkan-drivers libvulkan1`.";
    DEVICE_FAILED = "G0352", "host's GPU refused",
        "The host's GPU or its driver did not take a shader, a buffer or a picture; the message has its words. If it is a shader that \
         gpuzoo wrote this is a fault of gpuzoo: please report it.";
    HOST_PICTURE = "G0353", "picture that the host's GPU has drawn",
        "With `--backend wgpu` shaders are translated, and the host's GPU draws what they give by its own rules: where pixels lie inside a \
         triangle, how texels are mixed, the last bits of depths and colours. The note says how many pixels differ from gpuzoo's, which are \
         the machine's, and what cannot be the same.";

    CSV_HEADER = "G0201", "table column without a meaning",
        "The first line of a table names its columns: an input and a component (`in0.x`, or `v0.x`), where an input \
         alone means its component x. For constants the columns are `name,x,y,z,w`.";
    CSV_ROW = "G0202", "table row of another length",
        "Every row of a table has as many cells as its first line.";
    BAD_NUMBER = "G0203", "not a number",
        "Components are written as decimal numbers (`1`, `-0.5`, `1e-3`, `inf`, `nan`) or as bit patterns of eight \
         hexadecimal digits (`0x3f800000`).";
    JSON_SHAPE = "G0205", "JSON of another shape than expected",
        "Vertices are `{\"in0\": [[x, y, z, w], …], …}` or a list of records `[{\"in0\": [x, y, z, w]}, …]`; constants \
         are `{\"c4\": [x, y, z, w], …}` or a list of four components each; a program is a list of words, or an object \
         with one named `words`.";
    UNKNOWN_REGISTER = "G0206", "no such input or constant",
        "The machine has no input, or no constant, of this name. `gpuzoo explain GPU` shows the registers.";
    MISSING_INPUT = "G0207", "input is not given",
        "The program reads an input for which the vertices give no value. It reads zeros.";
    MISSING_CONSTANT = "G0208", "constant is not given",
        "The program reads a constant that was not given. It reads zeros.";
    MISSING_TEXTURE = "G0228", "textures are not given",
        "The program reads a texture, and a run over a table has none: it reads zeros. A scene gives textures, and `gpuzoo render`, \
         `why` and `debug` with a pixel of it run the program with them.";
    GIVEN_NOT_READ = "G0225", "given and never read",
        "A column of the vertices, or a constant that was given by its name, is one that the program reads nowhere: another \
         number may be meant. Raw vertices and memory images of constants are not looked at; they hold what they hold.";
    CONSTANTS_CHANGED = "G0216", "the program changed constants",
        "The program writes constants. They count for the next vertex, so vertices run one after the other, and the \
         last values are shown. A machine may allow that only in some modes.";
    KILLED = "G0220", "vertices or fragments were killed",
        "A fragment that its program kills is not drawn, so it has no results: the table says `killed` in their place, \
         CSV has a column for it and empty cells, JSON `\"killed\":true`; where a row is \
         numbers alone, the first one is 1 for what was killed, else 0, and the results are NaN. `gpuzoo trace` shows the instruction that \
         killed it.";
    UNDEFINED_COMPONENTS = "G0209", "output components that depend on unwritten registers",
        "No instruction wrote these components, or what was written depends on registers that no instruction wrote. \
         gpuzoo uses the start value that the machine's reference states; the machine itself may give anything.";
    BAD_WORDS = "G0210", "not a list of words",
        "A program in hexadecimal is a list of words of up to eight digits, with or without `0x`, separated by blanks, \
         commas or line breaks. What follows `//`, `#` or `;` on a line is a comment.";
    TOO_LARGE = "G0211", "data too large",
        "Texts (JSON, programs) may have up to 64 MiB, vector files up to 1 GiB. Vertices of `run` have no such limit where they \
         are read piece by piece: tables, JSON records on lines of their own, raw bytes, arrays.";
    NPY_HEADER = "G0226", "not an array that can be read",
        "An array in NumPy's form (`.npy`) has a header: a dictionary of the numbers' type, their order, and the shape. What is read \
         are `<f4`, `<f8` and `<u4` (bit patterns) in C's order, of one or two dimensions: a row for each vertex, whose columns \
         are the components of its inputs, four for each, or what `--layout` says.";
    NPY_LENGTH = "G0227", "array of another length than its header says",
        "Behind the header of an array in NumPy's form (`.npy`) there are as many numbers as its shape says, and nothing else. A file \
         that ends early was cut off.";
    NO_SUCH_VERTEX = "G0212", "no such vertex",
        "Vertices are counted from 0, and there are fewer than this.";
    NO_VERTICES = "G0213", "no vertices",
        "The table, or the buffer, holds no whole vertex, so there is nothing to run.";
    NO_SUCH_FRAME = "G0214", "no such frame",
        "Frames of an animation are counted from 0, and there are fewer than this. A scene without `[animation]` has one.";
    CANNOT_ENCODE = "G0215", "picture that the file format cannot hold",
        "GIF takes sides of up to 65,535 pixels, PNG of up to 2,147,483,647. Another format may hold the picture.";

    STARTER_SCENE = "G0240", "program drawn without a scene",
        "A picture needs more than a program: what its inputs and constants hold, a mesh, a camera. Without a scene gpuzoo \
         makes one: a teapot, inputs by the machine's habit or by what the program does with them, constants by their \
         names or by how they are used. The message shows what was taken for what. `render PROGRAM --save-scene FILE` writes \
         the scene, so that it can be changed.";
    EXISTS = "G0130", "file that would be replaced",
        "What is written here is a beginning that people go on with, so a file that is there is never replaced. Give \
         another name, or move what is there away.";
    NOTHING_SHOWN = "G0224", "draw that wrote no pixel",
        "All that a draw made was lost before the target, in every frame: its primitives are invalid (a position with w = 0, NaN or \
         infinity), outside the view volume, culled, or smaller than a pixel; or its fragments failed the depth test or were \
         killed. The counts and the first primitive or fragment are those of the first frame. `gpuzoo render --stats` shows the \
         counts of each draw; `gpuzoo trace` shows what a vertex does.";

    NO_OUTPUTS_KEPT = "G0218", "machine whose outputs do not persist",
        "What outputs hold before a program matters only on machines that keep what an earlier vertex left in them.";
    RAW_CONSTANTS = "G0219", "not the machine's constants",
        "A file of constants as they lie in memory has 16 bytes for each, four floats, lowest byte first, and no more \
         of them than the machine has.";

    RAGGED = "G0221", "inputs that do not fit",
        "Every input has one value for each vertex, so all have the same number of values, each input is given once, and \
         values that are read from memory lie in it.";
    SMALL_BUFFER = "G0222", "buffer that does not fit",
        "An output has one buffer at most. It has room for every vertex: the distance between two, times one less than \
         their number, plus the components of the last; and vertices do not overlap.";
    CANCELLED = "G0223", "run cancelled",
        "The caller set the flag that ends a run. There are no results.";
    NO_COMPARISON = "G0231", "nothing that can be compared",
        "`gpuzoo diff` compares two dumps of one machine's memory (all its bytes, or a trace that ends with them), or two pictures of one size.";

    NOT_IN_C = "G0235", "program that has no C kernel",
        "A C kernel computes columns of numbers. It has no textures, it cannot leave out fragments, and its lanes do \
         not depend on each other. Programs that need one of these run with `gpuzoo run` and `gpuzoo render`.";

    CANNOT_PACK = "G0236", "program that cannot be packed",
        "`gpuzoo pack` takes a program apart and puts it together again. It does so with defined instructions alone: what a \
         machine makes of others is not known. On machines with one instruction a slot it takes at most 2,048 of them.";
    UNPROVEN = "G0237", "packed program that is not proven to be the same",
        "Each output of a packed program is compared with that of the program that was given, as an expression, and on 64 runs. \
         If they are not the same nothing is written. This is a fault of gpuzoo; please report it.";
    NO_TEXT_FOR_PAIRS = "G0238", "dialect without words for pairs",
        "A dialect of one instruction a line cannot say that two run in one slot: its text would be as long as the one that was \
         packed. Another dialect has a sign for it, and binaries and words need none.";
    UNKNOWN_LANGUAGE = "G0239", "shading language not known",
        "The language of a source is that of its file's extension: `.wgsl`, `.glsl`, `.vert`, `.frag`, `.spv`, `.cg`; or the one that \
         `--from` says.";

    LEFT_OUT = "G0138", "part of gpuzoo that was left out",
        "This build of gpuzoo is a small one, without what compiles shading languages (the feature `languages`), without what \
         translates programs (`translate`), or without VERA (`vera`). The whole one has them: in JavaScript `load()` gives it, and the \
         studio gets it by itself.";

    NO_SUCH_BENCH = "G0115", "no such standard program",
        "`gpuzoo bench` measures standard programs, or a program of yours: `gpuzoo bench FILE`. The message lists the \
         standard programs.";
    NO_BENCH = "G0232", "nothing could be measured",
        "The program has more values than the engine has room for, or the system did not give the threads or the \
         memory. The message says which.";
    PROJECT = "G0136", "project file is wrong",
        "A project file is TOML: `sources = [\"main.s\", \"sound.s\"]`, and options of the program's machine by their names, such as \
         `config = \"game.cfg\"`, `include = [\"lib\"]` or `stub = \"yes\"`; `gpuzoo list options` has them. What is written and further sources are no such \
         options. Paths are from the file's own folder and lead to what lies in it; `files`, where a program saves, is a folder below it whose name \
         does not begin with a dot. A project file has up to 1 MiB, and a list up to 256 values.";
    NOT_WRITTEN = "G0139", "file that is not written",
        "Only the command line names what is written. A linker configuration may name `%O` with a suffix, which lies beside the file of `-o`; another \
         name needs `--allow-write FOLDER` on the command line, and lies below that folder. What a program saves lies below the folder of `--files`. \
         Links do not lead out of these folders. Never written are names that begin with a dot or lie in a folder whose name does, names with control \
         characters, `\\` or `:`, and short names such as `GIT~1`.";
    YARDSTICK = "G0233", "no yardstick",
        "The yardstick is the program as C, compiled, run and compared with the engine. It needs a C compiler that \
         understands GCC's options (`CC` names it, else `cc`) and a POSIX system. Without it the other figures are \
         measured all the same.";
    OTHER_BITS = "G0234", "engine and C differ",
        "The C kernel must give the engine's bits. Either the compiler's options let it change results (`-ffast-math`, \
         fusing), or there is a bug in gpuzoo or in the compiler: please report it.";

    SUPERSAMPLED = "G0242", "picture that the machine does not draw",
        "Of several samples for each pixel the picture has the mean, byte by byte as the machine leaves them in the picture, not in \
         linear light. Edges look smoother, and textures are read at finer places, so that other levels may be chosen. No machine \
         here does that: such a picture is to be looked at, not to be compared.";
    NO_SUCH_REGISTER = "G0241", "register, component or slot that a run does not have",
        "What a component was computed from is asked of a register that the program reads or writes, by its name in the \
         program's text. The message has the names that there are. A slot behind an `@` is one that the run went through.";
    MALFORMED_RECORD = "C0101", "line is not a JSON record",
        "A vector file is JSON Lines: each line that is not blank is one JSON object.";
    BAD_RECORD = "C0102", "record lacks something, or something in it is wrong",
        "The record's kind is clear, but a part of it cannot be used. The message names it; the machine's \
         documentation shows each kind of record.";
    UNKNOWN_KIND = "C0103", "record of an unknown kind",
        "A record's kind is recognized by the names in it. The message lists the kinds that this machine knows; \
         the machine's documentation shows each.";
    NO_VECTORS = "C0104", "no vectors found",
        "None of the files holds a record that this machine knows, so nothing was compared. That is not a pass.";
    NO_STIMULUS = "C0105", "no vectors can be made of it",
        "`gpuzoo vectors` writes records that `gpuzoo conform` takes, and what is asked for has no such record: the machine has \
         none for programs, the program uses what a record cannot hold, such as textures, or nothing ran.";
}

/// The codes of scenes.
#[cfg(feature = "render")]
const SCENES: &[&[&Code]] = gpuzoo_scene::CODES;
#[cfg(not(feature = "render"))]
const SCENES: &[&[&Code]] = &[];

/// The codes of the compiler.
#[cfg(feature = "language-names")]
const COMPILER: &[&[&Code]] = gpuzoo_compile::CODES;
#[cfg(not(feature = "language-names"))]
const COMPILER: &[&[&Code]] = &[];

/// The codes of translations.
#[cfg(feature = "target-names")]
const TRANSLATION: &[&[&Code]] = &[gpuzoo_translate::codes::CODES];
#[cfg(not(feature = "target-names"))]
const TRANSLATION: &[&[&Code]] = &[];

/// The codes that belong to no machine.
pub(crate) fn shared() -> impl Iterator<Item = &'static Code> {
    let shared = [
        CODES,
        crate::options::CODES,
        gpuzoo_diag::choice::CODES,
        crate::debugger::CODES,
        crate::debugger::saved::CODES,
        gpuzoo_isa::codes::CODES,
        gpuzoo_ir::codes::CODES,
        gpuzoo_machine::options::arguments::CODES,
        gpuzoo_machine::options::settings::CODES,
        gpuzoo_machine::unit::layout::CODES,
        gpuzoo_machine::unit::run_state::CODES,
        gpuzoo_machine::target::host::CODES,
        gpuzoo_machine::unit::reach::CODES,
        gpuzoo_machine::limits::budget::CODES,
        gpuzoo_machine::unit::job::CODES,
        gpuzoo_machine::json::CODES,
    ];
    let optional = SCENES.iter().chain(COMPILER).chain(TRANSLATION);
    shared.into_iter().chain(optional.copied()).flatten().copied()
}

#[cfg(test)]
mod tests {
    use crate::Registry;

    #[test]
    fn codes_are_unique_and_explained() {
        let all = Registry::default().codes();
        for pair in all.windows(2) {
            assert_ne!(pair[0].id, pair[1].id);
        }
        for code in &all {
            let (letter, digits) = code.id.split_at(1);
            assert!(letter.bytes().all(|letter| letter.is_ascii_uppercase()), "{}", code.id);
            assert!(digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit()), "{}", code.id);
            assert!(!code.title.is_empty() && code.page.len() > code.title.len(), "{}", code.id);
            assert!(code.page.lines().all(|line| !line.trim_start().contains("   ")), "{}: spaces", code.id);
        }
    }

    #[test]
    fn codes_are_found_in_either_case() {
        let registry = Registry::default();
        assert_eq!(registry.code("g0101").map(|code| code.id), Some("G0101"));
        assert_eq!(registry.code("G9999"), None);
    }
}
