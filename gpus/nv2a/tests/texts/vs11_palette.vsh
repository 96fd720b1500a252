; says: N0506
; Two matrices of a palette, as exporters write them: the index is in a colour.
vs.1.1
mul r0, v2.zyxw, c95.w          ; from 0..1 to numbers of constants
mov a0.x, r0.x
m4x3 r1.xyz, v0, c[8 + a0.x]
m3x3 r3.xyz, v3, c[a0.x + 8]
mov a0.x, r0.y
m4x3 r2.xyz, v0, c[ a0.x+8 ]
m3x3 r4.xyz, v3, c[a0.x + 5 + 3]
mul r1.xyz, r1, v1.x
mad r1.xyz, r2, v1.y, r1
mov r1.w, c95.z
mul r3.xyz, r3, v1.x
mad r3.xyz, r4, v1.y, r3
m4x4 oPos, r1, c0
dp3 oD0.xyz, r3, c4
mov oD0.w, c95.z
