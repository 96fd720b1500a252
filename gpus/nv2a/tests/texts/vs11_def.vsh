; says: N0506
vs.1.1
def c[ 75 ], 1, .5, -2.5e-1, 0
def c76, 3.14159265f, 6.2831853F, 0.15915494, 2.0
mul r0.x, v0.x, c76.z
add r0.x, r0.x, c[75].y
frc r0.y, r0.x
mad r0.x, r0.y, c76.y, -c76.x
mul r1.x, r0.x, r0.x
mov r2, c[ 75 ]
mad r1.y, r1.x, r2.z, r2.x
m4x4 oPos, v0, c0
mov oD0, r1.y
