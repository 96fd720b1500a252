; says: N0505 N0506
vs_1_1
dcl_position0   v0
dcl_normal0     v3
dcl_color0      v5
dcl_texcoord0   v7
def c90, 0.0f, 1.0f, 0.5f, 2.0f
m4x4 oPos, v0, c0
dp3 r0.x, v3, c8
max r0.x, r0.x, c90.x
mul r0, r0.x, v5
add oD0, r0, c9
mov oT0, v7
