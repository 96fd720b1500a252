// says: N0506
//-----------------------------------------------------------------------------
// One directional light, with a highlight.
//   c0-c3    world * view * projection (transposed)
//   c4-c6    world
//   c12      to the light     c13  colour    c14  ambient   c15  ( 0, 1, 0.5, power )
//   c16      the eye
//-----------------------------------------------------------------------------
vs.1.1

m4x4    oPos, v0, c0

m4x3    r0.xyz, v0, c4                  // place in the world
m3x3    r1.xyz, v3, c4                  // normal in the world
dp3     r1.w, r1, r1
rsq     r1.w, r1.w
mul     r1.xyz, r1, r1.w

add     r2.xyz, c16, -r0
dp3     r2.w, r2, r2
rsq     r2.w, r2.w
mad     r2.xyz, r2, r2.w, c12           // half of the way, not of length 1 yet
dp3     r2.w, r2, r2
rsq     r2.w, r2.w
mul     r2.xyz, r2, r2.w

dp3     r3.x, r1, c12
dp3     r3.y, r1, r2
mov     r3.zw, c15.w
lit     r4, r3

mul     r5, r4.y, c13
add     oD0, r5, c14
mul     oD1.xyz, r4.z, c13.xyz
mov     oT0, v9
