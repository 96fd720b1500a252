//! Codes of problems with traces and saved states.

gpuzoo_diag::codes! {
    UNEXPECTED = "V0101", "not a line of a bus trace",
        "A line of a trace is `W rr vv` (write vv to $9Frr), `R rr vv` (a read of $9Frr returned vv), `P n` (n CPU cycles pass), \
         `V aaaaa hex` (bytes of video memory at the end) or `S nnnnn hex` (samples of the sound), with `#` before a comment. Numbers \
         are hexadecimal.";
    NUMBER = "V0102", "not a hexadecimal number",
        "Values are one byte in two hexadecimal digits, and pauses a number of CPU cycles, without `$` or `0x`.";
    REGISTER = "V0103", "no such register",
        "VERA's registers are $9F20 to $9F3F; a trace names the low byte, 20 to 3F.";
    ROW = "V0104", "not a row of video memory or sound",
        "A row of video memory is an address of up to five hexadecimal digits below 20000, and one or more bytes of two digits each, \
         without spaces between; it must end within the 128 KB. A row of sound is the first sample's number, and samples of ten \
         digits each: left and right, numbers of 20 bits with a sign.";
    TOO_LONG = "V0105", "trace is too long",
        "A trace has at most 8,388,608 operations, 65,536 rows of video memory and as many of sound, and pauses of 268,435,456 CPU \
         cycles (33 seconds) in all. What follows is left out.";
    STATE = "V0339", "not a machine's state",
        "`--load-state` reads what `--save-state` has written, and nothing else. A state that was changed, cut off or put together of others is refused as a \
         whole: a machine that is nearly right would show something that no Commander shows.";
    STATE_VERSION = "V0340", "state of another version of gpuzoo",
        "A state holds everything inside the machine, and which things those are changes with gpuzoo. A file says of which version it is, and is read by that \
         one only. What brings a program to a place again with any version is its input: `--write-input FILE`, then `--input FILE`.";
    UNSAVED = "V0342", "state that cannot be saved",
        "A state has the picture as the beam has drawn it and the voices as they are, so that all of both has to be made from power-on. The verbs do that with \
         `--save-state`; a program that uses the library calls `X16::expect_state` first. A state has at most 256 MiB, with what programs have written to files and to the SD \
         card, and is of a machine that has run for 405 days at most.";
}
