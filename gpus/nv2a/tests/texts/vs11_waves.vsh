; says: N0506
#define PHASE(n)    dp4 r0.n, v0, c[20]
#define SINE(to, from) \
        mul r2.x, from, from \
        mad r2.y, r2.x, c22.z, c22.y \
        mad r2.y, r2.y, r2.x, c22.x \
        mul to, r2.y, from
#define GLUE(a, b)  a##b
vs.1.1
mov r0, c22.w
PHASE(x)
frc r1.y, r0.x
mad r1.x, r1.y, c23.x, c23.y
SINE(r3.y, r1.x)
mov r4, v0
mad r4.y, r3.y, GLUE(c, 21).x, r4.y
m4x4 oPos, r4, c0
mov GLUE(oD, 0), v3
#undef PHASE
