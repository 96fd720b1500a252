// Measures abaire/nv2a_vsh_cpu, an interpreter in C, for `cargo xtask versus`.
//
//   nv2a_vsh_cpu PROGRAM LANES OUTPUT…
//
// PROGRAM is a file of slots, four 32-bit words each; OUTPUTs are numbers of output registers. The program runs once over so
// many vertices, on the numbers that `gpuzoo bench` runs it on; the number to begin with is a hash of those outputs, column after
// column as `gpuzoo bench` has it.

#include "answer.h"
#include "nv2a_vsh_disassembler.h"
#include "nv2a_vsh_emulator.h"
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 16 * 4, OUTPUTS = 13 * 4, CONSTANTS = 192 * 4, SLOTS = 136 };

static uint32_t bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/// Number `component` of vector `index`, and so many steps of the last bit.
static float value(size_t index, size_t component, uint32_t steps)
{
    const uint32_t sum = bits(0.25f + (float)((index * 4 + component) * 7919 % 4093) / 2048.0f) + steps;
    float number;
    memcpy(&number, &sum, sizeof number);
    return number;
}

static Nv2aVshProgram program;
static Nv2aVshCPUFullExecutionState registers;
static Nv2aVshExecutionState state;
static size_t lanes;
static float (*inputs)[INPUTS], (*outputs)[OUTPUTS];

/// Every vertex begins with the same registers: zeros, and (0, 0, 0, 1) in outputs.
static void run(void)
{
    for (size_t lane = 0; lane < lanes; lane++) {
        memcpy(state.input_regs, inputs[lane], sizeof inputs[lane]);
        memset(state.temp_regs, 0, sizeof registers.temp_regs);
        memset(state.address_reg, 0, sizeof registers.address_reg);
        for (int output = 0; output < OUTPUTS; output++)
            state.output_regs[output] = output % 4 == 3;
        nv2a_vsh_emu_execute(&state, &program);
        memcpy(outputs[lane], state.output_regs, sizeof outputs[lane]);
    }
}

int main(int argc, char **argv)
{
    uint32_t words[SLOTS * 4];
    FILE *file = argc > 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: nv2a_vsh_cpu PROGRAM LANES OUTPUT…\n");
        return 2;
    }
    const size_t slots = fread(words, 16, SLOTS, file);
    fclose(file);
    if (nv2a_vsh_parse_program(&program, words, (uint32_t)slots) != NV2AVPR_SUCCESS) {
        fprintf(stderr, "nv2a_vsh_cpu does not take the program\n");
        return 1;
    }
    // As it is parsed, ARL writes to no component of A0 (gpus/nv2a/docs/disputes.md), and the program would be another.
    for (size_t slot = 0; slot < slots; slot++)
        if (program.steps[slot].mac.opcode == NV2AOP_ARL)
            program.steps[slot].mac.outputs[0].writemask = NV2AWM_XYZW;
    lanes = strtoul(argv[2], NULL, 10);
    inputs = calloc(lanes, sizeof *inputs);
    outputs = calloc(lanes, sizeof *outputs);
    if (!inputs || !outputs) {
        fprintf(stderr, "there is no memory for %zu vertices\n", lanes);
        return 1;
    }
    state = nv2a_vsh_emu_initialize_full_execution_state(&registers);
    for (size_t i = 0; i < CONSTANTS; i++)
        state.context_regs[i] = value(i / 4, i % 4, 0);
    for (size_t lane = 0; lane < lanes; lane++)
        for (size_t i = 0; i < INPUTS; i++)
            inputs[lane][i] = value(lane, i % 4, (uint32_t)i);

    run();
    uint64_t hash = hash_of_nothing;
    for (int arg = 3; arg < argc; arg++)
        for (size_t i = 0; i < 4; i++)
            for (size_t lane = 0; lane < lanes; lane++)
                hash = hash_with(hash, bits(outputs[lane][strtoul(argv[arg], NULL, 10) % 13 * 4 + i]));
    answer(hash, "nv2a_vsh_cpu", NULL, run);
    return 0;
}
