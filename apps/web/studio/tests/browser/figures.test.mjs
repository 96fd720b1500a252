// How fast the studio is here and how big: printed, not asserted. The book's page has the figures of one run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { hasChromium, launch, open, until } from "./browser.mjs";
import { DIST, serve } from "./server.mjs";

const skip = hasChromium ? false : "there is no Chromium here";
const sorted = (numbers) => [...numbers].sort((one, other) => one - other);
const at = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];
const say = (what, numbers) =>
  console.log(`${what}: median ${at(numbers, 0.5).toFixed(1)} ms, p95 ${at(numbers, 0.95).toFixed(1)} ms (${numbers.length})`);

test("sizes", () => {
  let [total, first] = [0, 0];
  for (const name of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const size = gzipSync(readFileSync(join(name.parentPath ?? name.path, name.name)), { level: 9 }).length;
    total += size;
    // Other modules come when they are needed.
    if (!/^(gpuzoo|vera).*\.wasm$/.test(name.name)) first += size;
    if (size > 10_000) console.log(`${name.name}: ${(size / 1000).toFixed(0)} kB gzip`);
  }
  console.log(`at first: ${(first / 1000).toFixed(0)} kB gzip; all: ${(total / 1000).toFixed(0)} kB gzip`);
});

test("first picture", { skip }, async () => {
  const host = await serve();
  const [times, own] = [[], []];
  for (let round = 0; round < 9; round += 1) {
    const browser = await launch();
    const began = performance.now();
    const page = await open(browser, host.url);
    times.push(performance.now() - began);
    // The page's clock begins with its navigation.
    own.push(await page.evaluate(() => performance.now()));
    await browser.close();
  }
  say("first picture, from the address on", own);
  say("first picture, the browser's first page included", times);
  await host.close();
});

test("from a key to the squiggle, and to the picture", { skip }, async () => {
  const host = await serve();
  const browser = await launch();
  const page = await open(browser, `${host.url}#x=dreambox/teapot.toml`);
  await page.focus(".cm-content");
  const squiggles = [];
  const pictures = [];
  for (let round = 0; round < 40; round += 1) {
    // Eight keys a second.
    await new Promise((resolve) => setTimeout(resolve, 125));
    // In the page itself: the way through the debugger's protocol is not the studio's.
    const took = await page.evaluate(
      (isWrong) =>
        new Promise((resolve) => {
          const content = document.querySelector(".cm-content");
          const began = performance.now();
          const watch = new MutationObserver(() => {
            if (Boolean(document.querySelector(".cm-lintRange-error")) !== isWrong) return;
            watch.disconnect();
            resolve(performance.now() - began);
          });
          watch.observe(content, { childList: true, subtree: true, attributes: true });
          if (isWrong) document.execCommand("insertText", false, "x");
          else document.execCommand("delete");
        }),
      round % 2 === 0,
    );
    squiggles.push(took);
    if (round % 2 === 1) {
      pictures.push(
        await page.evaluate(
          () =>
            new Promise((resolve) => {
              const figures = document.querySelector(".figures");
              const began = performance.now();
              const watch = new MutationObserver(() => (watch.disconnect(), resolve(performance.now() - began)));
              watch.observe(figures, { childList: true, subtree: true, characterData: true, attributes: true });
              document.execCommand("insertText", false, " ");
            }),
        ),
      );
      await page.evaluate(() => document.execCommand("delete"));
      await until(page, () => !document.querySelector(".cm-lintRange-error"));
    }
  }
  say("key to squiggle", squiggles);
  say("key to the picture, 640x480 teapot", pictures);
  await browser.close();
  await host.close();
});
