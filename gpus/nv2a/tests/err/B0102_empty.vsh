; test: messages        from: self
;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ B0102 the program is empty
; Nothing but comments.
    
