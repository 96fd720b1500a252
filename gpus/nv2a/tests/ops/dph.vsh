; test: encode roundtrip run        from: spec
; a.w is taken as 1, whatever it is (spec section 6).
dph r0, v0, c0
; enc: 00000000 00c0001b 0836186c 2f000ff9
; run: v0=(1,2,3,99) c0=(4,5,6,7) -> R0=(39,39,39,39)
; run: v0=(1,2,3,nan) c0=(0,0,0,-7) -> R0=(-7,-7,-7,-7)
; run[hw]: v0=(0,0,0,0) c0=(inf,inf,nan,1) -> R0=(1,1,1,1)
; run[cpu]: v0=(0,0,0,0) c0=(inf,inf,nan,1) -> R0=(nan,nan,nan,nan)
