; test: encode roundtrip run        from: spec
; One aligned sum of four: 2^24 + 1 + 1 - 2^24 is 2. Infinities of both signs make NaN (spec section 6).
dp4 oPos.x, v0, c0
dp4 r0, v0, c0
; enc: 00000000 00e0001b 0836186c 20708800
; enc: 00000000 00e0001b 0836186c 2f000ff9
; run[hw]: v0=(16777216,1,1,-16777216) c0=(1,1,1,1) -> R0=(2,2,2,2) oPos=(2,0,0,1)
; run[cpu]: v0=(16777216,1,1,-16777216) c0=(1,1,1,1) -> R0=(0,0,0,0) oPos=(0,0,0,1)
; run[hw]: v0=(inf,1,1,inf) c0=(1,1,1,-1) -> R0=(0x7fffffff,0x7fffffff,0x7fffffff,0x7fffffff)
; run[cpu]: v0=(inf,1,1,inf) c0=(1,1,1,-1) -> R0=(nan,nan,nan,nan)
