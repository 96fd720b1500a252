; test: load        from: self
; A slot and a word.
; bytes: 00 00 00 00 1b 00 20 00 6c 10 36 08 f9 0f 00 2f 00 00 00 00
; at: 16..20 B0101 a whole number of slots of 16 bytes is wanted, not 20 bytes
