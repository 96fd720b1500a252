; as the reference disassembler prints words
MAX R1.xyzw, v4, -v4
MUL R2.xyzw, R1, c[0] + MOV oD1.xyzw, v4
DP4 oPos.x, v0, c[96] + DP4 R10.x, v0, c[96]
MOV oPos.yzw, v0.xyzz
ARL a0, v1.x
MAD oT0.xy, v9.xyyy, c[A0+100].xyyy, R10.xxxx
LIT oD0.xyzw, R2
