; test: messages        from: self
    #oV4 vector 192
;               ^^^ N0209 `#oV4` ends at c192
    mov oPos, #oV4
;   ^^^^^^^^^^^^^^ N0301 source a of `mov` names no register
    mov oD0, c[192]
;   ^^^^^^^^^^^^^^^ N0301 source a of `mov` names no register
;            ^^^^^^ N0209 the machine has no constant 192
