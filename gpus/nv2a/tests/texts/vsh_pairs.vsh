; halves side by side, also over lines
mul r0, v0, c[10] + rcp r1.x, v0.w
mul oPos, r0, r1.x +
    mov r1, r0
mul r3, r1, c[11]
 + rsq r1.w, c[11].x
mul oD0, r3, r1.w
dp3 oT0.x, v2, c[12] + dp3 r4.x, v2, c[12]
max oD1, r4.x, c[13]
