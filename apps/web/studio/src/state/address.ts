// The work in the address: read when the page opens or the fragment changes, written a while after the last edit.
import { effect, signal } from "@preact/signals";
import { keepRecent } from "./recent";
import { decode, encode, LONG, LinkError } from "./link";
import { MACHINES } from "./machines";
import * as work from "./work";

const AFTER = 500;
/** What is to be said about the address: that it is long. */
export const longAddress = signal<number | undefined>(undefined);
let written = "";

export async function openAddress(): Promise<void> {
  written = location.hash;
  try {
    const link = await decode(location.hash);
    if (link && work.openLink(link)) return;
    if (link) work.trouble.value = "the link names no example that this page has";
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    work.trouble.value = error.message;
  }
  work.openLink({ example: MACHINES[0].start });
}

export function keepInAddress(): void {
  addEventListener("hashchange", () => {
    if (location.hash !== written) void openAddress();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const link = work.link();
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const fragment = await encode(link);
      longAddress.value = fragment.length > LONG ? fragment.length : undefined;
      if (fragment === written) return;
      written = fragment;
      history.replaceState(null, "", fragment);
      if (link.files) await keepRecent(fragment, work.subject.peek(), work.opened.peek());
    }, AFTER);
  });
}
