; test: encode roundtrip run        from: spec
; The product is truncated to 1 + 2^-22 before the sum, so nothing of its 2^-46 is left. Inf * 0 + 2 is 2 (spec section 6).
mad r0, v0, v0.yxzw, r3
mad r1, v0, v0, -r2
; enc: 00000000 0080001b 0896106c df000ff8
; enc: 00000000 0080001b 0836146c 9f100ff9
; run[hw]: v0=(inf,0,2,3) R3=(2,2,1,-9) -> R0=(2,2,5,0)
; run[cpu]: v0=(inf,0,2,3) R3=(2,2,1,-9) -> R0=(nan,nan,5,0)
; run: v0=(0x3f800001,2,0,1) R2=(0x3f800002,1,0,2) -> R1=(0,3,0,-1)
