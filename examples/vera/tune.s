; tune.s: VERA's voices and its PCM playback
;
; A voice is four bytes at the end of VERA's memory: a frequency, a volume with the two sides, a waveform. They only have to be
; written: the voice goes on by itself, so a program changes a few bytes for each frame. PCM is a stream: what the FIFO gets is played
; once, and then there is silence.
;
; A tune on the left, as a square wave that fades with each note; its bass on the right, as a triangle; and a drum of 120 bytes
; on the right, for every other note. The colour of the screen is the note.
;
;       gpuzoo render examples/vera/tune.s --frames 200 -o tune.wav
;       gpuzoo render examples/vera/tune.s --frames 200 -o tune.gif --sound tune.wav
;
; The page gpus/vera/docs/sound.md walks through it.

note   = $22                    ; the number of the note, and frames that are left of it
left   = $23
NOTES  = 16
FRAMES = 12                     ; a fifth of a second

        .org $0801
        .word next, 10          ; 10 SYS 2061
        .byte $9E, "2061", 0
next:   .word 0

start:  sei                     ; WAI goes on without a handler
        stz VERA_CTRL
        lda #%00000001          ; VGA, no layers
        sta VERA_DC_VIDEO
        lda #(1 << 1)           ; DCSEL 1: no window, so that all is border
        sta VERA_CTRL
        stz VERA_DC_HSTOP
        stz VERA_CTRL
        lda #%00000001          ; VSYNC
        sta VERA_IEN
        lda #%00011111          ; PCM: 8 bits, stereo, loudest
        sta VERA_AUDIO_CTRL
        lda #32                 ; 12,207 samples a second
        sta VERA_AUDIO_RATE

        stz note
@note:  jsr begin
        lda #FRAMES
        sta left
@frame: jsr wait
        jsr fade
        dec left
        bne @frame
        inc note
        lda note
        cmp #NOTES
        bne @note
        lda #0                  ; voices go on for ever, so these are told to be silent
        jsr volume
        ldx #<(VOICES + 6)
        jsr point
        stz VERA_DATA0
        stp

; All of voice 0, and of voice 1 behind it.
begin:  ldx #<VOICES
        jsr point
        ldx note
        stx VERA_DC_BORDER
        lda tune, x
        tax
        lda low, x
        sta VERA_DATA0
        lda high, x
        sta VERA_DATA0
        lda #%01000000 | 63     ; left, full volume
        sta VERA_DATA0
        lda #%00000000 | 32     ; pulse, half of the time up
        sta VERA_DATA0
        lda note
        lsr                     ; a bass note for two of the tune's
        tax
        lda bass, x
        tax
        lda high, x             ; two octaves lower: a quarter of the frequency
        lsr
        pha
        lda low, x
        ror
        tay
        pla
        lsr
        pha
        tya
        ror
        sta VERA_DATA0
        pla
        sta VERA_DATA0
        lda #%10000000 | 60     ; right
        sta VERA_DATA0
        lda #%10000000 | 63     ; triangle, its bits not turned over
        sta VERA_DATA0
        lda note
        lsr
        bcs @none
        ldx #0                  ; the drum: each byte on the right, and silence on the left
@drum:  stz VERA_AUDIO_DATA
        lda drum, x
        sta VERA_AUDIO_DATA
        inx
        cpx #DRUM
        bne @drum
@none:  rts

; The volume goes down by four of its half decibels for each frame.
fade:   lda left
        asl
        asl
        clc
        adc #63 - 4 * FRAMES
        ora #%01000000
; The third byte of voice 0.
volume: ldx #<(VOICES + 2)
        jsr point
        sta VERA_DATA0
        rts

; ADDR0 at a byte of the voices, increment 1.
point:  stx VERA_ADDR_L
        ldx #>VOICES
        stx VERA_ADDR_M
        ldx #$11
        stx VERA_ADDR_H
        rts

; To the next VSYNC.
wait:   wai
        lda #%00000001
        sta VERA_ISR
        rts

VOICES = $1F9C0

; C, D, E, F, G, A, B and C again: hertz × 131072 / 48828.125
low:    .byte <702, <788, <885, <937, <1052, <1181, <1326, <1405
high:   .byte >702, >788, >885, >937, >1052, >1181, >1326, >1405
tune:   .byte 0, 2, 4, 7, 5, 3, 5, 7, 4, 6, 4, 1, 0, 2, 4, 0
bass:   .byte 0, 4, 3, 5, 4, 4, 0, 0

; 120 bytes of a wave that becomes softer.
drum:   .repeat 8, I
        .byte 28 - I * 3, 28 - I * 3, 28 - I * 3, 28 - I * 3, 28 - I * 3, 28 - I * 3, 28 - I * 3
        .byte <(I * 3 - 28), <(I * 3 - 28), <(I * 3 - 28), <(I * 3 - 28), <(I * 3 - 28), <(I * 3 - 28), <(I * 3 - 28), 0
        .endrepeat
DRUM = * - drum
