; test: messages        from: self
    mov r2, v0 + mov oPos, v0 + mov r1, v0
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0109 nv2a_vsh_asm refuses three `mov` in a slot
    mad r2, r0, r3, r4 + rcp r1, r4.x
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R0 is read before it is written
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R3 is read before it is written
;   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ N0304 R4 is read before it is written
;                        ^^^^^^^^^^^^ N0109 nv2a_vsh_asm refuses a shared C of these forms
    add r2, r0, r3 + rcp r1, r3
;                    ^^^^^^^^^^ N0109 nv2a_vsh_asm refuses a shared C of these forms
    mov r0, c[a0+1]
;             ^^ N0109 nv2a_vsh_asm refuses a lower case `a0` in brackets
    /* block */ mov r0, v0
;            ^^ N0109 nv2a_vsh_asm refuses a block comment without a line break right behind it
