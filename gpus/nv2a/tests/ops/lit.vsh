; test: encode roundtrip run        from: spec
; The power of a base that is 0 or less depends on the sign of the exponent alone, and an exponent of 0 goes before it. A
; negative x, -0 too, leaves nothing (spec section 6).
lit r0, v0
; enc: 00000000 0e00001b 0836106c 200f0ff9
; run[hw]: v0=(1,0,9,0) -> R0=(1,1,1,1)
; run[cpu]: v0=(1,0,9,0) -> R0=(1,1,0,1)
; run[hw]: v0=(1,0,9,-1) -> R0=(1,1,inf,1)
; run[cpu]: v0=(1,0,9,-1) -> R0=(1,1,0,1)
; run: v0=(1,-2,9,3) -> R0=(1,1,0,1)
; run: v0=(-0,2,9,2) -> R0=(1,0,0,1)
; run: v0=(0,2,9,2) -> R0=(1,0,0,1)
; run[hw]: v0=(1,nan,9,2) -> R0=(1,1,0x7fffffff,1)
; run[cpu]: v0=(1,nan,9,2) -> R0=(1,1,0,1)
; run: v0=(1,inf,9,-2) -> R0=(1,1,0,1)
; run[hw]: v0=(1,2,9,nan) -> R0=(1,1,0x7fffffff,1)
; run[cpu]: v0=(1,2,9,nan) -> R0=(1,1,nan,1)
; run: v0=(inf,1,9,5) -> R0=(1,inf,1,1)
; run: v0=(2,2,9,3) -> R0=(1,2,8,1)
