; test: load        from: self
; Two slots without the bit.
; bytes: 00 00 00 00 1b 00 20 00 6c 10 36 08 f8 0f 00 2f
; bytes: 00 00 00 00 1b 00 20 00 6c 10 36 08 00 f8 70 20
; at: 0..32 N0302 no slot has its FINAL bit set
