/* Every way to call the library wrongly that it can notice: each gives an error, and nothing crashes. */
#include <gpuzoo.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static int checks = 0;

#define EXPECT(wanted, call)                                                                                           \
    do {                                                                                                               \
        gpuzoo_status status_ = (call);                                                                                \
        checks++;                                                                                                      \
        if (status_ != (wanted)) {                                                                                     \
            fprintf(stderr, "line %d: %s is %d, not %d\n", __LINE__, #call, (int)status_, (int)(wanted));              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define OK(call) EXPECT(GPUZOO_OK, call)
#define BAD(call) EXPECT(GPUZOO_ERR_ARGUMENT, call)
#define GONE(call) EXPECT(GPUZOO_ERR_HANDLE, call)

static gpuzoo_text t(const char *text) { return gpuzoo_str(text); }

static gpuzoo_program *assembled(const char *machine, const char *source) {
    gpuzoo_program *program = NULL;
    OK(gpuzoo_program_assemble(t(machine), t("p"), t(source), &program, NULL));
    return program;
}

static gpuzoo_kernel *opened(const char *source) {
    gpuzoo_program *program = assembled("nv2a", source);
    gpuzoo_kernel *kernel = NULL;
    OK(gpuzoo_kernel_open(program, NULL, &kernel, NULL));
    OK(gpuzoo_program_free(program));
    return kernel;
}

static void handles(void) {
    gpuzoo_text text;
    size_t size;
    uint8_t byte;
    uint64_t number;
    gpuzoo_halt halt;
    gpuzoo_vera *vera = NULL;
    gpuzoo_kernel *kernel = opened("mov oPos, v0");
    gpuzoo_program *program = assembled("nv2a", "mov oPos, v0");
    OK(gpuzoo_vera_open(NULL, &vera, NULL));

    /* NULL, numbers that are no handles, other kinds, and then what was freed. */
    void *wrong[] = {NULL, (void *)1, (void *)0x7fff12345678u, (void *)~(uintptr_t)0, (void *)&text, kernel, NULL};
    for (size_t at = 0; at < sizeof wrong / sizeof wrong[0]; at++) {
        if (at == 6) {
            wrong[at] = vera;
            OK(gpuzoo_vera_free(vera));
        }
        void *no = wrong[at];
        GONE(gpuzoo_vera_read(no, 0x9f20, &byte));
        GONE(gpuzoo_vera_write(no, 0x9f20, 0));
        GONE(gpuzoo_vera_peek(no, 0x9f20, &byte));
        GONE(gpuzoo_vera_play(no, NULL, 0));
        GONE(gpuzoo_vera_advance(no, 1, NULL));
        GONE(gpuzoo_vera_advance_clocks(no, 1));
        GONE(gpuzoo_vera_advance_line(no));
        GONE(gpuzoo_vera_advance_frame(no));
        GONE(gpuzoo_vera_irq(no, &byte));
        GONE(gpuzoo_vera_beam(no, NULL, NULL, NULL));
        GONE(gpuzoo_vera_draw(no, 0));
        GONE(gpuzoo_vera_vram_read(no, 0, &byte, 1));
        GONE(gpuzoo_vera_vram_write(no, 0, &byte, 1));
        GONE(gpuzoo_vera_save(no, NULL, 0, &size));
        GONE(gpuzoo_vera_restore(no, NULL, 0, NULL));
        GONE(gpuzoo_vera_samples(no, NULL, 0, &size));
        GONE(gpuzoo_program_machine(no, &text));
        GONE(gpuzoo_program_words(no, NULL, 0, &size));
        GONE(gpuzoo_program_disassemble(no, NULL, NULL, 0, &size, NULL));
        gpuzoo_program *shorter;
        GONE(gpuzoo_program_optimize(no, 0, &shorter, NULL));
        GONE(gpuzoo_program_figures(no, NULL, 0, &size));
        GONE(gpuzoo_translation_text(no, &text));
        GONE(gpuzoo_translation_entry(no, &text));
        GONE(gpuzoo_problems_count(no, &size));
        GONE(gpuzoo_problems_text(no, &text));
        GONE(gpuzoo_session_position(no, &number, NULL));
        GONE(gpuzoo_session_step(no, &byte));
        GONE(gpuzoo_session_back(no, &byte));
        GONE(gpuzoo_session_run(no, 1, &halt, NULL));
        GONE(gpuzoo_session_seek(no, 0, &number));
        GONE(gpuzoo_session_unbreak(no, 1));
        GONE(gpuzoo_x16_run(no, 1, 0, &byte, NULL));
        GONE(gpuzoo_x16_peek(no, 0, &byte, 1));
        GONE(gpuzoo_x16_poke(no, 0, 0));
        GONE(gpuzoo_x16_output(no, NULL, 0, &size));
        GONE(gpuzoo_x16_save(no, NULL, 0, &size));
        if (no == kernel) {
            continue;
        }
        gpuzoo_run run = {.struct_size = sizeof run};
        GONE(gpuzoo_kernel_run(no, &run, NULL));
        GONE(gpuzoo_kernel_name(no, 0, 0, &text));
        if (no != NULL) {
            GONE(gpuzoo_kernel_free(no));
            GONE(gpuzoo_vera_free(no));
            GONE(gpuzoo_x16_free(no));
            GONE(gpuzoo_session_free(no));
            GONE(gpuzoo_problems_free(no));
            GONE(gpuzoo_translation_free(no));
        }
    }
    GONE(gpuzoo_program_free((gpuzoo_program *)kernel));
    OK(gpuzoo_kernel_free(kernel));
    GONE(gpuzoo_kernel_free(kernel));
    /* A kernel lives on without its program; a program does not without itself. */
    OK(gpuzoo_program_free(program));
    GONE(gpuzoo_kernel_open(program, NULL, &kernel, NULL));
    OK(gpuzoo_program_free(NULL));
}

static void inputs(void) {
    gpuzoo_program *program = NULL;
    gpuzoo_problems *problems = NULL;
    gpuzoo_text text;
    size_t count;
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_assemble(t("nv2b"), t("p"), t(""), &program, &problems));
    gpuzoo_problem problem = {.struct_size = sizeof problem};
    OK(gpuzoo_problems_get(problems, 0, &problem));
    if (strcmp(problem.code.data, "G0102") != 0 || problem.line != 0) {
        exit(2);
    }
    OK(gpuzoo_problems_free(problems));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_assemble(t("dreambox"), t("p.vu"), t("ld r0 0\nld r16 0\n"), &program, &problems));
    OK(gpuzoo_problems_count(problems, &count));
    OK(gpuzoo_problems_get(problems, 0, &problem));
    if (count != 1 || strcmp(problem.code.data, "A0103") != 0 || problem.line != 2 || problem.column != 4 ||
        problem.start != 11 || problem.end != 14 || problem.help.length == 0 || problem.severity != GPUZOO_ERROR ||
        strcmp(problem.file.data, "p.vu") != 0) {
        exit(3);
    }
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_problems_get(problems, 1, &problem));
    BAD(gpuzoo_problems_get(problems, 0, NULL));
    problem.struct_size = 0;
    BAD(gpuzoo_problems_get(problems, 0, &problem));
    problem.struct_size = (size_t)-1;
    BAD(gpuzoo_problems_get(problems, 0, &problem));
    /* An older header knows less. */
    gpuzoo_problem older = {.struct_size = offsetof(gpuzoo_problem, help)};
    OK(gpuzoo_problems_get(problems, 0, &older));
    if (older.message.length == 0 || older.help.data != NULL) {
        exit(4);
    }
    OK(gpuzoo_problems_free(problems));
    GONE(gpuzoo_problems_text(problems, &text));

    BAD(gpuzoo_program_assemble(t("nv2a"), t("p"), t("mov oPos, v0"), NULL, NULL));
    BAD(gpuzoo_program_assemble((gpuzoo_text){NULL, 4}, t("p"), t(""), &program, NULL));
    BAD(gpuzoo_program_assemble((gpuzoo_text){"\xff", 1}, t("p"), t(""), &program, NULL));
    BAD(gpuzoo_program_assemble((gpuzoo_text){NULL, GPUZOO_TERMINATED}, t("p"), t(""), &program, NULL));
    BAD(gpuzoo_program_assemble(t("nv2a"), t("p"), (gpuzoo_text){"x", (size_t)-2}, &program, NULL));
    /* Text that is no UTF-8 has a place. */
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_assemble(t("nv2a"), t("p"), (gpuzoo_text){"\xff", 1}, &program, &problems));
    OK(gpuzoo_problems_free(problems));
    OK(gpuzoo_program_assemble((gpuzoo_text){"nv2a", GPUZOO_TERMINATED}, t("p"), t("mov oPos, v0"), &program, NULL));
    uint32_t words[8];
    BAD(gpuzoo_program_words(program, words, 8, NULL));
    OK(gpuzoo_program_words(program, NULL, 0, &count));
    EXPECT(GPUZOO_ERR_SPACE, gpuzoo_program_words(program, words, count - 1, &count));
    BAD(gpuzoo_program_words(program, NULL, 8, &count));
    BAD(gpuzoo_program_words(program, (uint32_t *)((uintptr_t)words + 1), count, &count));
    OK(gpuzoo_program_words(program, words, 8, &count));
    BAD(gpuzoo_program_load(t("nv2a"), NULL, 4, &program, NULL));
    BAD(gpuzoo_program_load(t("nv2a"), words, (size_t)-1, &program, NULL));
    BAD(gpuzoo_program_load(t("nv2a"), words, (size_t)-1 / 4 + 1, &program, NULL));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_load(t("nv2a"), words, 1, &program, NULL));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_load(t("vera"), words, 4, &program, NULL));

    gpuzoo_program_options options = {.struct_size = 0};
    gpuzoo_program *other = NULL;
    BAD(gpuzoo_program_read(t("nv2a"), t("p"), "", 0, &options, &other, NULL));
    options.struct_size = sizeof options;
    options.option_count = 3;
    BAD(gpuzoo_program_read(t("nv2a"), t("p"), "", 0, &options, &other, NULL));
    const gpuzoo_option wrong[] = {
        {t("stage"), t("geometry")},  {t("from"), t("elf")},   {t("host_constants"), t("")},  {t(""), t("")},
        {t("position"), t("nowhere")}, {t("draw"), t("-1")},    {t("shape"), t("vertex")},     {t("define"), {"\xff", 1}},
        {{NULL, 2}, t("vp")},         {t("dialect"), {NULL, 2}},
    };
    options.option_count = 1;
    for (size_t at = 0; at < sizeof wrong / sizeof wrong[0]; at++) {
        options.options = &wrong[at];
        EXPECT(at < 7 ? GPUZOO_ERR_INPUT : GPUZOO_ERR_ARGUMENT,
               gpuzoo_program_read(t("nv2a"), t("p"), "", 0, &options, &other, NULL));
    }
    const gpuzoo_option twice[] = {{t("dialect"), t("vp")}, {t("dialect"), t("vp")}};
    options.options = twice;
    options.option_count = 2;
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_read(t("nv2a"), t("p"), "", 0, &options, &other, NULL));
    struct {
        gpuzoo_program_options known;
        size_t newer;
    } newer = {.known = {.struct_size = sizeof newer}, .newer = 1};
    BAD(gpuzoo_program_read(t("nv2a"), t("p"), "mov oPos, v0", 12, &newer.known, &other, NULL));
    newer.newer = 0;
    OK(gpuzoo_program_read(t("nv2a"), t("p"), "mov oPos, v0", 12, &newer.known, &other, NULL));
    OK(gpuzoo_program_free(other));
    /* A file that is asked for and not given. */
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_read(t("nv2a"), t("p.vsh"), "#include \"x\"\n", 13, NULL, &other, NULL));
    gpuzoo_translation *translation;
    const gpuzoo_option to = {t("to"), t("cobol")};
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_program_translate(program, &to, 1, &translation, NULL));
    BAD(gpuzoo_program_translate(program, NULL, 1, &translation, NULL));
    BAD(gpuzoo_program_translate(program, NULL, 0, NULL, NULL));
    BAD(gpuzoo_program_optimize(program, 0, NULL, NULL));
    OK(gpuzoo_program_free(program));
    BAD(gpuzoo_version(NULL));
    OK(gpuzoo_status_text(99, &text));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_machine(5, NULL, NULL, NULL));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_explain(t("A9999"), NULL, 0, &count));
}

static void runs(void) {
    gpuzoo_kernel *kernel = opened("mov oPos, v0\nmov oD0, c[100]");
    float in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {0}, constant[4] = {1, 2, 3, 4};
    const gpuzoo_input good_in = {t("v0"), in, sizeof in, 16, 4};
    const gpuzoo_output good_out = {t("oPos"), out, sizeof out, 16, 4};
    const gpuzoo_constants good_constants = {t("c[100]"), constant, 1};
    gpuzoo_input input = good_in;
    gpuzoo_output outputs[2] = {good_out, good_out};
    gpuzoo_constants constants = good_constants;
    gpuzoo_run run = {.struct_size = sizeof run, .count = 2, .inputs = &input, .input_count = 1, .outputs = outputs,
                      .output_count = 1, .constants = &constants, .constant_count = 1};
    OK(gpuzoo_kernel_run(kernel, &run, NULL));
    BAD(gpuzoo_kernel_run(kernel, NULL, NULL));

    gpuzoo_input wrong_in[] = {
        {t("v0"), NULL, sizeof in, 16, 4},       {t("v0"), in, sizeof in - 1, 16, 4}, {t("v0"), in, sizeof in, 0, 4},
        {t("v0"), in, sizeof in, 12, 4},         {t("v0"), in, sizeof in, 16, 0},     {t("v0"), in, sizeof in, 16, 5},
        {t("v0"), in, sizeof in, (size_t)-1, 4}, {t("v0"), in, 0, 16, 4},             {{NULL, 2}, in, sizeof in, 16, 4},
    };
    for (size_t at = 0; at < sizeof wrong_in / sizeof wrong_in[0]; at++) {
        input = wrong_in[at];
        BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    }
    input = good_in;
    input.name = t("v16");
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_kernel_run(kernel, &run, NULL));
    input = good_in;
    gpuzoo_output wrong_out[] = {
        {t("oPos"), NULL, sizeof out, 16, 4}, {t("oPos"), out, sizeof out - 1, 16, 4}, {t("oPos"), out, sizeof out, 0, 4},
        {t("oPos"), in, sizeof in, 16, 4},    {t("oPos"), in + 1, 20, 16, 1},          {t("oPos"), in + 1, 24, 20, 1},
        {t("oPos"), out, sizeof out, 16, 9},
    };
    for (size_t at = 0; at < sizeof wrong_out / sizeof wrong_out[0]; at++) {
        outputs[0] = wrong_out[at];
        BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    }
    outputs[0] = good_out;
    run.output_count = 2;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL)); /* twice the same */
    outputs[1].name = t("oD0");
    BAD(gpuzoo_kernel_run(kernel, &run, NULL)); /* the same bytes */
    outputs[1].name = t("oD9");
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_kernel_run(kernel, &run, NULL));
    run.output_count = 0;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.count = (size_t)-1;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.output_count = 1;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.count = (size_t)1 << 60;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.count = 2;
    run.outputs = NULL;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.outputs = outputs;
    run.input_count = (size_t)-1;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.input_count = 0;
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_kernel_run(kernel, &run, NULL)); /* v0 is missing */
    run.flags = GPUZOO_RUN_ZEROS;
    OK(gpuzoo_kernel_run(kernel, &run, NULL));
    run.flags = 64;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.flags = 0;
    run.input_count = 1;
    constants.count = 1000;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    constants.count = (size_t)-1;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    constants = (gpuzoo_constants){t("c[100]"), NULL, 1};
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    constants = (gpuzoo_constants){t("fog"), constant, 1};
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_kernel_run(kernel, &run, NULL));
    constants = good_constants;
    uint8_t killed[1];
    run.killed = killed;
    run.killed_size = 1;
    BAD(gpuzoo_kernel_run(kernel, &run, NULL));
    run.count = 1;
    OK(gpuzoo_kernel_run(kernel, &run, NULL));
    run.count = 0;
    OK(gpuzoo_kernel_run(kernel, &run, NULL));
    gpuzoo_text text;
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_kernel_name(kernel, GPUZOO_OUTPUTS, 100, &text));
    BAD(gpuzoo_kernel_name(kernel, 3, 0, &text));
    BAD(gpuzoo_kernel_name(kernel, GPUZOO_INPUTS, 0, NULL));

    /* A session of what is not there, and of what is not right. */
    gpuzoo_session *session = NULL;
    run.count = 2;
    BAD(gpuzoo_session_open(kernel, &run, 2, &session, NULL));
    BAD(gpuzoo_session_open(kernel, &run, (size_t)-1, &session, NULL));
    BAD(gpuzoo_session_open(kernel, NULL, 0, &session, NULL));
    BAD(gpuzoo_session_open(kernel, &run, 0, NULL, NULL));
    OK(gpuzoo_session_open(kernel, &run, 1, &session, NULL));
    uint8_t moved;
    uint32_t number, words[4] = {0};
    uint64_t reached;
    gpuzoo_halt halt;
    gpuzoo_register found = {.struct_size = sizeof found};
    BAD(gpuzoo_session_step(session, NULL));
    OK(gpuzoo_session_back(session, &moved));
    OK(gpuzoo_session_seek(session, UINT64_MAX, &reached));
    OK(gpuzoo_session_run(session, UINT64_MAX, &halt, &number));
    BAD(gpuzoo_session_run(session, 1, NULL, NULL));
    OK(gpuzoo_session_run_back(session, UINT64_MAX, &halt, NULL));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_session_find(session, t("r99"), &found));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_session_register(session, 100000, &found));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_session_break_on_event(session, t("rain"), t(""), &number));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_session_break_at_line(session, 77, t(""), &number));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_session_break_at(session, 0, t("r0.x >"), &number));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_session_unbreak(session, 9));
    BAD(gpuzoo_session_break_on_write(session, t("oPos"), 16, t(""), &number));
    BAD(gpuzoo_session_poke(session, t("oPos"), 0, words, 4));
    BAD(gpuzoo_session_poke(session, t("oPos"), 1, words, 3));
    BAD(gpuzoo_session_poke(session, t("oPos"), 1, NULL, 4));
    uint8_t byte;
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_session_peek(session, t("ram"), 0, &byte, 1));
    OK(gpuzoo_session_free(session));
    OK(gpuzoo_kernel_free(kernel));
}

static void devices(void) {
    gpuzoo_vera *vera = NULL;
    gpuzoo_vera_options options = {.struct_size = sizeof options, .profile = t("vhdl")};
    static uint8_t rgba[GPUZOO_VERA_WIDTH * 4 * 2];
    uint8_t byte;
    uint32_t state;
    size_t size;
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_vera_open(&options, &vera, NULL));
    BAD(gpuzoo_vera_open(NULL, NULL, NULL));
    OK(gpuzoo_vera_open(NULL, &vera, NULL));
    BAD(gpuzoo_vera_read(vera, 0, NULL));
    BAD(gpuzoo_vera_play(vera, NULL, 4));
    BAD(gpuzoo_vera_draw(vera, 3));
    BAD(gpuzoo_vera_vram_read(vera, GPUZOO_VERA_VRAM, &byte, 1));
    BAD(gpuzoo_vera_vram_read(vera, 0xffffffffu, &byte, (size_t)-1));
    BAD(gpuzoo_vera_vram_write(vera, 0, NULL, 1));
    OK(gpuzoo_vera_vram_read(vera, GPUZOO_VERA_VRAM, NULL, 0));
    BAD(gpuzoo_vera_picture(vera, 479, 2, rgba, sizeof rgba, 2560));
    BAD(gpuzoo_vera_picture(vera, (size_t)-1, 2, rgba, sizeof rgba, 2560));
    BAD(gpuzoo_vera_picture(vera, 0, 2, rgba, sizeof rgba, 0));
    BAD(gpuzoo_vera_picture(vera, 0, 1, NULL, sizeof rgba, 2560));
    EXPECT(GPUZOO_ERR_SPACE, gpuzoo_vera_picture(vera, 0, 3, rgba, sizeof rgba, 2560));
    EXPECT(GPUZOO_ERR_SPACE, gpuzoo_vera_picture(vera, 0, 3, rgba, sizeof rgba, (size_t)-1));
    OK(gpuzoo_vera_picture(vera, 478, 2, rgba, sizeof rgba, 2560));
    EXPECT(GPUZOO_ERR_NOT_FOUND, gpuzoo_vera_state(vera, t("mood"), &state));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_vera_save(vera, NULL, 0, &size)); /* not opened for it */
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_vera_restore(vera, "VERSTATE", 8, NULL));
    BAD(gpuzoo_vera_restore(vera, NULL, 8, NULL));
    OK(gpuzoo_vera_free(vera));
    GONE(gpuzoo_vera_copy(vera, &vera));

    gpuzoo_x16 *x16 = NULL;
    gpuzoo_x16_options machine = {.struct_size = sizeof machine, .ram_banks = 257};
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_x16_open(&machine, &x16, NULL));
    machine = (gpuzoo_x16_options){.struct_size = sizeof machine, .rom = rgba, .rom_size = 100};
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_x16_open(&machine, &x16, NULL));
    OK(gpuzoo_x16_open(NULL, &x16, NULL));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_x16_load_program(x16, t("p.s"), "lda lda\n", 8, NULL));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_x16_load_program(x16, t("p.prg"), "", 0, NULL));
    BAD(gpuzoo_x16_run(x16, 0, 0, &byte, NULL));
    BAD(gpuzoo_x16_run(x16, 1, 0, NULL, NULL));
    BAD(gpuzoo_x16_peek(x16, 0xffff, rgba, 2));
    OK(gpuzoo_x16_peek(x16, 0xffff, rgba, 1));
    EXPECT(GPUZOO_ERR_INPUT, gpuzoo_x16_restore(x16, "X16STATE", 8, NULL));
    OK(gpuzoo_x16_free(x16));
}

/* Two threads on one VERA: each call is done or refused, and both happen. */
static gpuzoo_vera *shared_vera;
static atomic_int done, busy, others, stop;

static void *drive(void *mine) {
    (void)mine;
    while (!atomic_load(&stop)) {
        gpuzoo_status status = gpuzoo_vera_advance_line(shared_vera);
        atomic_fetch_add(status == GPUZOO_OK ? &done : status == GPUZOO_ERR_BUSY ? &busy : &others, 1);
    }
    return NULL;
}

/* Two threads on one kernel: both run. */
static gpuzoo_kernel *shared_kernel;

static void *run_it(void *mine) {
    float in[64][4], out[64][4];
    for (int at = 0; at < 64; at++) {
        in[at][0] = in[at][1] = in[at][2] = in[at][3] = (float)(at + *(int *)mine);
    }
    const gpuzoo_input input = {t("v0"), in, sizeof in, 16, 4};
    const gpuzoo_output output = {t("oPos"), out, sizeof out, 16, 4};
    gpuzoo_run run = {.struct_size = sizeof run, .count = 64, .inputs = &input, .input_count = 1, .outputs = &output,
                      .output_count = 1};
    for (int round = 0; round < 2000; round++) {
        if (gpuzoo_kernel_run(shared_kernel, &run, NULL) != GPUZOO_OK || out[63][3] != 2 * in[63][3]) {
            atomic_fetch_add(&others, 1);
        }
    }
    return NULL;
}

static void threads(void) {
    pthread_t first, second;
    OK(gpuzoo_vera_open(NULL, &shared_vera, NULL));
    pthread_create(&first, NULL, drive, NULL);
    pthread_create(&second, NULL, drive, NULL);
    while (atomic_load(&busy) < 10 || atomic_load(&done) < 10) {
    }
    /* What is in use cannot be freed; once it is not, it can. */
    gpuzoo_status status;
    while ((status = gpuzoo_vera_free(shared_vera)) == GPUZOO_ERR_BUSY) {
    }
    OK(status);
    atomic_store(&stop, 1);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    atomic_store(&others, 0);
    shared_kernel = opened("add oPos, v0, v0");
    int one = 1, two = 2;
    pthread_create(&first, NULL, run_it, &one);
    pthread_create(&second, NULL, run_it, &two);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    EXPECT(0, atomic_load(&others));
    OK(gpuzoo_kernel_free(shared_kernel));
}

int main(void) {
    handles();
    inputs();
    runs();
    devices();
    threads();
    size_t left;
    OK(gpuzoo_objects(&left));
    EXPECT(0, left);
    printf("%s\n", checks > 300 ? "all noticed" : "too few checks");
    return 0;
}
