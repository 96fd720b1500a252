/* What calls cost from C: told what to do by a line, it does so and answers with the nanoseconds. */
#define _POSIX_C_SOURCE 199309L
#include <gpuzoo.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        gpuzoo_status status_ = (call);                                                                                \
        if (status_ != GPUZOO_OK) {                                                                                    \
            fprintf(stderr, "line %d: status %d\n", __LINE__, (int)status_);                                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* An emulator's record: two inputs, and room for two outputs between them. */
struct record {
    float position[4], normal[4], clip[4], colour[4];
};

int main(int argc, char **argv) {
    if (argc != 3) {
        return 2;
    }
    const size_t count = (size_t)atol(argv[2]);
    gpuzoo_program *program;
    gpuzoo_kernel *kernel;
    gpuzoo_vera *vera;
    CHECK(gpuzoo_program_assemble(gpuzoo_str("nv2a"), gpuzoo_str("speed.vsh"), gpuzoo_str(argv[1]), &program, NULL));
    CHECK(gpuzoo_kernel_open(program, NULL, &kernel, NULL));
    CHECK(gpuzoo_vera_open(NULL, &vera, NULL));
    struct record *records = calloc(count, sizeof *records);
    float *clip = calloc(count, 16), *colour = calloc(count, 16);
    for (size_t at = 0; at < count; at++) {
        for (int axis = 0; axis < 4; axis++) {
            records[at].position[axis] = records[at].normal[axis] = (float)(at % 1000) / 500 - (float)axis;
        }
    }
    const size_t bytes = count * sizeof *records, stride = sizeof *records;
    const gpuzoo_input inputs[] = {{gpuzoo_str("v0"), records[0].position, bytes, stride, 4},
                                   {gpuzoo_str("v2"), records[0].normal, bytes - 16, stride, 4}};
    const gpuzoo_output apart[] = {{gpuzoo_str("oPos"), clip, count * 16, 16, 4},
                                   {gpuzoo_str("oD0"), colour, count * 16, 16, 4}};
    const gpuzoo_output between[] = {{gpuzoo_str("oPos"), records[0].clip, bytes - 32, stride, 4},
                                     {gpuzoo_str("oD0"), records[0].colour, bytes - 48, stride, 4}};
    gpuzoo_run run = {.struct_size = sizeof run, .count = count, .inputs = inputs, .input_count = 2, .outputs = apart,
                      .output_count = 2, .flags = GPUZOO_RUN_ZEROS};
    char line[100];
    while (fgets(line, sizeof line, stdin)) {
        uint8_t value = 0;
        unsigned sum = 0;
        const long long start = now();
        switch (line[0]) {
        case 'a':
            run.outputs = apart;
            CHECK(gpuzoo_kernel_run(kernel, &run, NULL));
            break;
        case 'b':
            run.outputs = between;
            CHECK(gpuzoo_kernel_run(kernel, &run, NULL));
            break;
        /* Accesses of DATA0 with an increment of 1: half of them writes, half reads. */
        case 'v':
            CHECK(gpuzoo_vera_write(vera, 0x9f22, 0x10));
            for (size_t at = 0; at < count; at += 2) {
                CHECK(gpuzoo_vera_write(vera, 0x9f23, (uint8_t)at));
                CHECK(gpuzoo_vera_read(vera, 0x9f23, &value));
                sum += value;
            }
            break;
        default:
            return 2;
        }
        printf("%lld %u\n", now() - start, sum);
        fflush(stdout);
    }
    free(records);
    free(clip);
    free(colour);
    CHECK(gpuzoo_vera_free(vera));
    CHECK(gpuzoo_kernel_free(kernel));
    CHECK(gpuzoo_program_free(program));
    return 0;
}
