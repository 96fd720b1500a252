arl a0, v1.x
dp4 oPos.x, v0, c[A0+96]
dp4 oPos.y, v0, c[97 + A0]
dp4 oPos.z, v0, c[A0 + 98]
dp4 oPos.w, v0, c[A0+99]
mov oD0.rgb, c[A0+100]
mov oD0.a, v3.a
