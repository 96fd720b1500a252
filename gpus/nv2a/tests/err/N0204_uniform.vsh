; test: messages        from: self
    #foo matrix4 5
    mov r0, #foo[4]
;                ^ N0204 `#foo` has no row 4
    mov r0, #fo
;           ^^^ N0204 `#fo` is not defined
    #foo vector 6
;   ^^^^ N0204 `#foo` is defined twice
    #bar matrix4 254
;                ^^^ N0204 `#bar` ends at c257
    #all matrix4 252
;                ^^^ N0209 `#all` ends at c255
