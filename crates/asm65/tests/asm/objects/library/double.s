        .export double
        .import clear, factor
double: ldx #<(factor - 1)
more:   asl
        dex
        bne more
        rts
