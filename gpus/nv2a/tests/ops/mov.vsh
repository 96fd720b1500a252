; test: encode roundtrip run        from: spec
; Bits are copied, NaN payloads too, and negation flips bit 31 of anything. Beside a MAC operation the ILU moves to r1
; (spec sections 4 and 6).
mov r0, -v0.wzyx
mul r2, c0, c0 + mov r1, v0
; enc: 00000000 002001e4 0836106c 2f000ff8
; enc: 00000000 0240001b 0c36186c 2f2f0ff9
; run[hw]: v0=(1,-2,0x7fabcdef,-0) -> R0=(0,0xffabcdef,2,-1) R1=(1,-2,0x7fabcdef,-0)
; run[cpu]: v0=(1,-2,0x7fabcdef,-0) -> R0=(0,nan,2,-1) R1=(1,-2,nan,-0)
