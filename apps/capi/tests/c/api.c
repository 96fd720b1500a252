/* What no example shows: forms, includes, names, options, translations, killed fragments, and the machine around VERA. */
#include <gpuzoo.h>
#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        gpuzoo_status status_ = (call);                                                                                \
        if (status_ != GPUZOO_OK) {                                                                                    \
            fprintf(stderr, "line %d: %s is %d\n", __LINE__, #call, (int)status_);                                     \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static gpuzoo_text t(const char *text) { return gpuzoo_str(text); }

static gpuzoo_answer include(void *user, gpuzoo_text name, gpuzoo_text *contents) {
    printf("asked for %.*s\n", (int)name.length, name.data);
    *contents = t((const char *)user);
    return GPUZOO_OK;
}

static void programs(void) {
    gpuzoo_text version, id, profiles;
    OK(gpuzoo_version(&version));
    for (size_t at = 0; gpuzoo_machine(at, &id, NULL, &profiles) == GPUZOO_OK; at++) {
        printf("%s: %s\n", id.data, profiles.data);
    }
    const char source[] = "vs.1.1\n#include \"names.h\"\n#if DOUBLE\nadd oPos, POSITION, POSITION\n#endif\n";
    const gpuzoo_option read[] = {{t("from"), t("asm")}, {t("position"), t("clip")}, {t("define"), t("DOUBLE=1")},
                                  {t("define"), t("MORE")}};
    gpuzoo_program_options options = {.struct_size = sizeof options, .options = read, .option_count = 4,
                                      .include = include, .user = (void *)(uintptr_t) "#define POSITION v0\n"};
    gpuzoo_program *program, *loaded;
    OK(gpuzoo_program_read(t("nv2a"), t("p.vsh"), source, sizeof source - 1, &options, &program, NULL));
    uint32_t words[16];
    size_t count, length;
    OK(gpuzoo_program_words(program, words, 16, &count));
    OK(gpuzoo_program_load(t("nv2a"), words, count, &loaded, NULL));
    char text[400];
    OK(gpuzoo_program_disassemble(loaded, NULL, text, sizeof text, &length, NULL));
    printf("%.*s", (int)length, text);
    OK(gpuzoo_program_figures(loaded, text, sizeof text, &length));
    printf("%.11s\n", text);
    OK(gpuzoo_program_free(loaded));
    gpuzoo_problems *said = NULL;
    OK(gpuzoo_program_check(program, &said));
    OK(gpuzoo_problems_free(said));

    gpuzoo_translation *translation;
    gpuzoo_option to[] = {{t("to"), t("spirv")}};
    const uint32_t *spirv;
    OK(gpuzoo_program_translate(program, to, 1, &translation, NULL));
    OK(gpuzoo_translation_words(translation, &spirv, &count));
    gpuzoo_text json, entry;
    OK(gpuzoo_translation_reflection(translation, &json));
    OK(gpuzoo_translation_entry(translation, &entry));
    printf("SPIR-V begins with %08x, entry %s, v0 in the reflection: %d\n", (unsigned)spirv[0], entry.data,
           strstr(json.data, "\"v0\"") != NULL);
    OK(gpuzoo_translation_free(translation));
    const char *const languages[] = {"wgsl", "glsl", "essl300", "hlsl", "msl"};
    for (size_t at = 0; at < 5; at++) {
        to[0].value = t(languages[at]);
        gpuzoo_text shader;
        OK(gpuzoo_program_translate(program, to, 1, &translation, NULL));
        OK(gpuzoo_translation_text(translation, &shader));
        printf("%s: %s\n", languages[at], shader.length > 100 && shader.data[shader.length] == 0 ? "a text" : "none");
        OK(gpuzoo_translation_free(translation));
    }
    OK(gpuzoo_program_free(program));
}

/* The problem of a call that fails with one. */
static void refused(gpuzoo_status status, gpuzoo_problems **problems) {
    gpuzoo_problem problem = {.struct_size = sizeof problem};
    if (status == GPUZOO_ERR_INPUT) {
        OK(gpuzoo_problems_get(*problems, 0, &problem));
        printf("%s: %s (%s)\n", problem.code.data, problem.message.data, problem.help.data);
        OK(gpuzoo_problems_free(*problems));
    } else {
        printf("status %d\n", (int)status);
    }
}

/* Options by name: lists, assignments, and those that are wrong. */
static void options(void) {
    const char cg[] = "float4 main(float4 p : POSITION, uniform float4 scale) : POSITION { return p * scale; }\n";
    gpuzoo_option read[] = {{t("from"), t("cg")}, {t("level"), t("longest")}, {t("fast-math"), t("true")},
                            {t("constants_at"), t("100")}};
    gpuzoo_program_options by_name = {.struct_size = sizeof by_name, .options = read, .option_count = 4};
    gpuzoo_program *program, *other;
    gpuzoo_problems *problems = NULL;
    gpuzoo_translation *translation;
    gpuzoo_kernel *kernel;
    OK(gpuzoo_program_read(t("nv2a"), t("scale"), cg, sizeof cg - 1, &by_name, &program, NULL));
    OK(gpuzoo_kernel_open(program, NULL, &kernel, NULL));
    gpuzoo_text name, json;
    OK(gpuzoo_kernel_name(kernel, GPUZOO_CONSTANTS, 0, &name));
    printf("constant %s\n", name.data);
    OK(gpuzoo_kernel_free(kernel));

    read[1].value = t("longst");
    refused(gpuzoo_program_read(t("nv2a"), t("scale"), cg, sizeof cg - 1, &by_name, &other, &problems), &problems);
    read[1].name = t("levl");
    refused(gpuzoo_program_read(t("nv2a"), t("scale"), cg, sizeof cg - 1, &by_name, &other, &problems), &problems);
    read[3].value = t("70000");
    refused(gpuzoo_program_read(t("nv2a"), t("scale"), cg, sizeof cg - 1, &by_name, &other, &problems), &problems);
    const gpuzoo_option text[] = {{t("exact"), t("true")}, {t("numberin"), t("slots")}};
    by_name.options = text;
    by_name.option_count = 2;
    size_t length;
    refused(gpuzoo_program_disassemble(program, &by_name, NULL, 0, &length, &problems), &problems);
    by_name.option_count = 1;
    OK(gpuzoo_program_disassemble(program, &by_name, NULL, 0, &length, &problems));

    gpuzoo_option to[] = {{t("to"), t("glsl")}, {t("bind"), t("c=4")}, {t("profile"), t("cpu")}};
    OK(gpuzoo_program_translate(program, to, 3, &translation, NULL));
    OK(gpuzoo_translation_reflection(translation, &json));
    printf("bound at 4: %d\n", strstr(json.data, "\"binding\":4") != NULL);
    OK(gpuzoo_translation_free(translation));
    to[1].value = t("c");
    refused(gpuzoo_program_translate(program, to, 3, &translation, &problems), &problems);
    to[0].value = t("basic");
    refused(gpuzoo_program_translate(program, to, 3, &translation, &problems), &problems);
    to[0].name = t("too");
    to[1].value = t("c=4");
    refused(gpuzoo_program_translate(program, to, 3, &translation, &problems), &problems);

    gpuzoo_option state[] = {{t("profil"), t("cpu")}};
    gpuzoo_kernel_options in_state = {.struct_size = sizeof in_state, .options = state, .option_count = 1};
    refused(gpuzoo_kernel_open(program, &in_state, &kernel, &problems), &problems);
    state[0] = (gpuzoo_option){t("modes"), t("no=thing")};
    refused(gpuzoo_kernel_open(program, &in_state, &kernel, &problems), &problems);
    OK(gpuzoo_program_free(program));
}

/* A program made shorter. */
static void optimized(void) {
    const char source[] = "dp4 r0.x, v0, c[0]\ndp4 r0.y, v0, c[1]\nrcp r2.w, v1.x\nmul oD0, r0.x, r2.w\nmov oPos, r0.xyyy\n";
    gpuzoo_program *program, *shorter;
    size_t before, now;
    OK(gpuzoo_program_assemble(t("nv2a"), t("p.vsh"), t(source), &program, NULL));
    OK(gpuzoo_program_words(program, NULL, 0, &before));
    for (uint64_t vectors = 0; vectors < 200; vectors += 100) {
        OK(gpuzoo_program_optimize(program, vectors, &shorter, NULL));
        OK(gpuzoo_program_words(shorter, NULL, 0, &now));
        printf("%d words, then %d\n", (int)before, (int)now);
        OK(gpuzoo_program_free(shorter));
    }
    OK(gpuzoo_program_free(program));
}

/* Fragments that are killed, outputs by choice, strides that are no multiple of 4. */
static void fragments(void) {
    gpuzoo_program *program;
    gpuzoo_kernel *kernel;
    const char source[] = "#fragment\nKIL P0\nMOV P9, P1\n";
    gpuzoo_problems *problems = NULL;
    if (gpuzoo_program_assemble(t("servaru"), t("f"), t(source), &program, &problems) != GPUZOO_OK) {
        gpuzoo_text text;
        OK(gpuzoo_problems_text(problems, &text));
        fprintf(stderr, "%s\n", text.data);
        exit(1);
    }
    OK(gpuzoo_kernel_open(program, NULL, &kernel, NULL));
    gpuzoo_text name;
    for (size_t at = 0; gpuzoo_kernel_name(kernel, GPUZOO_INPUTS, at, &name) == GPUZOO_OK; at++) {
        printf("input %s\n", name.data);
    }
    for (size_t at = 0; gpuzoo_kernel_name(kernel, GPUZOO_OUTPUTS, at, &name) == GPUZOO_OK; at++) {
        printf("output %s\n", name.data);
    }
    const float in[4][8] = {{1, 1, 1, 1, 10}, {1, -1, 1, 1, 20}, {0, 0, 0, 0, 30}, {-0.5f, 0, 0, 0, 40}};
    float out[4];
    uint8_t killed[4];
    const gpuzoo_input inputs[] = {{t("P0"), in[0], sizeof in, sizeof in[0], 4},
                                   {t("P1"), &in[0][4], sizeof in - 16, sizeof in[0], 4}};
    const gpuzoo_output output = {t("P9"), out, sizeof out, sizeof out[0], 1};
    const gpuzoo_run run = {.struct_size = sizeof run, .count = 4, .inputs = inputs, .input_count = 2,
                            .outputs = &output, .output_count = 1, .killed = killed, .killed_size = 4,
                            .flags = GPUZOO_RUN_REMARKS};
    gpuzoo_text text;
    OK(gpuzoo_kernel_run(kernel, &run, &problems));
    OK(gpuzoo_problems_text(problems, &text));
    printf("killed %d %d %d %d, others %g %g\n%s\n", killed[0], killed[1], killed[2], killed[3], (double)out[0],
           (double)out[2], text.data);
    OK(gpuzoo_problems_free(problems));
    OK(gpuzoo_kernel_free(kernel));
    OK(gpuzoo_program_free(program));
}

static void unaligned(void) {
    gpuzoo_program *program;
    gpuzoo_kernel *kernel;
    OK(gpuzoo_program_assemble(t("nv2a"), t("p"), t("mov oPos, v0\nmov oD0, v1"), &program, NULL));
    const gpuzoo_text only[] = {t("oD0")};
    gpuzoo_kernel_options options = {.struct_size = sizeof options, .only = only, .only_count = 1};
    OK(gpuzoo_kernel_open(program, &options, &kernel, NULL));
    /* Records of 9 bytes: a byte, a float in, a float out. */
    uint8_t records[5000 * 9];
    for (int at = 0; at < 5000; at++) {
        const float value = (float)at;
        memset(&records[at * 9], 0xee, 9);
        memcpy(&records[at * 9 + 1], &value, 4);
    }
    const gpuzoo_input input = {t("v1"), records + 1, sizeof records - 1, 9, 1};
    const gpuzoo_output output = {t("oD0"), records + 5, sizeof records - 5, 9, 1};
    const gpuzoo_run run = {.struct_size = sizeof run, .count = 5000, .inputs = &input, .input_count = 1,
                            .outputs = &output, .output_count = 1};
    OK(gpuzoo_kernel_run(kernel, &run, NULL));
    int right = 0;
    for (int at = 0; at < 5000; at++) {
        right += records[at * 9] == 0xee && memcmp(&records[at * 9 + 1], &records[at * 9 + 5], 4) == 0;
    }
    printf("%d of 5000 records\n", right);
    OK(gpuzoo_kernel_free(kernel));
    OK(gpuzoo_program_free(program));
}

static void x16(void) {
    gpuzoo_x16 *machine;
    gpuzoo_x16_options options = {.struct_size = sizeof options, .saves = 1, .listens = 1};
    OK(gpuzoo_x16_open(&options, &machine, NULL));
    const char source[] = " lda #$41\n jsr $ffd2\n ldx #3\nloop: stx VERA_DATA1\n dex\n bne loop\n rts\n";
    OK(gpuzoo_x16_load_program(machine, t("p.s"), source, sizeof source - 1, NULL));
    uint8_t ended;
    gpuzoo_text ending;
    OK(gpuzoo_x16_run(machine, 0, 10, &ended, &ending));
    printf("ended %d: %.7s\n", ended, ending.data);
    size_t length, state_size;
    OK(gpuzoo_x16_save(machine, NULL, 0, &state_size));
    uint8_t *state = malloc(state_size);
    OK(gpuzoo_x16_save(machine, state, state_size, &state_size));
    for (int round = 0; round < 2; round++) {
        OK(gpuzoo_x16_run(machine, 60, 0, &ended, &ending));
        gpuzoo_cpu cpu = {.struct_size = sizeof cpu};
        OK(gpuzoo_x16_cpu(machine, &cpu));
        char output[8];
        OK(gpuzoo_x16_output(machine, output, sizeof output, &length));
        gpuzoo_vera *vera;
        uint8_t bytes[1];
        OK(gpuzoo_x16_vera(machine, &vera));
        OK(gpuzoo_vera_vram_read(vera, 0, bytes, 1));
        OK(gpuzoo_vera_free(vera));
        printf("ended %d: %s, X %d, printed %.*s, vram %d\n", ended, ending.data, cpu.x, (int)length, output, bytes[0]);
        OK(gpuzoo_x16_restore(machine, state, state_size, NULL));
    }
    free(state);
    OK(gpuzoo_x16_free(machine));

    gpuzoo_session *session;
    OK(gpuzoo_session_open_program(t("p.s"), source, sizeof source - 1, &session, NULL));
    uint32_t number;
    gpuzoo_halt halt;
    OK(gpuzoo_session_break_at_line(session, 5, t("X == 1"), &number));
    OK(gpuzoo_session_run(session, 1000, &halt, &number));
    gpuzoo_register x = {.struct_size = sizeof x};
    OK(gpuzoo_session_find(session, t("X"), &x));
    uint8_t stored;
    OK(gpuzoo_session_peek(session, t("vram"), 0, &stored, 1));
    printf("halt %d, X %u of %u bits, vram %d\n", (int)halt, (unsigned)x.words[0], (unsigned)x.bits, stored);
    OK(gpuzoo_session_free(session));
}

int main(void) {
    programs();
    options();
    optimized();
    fragments();
    unaligned();
    x16();
    return 0;
}
