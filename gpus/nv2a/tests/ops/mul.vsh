; test: encode roundtrip run        from: spec
; 0 times anything is +0; 1.5 * (1 + 2^-23) = 1.5 + 1.5 * 2^-23 is truncated, not rounded to even; overflow stops at the
; largest number. Denormals are 0, underflow is a zero that keeps its sign (spec section 6).
mul r0, v0, c0
; enc: 00000000 0040001b 0836186c 2f000ff9
; run[hw]: v0=(inf,nan,1.5,0x7f7fffff) c0=(0,-0,0x3f800001,2) -> R0=(0,0,0x3fc00001,0x7f7fffff)
; run[cpu]: v0=(inf,nan,1.5,0x7f7fffff) c0=(0,-0,0x3f800001,2) -> R0=(nan,nan,0x3fc00002,0x7f7fffff)
; run[hw]: v0=(-0x1p-126,0x007fffff,-1,-inf) c0=(0.5,-1,0,2) -> R0=(-0,0,0,-inf)
; run[cpu]: v0=(-0x1p-126,0x007fffff,-1,-inf) c0=(0.5,-1,0,2) -> R0=(0x80400000,0x807fffff,-0,-inf)
