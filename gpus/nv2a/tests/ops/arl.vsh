; test: encode roundtrip run        from: spec
; The floor, of 13 fraction bits for negative numbers down to 2^-23; what is smaller is 0. Beyond c0 to c191 zeros are read.
; The second read is beside an `arl`, so it has the A0 from before (spec sections 4 to 6).
arl a0, v0.x
mov r0, c[A0+10]
arl a0, v0.y + mov r1, c[A0+11]
; enc: 00000000 01a00000 0836106c 20700ff8
; enc: 00000000 0021401b 0c36106c 2f000ffa
; enc: 00000000 03a16055 0836106c 301f0ffb
; run: v0=(-2.5,5,0,0) c7=(1,2,3,4) c8=(5,6,7,8) c15=(9,9,9,9) c16=(9,9,9,9) -> R0=(1,2,3,4) R1=(5,6,7,8)
; run[hw]: v0=(2.999,0,0,0) c12=(1,2,3,4) c13=(9,9,9,9) -> R0=(1,2,3,4) R1=(9,9,9,9)
; run[cpu]: v0=(2.999,0,0,0) c12=(1,2,3,4) c13=(9,9,9,9) -> R0=(9,9,9,9) R1=(0,0,0,0)
; run[hw]: v0=(-0x1p-23,0,0,0) c9=(1,2,3,4) c10=(9,9,9,9) -> R0=(1,2,3,4) R1=(9,9,9,9)
; run[cpu]: v0=(-0x1p-23,0,0,0) c9=(1,2,3,4) c10=(9,9,9,9) -> R0=(9,9,9,9) R1=(0,0,0,0)
; run: v0=(-0x1p-24,0,0,0) c9=(1,2,3,4) c10=(9,9,9,9) -> R0=(9,9,9,9) R1=(0,0,0,0)
; run: v0=(182,0,0,0) c0=(9,9,9,9) c191=(1,2,3,4) -> R0=(0,0,0,0) R1=(0,0,0,0)
; run: v0=(-11,0,0,0) c0=(9,9,9,9) -> R0=(0,0,0,0) R1=(9,9,9,9)
