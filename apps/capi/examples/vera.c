/* VERA in somebody's emulator of the Commander X16: the bus, time, the interrupt, the picture, and a state that is saved. */
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

static gpuzoo_vera *vera;

/* What the emulator's CPU calls for addresses from $9F20 to $9F3F. */
static void bus_write(uint16_t address, uint8_t value) { CHECK(gpuzoo_vera_write(vera, address, value)); }

static uint8_t bus_read(uint16_t address) {
    uint8_t value;
    CHECK(gpuzoo_vera_read(vera, address, &value));
    return value;
}

int main(void) {
    gpuzoo_vera_options options = {.struct_size = sizeof options, .saves = 1};
    CHECK(gpuzoo_vera_open(&options, &vera, NULL));

    /* Layer 0 as a bitmap of 8 bits a pixel at 0, 320 pixels wide, shown twice as large; the output is VGA. */
    bus_write(0x9f25, 0);
    bus_write(0x9f29, 0x11);
    bus_write(0x9f2a, 64);
    bus_write(0x9f2b, 64);
    bus_write(0x9f2d, 0x07);
    bus_write(0x9f2f, 0x00);
    /* 320 pixels of the first line, through DATA0 with an increment of 1: the colours 0 to 15 of the palette. */
    bus_write(0x9f20, 0);
    bus_write(0x9f21, 0);
    bus_write(0x9f22, 0x10);
    for (int x = 0; x < 320; x++) {
        bus_write(0x9f23, (uint8_t)(x / 20));
    }
    /* The address has moved on. */
    printf("address $%02X%02X\n", bus_read(0x9f21), bus_read(0x9f20));

    /* A frame, in steps of what the emulator's CPU takes; VSYNC interrupts it. */
    bus_write(0x9f26, 0x01);
    uint8_t irq = 0;
    uint32_t cycles = 0;
    while (!irq) {
        CHECK(gpuzoo_vera_advance(vera, 4, &irq));
        cycles += 4;
    }
    uint32_t line;
    CHECK(gpuzoo_vera_beam(vera, &line, NULL, NULL));
    printf("interrupt after %u cycles, line %u, ISR %02x\n", (unsigned)cycles, (unsigned)line, bus_read(0x9f27) & 0xf);
    bus_write(0x9f27, 0x01);

    /* The first line of the next picture, for the emulator's texture. */
    CHECK(gpuzoo_vera_advance_frame(vera));
    static uint8_t rgba[GPUZOO_VERA_WIDTH * 4];
    CHECK(gpuzoo_vera_picture(vera, 0, 1, rgba, sizeof rgba, sizeof rgba));
    for (int colour = 0; colour < 4; colour++) {
        const uint8_t *pixel = &rgba[(colour * 40 + 10) * 4];
        printf("colour %d: %02x%02x%02x\n", colour, pixel[0], pixel[1], pixel[2]);
    }

    /* Saved here, and gone on from in another VERA. */
    size_t length;
    CHECK(gpuzoo_vera_save(vera, NULL, 0, &length));
    uint8_t *state = malloc(length);
    CHECK(gpuzoo_vera_save(vera, state, length, &length));
    gpuzoo_vera *other;
    CHECK(gpuzoo_vera_open(NULL, &other, NULL));
    CHECK(gpuzoo_vera_restore(other, state, length, NULL));
    uint8_t pixels[4];
    CHECK(gpuzoo_vera_vram_read(other, 60, pixels, sizeof pixels));
    printf("memory of the other: %d %d %d %d\n", pixels[0], pixels[1], pixels[2], pixels[3]);
    free(state);
    CHECK(gpuzoo_vera_free(other));
    CHECK(gpuzoo_vera_free(vera));
    return 0;
}
