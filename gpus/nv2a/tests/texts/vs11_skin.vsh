; says: N0506
; define: BONE_BASE=30 NUM_BONES=4
; The program of a skin with up to four bones for each vertex; how many is said on the command line.
#include "transform.h"
#include "skin.h"

#if NUM_BONES < 1 || NUM_BONES > 4
#error NUM_BONES is 1 to 4
#endif

vs.1.1
    mov r5, ZERO
    mov r6, ZERO
    BONE(x, IN_WEIGHTS.x)
#if NUM_BONES > 1
    BONE(y, IN_WEIGHTS.y)
#endif
#if NUM_BONES > 2
    BONE(z, IN_WEIGHTS.z)
#endif
#if NUM_BONES > 3
    BONE(w, IN_WEIGHTS.w)
#endif
    mov r5.w, ONE
    MUL4(oPos, r5, MVP)
    NORMALIZE(r6)
    dp3 r7.x, r6, LIGHT_DIR
    max r7.x, r7.x, ZERO
    mul r7.xyz, r7.x, LIGHT_COLOR
    add oD0.xyz, r7, AMBIENT
    mov oD0.w, ONE
    mov oT0.xy, IN_TEXCOORD0
