// The service worker: its list of files is what the build wrote, its version their hash.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const publicFolder = join(here, "../public");

export function offline() {
  return {
    name: "offline",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const hash = createHash("sha256");
        const files = [];
        for (const [name, made] of Object.entries(bundle)) {
          hash.update(name).update(made.type === "chunk" ? made.code : made.source);
          files.push(name);
        }
        for (const name of readdirSync(publicFolder)) {
          hash.update(name).update(readFileSync(join(publicFolder, name)));
          files.push(name);
        }
        const source = readFileSync(join(here, "service-worker.js"), "utf8")
          .replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 16)))
          .replace('["FILES"]', JSON.stringify(files.sort()));
        this.emitFile({ type: "asset", fileName: "sw.js", source });
      },
    },
  };
}
