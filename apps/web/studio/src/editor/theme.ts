// The editor's look; its colours are the page's.
import { EditorView } from "@codemirror/view";

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--paper)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--code)", lineHeight: "1.55" },
  ".cm-scroller:focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--text)" },
  ".cm-next": { backgroundColor: "var(--next)", boxShadow: "inset 3px 0 var(--accent)" },
  ".cm-breakpoints": { width: "14px", cursor: "pointer" },
  ".cm-breakpoint": {
    display: "inline-block",
    width: "9px",
    height: "9px",
    marginLeft: "3px",
    borderRadius: "50%",
    backgroundColor: "var(--bad)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--edge)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--soft)", fontStyle: "normal" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)", borderRadius: "4px", marginLeft: "0" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
});
