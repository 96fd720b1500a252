; says: N0506
; Position, colour and one texture: the first program of every tutorial.
vs.1.0
dp4 oPos.x, v0, c0
dp4 oPos.y, v0, c1
dp4 oPos.z, v0, c2
dp4 oPos.w, v0, c3
mov oD0, v3
mov oT0.xy, v9
