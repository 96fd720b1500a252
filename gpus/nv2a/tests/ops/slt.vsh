; test: encode roundtrip run        from: spec
; -0 < +0, denormals are told apart, and Inf < NaN (spec section 6).
slt r0, v0, c0
; enc: 00000000 0160001b 0836186c 2f000ff9
; run[hw]: v0=(-0,0,inf,nan) c0=(0,-0,nan,nan) -> R0=(1,0,1,0)
; run[cpu]: v0=(-0,0,inf,nan) c0=(0,-0,nan,nan) -> R0=(1,0,0,0)
; run[hw]: v0=(1,2,0x00000001,0xffabcdef) c0=(2,1,0x00000002,-inf) -> R0=(1,0,1,1)
; run[cpu]: v0=(1,2,0x00000001,0xffabcdef) c0=(2,1,0x00000002,-inf) -> R0=(1,0,1,0)
