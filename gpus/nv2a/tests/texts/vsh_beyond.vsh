; says: N0209 N0301
; A test program for what is behind the constants.
#oV4 vector 192
mov oPos, v0
mov oD0, #oV4
