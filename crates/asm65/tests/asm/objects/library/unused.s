        .export unused, lonely
        .constructor unused
        .code
unused: rts
lonely: .res 500
