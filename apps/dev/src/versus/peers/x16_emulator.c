// Measures the VERA of X16Community/x16-emulator for `cargo xtask versus`.
//
//   x16_emulator OPERATIONS
//
// OPERATIONS is a file of lines: `W REGISTER VALUE` and `R REGISTER`, in hexadecimal, and one `loop`: what is before it sets the
// device up, what follows is measured; or `frames` in its place, to measure frames of the picture. All is done once; the
// number to begin with is a hash of the bytes that were read from memory. Four cycles of an 8 MHz CPU pass with each measured
// operation.

#include "answer.h"
#include "audio.h"
#include "vera_spi.h"
#include "video.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 200000, REPEATS = 1000 };

// What the rest of the emulator has, and VERA asks for.
uint8_t MHZ = 8;
bool enable_midline, log_video, warp_mode;
uint16_t opcode_addr;
void audio_render(void) {}
uint8_t vera_spi_read(uint8_t address) { return (void)address, 0; }
void vera_spi_write(uint8_t address, uint8_t value) { (void)address, (void)value; }

/// Cycles of the CPU in a frame: 800 × 525 pixels at 25 MHz.
static const int frame_cycles = 800 * 525 * 8 / 25;

struct operation {
    int is_write;
    uint8_t reg, value;
};

static struct operation operations[MOST];
static size_t setup, count;
static int frames;
static uint64_t hash;

static void perform(const struct operation *operation)
{
    if (operation->is_write)
        video_write(operation->reg, operation->value);
    else {
        const uint8_t byte = video_read(operation->reg, false);
        // Those of the data ports; others are read for what that does, and show a version.
        if (operation->reg == 3 || operation->reg == 4)
            hash = hash_with(hash, byte);
    }
}

static void run(void)
{
    if (frames) {
        for (int cycle = 0; cycle < frame_cycles; cycle += 4)
            video_step(8, 4, false);
        return;
    }
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t i = setup; i < count; i++) {
            perform(&operations[i]);
            video_step(8, 4, false);
        }
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: x16_emulator OPERATIONS\n");
        return 2;
    }
    char word[8];
    unsigned reg, value;
    while (count < MOST && fscanf(file, "%7s", word) == 1) {
        if (!strcmp(word, "loop") || !strcmp(word, "frames")) {
            setup = count;
            frames = word[0] == 'f';
        } else if (!strcmp(word, "W") && fscanf(file, "%x %x", &reg, &value) == 2)
            operations[count++] = (struct operation){1, (uint8_t)reg, (uint8_t)value};
        else if (!strcmp(word, "R") && fscanf(file, "%x", &reg) == 1)
            operations[count++] = (struct operation){0, (uint8_t)reg, 0};
        else {
            fprintf(stderr, "`%s` is not an operation\n", word);
            return 1;
        }
    }
    if (!feof(file)) {
        fprintf(stderr, "there are more than %d operations\n", MOST);
        return 1;
    }
    fclose(file);
    video_reset();
    hash = hash_of_nothing;
    for (size_t i = 0; i < setup; i++)
        perform(&operations[i]);
    run();
    answer(hash, "x16-emulator", NULL, run);
    return 0;
}
