; test: encode roundtrip run        from: spec
; (2^floor, fraction, 2^x, 1). A negative number smaller than 2^-23 has the floor 0 but the fraction 1. Of NaN, the fixed-point
; number is the largest, so x is Inf (spec section 6). The last line is from the hardware model (vectors).
expp r0, v0.x
; enc: 00000000 0a00001b 08361000 200f0ff9
; run: v0=(0,0,0,0) -> R0=(1,0,1,1)
; run: v0=(-2,0,0,0) -> R0=(0.25,0,0.25,1)
; run[hw]: v0=(-0x1p-24,0,0,0) -> R0=(1,1,1,1)
; run[cpu]: v0=(-0x1p-24,0,0,0) -> R0=(0x3f000000,0x3f7fffff,0x3f7fffff,1)
; run: v0=(128,0,0,0) -> R0=(inf,0,inf,1)
; run[hw]: v0=(-127,0,0,0) -> R0=(0,0,0,1)
; run[cpu]: v0=(-127,0,0,0) -> R0=(0x00400000,0,0x00400000,1)
; run[hw]: v0=(0x7fabcdef,0,0,0) -> R0=(inf,0x7fabcdef,0x7fffffff,1)
; run[cpu]: v0=(0x7fabcdef,0,0,0) -> R0=(nan,nan,nan,1)
; run: v0=(0xc40016ad,0,0,0) -> R0=(0x00000000,0x3f254c00,0x00000000,1)
