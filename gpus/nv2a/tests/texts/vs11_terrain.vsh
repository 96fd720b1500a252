; says: N0506
; define: SPLIT DETAIL
/* Terrain: height from one stream, the rest from the place. `SPLIT` and `DETAIL` as the engine's build gives them (/DSPLIT). */
#define WVP_ROW0    c0
#define WVP_ROW1    c1
#define WVP_ROW2    c2
#define WVP_ROW3    c3
#define SCALE       c12
vs.1.1
mov r0, v0
#ifdef SPLIT
mov r0.y, v4.x              ; heights come apart
#endif
mad r0.xyz, r0, SCALE.x, SCALE.yzw
mov r0.w, c13.w
dp4 oPos.x, r0, WVP_ROW0
dp4 oPos.y, r0, WVP_ROW1
dp4 oPos.z, r0, WVP_ROW2
dp4 oPos.w, r0, WVP_ROW3
mul oT0.xy, r0.xzzz, c14.xy
#if defined(DETAIL) && !defined(LOW_END)
mul oT1.xy, r0.xzzz, c14.zw
#else
mov oT1.xy, c13.xx
#endif
mov oD0, v3
