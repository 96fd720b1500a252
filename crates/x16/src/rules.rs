//! What may be wrong with a program file, a machine's settings, or the way a run ends: the codes.

gpuzoo_diag::codes! {
    EMPTY = "V0106", "trace without accesses",
        "There is nothing to replay: each line is blank or a comment. That is not a pass.";
    NO_ROWS = "V0108", "trace without video memory",
        "A bus trace ends with rows of video memory (`V aaaaa hex`) if it is to be compared with a dump; `gpuzoo record` writes them.";
    BAD_PICTURE = "V0107", "what lies beside a trace cannot be used",
        "A PNG that lies beside a trace under the same name is the picture that the trace sets up: 640 by 480 pixels. Rename one of \
         the two if they do not belong together. `ISR.txt` has a line for a trace: its name, and what ISR reads after the frame, in \
         two hexadecimal digits.";
    SHORT = "V0301", "not a program file",
        "A PRG file starts with the address that it is loaded to, two bytes, low byte first; at least one byte of program follows. \
         ca65 and cl65 write such files for the `cx16` target, other assemblers by an option. A file without the address is loaded \
         as a raw binary, at an address that you give.";
    PLACE = "V0302", "program does not fit into memory",
        "Programs go to RAM: $0002 to $9EFF, or $A000 to $BFFF, the window of the RAM bank that is chosen ($00). $0000 and $0001 \
         choose the banks, $9F00 to $9FFF is I/O and $C000 to $FFFF is ROM. If the address of a PRG file looks \
         strange, the file may be a raw binary: its first two bytes were taken for the address.";
    ROM_CALL = "V0303", "call into a ROM that is not there",
        "Without a ROM image, there are stand-ins for much of the Commander's KERNAL: text (CHROUT, CHRIN, PRIMM, PLOT, SCREEN, SCREEN_MODE, \
         SCREEN_SET_CHARSET 0 to 6, CINT), keys (GETIN, STOP, SCNKEY, KBDBUF_PEEK, KBDBUF_PUT, KBDBUF_GET_MODIFIERS), JOYSTICK_SCAN and JOYSTICK_GET, \
         MOUSE_CONFIG, MOUSE_SCAN and MOUSE_GET, time (RDTIM, SETTIM, UDTIM, CLOCK_GET_DATE_TIME, CLOCK_SET_DATE_TIME, ENTROPY_GET), memory \
         (MEMORY_FILL, MEMORY_COPY, MEMORY_CRC, MEMORY_DECOMPRESS, FETCH, STASH, MEMTOP, MEMBOT, IOBASE, JSRFAR), SPRITE_SET_IMAGE and SPRITE_SET_POSITION, graphics (FB_INIT to \
         GRAPH_PUT_CHAR, with the KERNAL's own driver), the console (CONSOLE_INIT and those around it), files (V0320), and the vectors from $0314 on. A program that calls anything else needs an image of the Commander's ROM (`--rom`), which gpuzoo does not ship; or it \
         can do the work itself.";
    ROM_SIZE = "V0304", "not a ROM image",
        "A ROM image is 16 KB for each bank, from bank 0 on: a multiple of 16,384 bytes and at most 524,288.";
    RAM_SIZE = "V0305", "no such amount of banked RAM",
        "Banked RAM has 1 to 256 banks of 8 KB. The Commander X16 is sold with 64 (512 KB) and can have 256 (2 MB).";
    LIMIT = "V0306", "run stopped at its limit",
        "The program did not end by itself within the number of frames or CPU cycles that the run was given. For a program that shows \
         something until the power goes off this is as it should be: its picture is that of the last frame. One \
         that asks for keys waits for what `--keys` or `--input` say. A program that was to end has a loop without exit; the program counter in the message says where it was. A program ends by RTS \
         from its first routine, STP, or BRK. One that resets VERA again and again (bit 7 of CTRL) begins its picture anew each time: a run of `--frames N` \
         ends after the time of 2 N + 2 frames, whatever is complete.";
    ASLEEP = "V0307", "waits for an interrupt that cannot come",
        "WAI stops the CPU until an interrupt asks for attention: VERA, for the events that are enabled in IEN ($9F26), a VIA or the sound chip, for \
         what their registers enable. The KERNAL and what stands in for it enable VSYNC. A program that has written 0 to IEN must write 1 again \
         before the WAI.";
    UNSEEN = "V0308", "nothing on the screen",
        "The program has turned VERA's output off: bits 1:0 of DC_VIDEO ($9F29 at DCSEL 0) are 0. At the start it is on, with the KERNAL's text layer. \
         What lies in the memory is shown by `gpuzoo render --view vram`.";
    NO_FILES = "V0320", "a program wants files, and there are none",
        "The program asks the KERNAL for a file of device 8, the Commander's SD card. `--files DIR` gives it the files of a folder and of \
         the folders in it; what it writes is put there after a run. Without that there is no device 8, and a program that goes on without its tables or pictures \
         would show something else than on a Commander.";
    BASIC_PROGRAM = "V0344", "BASIC program without a ROM",
        "A program at $0801 begins with lines of BASIC, and what they do first is not SYS with a number: only BASIC can run them. `--rom FILE` gives an \
         image of the Commander's ROM; its BASIC gets the program as by LOAD, and the command RUN. Without a ROM, lines whose first statement but for REM is \
         `SYS 2061` (or `SYS $80D`) start machine code there, and statements behind it are left out with a warning. `--start ADDRESS` starts machine code \
         anywhere.";
    NO_BASIC = "V0345", "ROM without a BASIC for the program",
        "A BASIC program is given to the ROM's BASIC once that waits at its prompt: its pointers to the end of the program ($0803 three times, in the memory \
         below $0800) show where. The Commander's ROM is there 180 frames after power-on. Another ROM has no BASIC, or one that is not known; and a program \
         has to end below BASIC's strings.";
    MISSED = "V0321", "file that a program did not get",
        "A program has asked for a file that is not in the folder of `--files`, or that cannot be read. It got the DOS's error, as on a Commander, and has gone on; \
         what it shows may lack what was to be in the file. Or it wanted to write, and put the mode where the type is: `,A` opens a file to be read, \
         `,S,A` to append. Names are compared without the case of letters. Bytes from $C1 to $DA, which are \
         PETSCII's shifted letters, are letters with accents to the DOS: write names in capitals, or in the assembler's plain letters.";
    OTHER_ROM = "V0322", "files, and a ROM that is not the Commander's",
        "With a ROM, `--files` answers those routines of the KERNAL that talk to the drive. They are at the same addresses since release 44, and READST ($FFB7) shows \
         where the status is. The ROM that is given has none of that where it should be.";
    NO_COMMAND = "V0343", "command that the drive does not carry out",
        "With `--files` the drive has the files of a folder, and no blocks, partitions or attributes of a card; nor does it reach into the computer's memory. So the commands \
         `M-R`, `M-W`, `M-E`, `L`, `F-L`, `F-U`, `FL`, `G-P` and `N` with `FAT32` get `31,SYNTAX ERROR`, where CMDR-DOS carries them out. \
         Commands for blocks (`B-R`, `U1` and so on) get that from CMDR-DOS, too.";
    WRITTEN = "V0323", "files that a program wrote are not kept",
        "What a program writes is kept in the machine. `run`, `record` and `render` put it into the folder of `--files` once they have \
         succeeded; other verbs leave the folder as it is, and so do runs that end with an error.";
    NO_BANK = "V0324", "bank of RAM that is not there",
        "The program has written to a bank of RAM that the machine does not have; what it wrote is gone. A Commander has 64 banks (512 KB), and room for \
         256 (2 MB): `--ram-banks 256`. Programs that find out how much there is write to such banks, too.";
    NO_PROGRAM = "V0309", "needs a program, or its text",
        "A bus trace holds what a program did to the registers, not the program: it can be run, rendered and compared, but not assembled, \
         disassembled, checked, recorded or traced. A listing and labels are made from a program's assembly text.";
    INPUT = "V0326", "input that cannot be read",
        "`--keys`, `--joystick`, `--mouse` and the file of `--input` say what a user does while a program runs. Keys are typed as they are written, \
         with names in braces: `HELLO{RETURN}{WAIT:60}{LEFT:30}{SHIFT+A}`. Buttons and motions are steps, each with the frames that it lasts: \
         `RIGHT+B:60 WAIT:10 START` for a controller, `40,-10 LEFT:5` for the mouse. In a file each line has a time first: a frame, seconds, CPU cycles \
         (`@8000`) or frames after the line before (`+10`), then `keys`, `joystick 1`, `mouse`, `press`, `release`, `buttons 1` or `motion`.";
    SD_CARD = "V0330", "not an SD card's image",
        "An image has the blocks of a card, 512 bytes each, from the partition table on: 1 byte less or more and it is something else, a \
         folder's archive or a compressed image. It has at most 2 GiB. The machine's card is as large as the image, rounded up to 512 KB.";
    SD_WRITTEN = "V0332", "what was written to the SD card is not kept",
        "Programs write to the card of the machine, not to the file or the folder that it was made from, which stays as it is. `gpuzoo run \
         --sdcard-out FILE` writes the card's image as the program leaves it; FILE may be the one that it was made from.";
    CARD_FOLDER = "V0333", "folder that is no SD card",
        "`--sdcard FOLDER` makes a card of the folder's files, with a FAT32 file system. Names have at most 255 letters, none of `\" * / : < > ? \\ |`, do not end \
         with a dot or a space, and differ in more than the case of letters. There may be 60,000 files and folders, 32 folders deep, and all together \
         may fill half of a card of 2 GiB.";
    OTHER_STATE = "V0341", "state that belongs to something else",
        "The ROM, the image or folder of the SD card, and the program are not in a state: it has their lengths and sums, and goes on with the same files only. The program \
         is compared as it is in memory, so that a text may be formatted anew. A folder of `--files` may have changed, but has to be there if it was.";
    OFF = "V0331", "the program switched the machine off, or reset it",
        "The system management controller (I2C address $42) switches the power off (register 1, value 0) and resets the machine (registers 1 \
         and 2). With a ROM image a reset starts the ROM again and the run goes on; without one there is nothing to start.";
    UNHEARD = "V0319", "nothing to hear",
        "The sound that was asked for is silent from beginning to end. VERA's voices sound with a frequency, a volume and a side (bits 7:6 of \
         their third byte) at $1F9C0 to $1F9FF of its memory; its PCM playback with bytes in AUDIO_DATA, a volume in AUDIO_CTRL and a rate \
         in AUDIO_RATE. The other sound chip, the YM2151 at $9F40, makes no sound.";
}
