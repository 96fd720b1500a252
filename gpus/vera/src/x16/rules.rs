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
        "WAI stops the CPU until an interrupt asks for attention: VERA, for the events that are enabled in IEN ($9F26), a VIA or the sound chip, for \
         what their registers enable. Without a ROM image IEN is 0 at the start, as after power-on (the Commander's KERNAL enables VSYNC): write 1 to \
         it before the WAI.";
    UNSEEN = "V0308", "nothing on the screen",
        "Without a ROM image the machine is as after power-on: output and layers are off, and there are no characters in the memory. \
         A program that counts on the KERNAL for these draws a black picture. It can write DC_VIDEO ($9F29 at DCSEL 0), the layer's registers and \
         the characters' pixels itself, or get an image of the Commander's ROM (`--rom`). Text that is printed with CHROUT is shown by \
         `gpuzoo run`; what lies in the memory by `gpuzoo render --view vram`.";
    NO_PROGRAM = "V0309", "needs a program, or its text",
        "A bus trace holds what a program did to the registers, not the program: it can be run, rendered and compared, but not assembled, \
         disassembled, checked, recorded or traced. A listing and labels are made from a program's assembly text.";
    INPUT = "V0320", "input that cannot be read",
        "`--keys`, `--joystick`, `--mouse` and the file of `--input` say what a user does while a program runs. Keys are typed as they are written, \
         with names in braces: `HELLO{RETURN}{WAIT:60}{LEFT:30}{SHIFT+A}`. Buttons and motions are steps, each with the frames that it lasts: \
         `RIGHT+B:60 WAIT:10 START` for a controller, `40,-10 LEFT:5` for the mouse. In a file each line has a time first: a frame, seconds, CPU cycles \
         (`@8000`) or frames after the line before (`+10`), then `keys`, `joystick 1`, `mouse`, `press`, `release`, `buttons 1` or `motion`.";
    SD_CARD = "V0330", "not an SD card's image",
        "An image has the blocks of a card, 512 bytes each, from the partition table on: 1 byte less or more and it is something else, a \
         folder's archive or a compressed image. It has at most 2 GiB. The machine's card is as large as the image, rounded up to 512 KB.";
    SD_WRITTEN = "V0332", "what was written to the SD card is not kept",
        "Programs write to the card of the machine, not to the file that it was made from, which stays as it is. `gpuzoo run --sdcard-out FILE` \
         writes the card's image as the program leaves it; FILE may be the one that it was made from.";
    OFF = "V0331", "the program switched the machine off, or reset it",
        "The system management controller (I2C address $42) switches the power off (register 1, value 0) and resets the machine (registers 1 \
         and 2). With a ROM image a reset starts the ROM again and the run goes on; without one there is nothing to start.";
}
