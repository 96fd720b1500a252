; test: encode roundtrip run        from: spec
; The products are aligned to the largest at once, with 5 bits below its 24: between 2^24 and -2^24 a 1 survives, between 2^28
; too, between 2^29 it does not. From left to right it would be lost each time (spec section 6).
dp3 r0, v0, c0
; enc: 00000000 00a0001b 0836186c 2f000ff9
; run[hw]: v0=(16777216,1,-16777216,inf) c0=(1,1,1,1) -> R0=(1,1,1,1)
; run[cpu]: v0=(16777216,1,-16777216,inf) c0=(1,1,1,1) -> R0=(0,0,0,0)
; run[hw]: v0=(0x1p28,1,-0x1p28,0) c0=(1,1,1,0) -> R0=(1,1,1,1)
; run[cpu]: v0=(0x1p28,1,-0x1p28,0) c0=(1,1,1,0) -> R0=(0,0,0,0)
; run: v0=(0x1p29,1,-0x1p29,0) c0=(1,1,1,0) -> R0=(0,0,0,0)
; run[hw]: v0=(0x3dfcd706,0xb9de0370,0xea934232,0) c0=(0xd9b17157,0xea934232,0x39de0370,0) -> R0=(0xd8200000,0xd8200000,0xd8200000,0xd8200000)
; run[cpu]: v0=(0x3dfcd706,0xb9de0370,0xea934232,0) c0=(0xd9b17157,0xea934232,0x39de0370,0) -> R0=(0,0,0,0)
