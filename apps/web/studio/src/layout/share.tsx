// The work as a link, as a file, and as part of another page.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { encode, LONG, TOO_LONG } from "../state/link";
import * as work from "../state/work";
import type { Studio } from "../studio";
import { Dialog } from "./dialog";

export function Share({ studio, close }: { studio: Studio; close(): void }) {
  const address = useSignal("");
  const copied = useSignal("");
  useEffect(() => {
    const here = location.href.split(/[?#]/)[0];
    void encode(work.link()).then((fragment) => (address.value = here + fragment));
  }, []);
  const embedded = `<iframe src="${address.value.replace("#", "?embed=both#")}" width="800" height="420"></iframe>`;
  const copy = (what: string, text: string) =>
    studio.attempt(navigator.clipboard.writeText(text).then(() => (copied.value = `${what} copied`)));
  return (
    <Dialog title="Share" close={close}>
      <p class="side">
        The link holds the program itself: no server has it.
        {address.value.length > LONG && ` It has ${address.value.length} characters, which some programs cut off.`}
      </p>
      <div class="side">
        <button type="button" class="primary" disabled={address.value.length > TOO_LONG} onClick={() => copy("link", address.value)}>
          Copy link
        </button>
        <button type="button" disabled={address.value.length > TOO_LONG} onClick={() => copy("frame", embedded)}>
          Copy frame for a page
        </button>
        <button type="button" onClick={() => saveText(work.open.value)}>
          Save {work.open.value}
        </button>
        <button type="button" onClick={() => studio.attempt(studio.picture.save().then((picture) => save("picture.png", picture)))}>
          Save picture
        </button>
        <span role="status">{copied.value}</span>
      </div>
      <p class="mono side address">{address.value}</p>
    </Dialog>
  );
}

const saveText = (name: string) => save(name, new Blob([work.textOf(name)], { type: "text/plain" }));

/** Gives the browser a file to keep. */
function save(name: string, content: Blob) {
  const place = document.createElement("a");
  place.href = URL.createObjectURL(content);
  place.download = name;
  place.click();
  setTimeout(() => URL.revokeObjectURL(place.href), 10_000);
}
