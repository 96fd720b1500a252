// Starts the page: the examples, then what the address says, then the parts, which wait for the module where they need it.
import { computed, effect } from "@preact/signals";
import { render } from "preact";
import small from "small.wasm?url";
import whole from "gpuzoo.wasm?url";
import { compiled } from "../../npm/src/load.ts";
import { App } from "./app";
import { fetchGallery } from "./state/gallery";
import { keepInAddress, openAddress } from "./state/address";
import { gallery, openLink } from "./state/work";
import { Studio } from "./studio";
import { serveOffline } from "./offline/register";
import "./style/base.css";
import "./style/layout.css";
import "./style/panes.css";

/** Opens the files that `gpuzoo studio` was given. Returns whether there are some. */
async function openServed(): Promise<boolean> {
  const files = (await (await fetch("./files.json")).json()) as [string, string][];
  return openLink({ files: Object.fromEntries(files), subject: files[0]?.[0] });
}

const module = (url: string) => compiled(new URL(url, location.href));

let loading: Promise<WebAssembly.Module> | undefined;

/** The whole module, once somebody needs it. What could not be fetched is tried again. */
function wholeModule(): Promise<WebAssembly.Module> {
  loading ??= module(whole).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(root: HTMLElement): Promise<void> {
  const first = module(small);
  gallery.value = await fetchGallery();
  const asked = new URLSearchParams(location.search);
  const embed = asked.get("embed");
  const studio = new Studio(first, wholeModule, embed !== null);
  if (!asked.has("files") || location.hash !== "" || !(await openServed())) await openAddress();
  render(<App studio={studio} embed={embed} />, root);
  if (embed === null) keepInAddress();
  const { drawn, failed } = studio.picture;
  const isShown = computed(() => embed === "code" || drawn.value !== undefined || failed.value !== undefined);
  // All files together are more than twice what the first picture waits for.
  effect(() => {
    if (isShown.value) serveOffline();
  });
  await first;
}

const root = document.getElementById("studio");
if (root) {
  start(root).catch((error: unknown) => {
    root.textContent = `The studio cannot start: ${error instanceof Error ? error.message : String(error)}`;
    root.setAttribute("role", "alert");
  });
}
