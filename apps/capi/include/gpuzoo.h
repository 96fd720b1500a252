// gpuzoo: one toolchain for the shader units of small graphics processors, as a C library.
//
// This file is generated of the library's sources.
//
// Functions return a gpuzoo_status, and 0 (GPUZOO_OK) is success; results go where the last arguments point. A function that can fail
// because of what is in an input also gives problems, which are to be freed.
//
// Handles. What a function opens, reads or gives as a pointer to an opaque type is to be freed with that type's function. Handles are
// numbers in the guise of pointers: NULL, one that was freed and one of another type are GPUZOO_ERR_HANDLE.
//
// Threads. Programs, kernels, translations and problems never change, and any number of threads may use one at a time. Sessions, VERAs
// and machines are for one thread at a time, which need not always be the same: a second one gets GPUZOO_ERR_BUSY, and so does one that
// frees what is in use. All functions may be called from any thread.
//
// Memory. Each buffer comes with its size. Except where NULL is said to be allowed, a pointer leads to memory that is there for the
// whole call, as much of it as is said; nothing is kept of it afterwards. A function that fills a buffer always gives the length that is
// needed; with NULL and 0 for the buffer and its capacity it gives nothing else, and with too small a buffer it returns
// GPUZOO_ERR_SPACE.
//
// Structures that begin with struct_size grow with new versions: set it to sizeof the structure, and all that is not used to 0.


#ifndef GPUZOO_H
#define GPUZOO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The length of a text that a zero byte ends.
#define GPUZOO_TERMINATED SIZE_MAX


// In gpuzoo_run's flags: what the program reads and is not given reads as zeros, which else is GPUZOO_ERR_INPUT.
#define GPUZOO_RUN_ZEROS 1

// In gpuzoo_run's flags: notes about the run come as problems, even where the status is GPUZOO_OK: what was killed, constants that the
// program has changed, and those that it sought where there are none.
#define GPUZOO_RUN_REMARKS 2

// Pixels of a line of the picture.
#define GPUZOO_VERA_WIDTH 640

// Lines of the picture.
#define GPUZOO_VERA_HEIGHT 480

// Bytes of video memory.
#define GPUZOO_VERA_VRAM 131072

// What a function returns. Whatever it is, no function leaves an object half changed: what failed has done nothing, but for
// GPUZOO_ERR_INTERNAL.
typedef enum {
    // All is well.
    GPUZOO_OK = 0,
    // The input is wrong: a text with errors, a name that there is not, words that are no program. The problems say what and where.
    GPUZOO_ERR_INPUT = 1,
    // An argument is wrong: a null pointer, a stride of 0, a size that is too small, a structure without its size.
    GPUZOO_ERR_ARGUMENT = 2,
    // A buffer has not enough room; the length says how much is needed.
    GPUZOO_ERR_SPACE = 3,
    // A handle is NULL, of another kind of object, of one that was freed, or none at all.
    GPUZOO_ERR_HANDLE = 4,
    // Another thread is using an object that only one may use at a time, or that is to be freed.
    GPUZOO_ERR_BUSY = 5,
    // There is nothing of this number or name.
    GPUZOO_ERR_NOT_FOUND = 6,
    // There is not enough memory, or there are too many objects.
    GPUZOO_ERR_MEMORY = 7,
    // A mistake in gpuzoo. An object that the function could have changed is gone, and its handle is one of nothing.
    GPUZOO_ERR_INTERNAL = 8,
} gpuzoo_status;

// Why a run stopped.
typedef enum {
    // At a breakpoint.
    GPUZOO_HALT_BREAKPOINT = 0,
    // At the end of the program.
    GPUZOO_HALT_END = 1,
    // At the start, or the oldest step that is kept.
    GPUZOO_HALT_START = 2,
    // After as many steps as were allowed.
    GPUZOO_HALT_LIMIT = 3,
} gpuzoo_halt;

// How bad a problem is.
typedef enum {
    // Worth knowing.
    GPUZOO_NOTE = 0,
    // Probably a mistake.
    GPUZOO_WARNING = 1,
    // The input is wrong.
    GPUZOO_ERROR = 2,
} gpuzoo_severity;

// What names of a kernel are of.
typedef enum {
    // Inputs that its outputs depend on.
    GPUZOO_INPUTS = 0,
    // Its outputs.
    GPUZOO_OUTPUTS = 1,
    // Constants that its outputs depend on.
    GPUZOO_CONSTANTS = 2,
} gpuzoo_kind;

// A program that is compiled for one profile and state. It never changes; any number of threads may run it at a time.
typedef struct gpuzoo_kernel gpuzoo_kernel;

// What was found. It never changes; any number of threads may look at it.
typedef struct gpuzoo_problems gpuzoo_problems;

// A program without errors. It never changes; any number of threads may use it.
typedef struct gpuzoo_program gpuzoo_program;

// A run that goes forward and back. One thread at a time may use it.
typedef struct gpuzoo_session gpuzoo_session;

// A program as a shader of the host. It never changes; any number of threads may look at it.
typedef struct gpuzoo_translation gpuzoo_translation;

// A VERA. One thread at a time may use it.
typedef struct gpuzoo_vera gpuzoo_vera;

// A Commander X16. One thread at a time may use it.
typedef struct gpuzoo_x16 gpuzoo_x16;

// A text in UTF-8: where it begins, and how many bytes it has. One that is given may have the length GPUZOO_TERMINATED, if a zero byte
// ends it; NULL with a length of 0 is none. One that comes from the library always has a zero byte behind it, which the length does
// not count, and belongs to the object that was asked: it stays until that is freed, or as long as the function says.
typedef struct {
    // Its first byte.
    const char *data;
    // How many bytes.
    size_t length;
} gpuzoo_text;

// A problem. Its texts stay until the problems are freed.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // How bad it is: a gpuzoo_severity.
    uint32_t severity;
    // Which kind of problem, such as A0103, on which `gpuzoo explain` has a page; empty for one of the call itself.
    gpuzoo_text code;
    // What is wrong, in a line.
    gpuzoo_text message;
    // What to do, a piece of advice a line; may be empty.
    gpuzoo_text help;
    // The name of the file that it is in; empty if it is in none.
    gpuzoo_text file;
    // The line, from 1; 0 without a place, and in a binary.
    size_t line;
    // The column in bytes, from 1; 0 without a place, and in a binary.
    size_t column;
    // The first byte in the file.
    size_t start;
    // The byte behind the last one.
    size_t end;
} gpuzoo_problem;

// An option by name. A name that occurs several times is a list. The book's page on options has the names and the values; a flag is true
// or false, and an assignment is NAME=VALUE.
typedef struct {
    // The name, such as fast_math.
    gpuzoo_text name;
    // The value.
    gpuzoo_text value;
} gpuzoo_option;

// What a function of the caller's returns: a gpuzoo_status, or any other number.
typedef int32_t gpuzoo_answer;

// Gives the bytes of a file that a text includes: `name` is what the text says, and `contents` gets the bytes, which must stay until the
// function that was called returns. Another status than GPUZOO_OK says that there is no such file. It must return: nothing
// may be thrown through the library.
typedef gpuzoo_answer (*gpuzoo_include)(void *user, gpuzoo_text name, gpuzoo_text *contents);

// Options of a program: how it is read or disassembled. All zeros except the size are the defaults, and so is NULL instead of the structure.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // The options.
    const gpuzoo_option *options;
    // Count of the options.
    size_t option_count;
    // Gives the files that the text includes; NULL if there are none.
    gpuzoo_include include;
    // Handed to it.
    void *user;
} gpuzoo_program_options;

// What an output holds before the program, on machines whose outputs persist.
typedef struct {
    // The output's name.
    gpuzoo_text name;
    // Its components.
    float value[4];
} gpuzoo_start;

// In which state of the machine a kernel runs. All zeros, but for the size, are what is usual, and so is NULL in place of it.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // The options of the state, such as the profile.
    const gpuzoo_option *options;
    // Count of the options.
    size_t option_count;
    // What outputs hold before the program.
    const gpuzoo_start *starts;
    // How many.
    size_t start_count;
    // The outputs that are wanted, in this order; what only others need is not computed. All, if there are none.
    const gpuzoo_text *only;
    // How many.
    size_t only_count;
} gpuzoo_kernel_options;

// An input of a run: values of all vertices, where they lie. They are floats, or whatever bits the machine takes for them, in the
// processor's byte order; they need not be aligned.
typedef struct {
    // The input's name.
    gpuzoo_text name;
    // The first vertex's value.
    const void *data;
    // The bytes that there are from `data` on.
    size_t size;
    // Bytes from one vertex to the next.
    size_t stride;
    // Components of each vertex, 1 to 4; missing ones are those of (0, 0, 0, 1).
    size_t components;
} gpuzoo_input;

// An output of a run: where values go. What lies between the vertices stays as it is.
typedef struct {
    // The output's name.
    gpuzoo_text name;
    // Where the first vertex's value goes.
    void *data;
    // The bytes that there are from `data` on.
    size_t size;
    // Bytes from one vertex to the next.
    size_t stride;
    // Components that are wanted of each vertex, from x on, 1 to 4.
    size_t components;
} gpuzoo_output;

// Constants of a run that follow each other: four floats each, or whatever bits the machine takes for them.
typedef struct {
    // The first one's name, as the program's text has it, or the machine's.
    gpuzoo_text name;
    // Its components, and those of the others.
    const float *values;
    // How many constants.
    size_t count;
} gpuzoo_constants;

// A run. Inputs and outputs may lie between each other, in one array of records with one stride; no byte may be an output and something
// else.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // How many vertices.
    size_t count;
    // The inputs.
    const gpuzoo_input *inputs;
    // How many.
    size_t input_count;
    // The outputs that are wanted.
    const gpuzoo_output *outputs;
    // How many.
    size_t output_count;
    // The constants; later ones replace earlier ones, and those of the program's text. They may differ from run to run: nothing is
    // compiled for them.
    const gpuzoo_constants *constants;
    // How many such ranges.
    size_t constant_count;
    // A byte for each vertex that becomes 1 if the program kills it, else 0; NULL if nobody wants to know.
    uint8_t *killed;
    // How many bytes there are.
    size_t killed_size;
    // GPUZOO_RUN_ZEROS and GPUZOO_RUN_REMARKS, or 0.
    uint32_t flags;
} gpuzoo_run;

// What comes next. The text stays until the session is asked again, or moves.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // The slot of the program, or the address of the instruction.
    uint64_t at;
    // Which of the slot's instructions: 0, or 1 for the second.
    uint32_t part;
    // The instruction.
    gpuzoo_text text;
    // The line of the program's text, from 1; 0 if it has none.
    size_t line;
    // The column in bytes, from 1; 0 if it has none.
    size_t column;
} gpuzoo_place;

// A register and what it holds. Its texts stay until the session moves.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // Its name.
    gpuzoo_text name;
    // What it is among the machine's registers.
    gpuzoo_text group;
    // The bits of its four components, or of an integer, lowest first.
    uint32_t words[4];
    // How many bits it has: 128 for four components.
    uint32_t bits;
    // The components that the steps so far have written: 1 for x, 2 for y, 4 for z, 8 for w.
    uint32_t written;
    // Of four components those that are signed integers; the others are floats.
    uint32_t integers;
} gpuzoo_register;

// What the last step wrote. Its text stays until the session moves.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // The register's name, or a byte of a memory, such as `vram[0x10]`.
    gpuzoo_text name;
    // The components that were written, as in gpuzoo_register.
    uint32_t components;
    // The whole value before.
    uint32_t before[4];
    // The whole value after.
    uint32_t after[4];
    // Of four components those that are signed integers after the step; the others are floats.
    uint32_t integers;
} gpuzoo_change;

// How a VERA is made. All zeros, but for the size, are what is usual, and so is NULL in place of it.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // Whose behaviour: rtl (the device's source, and the usual one), documented or x16emu.
    gpuzoo_text profile;
    // 1 if there will be gpuzoo_vera_save, which needs voices that are followed from power-on.
    uint32_t saves;
    // 1 if there will be gpuzoo_vera_samples.
    uint32_t listens;
} gpuzoo_vera_options;

// An access at a time.
typedef struct {
    // Cycles of the 8 MHz CPU that pass before it.
    uint32_t cycles;
    // The register: the low five bits count.
    uint16_t address;
    // 1 for a write, 0 for a read.
    uint8_t is_write;
    // What is written, or what the read returned.
    uint8_t value;
} gpuzoo_vera_access;

// What a machine is made of. All zeros, but for the size, are what is usual, and so is NULL in place of it.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // VERA's profile, as in gpuzoo_vera_options.
    gpuzoo_text profile;
    // Banks of RAM, 8 KB each, 1 to 256; 0 for 64.
    size_t ram_banks;
    // An image of the ROM, bank 0 first; NULL for stand-ins for its usual routines.
    const void *rom;
    // Its bytes.
    size_t rom_size;
    // 1 if there will be gpuzoo_x16_save.
    uint32_t saves;
    // 1 if there will be gpuzoo_x16_samples.
    uint32_t listens;
} gpuzoo_x16_options;

// The CPU's registers.
typedef struct {
    // The size of this structure; the caller sets it.
    size_t struct_size;
    // Cycles since power-on; it cannot be set.
    uint64_t cycles;
    // The program counter.
    uint16_t pc;
    // The accumulator.
    uint8_t a;
    // X.
    uint8_t x;
    // Y.
    uint8_t y;
    // The stack pointer.
    uint8_t s;
    // The status.
    uint8_t p;
} gpuzoo_cpu;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Describes a status in a few words. `status` may be any number.
gpuzoo_status gpuzoo_status_text(int32_t status, gpuzoo_text *text);

// The library's version, such as 0.1.0; it stays as long as the program.
gpuzoo_status gpuzoo_version(gpuzoo_text *version);

// The machine of a number, counted from 0: its id, which other functions take, its name, and its numeric profiles, the usual one first,
// with spaces between. Each pointer may be NULL. The texts stay as long as the program. GPUZOO_ERR_NOT_FOUND is behind the last one.
gpuzoo_status gpuzoo_machine(size_t index,
                             gpuzoo_text *id,
                             gpuzoo_text *name,
                             gpuzoo_text *profiles);

// How many objects there are that were not freed: 0 at the end of a program without leaks.
gpuzoo_status gpuzoo_objects(size_t *count);

// How many there are.
gpuzoo_status gpuzoo_problems_count(const gpuzoo_problems *problems, size_t *count);

// One of them, counted from 0.
gpuzoo_status gpuzoo_problems_get(const gpuzoo_problems *problems, size_t index, gpuzoo_problem *problem);

// All of them as the command line shows them: with the lines that they are in, notes and advice.
gpuzoo_status gpuzoo_problems_text(const gpuzoo_problems *problems, gpuzoo_text *text);

// Frees them, and all texts that they gave. NULL is nothing to free.
gpuzoo_status gpuzoo_problems_free(gpuzoo_problems *problems);

// What a kind of problem means, and how it is put right, in Markdown: the page of a code such as A0103. The length is that of the page;
// without a buffer only it is given.
gpuzoo_status gpuzoo_explain(gpuzoo_text code,
                             char *buffer,
                             size_t capacity,
                             size_t *length);

// Reads a program of a machine: assembly text, a binary, words in hexadecimal or JSON, or a source in a shading language, which is
// compiled. `name` is shown in problems, and its extension says what the bytes are if the options do not. The options are those of
// reading, and for a source those of compiling, too. `options` may be NULL, and so may `problems`.
gpuzoo_status gpuzoo_program_read(gpuzoo_text machine,
                                  gpuzoo_text name,
                                  const void *data,
                                  size_t size,
                                  const gpuzoo_program_options *options,
                                  gpuzoo_program **program,
                                  gpuzoo_problems **problems);

// Assembles a text: gpuzoo_program_read with what is usual, for a text that is assembly.
gpuzoo_status gpuzoo_program_assemble(gpuzoo_text machine,
                                      gpuzoo_text name,
                                      gpuzoo_text text,
                                      gpuzoo_program **program,
                                      gpuzoo_problems **problems);

// Makes a program of the words of its binary, as they are in the machine's memory.
gpuzoo_status gpuzoo_program_load(gpuzoo_text machine,
                                  const uint32_t *words,
                                  size_t count,
                                  gpuzoo_program **program,
                                  gpuzoo_problems **problems);

// Frees a program; kernels of it stay. NULL is nothing to free.
gpuzoo_status gpuzoo_program_free(gpuzoo_program *program);

// The id of its machine.
gpuzoo_status gpuzoo_program_machine(const gpuzoo_program *program, gpuzoo_text *id);

// The words of its binary. `count` gets how many there are; without a buffer only that is given.
gpuzoo_status gpuzoo_program_words(const gpuzoo_program *program, uint32_t *buffer, size_t capacity, size_t *count);

// A text that does the same. The options are those of disassembling; `options` may be NULL, and so may `problems`. `length` gets the
// text's bytes, of which none is a zero byte; without a buffer only that is given.
gpuzoo_status gpuzoo_program_disassemble(const gpuzoo_program *program,
                                         const gpuzoo_program_options *options,
                                         char *buffer,
                                         size_t capacity,
                                         size_t *length,
                                         gpuzoo_problems **problems);

// Makes a program that computes the same bits in fewer slots, where there is one. That it does is proven, and both are run on so many
// vectors besides; 0 is the usual number. `problems` may be NULL.
gpuzoo_status gpuzoo_program_optimize(const gpuzoo_program *program,
                                      uint64_t vectors,
                                      gpuzoo_program **shorter,
                                      gpuzoo_problems **problems);

// What is suspicious about a program, as warnings and notes: NULL if nothing is.
gpuzoo_status gpuzoo_program_check(const gpuzoo_program *program, gpuzoo_problems **problems);

// How large a program is and what it costs, as JSON. `length` gets its bytes; without a buffer only that is given.
gpuzoo_status gpuzoo_program_figures(const gpuzoo_program *program, char *buffer, size_t capacity, size_t *length);

// Makes a program ready to run. `options` may be NULL, and so may `problems`.
gpuzoo_status gpuzoo_kernel_open(const gpuzoo_program *program,
                                 const gpuzoo_kernel_options *options,
                                 gpuzoo_kernel **kernel,
                                 gpuzoo_problems **problems);

// Frees a kernel. NULL is nothing to free.
gpuzoo_status gpuzoo_kernel_free(gpuzoo_kernel *kernel);

// The name of an input, output or constant, counted from 0; `kind` is a gpuzoo_kind. It stays until the kernel is freed.
// GPUZOO_ERR_NOT_FOUND is behind the last one.
gpuzoo_status gpuzoo_kernel_name(const gpuzoo_kernel *kernel,
                                 uint32_t kind,
                                 size_t index,
                                 gpuzoo_text *name);

// Runs a kernel over vertices in the caller's memory. Nothing of it is copied as a whole, and nothing is kept. Several threads of the
// library's may take part. `problems` may be NULL.
gpuzoo_status gpuzoo_kernel_run(const gpuzoo_kernel *kernel,
                                const gpuzoo_run *run,
                                gpuzoo_problems **problems);

// Translates a program. The options are those of translating and of the machine's state; there may be none. `problems` may be NULL.
gpuzoo_status gpuzoo_program_translate(const gpuzoo_program *program,
                                       const gpuzoo_option *options,
                                       size_t option_count,
                                       gpuzoo_translation **translation,
                                       gpuzoo_problems **problems);

// The shader's text; empty for one in words.
gpuzoo_status gpuzoo_translation_text(const gpuzoo_translation *translation, gpuzoo_text *text);

// The shader's words, for SPIR-V; `count` gets 0 for one in text. They stay until the translation is freed.
gpuzoo_status gpuzoo_translation_words(const gpuzoo_translation *translation, const uint32_t **words, size_t *count);

// What its entry point is called; empty for a function.
gpuzoo_status gpuzoo_translation_entry(const gpuzoo_translation *translation, gpuzoo_text *entry);

// What a host binds where, as JSON: inputs, outputs, bindings and what each holds.
gpuzoo_status gpuzoo_translation_reflection(const gpuzoo_translation *translation, gpuzoo_text *json);

// Frees a translation, and all that it gave. NULL is nothing to free.
gpuzoo_status gpuzoo_translation_free(gpuzoo_translation *translation);

// Begins the session of a vertex, counted from 0, of what `run` gives to a kernel; its outputs do not count. The values are copied.
// `problems` may be NULL.
gpuzoo_status gpuzoo_session_open(const gpuzoo_kernel *kernel,
                                  const gpuzoo_run *run,
                                  size_t vertex,
                                  gpuzoo_session **session,
                                  gpuzoo_problems **problems);

// Begins the session of a program of the 65C02 around VERA: a text for the assembler or a PRG file, as the name or the bytes say.
// `problems` may be NULL.
gpuzoo_status gpuzoo_session_open_program(gpuzoo_text name,
                                          const void *data,
                                          size_t size,
                                          gpuzoo_session **session,
                                          gpuzoo_problems **problems);

// Ends a session. NULL is nothing to end.
gpuzoo_status gpuzoo_session_free(gpuzoo_session *session);

// How many steps lead here from the start. `total`, which may be NULL, gets how many the run has, or UINT64_MAX if that is not known.
gpuzoo_status gpuzoo_session_position(gpuzoo_session *session,
                                      uint64_t *position,
                                      uint64_t *total);

// Takes a step. `moved` gets 0 at the end, else 1.
gpuzoo_status gpuzoo_session_step(gpuzoo_session *session, uint8_t *moved);

// Takes a step back. `moved` gets 0 at the start, or at the oldest step that is kept, else 1.
gpuzoo_status gpuzoo_session_back(gpuzoo_session *session, uint8_t *moved);

// Goes to a position, or as near as the run allows; `reached` gets where that is.
gpuzoo_status gpuzoo_session_seek(gpuzoo_session *session, uint64_t position, uint64_t *reached);

// What comes next. At the end there is nothing: GPUZOO_ERR_NOT_FOUND.
gpuzoo_status gpuzoo_session_place(gpuzoo_session *session, gpuzoo_place *place);

// A register here, counted from 0. GPUZOO_ERR_NOT_FOUND is behind the last one.
gpuzoo_status gpuzoo_session_register(gpuzoo_session *session, size_t index, gpuzoo_register *register_);

// The register of a name here.
gpuzoo_status gpuzoo_session_find(gpuzoo_session *session, gpuzoo_text name, gpuzoo_register *register_);

// What the step that led here wrote, counted from 0. GPUZOO_ERR_NOT_FOUND is behind the last one.
gpuzoo_status gpuzoo_session_change(gpuzoo_session *session, size_t index, gpuzoo_change *change);

// Adds a breakpoint before a slot or an address. `only_if` is empty, or what must hold there, such as r0.x > 1. `number` gets the
// breakpoint's number, from 1.
gpuzoo_status gpuzoo_session_break_at(gpuzoo_session *session,
                                      uint64_t at,
                                      gpuzoo_text only_if,
                                      uint32_t *number);

// Adds a breakpoint before what comes from a line of the program's text, counted from 1.
gpuzoo_status gpuzoo_session_break_at_line(gpuzoo_session *session, size_t line, gpuzoo_text only_if, uint32_t *number);

// Adds a breakpoint behind steps that write some of a register's components: 1 for x, 2 for y, 4 for z, 8 for w; 15 for all.
gpuzoo_status gpuzoo_session_break_on_write(gpuzoo_session *session,
                                            gpuzoo_text name,
                                            uint32_t components,
                                            gpuzoo_text only_if,
                                            uint32_t *number);

// Adds a breakpoint behind steps in which something happens: nan, inf, undefined, range, odd (one of these four), texture, kill,
// interrupt or frame. Of odd, the number is that of the last of four.
gpuzoo_status gpuzoo_session_break_on_event(gpuzoo_session *session,
                                            gpuzoo_text event,
                                            gpuzoo_text only_if,
                                            uint32_t *number);

// Removes a breakpoint.
gpuzoo_status gpuzoo_session_unbreak(gpuzoo_session *session, uint32_t number);

// Goes on to the next breakpoint, by at least a step and at most `limit`. `number`, which may be NULL, gets the breakpoint's, or 0.
gpuzoo_status gpuzoo_session_run(gpuzoo_session *session,
                                 uint64_t limit,
                                 gpuzoo_halt *halt,
                                 uint32_t *number);

// The same backward.
gpuzoo_status gpuzoo_session_run_back(gpuzoo_session *session, uint64_t limit, gpuzoo_halt *halt, uint32_t *number);

// Gives components of a register other values here, whatever the program does; what comes after is run again from here. An integer has
// its low word in x. GPUZOO_ERR_INPUT is for what cannot be set.
gpuzoo_status gpuzoo_session_poke(gpuzoo_session *session,
                                  gpuzoo_text name,
                                  uint32_t components,
                                  const uint32_t *words,
                                  size_t count);

// Bytes of a memory here: ram or vram of the machine around VERA.
gpuzoo_status gpuzoo_session_peek(gpuzoo_session *session,
                                  gpuzoo_text space,
                                  uint32_t address,
                                  uint8_t *buffer,
                                  size_t size);

// Powers a VERA on. `options` may be NULL, and so may `problems`.
gpuzoo_status gpuzoo_vera_open(const gpuzoo_vera_options *options, gpuzoo_vera **vera, gpuzoo_problems **problems);

// Makes another VERA in the same state: the fast way to save one, without a file.
gpuzoo_status gpuzoo_vera_copy(gpuzoo_vera *vera, gpuzoo_vera **copy);

// Frees a VERA. NULL is nothing to free.
gpuzoo_status gpuzoo_vera_free(gpuzoo_vera *vera);

// Reads a register as the CPU does, side effects included. Of `address` the low five bits count: 0 to 31, or $9F20 to $9F3F.
gpuzoo_status gpuzoo_vera_read(gpuzoo_vera *vera,
                               uint32_t address,
                               uint8_t *value);

// Writes a register as the CPU does.
gpuzoo_status gpuzoo_vera_write(gpuzoo_vera *vera, uint32_t address, uint8_t value);

// What a read would return, without its side effects: for debuggers.
gpuzoo_status gpuzoo_vera_peek(gpuzoo_vera *vera, uint32_t address, uint8_t *value);

// Lets accesses happen one after the other: what an emulator has noted since it last needed an answer. Reads get their values.
gpuzoo_status gpuzoo_vera_play(gpuzoo_vera *vera,
                               gpuzoo_vera_access *accesses,
                               size_t count);

// Lets cycles of the 8 MHz CPU pass. `irq`, which may be NULL, gets 1 if VERA then asks for an interrupt, else 0.
gpuzoo_status gpuzoo_vera_advance(gpuzoo_vera *vera, uint32_t cycles, uint8_t *irq);

// Lets clocks of 25 MHz pass, of which a CPU's cycle has 3 1/8.
gpuzoo_status gpuzoo_vera_advance_clocks(gpuzoo_vera *vera, uint32_t clocks);

// Lets time pass to the start of the next line.
gpuzoo_status gpuzoo_vera_advance_line(gpuzoo_vera *vera);

// Lets time pass until the picture is complete that the beam is in, or before.
gpuzoo_status gpuzoo_vera_advance_frame(gpuzoo_vera *vera);

// The state of the interrupt line: 1 while VERA asks for one.
gpuzoo_status gpuzoo_vera_irq(gpuzoo_vera *vera, uint8_t *irq);

// Where the beam is: the line that is scanned out, 0 to 524, of which 480 and more are blank, the pictures that are complete, and the
// clocks of 25 MHz, all since power-on. Each pointer may be NULL.
gpuzoo_status gpuzoo_vera_beam(gpuzoo_vera *vera,
                               uint32_t *line,
                               uint64_t *frames,
                               uint64_t *clocks);

// Copies lines of the picture as the beam has drawn them: bytes of red, green, blue and 255. `stride` is the bytes from one line to the
// next in the buffer, `size` the buffer's.
gpuzoo_status gpuzoo_vera_picture(gpuzoo_vera *vera,
                                  size_t first_line,
                                  size_t lines,
                                  uint8_t *rgba,
                                  size_t size,
                                  size_t stride);

// From now on draws no more than this, which makes it faster: 0 is all, 1 the lines' buffers without the picture, which can be wanted
// later, 2 nothing, after which there is no exact picture. Registers, memory, interrupts and time are the same in any case.
gpuzoo_status gpuzoo_vera_draw(gpuzoo_vera *vera,
                               uint32_t drawing);

// Copies bytes of video memory, without the bus.
gpuzoo_status gpuzoo_vera_vram_read(gpuzoo_vera *vera, uint32_t address, uint8_t *buffer, size_t size);

// Writes bytes of video memory, without the bus. What VERA keeps of it besides does not follow: the palette, sprites and voices at
// 0x1f9c0 and above are set through the registers.
gpuzoo_status gpuzoo_vera_vram_write(gpuzoo_vera *vera,
                                     uint32_t address,
                                     const uint8_t *bytes,
                                     size_t size);

// A state by its name, such as ADDR0, cache or FX_CTRL: those too that no register shows.
gpuzoo_status gpuzoo_vera_state(gpuzoo_vera *vera, gpuzoo_text name, uint32_t *value);

// What went to the DAC since the last call: for each sample left and right, numbers of 17 bits with a sign, 48,828.125 samples a second.
// `count` gets how many there are; without a buffer only that is given, and they stay. `capacity` counts samples, of two numbers each.
gpuzoo_status gpuzoo_vera_samples(gpuzoo_vera *vera,
                                  int32_t *buffer,
                                  size_t capacity,
                                  size_t *count);

// All that VERA holds, as the bytes of a file. `length` gets how many; without a buffer only that is given. It takes a VERA that was
// opened with `saves`.
gpuzoo_status gpuzoo_vera_save(gpuzoo_vera *vera,
                               void *buffer,
                               size_t capacity,
                               size_t *length);

// Goes on from what gpuzoo_vera_save gave, in this program or in another one with the same version. `problems` may be NULL.
gpuzoo_status gpuzoo_vera_restore(gpuzoo_vera *vera,
                                  const void *state,
                                  size_t size,
                                  gpuzoo_problems **problems);

// Switches a machine on. `options` may be NULL, and so may `problems`.
gpuzoo_status gpuzoo_x16_open(const gpuzoo_x16_options *options, gpuzoo_x16 **x16, gpuzoo_problems **problems);

// Frees a machine. NULL is nothing to free.
gpuzoo_status gpuzoo_x16_free(gpuzoo_x16 *x16);

// Loads a program and makes it the one that runs next: a text for the assembler or a PRG file, as the name or the bytes say. `problems`
// may be NULL.
gpuzoo_status gpuzoo_x16_load_program(gpuzoo_x16 *x16,
                                      gpuzoo_text name,
                                      const void *data,
                                      size_t size,
                                      gpuzoo_problems **problems);

// Runs until so many frames are complete, so many cycles have passed, or the program ends; 0 is no limit, but one of the two is needed.
// `ended` gets 1 if the program cannot go on, else 0, and `ending`, which may be NULL, in a few words why the run is over, until the
// next call.
gpuzoo_status gpuzoo_x16_run(gpuzoo_x16 *x16,
                             uint64_t frames,
                             uint64_t cycles,
                             uint8_t *ended,
                             gpuzoo_text *ending);

// The CPU's registers as they are.
gpuzoo_status gpuzoo_x16_cpu(gpuzoo_x16 *x16, gpuzoo_cpu *cpu);

// Copies bytes of memory as the CPU would read them, without side effects.
gpuzoo_status gpuzoo_x16_peek(gpuzoo_x16 *x16, uint16_t address, uint8_t *buffer, size_t size);

// Writes a byte of RAM; other places stay as they are.
gpuzoo_status gpuzoo_x16_poke(gpuzoo_x16 *x16, uint16_t address, uint8_t value);

// What the program has printed. `length` gets its bytes; without a buffer only that is given.
gpuzoo_status gpuzoo_x16_output(gpuzoo_x16 *x16, char *buffer, size_t capacity, size_t *length);

// Copies lines of the picture, as gpuzoo_vera_picture does.
gpuzoo_status gpuzoo_x16_picture(gpuzoo_x16 *x16,
                                 size_t first_line,
                                 size_t lines,
                                 uint8_t *rgba,
                                 size_t size,
                                 size_t stride);

// The machine's VERA as it is, copied: what becomes of the copy does not change the machine.
gpuzoo_status gpuzoo_x16_vera(gpuzoo_x16 *x16, gpuzoo_vera **vera);

// What went to the DAC since the last call, as gpuzoo_vera_samples.
gpuzoo_status gpuzoo_x16_samples(gpuzoo_x16 *x16, int32_t *buffer, size_t capacity, size_t *count);

// All that the machine holds, as gpuzoo_vera_save does for VERA.
gpuzoo_status gpuzoo_x16_save(gpuzoo_x16 *x16, void *buffer, size_t capacity, size_t *length);

// Goes on from what gpuzoo_x16_save gave, in a machine with the same ROM and the same program. `problems` may be NULL.
gpuzoo_status gpuzoo_x16_restore(gpuzoo_x16 *x16, const void *state, size_t size, gpuzoo_problems **problems);

// Checks the records of a vector file in JSON Lines, as `gpuzoo conform` does; `passed` and `failed` get how many there were, those that
// cannot be used among the failed. A report in a few lines goes to `buffer`: `length` gets its bytes, and without a buffer only that is
// given. Why records cannot be used comes as problems, even with GPUZOO_OK. `profile` may be empty, and `problems` NULL.
gpuzoo_status gpuzoo_conform(gpuzoo_text machine,
                             gpuzoo_text profile,
                             gpuzoo_text name,
                             const void *data,
                             size_t size,
                             size_t *passed,
                             size_t *failed,
                             char *buffer,
                             size_t capacity,
                             size_t *length,
                             gpuzoo_problems **problems);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GPUZOO_H */

// A text that a zero byte ends, as functions take it.
static inline gpuzoo_text gpuzoo_str(const char *text) {
    gpuzoo_text result;
    result.data = text;
    result.length = text ? strlen(text) : 0;
    return result;
}
