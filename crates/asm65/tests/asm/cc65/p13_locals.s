; Names of a macro that are new at each use, cheap ones among them.
.macro  wait_for count
        .local @1, done
        ldx     #count
@1:     dex
        beq     done
        bne     @1
done:
.endmacro

start:  wait_for 3
        wait_for 5
@1:     bne     @1
        rts
