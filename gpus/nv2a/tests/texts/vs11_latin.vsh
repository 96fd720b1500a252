; says: N0506
; Programm für das glänzende Blech - © 2001
vs.1.1          ; Á¤Á¡ ¼ÎÀÌ´õ
m4x4 oPos, v0, c0       // déjà vu
mov oD0, v3
