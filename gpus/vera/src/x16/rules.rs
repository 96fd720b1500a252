//! What may be wrong with a program file, a machine's settings, or the way a run ends: the codes.

gpuzoo_diag::codes! {
    SHORT = "V0301", "not a program file",
        "A PRG file starts with the address that it is loaded to, two bytes, low byte first; at least one byte of program follows. \
         ca65 and cl65 write such files for the `cx16` target, other assemblers by an option. A file without the address is loaded \
         as a raw binary, at an address that you give.";
    PLACE = "V0302", "program does not fit into memory",
        "Programs go to RAM: $0002 to $9EFF, or $A000 to $BFFF, the window of the RAM bank that is chosen ($00). $0000 and $0001 \
         choose the banks, $9F00 to $9FFF is I/O and $C000 to $FFFF is ROM. If the address of a PRG file looks \
         strange, the file may be a raw binary: its first two bytes were taken for the address.";
    ROM_CALL = "V0303", "call into a ROM that is not there",
        "Without a ROM image, the machine has stand-ins for CHROUT ($FFD2), GETIN ($FFE4), SCREEN_MODE ($FF5F), RDTIM ($FFDE) and STOP \
         ($FFE1) only, and the interrupt vectors at $0314 and $0316. A program that calls anything else of the Commander's KERNAL \
         needs an image of its ROM (`--rom`), which gpuzoo does not ship; or it can do the work itself.";
    ROM_SIZE = "V0304", "not a ROM image",
        "A ROM image is 16 KB for each bank, from bank 0 on: a multiple of 16,384 bytes and at most 524,288.";
    RAM_SIZE = "V0305", "no such amount of banked RAM",
        "Banked RAM has 1 to 256 banks of 8 KB. The Commander X16 is sold with 64 (512 KB) and can have 256 (2 MB).";
    LIMIT = "V0306", "run stopped at its limit",
        "The program did not end by itself within the number of frames or CPU cycles that the run was given. For a program that shows \
         something until the power goes off this is as it should be: its picture is that of the last frame. A program \
         that was to end has a loop without exit; the program counter in the message says where it was. A program ends by RTS \
         from its first routine, STP, or BRK.";
    ASLEEP = "V0307", "waits for an interrupt that cannot come",
        "WAI stops the CPU until an interrupt asks for attention. In this machine only VERA asks, and only for the events that are enabled in \
         IEN ($9F26). Without a ROM image IEN is 0 at the start, as after power-on (the Commander's KERNAL enables VSYNC): write 1 to \
         it before the WAI.";
    UNSEEN = "V0308", "nothing on the screen",
        "Without a ROM image the machine is as after power-on: output and layers are off, and there are no characters in the memory. \
         A program that counts on the KERNAL for these draws a black picture. It can write DC_VIDEO ($9F29 at DCSEL 0), the layer's registers and \
         the characters' pixels itself, or get an image of the Commander's ROM (`--rom`). Text that is printed with CHROUT is shown by \
         `gpuzoo run`; what lies in the memory by `gpuzoo render --view vram`.";
    NO_PROGRAM = "V0309", "needs a program, or its text",
        "A bus trace holds what a program did to the registers, not the program: it can be run, rendered and compared, but not assembled, \
         disassembled, checked, recorded or traced. A listing and labels are made from a program's assembly text.";
    UNHEARD = "V0319", "nothing to hear",
        "The sound that was asked for is silent from beginning to end. VERA's voices sound with a frequency, a volume and a side (bits 7:6 of \
         their third byte) at $1F9C0 to $1F9FF of its memory; its PCM playback with bytes in AUDIO_DATA, a volume in AUDIO_CTRL and a rate \
         in AUDIO_RATE. The other sound chip, the YM2151 at $9F40, is not emulated.";
}
