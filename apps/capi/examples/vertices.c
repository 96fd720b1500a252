/* An emulator's vertices: a program of a game, run where the emulator has its data, with constants that change from draw to draw. */
#include <gpuzoo.h>
#include <stdio.h>
#include <stdlib.h>

/* The emulator's own record. gpuzoo reads and writes the floats where they are. */
struct vertex {
    float position[3];
    uint32_t colour;
    float clip[4];
    float fog;
};

static gpuzoo_problems *problems = NULL;

static void check(gpuzoo_status status) {
    if (status == GPUZOO_OK) {
        return;
    }
    gpuzoo_text text;
    if (gpuzoo_problems_text(problems, &text) != GPUZOO_OK) {
        gpuzoo_status_text(status, &text);
    }
    fprintf(stderr, "%.*s\n", (int)text.length, text.data);
    exit(1);
}

int main(void) {
    static const char source[] = "#offset vector 96\n"
                                 "mul r0, v0, c[97]\n"
                                 "add oPos, r0, #offset\n"
                                 "mov oFog.x, v0.z\n";
    gpuzoo_program *program = NULL;
    gpuzoo_kernel *kernel = NULL;
    check(gpuzoo_program_assemble(gpuzoo_str("nv2a"), gpuzoo_str("draw.vsh"), gpuzoo_str(source), &program, &problems));
    const gpuzoo_option profile = {gpuzoo_str("profile"), gpuzoo_str("hw")};
    gpuzoo_kernel_options state = {.struct_size = sizeof state, .options = &profile, .option_count = 1};
    check(gpuzoo_kernel_open(program, &state, &kernel, &problems));
    gpuzoo_program_free(program);

    struct vertex vertices[3] = {
        {.position = {1, 2, 3}, .colour = 0xff0000ff},
        {.position = {-1, 0.5f, 0}, .colour = 0xff00ff00},
        {.position = {0, 0, 8}, .colour = 0xffff0000},
    };
    const size_t bytes = sizeof vertices, stride = sizeof vertices[0];
    const gpuzoo_input inputs[] = {
        {gpuzoo_str("v0"), vertices[0].position, bytes - offsetof(struct vertex, position), stride, 3},
    };
    const gpuzoo_output outputs[] = {
        {gpuzoo_str("oPos"), vertices[0].clip, bytes - offsetof(struct vertex, clip), stride, 4},
        {gpuzoo_str("oFog"), &vertices[0].fog, bytes - offsetof(struct vertex, fog), stride, 1},
    };
    for (int draw = 1; draw <= 2; draw++) {
        /* c[96] and c[97]: an offset and a scale. Nothing is compiled for new ones. */
        const float constants[2][4] = {{10, 20, 30, 0}, {(float)draw, (float)draw, (float)draw, 1}};
        const gpuzoo_constants block = {gpuzoo_str("offset"), constants[0], 2};
        const gpuzoo_run run = {
            .struct_size = sizeof run,
            .count = 3,
            .inputs = inputs,
            .input_count = 1,
            .outputs = outputs,
            .output_count = 2,
            .constants = &block,
            .constant_count = 1,
        };
        check(gpuzoo_kernel_run(kernel, &run, &problems));
        for (int at = 0; at < 3; at++) {
            const struct vertex *v = &vertices[at];
            printf("draw %d, vertex %d: %g %g %g %g, fog %g, colour %08x\n", draw, at, (double)v->clip[0],
                   (double)v->clip[1], (double)v->clip[2], (double)v->clip[3], (double)v->fog, (unsigned)v->colour);
        }
    }
    gpuzoo_kernel_free(kernel);
    return 0;
}
