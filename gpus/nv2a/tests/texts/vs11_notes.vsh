/*
 * says: N0506
 * A block before the header, with ; and // in it
 */
// another
; and another
            vs.1.1          ; the version

/* one line */ m4x4 oPos, v0, c0 // end
mov oD0, /* in the middle */ v3
;mov oD0, c0
//mov oD0, c1
