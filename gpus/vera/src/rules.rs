//! What may be wrong with a trace: the codes.

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
    EMPTY = "V0106", "trace without accesses",
        "There is nothing to replay: each line is blank or a comment. That is not a pass.";
    NO_ROWS = "V0108", "trace without video memory",
        "A bus trace ends with rows of video memory (`V aaaaa hex`) if it is to be compared with a dump; `gpuzoo record` writes them.";
    BAD_PICTURE = "V0107", "what lies beside a trace cannot be used",
        "A PNG that lies beside a trace under the same name is the picture that the trace sets up: 640 by 480 pixels. Rename one of \
         the two if they do not belong together. `ISR.txt` has a line for a trace: its name, and what ISR reads after the frame, in \
         two hexadecimal digits.";
}
