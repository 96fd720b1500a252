; test: encode roundtrip run        from: spec
; Ordered as sign and magnitude: -0 < +0, and NaN lies beyond infinity on its sign's side (spec section 6).
max r0, v0, c0
; enc: 00000000 0140001b 0836186c 2f000ff9
; run[hw]: v0=(0,-0,0x7fabcdef,0xffabcdef) c0=(-0,0,inf,-inf) -> R0=(0,0,0x7fabcdef,-inf)
; run[cpu]: v0=(0,-0,0x7fabcdef,0xffabcdef) c0=(-0,0,inf,-inf) -> R0=(-0,0,inf,-inf)
; run: v0=(1,-1,0x00000001,2) c0=(2,-2,0x00000002,2) -> R0=(2,-1,0x00000002,2)
