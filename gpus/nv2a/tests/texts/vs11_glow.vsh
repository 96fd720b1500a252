; says: N0504 N0506
; full precision, which takes ten slots each
vs.1.1
m4x4 oPos, v0, c0
dp3 r0.x, v3, c8
max r0.x, r0.x, c9.x
log r1, r0.x
mul r1.x, r1.x, c9.y
exp r2, r1.x
mul oD0, r2.x, c10
