; test: messages        from: self
    /* Slot 0: 0x00000000 0x00EC001B 0x0836186C 0x20708800 */
    DP4(oPos,x, v0, c[96]);
;   ^^^^^^^^^^ N0409 this is what emulators list, and no text of an assembler
    DP4(oPos,y, v0, c[97]);
    RCC(R1,x, R12.w);
