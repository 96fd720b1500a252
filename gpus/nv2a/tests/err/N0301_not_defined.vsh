; test: load        from: self
; MAC operation 14; A of mux 0; output 1; first word not 0; r12 as destination; then a good last slot.
; bytes: 00 00 00 00 1b 00 c0 01 6c 10 36 08 f8 0f 00 2f
; bytes: 00 00 00 00 1b 00 20 00 6c 10 36 00 f8 0f 00 2f
; bytes: 00 00 00 00 1b 00 20 00 6c 10 36 08 08 f8 70 20
; bytes: 01 00 00 00 1b 00 20 00 6c 10 36 08 f8 0f 00 2f
; bytes: 00 00 00 00 1b 00 20 00 6c 10 36 08 f8 0f c0 2f
; bytes: 00 00 00 00 1b 00 20 00 6c 10 36 08 01 f8 70 20
; at: 0..16 N0301 MAC operation 14 does not exist
; at: 16..32 N0301 source a of `mov` names no register
; at: 32..48 N0301 `mov` writes output 1
; at: 48..64 N0301 the first word of a slot is not 0
; at: 64..80 N0301 `mov` writes temporary 12
