; says: N0506
vs.1.0                          // fog with the distance, squared
m4x4    r0, v0, c0
mov     oPos, r0
add     r1.x, r0.z, -c5.x       // z - start
mul     r1.x, r1.x, c5.y        // / (end - start)
max     r1.x, r1.x, c5.z
min     r1.x, r1.x, c5.w
mul     r1.x, r1.x, r1.x
sub     oFog.x, c5.w, r1.x
mov     oD0, c6
