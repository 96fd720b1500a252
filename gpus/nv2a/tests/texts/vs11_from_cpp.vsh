# 1 "mirror.vsh"
# 1 "<built-in>"
# 1 "mirror.vsh"
#line 4 "mirror.vsh"
; says: N0506
vs.1.1
#line 20
m4x4 oPos, v0, c[0 + 0]
# 31 "mirror.vsh" 2
mov oD0, c[(2 + 1) * 4]
