; test: encode roundtrip run        from: spec
; The opposite of slt, for NaN too (spec section 6).
sge r0, v0, c0
; enc: 00000000 0180001b 0836186c 2f000ff9
; run[hw]: v0=(-0,0,inf,nan) c0=(0,-0,nan,nan) -> R0=(0,1,0,1)
; run[cpu]: v0=(-0,0,inf,nan) c0=(0,-0,nan,nan) -> R0=(0,1,1,1)
; run[hw]: v0=(1,2,0x00000001,0xffabcdef) c0=(2,1,0x00000002,-inf) -> R0=(0,1,0,0)
; run[cpu]: v0=(1,2,0x00000001,0xffabcdef) c0=(2,1,0x00000002,-inf) -> R0=(0,1,0,1)
