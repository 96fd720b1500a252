/* A debugger's loop: a vertex of a program, step by step, forward and back. */
#include <gpuzoo.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        gpuzoo_status status_ = (call);                                                                                \
        if (status_ != GPUZOO_OK) {                                                                                    \
            fprintf(stderr, "line %d: status %d\n", __LINE__, (int)status_);                                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Where the session is, and what the last step wrote. */
static void show(gpuzoo_session *session) {
    uint64_t position, total;
    CHECK(gpuzoo_session_position(session, &position, &total));
    gpuzoo_place place = {.struct_size = sizeof place};
    if (gpuzoo_session_place(session, &place) == GPUZOO_OK) {
        printf("%u/%u line %u: %s", (unsigned)position, (unsigned)total, (unsigned)place.line, place.text.data);
    } else {
        printf("%u/%u the end", (unsigned)position, (unsigned)total);
    }
    gpuzoo_change change = {.struct_size = sizeof change};
    for (size_t at = 0; gpuzoo_session_change(session, at, &change) == GPUZOO_OK; at++) {
        float x;
        memcpy(&x, &change.after[0], sizeof x);
        printf("%s%s.x = %g", at ? ", " : "  <- ", change.name.data, (double)x);
    }
    printf("\n");
}

int main(void) {
    static const char source[] = "ld r0 0\nadd r0 r0\nadd r0 r0\nst pos r0\n";
    gpuzoo_program *program;
    gpuzoo_kernel *kernel;
    gpuzoo_session *session;
    CHECK(gpuzoo_program_assemble(gpuzoo_str("dreambox"), gpuzoo_str("four.vu"), gpuzoo_str(source), &program, NULL));
    CHECK(gpuzoo_kernel_open(program, NULL, &kernel, NULL));
    const float vertices[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    const gpuzoo_input input = {gpuzoo_str("in0"), vertices, sizeof vertices, sizeof vertices[0], 4};
    const gpuzoo_run run = {.struct_size = sizeof run, .count = 2, .inputs = &input, .input_count = 1};
    CHECK(gpuzoo_session_open(kernel, &run, 1, &session, NULL));

    uint8_t moved;
    do {
        show(session);
        CHECK(gpuzoo_session_step(session, &moved));
    } while (moved);

    /* Back to where r0 was above 9 first: a breakpoint with a condition, from the start. */
    uint64_t reached;
    CHECK(gpuzoo_session_seek(session, 0, &reached));
    uint32_t number, met;
    gpuzoo_halt halt;
    CHECK(gpuzoo_session_break_on_write(session, gpuzoo_str("r0"), 1, gpuzoo_str("r0.x > 9"), &number));
    CHECK(gpuzoo_session_run(session, 1000, &halt, &met));
    printf("breakpoint %u\n", halt == GPUZOO_HALT_BREAKPOINT ? (unsigned)met : 0);
    show(session);
    CHECK(gpuzoo_session_back(session, &moved));
    show(session);

    /* Another value, and what comes of it. */
    const float other[4] = {100, 0, 0, 0};
    uint32_t words[4];
    memcpy(words, other, sizeof words);
    CHECK(gpuzoo_session_poke(session, gpuzoo_str("r0"), 1, words, 4));
    CHECK(gpuzoo_session_unbreak(session, number));
    CHECK(gpuzoo_session_run(session, 1000, &halt, NULL));
    gpuzoo_register position = {.struct_size = sizeof position};
    CHECK(gpuzoo_session_find(session, gpuzoo_str("pos"), &position));
    float x;
    memcpy(&x, &position.words[0], sizeof x);
    printf("at the end %s.x = %g\n", position.name.data, (double)x);

    gpuzoo_session_free(session);
    gpuzoo_kernel_free(kernel);
    gpuzoo_program_free(program);
    return 0;
}
