        .export print, finish := done
        .exportzp pointer
        .export LIMIT = 300
        .global counter
        .macro twice
        rol
        rol
        .endmacro
WIDTH = 80
        .zeropage
pointer: .res 2
        .bss
counter: .res 1
        .code
        .proc print
        sta (pointer)
        twice
@loop:  dec counter
        bne @loop
:       inc pointer
        bne :-
        rts
        .endproc
done:   rts
        .data
        .word WIDTH, print, counter
        .import message
        .rodata
        .addr message
