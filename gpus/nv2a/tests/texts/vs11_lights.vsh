; says: N0506
; define: LIGHTS=2 SPECULAR=0
#include <names.h>
#define LIGHT(n) c[40 + 2*(n)]
#define LIGHT_C(n) c[40 + 2*(n) + 1]
#define ADD_LIGHT(n) \
    dp3 r1.x, IN_NORMAL, LIGHT(n) \
    max r1.x, r1.x, ZERO \
    mad r0.xyz, r1.x, LIGHT_C(n), r0
vs.1.1
m4x4 oPos, IN_POSITION, c[MVP]
mov r0, AMBIENT
#if LIGHTS >= 1
ADD_LIGHT(0)
#  if LIGHTS >= 2
ADD_LIGHT(1)
#    if LIGHTS >= 3
ADD_LIGHT(2)
#    endif
#  endif
#endif
mov oD0, r0
#if SPECULAR
mov oD1, c50
#elif LIGHTS == 2
mov oD1, ZERO
#else
#error "what then?"
#endif
