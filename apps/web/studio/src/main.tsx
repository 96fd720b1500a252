// Starts the page: the module and the examples, then what the address says, then the parts.
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
  const [first, examples] = await Promise.all([module(small), fetchGallery()]);
  gallery.value = examples;
  const asked = new URLSearchParams(location.search);
  const embed = asked.get("embed");
  const studio = new Studio(first, wholeModule, embed !== null);
  if (!asked.has("files") || location.hash !== "" || !(await openServed())) await openAddress();
  render(<App studio={studio} embed={embed} />, root);
  if (embed === null) keepInAddress();
  serveOffline();
}

const root = document.getElementById("studio");
if (root) {
  start(root).catch((error: unknown) => {
    root.textContent = `The studio cannot start: ${error instanceof Error ? error.message : String(error)}`;
    root.setAttribute("role", "alert");
  });
}
