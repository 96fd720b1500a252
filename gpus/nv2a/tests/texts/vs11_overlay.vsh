; Pixels as they come: a menu, drawn in two dimensions.
#pragma screenspace
vs.1.1
mul r0.xyz, v0, c0
add oPos.xyz, r0, c1
mov oPos.w, c1.w
mov oD0, v3
mov oT0.xy, v9
