; test: run        from: spec
; Both halves read one C, of which the scalar half takes the first component alone (spec sections 3 and 4): the MAC's order
; stays, 1·1 + 2, 2·2 + 1, 3·3 + 4, 4·4 + 8, and the other half has 1/2.
mad r0, v0, v0, r2.yxzw + rcp r1, r2.y
; run: v0=(1,2,3,4) R2=(1,2,4,8) -> R0=(3,5,13,24) R1=(0.5,0.5,0.5,0.5)
