// What can be done, and by which keys.
import { Dialog } from "./dialog";

const KEYS: [string, string][] = [
  ["Ctrl Space", "complete the word"],
  ["F1", "the page of the word under the cursor"],
  ["F8", "the next problem"],
  ["F9", "a breakpoint at the line"],
  ["F12", "where the name comes from"],
  ["Shift Alt F", "lay out the text"],
  ["Esc, then Tab", "leave the editor"],
  ["← →", "in the Run pane: a step back, a step on"],
  ["Home End", "in the Run pane: the start, the end or the next breakpoint"],
  ["n", "in the Run pane: on to the next NaN or infinity"],
  ["Arrows, Enter", "on the picture: move the cross, debug its pixel"],
  ["Ctrl Arrows", "on the picture of a scene: turn its cameras, as dragging does"],
  ["all but Tab", "on the picture of a program that runs: its keyboard"],
];

export function Help({ close }: { close(): void }) {
  return (
    <Dialog title="gpuzoo studio" close={close}>
      <p class="side">
        Edit the program and the picture follows. Click a pixel to step through the program that made it, forward and back; click a
        register there to see where its value comes from. Everything runs in this page; nothing is sent anywhere.
      </p>
      <dl>
        {KEYS.map(([key, what]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
