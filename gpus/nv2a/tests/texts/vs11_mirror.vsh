; says: N0506
vs.1.1
; reflection of the eye's direction: r = 2 (n.e) n - e
m4x4 oPos, v0, c0
m4x3 r0.xyz, v0, c4
m3x3 r1.xyz, v3, c4
sub r2.xyz, c12, r0
dp3 r2.w, r2, r2
rsq r2.w, r2.w
mul r2.xyz, r2, r2.w
dp3 r3.x, r1, r2
add r3.x, r3.x, r3.x
mad oT0.xyz, r1, r3.x, -r2
mov oD0, c13
