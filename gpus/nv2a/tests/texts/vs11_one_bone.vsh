; says: N0506
; define: BONE_BASE=20 NUM_BONES=1 UNLIT
#include "transform.h"
vs.1.1
#ifndef UNLIT
#include "no_such_file.h"       // never looked for
#endif
    mov a0.x, IN_BONES.x
    m4x3 r5.xyz, IN_POSITION, c[a0.x + 4*NUM_BONES - 4 + BONE_BASE]
    mov r5.w, ONE
    MUL4(oPos, r5, MVP)
    mov oD0, LIGHT_COLOR
    mov oT0.xy, IN_TEXCOORD0
