; test: encode roundtrip run        from: spec
; (exponent, mantissa, log2, 1) of the magnitude (spec section 6). The last line is from the hardware model (vectors).
logp r0, v0.x
; enc: 00000000 0c00001b 08361000 200f0ff9
; run: v0=(-0,0,0,0) -> R0=(-inf,1,-inf,1)
; run: v0=(-inf,0,0,0) -> R0=(inf,1,inf,1)
; run: v0=(8,0,0,0) -> R0=(3,1,3,1)
; run: v0=(-1,0,0,0) -> R0=(0,1,0,1)
; run[hw]: v0=(0.25,0,0,0) -> R0=(-2,1,-2,1)
; run[cpu]: v0=(0.25,0,0,0) -> R0=(0x4f800000,1,-2,1)
; run[hw]: v0=(0xffabcdef,0,0,0) -> R0=(0x7fabcdef,0x7fabcdef,0x7fabcdef,1)
; run[cpu]: v0=(nan,0,0,0) -> R0=(128,1.5,nan,1)
; run[hw]: v0=(0xbdbd4c57,0,0,0) -> R0=(0xc0800000,0x3fbd4c57,0xc05bde69,1)
; run[cpu]: v0=(0xbdbd4c57,0,0,0) -> R0=(0x4f800000,0x3fbd4c57,0xc05bdef5,1)
