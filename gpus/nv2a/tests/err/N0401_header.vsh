; test: messages        from: self
    vs.2.0
;   ^^^^^^ N0401 `vs.2.0` cannot run here
    mov oPos, v0
