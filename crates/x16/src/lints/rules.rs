//! What a program does with VERA that it hardly means: the codes.

gpuzoo_diag::codes! {
    WRITE_ONLY = "V0401", "read of a write-only register",
        "Most FX registers can be written but not read: a read returns a byte of VERA's version instead (`V` and three numbers), and \
         AUDIO_DATA returns 0. A program that reads one to change some of its bits (TSB, TRB, INC, or LDA, ORA, STA) writes nonsense \
         back. Keep a copy of the value in RAM and change that. The version is read with DCSEL = 63.";
    READ_ONLY = "V0402", "write to a register that takes none",
        "The write is lost. FX_POLY_FILL_L and _H (DCSEL 5, $9F2B and $9F2C) are computed; DCSEL values from 7 on have no registers but the \
         version. Often DCSEL is not what the program thinks: CTRL ($9F25) holds it in bits 6:1, so the value of bank 2 is `2 << 1`, \
         and an interrupt handler that changes CTRL must put it back.";
    TWICE = "V0403", "instruction touches a data port more than once",
        "INC, DEC, ASL, LSR, ROL, ROR, TSB and TRB read DATA0 or DATA1 twice before they write, and the 65C02's stores with an index read \
         the place before they write. VERA cannot distinguish these reads from others: each moves the address, fills the \
         cache if that is on, and lets the FX helpers step. With increment 1, INC DATA0 stores two bytes further than it read. \
         Use a load, the operation, and a store, with the two ports or increment 0 where one place is meant; and store with \
         absolute addressing, without an index.";
    ACCUMULATOR = "V0404", "accumulator used before its reset",
        "The accumulator of the multiplier is not connected to VERA's reset: at power-on its value is chance, and after another program it is \
         what that one left. A sum that begins without a reset is right in an emulator and wrong on hardware. Read FX_ACCUM_RESET \
         ($9F29 at DCSEL 6), or write FX_MULT with bit 7 set, before the first use. With the multiplier on, each cache write \
         uses the accumulator, not only those that accumulate.";
    NEGATIVE = "V0405", "polygon line of negative length drawn",
        "FX_POLY_FILL_L and _H report a length from 768 to 1023, which is -256 to -1: the right side has crossed the left one. The line \
         must be skipped; this program draws it, and the low bits give it a length that has nothing to do with the shape. After the read of \
         DATA1 read FILL_L, then FILL_H if bit 7 is set, and go to the next line (read DATA0) if both bits 7:6 of FILL_H are set. \
         Or let the two sides meet exactly: reload the increments at each corner, in time.";
    HANDLER = "V0406", "interrupt handler uses a data port with FX on",
        "The program had FX on when the interrupt came, and the handler uses DATA0 or DATA1 without changing FX_CTRL: its reads fill the \
         cache or move the helpers, its writes are turned into cache writes, masks or nibbles. Both parties go wrong, once in a while. A \
         handler saves CTRL, sets DCSEL to 2, saves FX_CTRL (which can be read) and sets it to 0, does its work, and puts everything back, the \
         addresses of the ports included. Or the program masks interrupts (SEI) while it uses FX.";
    TOO_FAST = "V0407", "affine accesses closer than four cycles",
        "The affine helper looks up a tile and then a texel, which takes eleven clocks of 25 MHz; four CPU cycles at 8 MHz are 12½. An \
         access of a data port that comes sooner reads or moves what is not there yet: on hardware it gets stale bytes. gpuzoo's VERA is \
         not timed this finely and gives the settled value. Absolute loads and stores one after the other are four cycles apart; \
         read-modify-write instructions and stores with an index are not.";
    BANK = "V0408", "register of another bank",
        "$9F29 to $9F2C are different registers for each value of DCSEL, which CTRL ($9F25) holds in bits 6:1. The program's text names a \
         register of one bank, but DCSEL chooses another, so the access goes to another register. Write the bank before: \
         `lda #(3 << 1)`, `sta VERA_CTRL` for FX_X_INCR_L and its neighbours. An interrupt handler that changes CTRL must put it back.";
    UNWRITTEN = "V0409", "memory is read that nothing has written",
        "The program reads a byte that is neither in its file nor written by it. On a machine that has just been switched on it may \
         be anything; here it is 0, unless `--random-memory` says otherwise. Set it first: memory that is reserved with `.res` or in BSS is \
         not cleared when a program is loaded, and nobody clears video memory beside the KERNAL's screen, its characters, the palette and the \
         sprites. Of video memory a read through DATA0 or DATA1 counts if the program, or FX's cache, makes use of the byte; and at the end of \
         `check --run` what the picture shows.";
    SCANLINE = "V0410", "SCANLINE compared with IRQLINE in the handler",
        "A handler of LINE reads SCANLINE and asks whether it is IRQLINE. It never is: VERA shows the line that comes next, so in the line \
         of the interrupt SCANLINE is IRQLINE + 1 (x16-emulator shows the line itself, and so does the profile `documented`). Compare with \
         IRQLINE + 1; or do not ask: bit 1 of ISR ($9F27) says that the LINE interrupt has come. A comparison for less or more (BCC, BCS) \
         that allows one line is right, too.";
}
