// a test of constants that are written
mov c10, v0
mov c[11].xy, v1
add r0, v0, c10
add oPos, r0, c[11]
mov oD0, c10
