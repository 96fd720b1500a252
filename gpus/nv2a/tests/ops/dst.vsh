; test: encode roundtrip run        from: spec
; (1, a.y * b.y, a.z, b.w), with mul's own 0 * Inf (spec section 6).
dst r0, v0, c0
; enc: 00000000 0100001b 0836186c 2f000ff9
; run: v0=(9,3,5,9) c0=(9,4,9,7) -> R0=(1,12,5,7)
; run[hw]: v0=(9,inf,0x7fabcdef,9) c0=(9,-0,9,-0) -> R0=(1,0,0x7fabcdef,-0)
; run[cpu]: v0=(9,inf,0x7fabcdef,9) c0=(9,-0,9,-0) -> R0=(1,nan,nan,-0)
