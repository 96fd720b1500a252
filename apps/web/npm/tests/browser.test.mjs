// The package in a browser: the same files, fetched.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import puppeteer from "puppeteer-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };

/** Serves the package; the module as wasm, or as a host does that does not know the type. */
function serve(knowsWasm) {
  const server = createServer(({ url }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    if (path === "/") return void response.writeHead(200, { "Content-Type": TYPES.html }).end("<!doctype html><title>t</title>");
    const type = TYPES[path.split(".").at(-1)] ?? "text/plain";
    const file = new URL(`../dist${path}`, import.meta.url);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": path.endsWith(".wasm") && !knowsWasm ? "application/octet-stream" : type }).end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() })));
}

for (const knowsWasm of [true, false]) {
  const skip = existsSync(CHROMIUM) ? false : "there is no Chromium here";
  test(`in Chromium, from a host that ${knowsWasm ? "knows" : "does not know"} WebAssembly's type`, { skip }, async () => {
    const host = await serve(knowsWasm);
    const browser = await puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      const page = await browser.newPage();
      await page.goto(host.url);
      const numbers = await page.evaluate(async () => {
        const { load } = await import("/index.js");
        const gpuzoo = await load();
        return [...gpuzoo.nv2a.assemble("add oPos, v0, v0").run({ v0: [[1, 2, 3, 4]] }).outputs.oPos];
      });
      assert.deepEqual(numbers, [2, 4, 6, 8]);
    } finally {
      await browser.close();
      host.close();
    }
  });
}
