// The work in the page: its files, which of them is edited and which is shown, and what has been chosen about it.
import { batch, computed, signal } from "@preact/signals";
import type { Content, Entry, Gallery } from "./gallery";
import type { Link } from "./link";
import { gpuOfFile, isScene } from "./machines";

export const gallery = signal<Gallery>({ entries: [], folders: {} });
export const example = signal<string | undefined>(undefined);
export const files = signal<ReadonlyMap<string, Content>>(new Map());
/** The file in the editor. */
export const open = signal("");
/** The file that the picture and the debugger are of: a scene, or a program. */
export const subject = signal("");
export const gpu = signal("dreambox");
export const profile = signal<string | undefined>(undefined);
export const time = signal(0);
export const playing = signal(true);
export const view = signal<string | undefined>(undefined);
/** How far the scene's cameras have been dragged: degrees around and over. */
export const turn = signal<[number, number]>([0, 0]);
export const pixel = signal<[number, number] | undefined>(undefined);
export const pane = signal("words");
/** The line of the cursor, from 0. */
export const line = signal(0);
/** What went wrong with the page itself, for people to read. */
export const trouble = signal<string | undefined>(undefined);
/** Grows with every work that is opened, so that what belongs to the one before can be dropped. */
export const opened = signal(0);

export const entry = computed(() => gallery.value.entries.find((one) => one.id === example.value));
export const openText = computed(() => textOf(open.value));
/** The program that questions about words, costs and the like are of: the one in the editor, or else what the scene draws with. */
export const program = computed(() => {
  if (!isScene(open.value)) return open.value;
  const named = /file\s*=\s*"([^"]+)"/.exec(openText.value)?.[1];
  return named !== undefined && files.value.has(named) ? named : "";
});

export function textOf(name: string): string {
  const content = files.value.get(name);
  return typeof content === "string" ? content : "";
}

export function edit(name: string, text: string): void {
  if (files.value.get(name) === text) return;
  files.value = new Map(files.value).set(name, text);
}

/** Opens an example: all files of its folder, and the program that a scene draws with in the editor. */
export function openExample(one: Entry, link: Link = {}): void {
  const folder = gallery.value.folders[one.folder] ?? {};
  batch(() => {
    openFiles(new Map(Object.entries({ ...folder, ...link.files })), { ...link, example: one.id, subject: link.subject ?? one.file });
    gpu.value = one.gpu;
  });
}

/** Opens what a link says. Returns whether there is such a thing. */
export function openLink(link: Link): boolean {
  const one = gallery.value.entries.find(({ id }) => id === link.example);
  if (one) openExample(one, link);
  else if (link.files && Object.keys(link.files).length > 0) {
    const files = new Map(Object.entries(link.files));
    batch(() => openFiles(files, link));
  } else return false;
  return true;
}

function openFiles(all: ReadonlyMap<string, Content>, link: Link): void {
  const shown = link.subject !== undefined && all.has(link.subject) ? link.subject : ([...all.keys()][0] ?? "");
  example.value = link.example;
  files.value = all;
  subject.value = shown;
  gpu.value = gpuOf(shown) ?? gpu.value;
  open.value = link.open !== undefined && all.has(link.open) ? link.open : (drawnWith(shown) ?? shown);
  profile.value = link.profile;
  time.value = link.time ?? 0;
  playing.value = link.time === undefined;
  view.value = link.view;
  turn.value = link.turn ?? [0, 0];
  pixel.value = link.pixel;
  if (link.pane !== undefined) pane.value = link.pane;
  line.value = 0;
  opened.value += 1;
}

/** The first program that a scene names. */
function drawnWith(name: string): string | undefined {
  if (!isScene(name)) return undefined;
  const named = /file\s*=\s*"([^"]+)"/.exec(textOf(name))?.[1];
  return named !== undefined && files.value.has(named) ? named : undefined;
}

function gpuOf(name: string): string | undefined {
  if (isScene(name)) return /^gpu\s*=\s*"(\w+)"/m.exec(textOf(name))?.[1];
  return gpuOfFile(name);
}

/** The work as an address says it: files only where they differ from the example's. */
export function link(): Link {
  const folder = (entry.value && gallery.value.folders[entry.value.folder]) ?? {};
  const changed = [...files.value].filter(([name, content]) => typeof content === "string" && folder[name] !== content);
  return {
    example: example.value,
    files: changed.length > 0 ? (Object.fromEntries(changed) as Record<string, string>) : undefined,
    open: open.value === (drawnWith(subject.value) ?? subject.value) ? undefined : open.value,
    subject: subject.value === entry.value?.file ? undefined : subject.value,
    profile: profile.value,
    time: playing.value ? undefined : time.value,
    view: view.value,
    turn: turn.value.some((angle) => angle !== 0) ? turn.value : undefined,
    pixel: pixel.value,
    pane: pane.value === "words" ? undefined : pane.value,
  };
}
