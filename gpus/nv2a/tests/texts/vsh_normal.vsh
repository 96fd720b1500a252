#m matrix4 0
    dp3 r0.x, v2, #m[0]
    dp3 r0.y, v2, #m[1]
    dp3 r0.z, v2, #m[2]
    %norm3 r1 r0 r2
    mov oD0.xyz, r1
    mov oD0.w, v3
    mov oPos, v0
