// Starts the page: the examples, then what the address says, then the parts, which wait for their module where they need it.
import { computed, effect } from "@preact/signals";
import { render } from "preact";
import { App } from "./app";
import { load, moduleOf } from "./engine/modules";
import { fetchGallery } from "./state/gallery";
import { keepInAddress, openAddress } from "./state/address";
import * as work from "./state/work";
import { Studio } from "./studio";
import { serveOffline } from "./offline/register";
import "./style/base.css";
import "./style/layout.css";
import "./style/panes.css";

/** Opens the files that `gpuzoo studio` was given. Returns whether there are some. */
async function openServed(): Promise<boolean> {
  const files = (await (await fetch("./files.json")).json()) as [string, string][];
  return work.openLink({ files: Object.fromEntries(files), subject: files[0]?.[0] });
}

async function start(root: HTMLElement): Promise<void> {
  // What takes longest begins first: the module of the example that the address names.
  void load(moduleOf(location.hash.startsWith("#x=vera/") ? "vera" : "dreambox"));
  work.gallery.value = await fetchGallery();
  const asked = new URLSearchParams(location.search);
  const embed = asked.get("embed");
  if (!asked.has("files") || location.hash !== "" || !(await openServed())) await openAddress();
  const studio = new Studio(embed !== null);
  render(<App studio={studio} embed={embed} />, root);
  if (embed === null) keepInAddress();
  const { drawn, failed } = studio.picture;
  const isShown = computed(() => embed === "code" || drawn.value !== undefined || failed.value !== undefined);
  // All files together are more than twice what the first picture waits for.
  effect(() => {
    if (isShown.value) serveOffline();
  });
  await load(moduleOf(work.gpu.value));
}

const root = document.getElementById("studio");
if (root) {
  start(root).catch((error: unknown) => {
    root.textContent = `The studio cannot start: ${error instanceof Error ? error.message : String(error)}`;
    root.setAttribute("role", "alert");
  });
}
