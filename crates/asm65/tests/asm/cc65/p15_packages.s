; Packages of macros, lines that go on, and what decides early.
        .setcpu "65C02"
        .macpack longbranch
        .macpack generic
        .linecont +
        .feature addrsize
        .zeropage
zp:     .res 1
        .code
start:  ina
        dea
        add #1
        add zp,x
        sub #2
        bge start
        bgt start
        ble start
        blt start
        bze start
        jeq start
        jne ahead
        jcs $2000
        .res 200, $ea
        jmi start
        jpl ahead
ahead:  bnz ahead
        jcc other
        .if .addrsize(zp) = 1 .and .addrsize(start) = 2
        .byte 1, \
              2, \
              3
        .endif
        .struct thing
          one .byte
          two .res 5
        .endstruct
        .byte .sizeof(thing::two), .sizeof(thing)
        .define REST p2, p3, p4
        .macro sum from, p1, REST
        .ifblank p1
        .byte from
        .exitmacro
        .endif
        sum {from + p1}, REST
        .endmacro
        sum 1, 2, 3
        .segment "RODATA"
other:  jeq start
