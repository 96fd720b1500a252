; test: messages        from: self
    mov r0, v0
;   ^^^^^^^^^^ N0306 the program writes no output and no constant
