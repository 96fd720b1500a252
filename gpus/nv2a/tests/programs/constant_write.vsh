; test: roundtrip run        from: spec
; A constant that a slot writes is read by later slots, by number and through A0 (spec sections 4 and 5); the others are as given.
    arl a0, v0.x
    mov c20.xy, v1
    mov r0, c[A0+18]
    mov r1, c20
    mov r2, c[A0+19]
; run: v0=(2,0,0,0) v1=(7,8,9,9) c20=(1,2,3,4) c21=(5,6,7,8) -> R0=(7,8,3,4) R1=(7,8,3,4) R2=(5,6,7,8) c20=(7,8,3,4)
