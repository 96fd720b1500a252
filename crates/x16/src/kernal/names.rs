//! The KERNAL's routines by their addresses, as in the Programmer's Reference Guide, chapter 5.

/// The KERNAL's routines by their addresses.
#[rustfmt::skip]
pub(crate) const NAMES: &[(u16, &str)] = &[
    (0xfea8, "EXTAPI16"), (0xfeab, "EXTAPI"), (0xfeb1, "MCIOUT"), (0xfeb4, "I2C_BATCH_READ"),
    (0xfeb7, "I2C_BATCH_WRITE"), (0xfeba, "BSAVE"), (0xfebd, "KBDBUF_PEEK"),
    (0xfec0, "KBDBUF_GET_MODIFIERS"), (0xfec3, "KBDBUF_PUT"), (0xfec6, "I2C_READ_BYTE"),
    (0xfec9, "I2C_WRITE_BYTE"), (0xfecc, "MONITOR"), (0xfecf, "ENTROPY_GET"), (0xfed2, "KEYMAP"),
    (0xfed5, "CONSOLE_SET_PAGING_MESSAGE"), (0xfed8, "CONSOLE_PUT_IMAGE"), (0xfedb, "CONSOLE_INIT"),
    (0xfede, "CONSOLE_PUT_CHAR"), (0xfee1, "CONSOLE_GET_CHAR"), (0xfee4, "MEMORY_FILL"),
    (0xfee7, "MEMORY_COPY"), (0xfeea, "MEMORY_CRC"), (0xfeed, "MEMORY_DECOMPRESS"),
    (0xfef0, "SPRITE_SET_IMAGE"), (0xfef3, "SPRITE_SET_POSITION"), (0xfef6, "FB_INIT"),
    (0xfef9, "FB_GET_INFO"), (0xfefc, "FB_SET_PALETTE"), (0xfeff, "FB_CURSOR_POSITION"),
    (0xff02, "FB_CURSOR_NEXT_LINE"), (0xff05, "FB_GET_PIXEL"), (0xff08, "FB_GET_PIXELS"),
    (0xff0b, "FB_SET_PIXEL"), (0xff0e, "FB_SET_PIXELS"), (0xff11, "FB_SET_8_PIXELS"),
    (0xff14, "FB_SET_8_PIXELS_OPAQUE"), (0xff17, "FB_FILL_PIXELS"), (0xff1a, "FB_FILTER_PIXELS"),
    (0xff1d, "FB_MOVE_PIXELS"), (0xff20, "GRAPH_INIT"), (0xff23, "GRAPH_CLEAR"),
    (0xff26, "GRAPH_SET_WINDOW"), (0xff29, "GRAPH_SET_COLORS"), (0xff2c, "GRAPH_DRAW_LINE"),
    (0xff2f, "GRAPH_DRAW_RECT"), (0xff32, "GRAPH_MOVE_RECT"), (0xff35, "GRAPH_DRAW_OVAL"),
    (0xff38, "GRAPH_DRAW_IMAGE"), (0xff3b, "GRAPH_SET_FONT"), (0xff3e, "GRAPH_GET_CHAR_SIZE"),
    (0xff41, "GRAPH_PUT_CHAR"), (0xff44, "MACPTR"), (0xff47, "ENTER_BASIC"), (0xff4a, "CLOSE_ALL"),
    (0xff4d, "CLOCK_SET_DATE_TIME"), (0xff50, "CLOCK_GET_DATE_TIME"), (0xff53, "JOYSTICK_SCAN"),
    (0xff56, "JOYSTICK_GET"), (0xff59, "LKUPLA"), (0xff5c, "LKUPSA"), (0xff5f, "SCREEN_MODE"),
    (0xff62, "SCREEN_SET_CHARSET"), (0xff68, "MOUSE_CONFIG"), (0xff6b, "MOUSE_GET"), (0xff6e, "JSRFAR"),
    (0xff71, "MOUSE_SCAN"), (0xff74, "FETCH"), (0xff77, "STASH"), (0xff7d, "PRIMM"), (0xff81, "CINT"),
    (0xff84, "IOINIT"), (0xff90, "SETMSG"), (0xff93, "SECOND"), (0xff96, "TKSA"), (0xff99, "MEMTOP"),
    (0xff9c, "MEMBOT"), (0xff9f, "SCNKEY"), (0xffa2, "SETTMO"), (0xffa5, "ACPTR"), (0xffa8, "CIOUT"),
    (0xffab, "UNTLK"), (0xffae, "UNLSN"), (0xffb1, "LISTEN"), (0xffb4, "TALK"), (0xffb7, "READST"),
    (0xffba, "SETLFS"), (0xffbd, "SETNAM"), (0xffc0, "OPEN"), (0xffc3, "CLOSE"), (0xffc6, "CHKIN"),
    (0xffc9, "CHKOUT"), (0xffcc, "CLRCHN"), (0xffcf, "CHRIN"), (0xffd2, "CHROUT"), (0xffd5, "LOAD"),
    (0xffd8, "SAVE"), (0xffdb, "SETTIM"), (0xffde, "RDTIM"), (0xffe1, "STOP"), (0xffe4, "GETIN"),
    (0xffe7, "CLALL"), (0xffea, "UDTIM"), (0xffed, "SCREEN"), (0xfff0, "PLOT"), (0xfff3, "IOBASE"),
];

/// The name of the routine at an address.
pub fn name(address: u16) -> Option<&'static str> {
    let index = NAMES.binary_search_by_key(&address, |(at, _)| *at).ok()?;
    NAMES.get(index).map(|(_, name)| *name)
}
