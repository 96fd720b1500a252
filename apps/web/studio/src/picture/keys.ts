// A browser's keys and mouse as lines of the Commander's input (docs/formats.md): what happens, and that it happens at once.

/** Keys by their places on the keyboard, as the browser and the machine call them. */
const KEYS: Record<string, string> = {
  Backquote: "`",
  Minus: "-",
  Equal: "=",
  Backspace: "DEL",
  BracketLeft: "[",
  BracketRight: "]",
  Backslash: "\\",
  CapsLock: "CAPS",
  Semicolon: ";",
  Quote: "'",
  Enter: "RETURN",
  ShiftLeft: "SHIFT",
  ShiftRight: "RSHIFT",
  IntlBackslash: "LESS",
  Comma: ",",
  Period: ".",
  Slash: "/",
  ControlLeft: "CTRL",
  ControlRight: "RCTRL",
  AltLeft: "ALT",
  AltRight: "ALTGR",
  Space: "SPACE",
  Insert: "INSERT",
  Delete: "DELETE",
  ArrowLeft: "LEFT",
  ArrowRight: "RIGHT",
  ArrowUp: "UP",
  ArrowDown: "DOWN",
  Home: "HOME",
  End: "END",
  PageUp: "PGUP",
  PageDown: "PGDN",
  NumpadEnter: "KPENTER",
  NumpadAdd: "KPPLUS",
  NumpadSubtract: "KPMINUS",
  NumpadMultiply: "KPMUL",
  NumpadDivide: "KPDIV",
  NumpadDecimal: "KPPOINT",
  Pause: "STOP",
};

/** The machine's name of a key; nothing for a key that it has not got, and for those that leave the picture. */
export function keyOf(code: string): string | undefined {
  const simple = /^(?:Key([A-Z])|Digit(\d)|(F\d{1,2}))$/.exec(code);
  const number = /^Numpad(\d)$/.exec(code)?.[1];
  return simple?.[1] ?? simple?.[2] ?? simple?.[3] ?? (number === undefined ? KEYS[code] : `KP${number}`);
}

/** A key that goes down or comes up. */
export function keyLine(code: string, isDown: boolean): string | undefined {
  const key = keyOf(code);
  return key === undefined ? undefined : `@0 ${isDown ? "press" : "release"} ${key}`;
}

/** The mouse's buttons as the browser counts them, and the machine calls them. */
const BUTTONS: [number, string][] = [
  [1, "LEFT"],
  [2, "RIGHT"],
  [4, "MIDDLE"],
];

/** The mouse moves by so many pixels of the machine, and these buttons are down. */
export function mouseLine(right: number, down: number, buttons: number): string {
  const pressed = BUTTONS.filter(([bit]) => buttons & bit).map(([, name]) => name);
  return `@0 motion ${Math.trunc(right)},${Math.trunc(down)},0 ${pressed.join("+")}`.trimEnd();
}
