import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { gallery } from "./build/gallery.mjs";
import { offline } from "./build/offline.mjs";
import { preload } from "./build/preload.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** The examples of the repository, as a file beside the page. */
function examples() {
  const source = () => JSON.stringify(gallery(join(here, "../../../examples")));
  return {
    name: "examples",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "assets/examples.json", source: source() });
    },
    configureServer(server) {
      server.middlewares.use("/assets/examples.json", (_, response) => response.end(source()));
    },
  };
}

export default defineConfig(({ command }) => ({
  base: "./",
  // While it is developed, Vite writes styles into the page: with the nonce that its policy lets in.
  html: command === "serve" ? { cspNonce: "gpuzoo" } : {},
  plugins: [examples(), preload(["assets/examples"]), offline()],
  resolve: {
    // The modules of the npm package.
    alias: [{ find: /^(gpuzoo|shaders|vera)\.wasm/, replacement: join(here, "../npm/dist/$1.wasm") }],
  },
  worker: { format: "es" },
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
}));
