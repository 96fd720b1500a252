// Every example of the repository as one JSON file: the folders' files, and what of them can be opened.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["dreambox", "nv2a", "picogpu", "servaru", "vera", "compile"];
const GPUS = { vu: "dreambox", vsh: "nv2a", vp: "nv2a", xvs: "nv2a", pico: "picogpu", svs: "servaru", s: "vera" };
const extension = (name) => name.slice(name.lastIndexOf(".") + 1);

/** The first sentence of a text's first comment. */
function title(text) {
  const comment = [];
  for (const line of text.split("\n")) {
    const said = /^\s*(?:#|;|\/\/)\s?(.*)$/.exec(line);
    if (!said || (said[1].trim() === "" && comment.length > 0)) break;
    comment.push(said[1].trim());
  }
  const sentence = comment.join(" ").split(/(?<=[.:])\s/)[0] ?? "";
  return sentence.replace(/[.:]$/, "");
}

/** The examples: scenes, programs of CPUs, and programs that no scene draws with. */
function entries(folder, files) {
  const named = new Set(
    Object.values(files)
      .filter((file) => typeof file === "string")
      .flatMap((text) => [...text.matchAll(/file\s*=\s*"([^"]+)"/g)].map((found) => found[1])),
  );
  return Object.entries(files).flatMap(([name, text]) => {
    if (typeof text !== "string") return [];
    const gpu = extension(name) === "toml" ? /^gpu\s*=\s*"(\w+)"/m.exec(text)?.[1] : GPUS[extension(name)];
    if (!gpu || named.has(name)) return [];
    return [{ id: `${folder}/${name}`, folder, file: name, gpu, title: title(text) || name }];
  });
}

/** `{ folders: { name: { file: text | { base64 } } }, entries: [...] }` */
export function gallery(root) {
  const folders = {};
  const all = [];
  for (const folder of FOLDERS) {
    const path = join(root, folder);
    const files = {};
    for (const name of readdirSync(path).sort()) {
      if (!statSync(join(path, name)).isFile()) continue;
      const bytes = readFileSync(join(path, name));
      files[name] = extension(name) === "png" ? { base64: bytes.toString("base64") } : bytes.toString("utf8");
    }
    folders[folder] = files;
    all.push(...entries(folder, files));
  }
  return { folders, entries: all };
}
