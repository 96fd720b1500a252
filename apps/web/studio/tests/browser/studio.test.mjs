// The studio as its users have it: in a browser, from the built files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PNG } from "pngjs";
import { click, hasChromium, launch, open, pixels, until, WEBGPU } from "./browser.mjs";
import { serve } from "./server.mjs";

const EXAMPLES = fileURLToPath(new URL("../../../../../examples", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The command line, whose pictures the page's are compared with. */
const GPUZOO = process.env.GPUZOO;
const skip = hasChromium ? false : "there is no Chromium here";

let browser;
let host;
before(async () => {
  if (skip) return;
  host = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await host?.close();
});

const at = (fragment) => host.url + fragment;
/** Puts the cursor behind a text of the editor. */
async function type(page, text) {
  await page.focus(".cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await page.keyboard.type(text);
}
const registers = (page) => page.$$eval(".register", (all) => all.map((one) => one.textContent));

const STARTS = ["dreambox/teapot.toml", "nv2a/light.toml", "picogpu/knot.toml", "servaru/toon.toml", "vera/cube.s"];
for (const example of STARTS) {
  test(`${example} is drawn, and every pane answers`, { skip }, async () => {
    const page = await open(browser, at(`#x=${example}`));
    for (const tab of await page.$$('[role="tab"]')) {
      await tab.click();
      await until(page, () => document.querySelector(".panel").textContent.trim() !== "");
      assert.equal(await page.$(".panel .bad"), null, `${example}: ${await page.$eval(".panel", (panel) => panel.textContent)}`);
    }
    assert.equal(await page.$(".failed"), null);
    assert.equal(await page.$(".notice"), null);
    page.clean();
    await page.close();
  });
}

test("pictures have the command line's bytes", { skip: skip || (GPUZOO ? false : "GPUZOO does not name the command line") }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "studio-"));
  for (const example of STARTS) {
    const png = join(folder, "picture.png");
    const software = example.endsWith(".s");
    // A link with a time is a picture that stands still; 2 seconds are picture 120.
    execFileSync(GPUZOO, ["render", join(EXAMPLES, example), "-o", png, "--frame", software ? "120" : "0"], { stdio: "pipe" });
    const wanted = PNG.sync.read(readFileSync(png));
    const { encode } = await links();
    const page = await open(browser, at(await encode({ example, time: software ? 2 : 0 })));
    const got = await pixels(page);
    assert.deepEqual([got.width, got.height], [wanted.width, wanted.height], example);
    // A screen shows no alpha.
    for (let at = 3; at < wanted.data.length; at += 4) wanted.data[at] = 255;
    assert.ok(got.data.equals(wanted.data), `${example}: other pixels`);
    await page.close();
  }
});

async function links() {
  const { install } = await import("../unit/typescript.mjs");
  install();
  return import("../../src/state/link.ts");
}

test("a mistake is underlined, and its fix takes it away", { skip }, async () => {
  const page = await open(browser, at("#x=nv2a/light.toml"));
  await type(page, "\nmul r0, v0, v1\n");
  await page.waitForSelector(".cm-lintRange-error");
  await page.waitForSelector(".problems .fix");
  await page.click(".problems .fix");
  await until(page, () => !document.querySelector(".cm-lintRange-error"));
  assert.match(await page.$eval(".cm-content", (content) => content.innerText), /mov r\d+, v1/);
  page.clean();
  await page.close();
});

test("completion and the page of a word, by keyboard", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  await type(page, "\nmul");
  await page.waitForSelector(".cm-tooltip-autocomplete");
  await page.keyboard.type("m");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F1");
  await page.waitForSelector(".page.cm-tooltip");
  await page.close();
});

test("a pixel's run goes forward, back, and to the end", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  await page.click(".screen canvas");
  await page.waitForSelector(".registers .register");
  const start = await registers(page);
  for (let step = 0; step < 3; step += 1) {
    const before = await page.$eval(".run .place", (place) => place.textContent);
    await click(page, "Step on");
    await until(page, (text) => document.querySelector(".run .place").textContent !== text, before);
  }
  await page.waitForSelector(".register.changed");
  await page.waitForSelector(".cm-next");
  await click(page, "On to the next breakpoint, or the end");
  await until(page, () => /end/.test(document.querySelector(".run .place").textContent));
  await click(page, "Back to the breakpoint before, or the start");
  await until(page, (text) => [...document.querySelectorAll(".register")].map((one) => one.textContent.replace("*", "").trim()).join() === text, start.map((text) => text.trim()).join());
  page.clean();
  await page.close();
});

test("a register's ancestry is a graph and a text", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  await page.click(".screen canvas");
  await page.waitForSelector(".registers .register");
  await click(page, "On to the next breakpoint, or the end");
  await until(page, () => /end/.test(document.querySelector(".run .place").textContent));
  await page.evaluate(() => [...document.querySelectorAll(".register")].find((one) => one.textContent.startsWith("col")).click());
  await page.waitForSelector(".ancestry svg circle");
  assert.ok((await page.$$(".ancestry svg path")).length > 3);
  assert.match(await page.$eval(".ancestry pre", (text) => text.textContent), /col/);
  page.clean();
  await page.close();
});

test("a breakpoint stops the run", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  await page.click(".screen canvas");
  await page.waitForSelector(".registers .register");
  await page.click(".cm-line:nth-child(19)");
  await page.keyboard.press("F9");
  await page.waitForSelector(".cm-breakpoint");
  await click(page, "On to the next breakpoint, or the end");
  await until(page, () => /line 19 /.test(document.querySelector(".run .place").textContent));
  await page.close();
});

test("a run without an end stops where it has come to, and the editor goes on", { skip }, async () => {
  const page = await open(browser, at("#x=vera/cube.s"));
  await page.click("::-p-text(Debug the program)");
  await page.waitForSelector(".registers .register");
  await click(page, "On to the next breakpoint, or the end");
  await until(page, () => /it goes on, and was stopped here/.test(document.querySelector(".run .place").textContent));
  await type(page, "\n nonsense here\n");
  await page.waitForSelector(".cm-lintRange-error");
  page.clean();
  await page.close();
});

test("a run is of the text that it began with", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  await page.click(".screen canvas");
  await page.waitForSelector(".registers .register");
  await page.waitForSelector(".cm-next");
  const place = () => page.$eval(".run .place", (place) => place.textContent);
  const before = await place();
  await page.click(".cm-line:first-child");
  await page.keyboard.press("Home");
  await page.keyboard.type("\n\n");
  await page.waitForSelector("::-p-text(The text has changed since)");
  assert.equal(await place(), before);
  assert.equal(await page.$(".cm-next"), null);
  await page.click("::-p-text(Start again)");
  await until(page, (before) => ![undefined, before].includes(document.querySelector(".run .place")?.textContent), before);
  await page.waitForSelector(".cm-next");
  page.clean();
  await page.close();
});

test("a work survives in its address", { skip }, async () => {
  const page = await open(browser, at("#x=servaru/toon.toml"));
  await type(page, "\n# something of mine 🫖");
  await until(page, () => location.hash.startsWith("#1,"));
  const text = await page.$eval(".cm-content", (content) => content.innerText);
  const copy = await open(browser, page.url());
  assert.equal(await copy.$eval(".cm-content", (content) => content.innerText), text);
  page.clean();
  copy.clean();
  await page.close();
  await copy.close();
});

test("a link that cannot be is refused, and the page is there", { skip }, async () => {
  const page = await open(browser, at("#1,thisisnowork"));
  assert.match(await page.$eval(".notice", (notice) => notice.textContent), /damaged/);
  page.clean();
  await page.close();
});

test("every example opens", { skip }, async () => {
  const page = await open(browser, at(""));
  await click(page, "Examples");
  const ids = await page.$$eval("[data-example]", (all) => all.map((one) => one.dataset.example));
  assert.ok(ids.length > 25, String(ids.length));
  for (const id of ids) {
    const opened = await open(browser, at(`#x=${id}`), { drawn: false });
    await opened.waitForSelector(".figures, .failed", { timeout: 30_000 });
    assert.equal(await opened.$(".notice"), null, id);
    opened.clean();
    await opened.close();
  }
  await page.close();
});

/** Waits for a picture that is another one. */
async function changed(page, before) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (!(await pixels(page)).data.equals(before.data)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail("the picture stays as it was");
}

test("a program that runs gets keys, and Tab leaves it", { skip }, async () => {
  const { encode } = await links();
  const text = "loop: jsr $ffe4\n beq loop\n sta $9f23\n stz $9f25\n ldx #$3f\n stx $9f20\n jsr $ffd2\n bra loop\n";
  const page = await open(browser, at(await encode({ files: { "keys.s": text }, subject: "keys.s" })));
  const before = await pixels(page);
  await page.focus(".screen canvas");
  await page.keyboard.press("KeyX");
  await changed(page, before);
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "CANVAS");
  page.clean();
  await page.close();
});

test("dragging turns a scene's cameras, and a pixel is debugged as it is seen", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  const before = await pixels(page);
  const box = await (await page.$(".screen canvas")).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 90, y + 20, { steps: 5 });
  await page.mouse.up();
  await changed(page, before);
  assert.equal(await page.$(".registers .register"), null);
  await until(page, () => location.hash.startsWith("#1,"));
  const copy = await open(browser, page.url());
  assert.ok((await pixels(copy)).data.equals((await pixels(page)).data));
  await copy.close();
  // A tab behind another one gets no mouse.
  await page.bringToFront();
  await page.mouse.click(x, y);
  await page.waitForSelector(".registers .register");
  await page.click("::-p-text(Turn back)");
  await until(page, () => ![...document.querySelectorAll("button")].some((button) => button.textContent.trim() === "Turn back"));
  page.clean();
  await page.close();
});

test("profiles can be chosen", { skip }, async () => {
  const page = await open(browser, at("#x=nv2a/light.toml"));
  await page.waitForSelector('select[aria-label="Profile"]');
  const before = await pixels(page);
  await page.select('select[aria-label="Profile"]', "cpu");
  await changed(page, before);
  page.clean();
  await page.close();
});

test("what a picture costs is drawn", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  await page.click("#tab-Answers-costs");
  await page.waitForSelector(".chart table + table svg");
  assert.match(await page.$eval(".chart table + table", (table) => table.textContent), /draw 0.*vertices/);
  await page.close();
});

test("what slots do, and where cycles go, are charts", { skip }, async () => {
  const chart = async (link, selector, drawn = true) => {
    const page = await open(browser, at(link), { drawn });
    await page.click("#tab-Answers-costs");
    await page.waitForSelector(selector);
    const text = await page.$eval(".chart", (chart) => chart.textContent);
    await page.click(`${selector} .go`);
    await until(page, () => document.activeElement.classList.contains("cm-content"));
    page.clean();
    await page.close();
    return text;
  };
  assert.match(await chart("#x=nv2a/light.toml", ".slots"), /slots use both halvesLineMACILU/);
  // U1 and U2 in one instruction take two cycles; a program in which all take one has no chart.
  const { encode } = await links();
  const twice = await encode({ files: { "p.svs": ".vertex\nMOV P9, U0;\nADD P10, U1, U2;\n" }, subject: "p.svs", open: "p.svs" });
  assert.match(await chart(twice, ".slots", false), /Slots: 3 cycles in 2 slots/);
  assert.match(await chart("#x=vera/cube.s", ".chart table + table"), /Cycles of the first 60 frames.*clear.*Instructions that take most.*stz VERA_DATA0/);
});

test("a machine's module comes with the machine", { skip }, async () => {
  const fetched = (page) =>
    page.evaluate(() => performance.getEntriesByType("resource").flatMap(({ name }) => /([a-z]+)[^/]*\.wasm$/.exec(name)?.[1] ?? []));
  const page = await open(browser, at("#x=vera/cube.s"));
  assert.deepEqual(await fetched(page), ["vera"]);
  await page.select('select[aria-label="Machine"]', "nv2a");
  await until(page, () => /light/.test(document.querySelector("canvas").ariaLabel) && !document.querySelector(".failed"));
  await until(page, () => document.querySelector('select[aria-label="Profile"]')?.textContent.includes("cpu"));
  assert.deepEqual(await fetched(page), ["vera", "shaders"]);
  await page.select('select[aria-label="Machine"]', "vera");
  await until(page, () => /cube/.test(document.querySelector("canvas").ariaLabel) && !document.querySelector(".failed"));
  page.clean();
  await page.close();
});

test("the whole module comes when a source or a translation needs it", { skip }, async () => {
  const whole = (page) => page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /\/gpuzoo[^/]*\.wasm$/.test(name)));
  const page = await open(browser, at("#x=nv2a/light.toml"));
  assert.equal(await whole(page), false);
  await page.click("#tab-Answers-translate");
  await until(page, () => /fn main/.test(document.querySelector(".panel").textContent));
  assert.equal(await whole(page), true);
  await page.click("#tab-Answers-words");
  await until(page, () => document.querySelector(".panel table"));
  page.clean();
  await page.close();
  const compiled = await open(browser, at("#x=compile/nv2a.toml"));
  assert.equal(await whole(compiled), true);
  await until(compiled, () => document.querySelector(".figures") && !document.querySelector(".failed"));
  await compiled.close();
});

test("a translated program runs on WebGPU with our bits", { skip }, async (test) => {
  const own = await launch(...WEBGPU);
  const page = await open(own, at("#x=nv2a/light.toml"));
  if (!(await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter())))) {
    await own.close();
    return test.skip("this Chromium gives no WebGPU");
  }
  await page.click("#tab-Answers-translate");
  await page.waitForSelector(".beside button");
  await page.click(".beside button");
  await page.waitForSelector(".beside tbody tr", { timeout: 60_000 });
  const rows = await page.$$eval(".beside tbody tr", (all) => all.map((one) => one.textContent));
  assert.ok(rows.length > 2 && rows.every((row) => row.endsWith("the same bits")), rows.join());
  page.clean();
  await own.close();
});

test("without WebGPU that is said", { skip }, async () => {
  const page = await open(browser, at("#x=nv2a/light.toml"));
  await page.click("#tab-Answers-translate");
  await page.waitForSelector(".beside button");
  await page.evaluate(() => Object.defineProperty(navigator, "gpu", { value: undefined }));
  await page.click(".beside button");
  await until(page, () => /no WebGPU/.test(document.querySelector(".beside").textContent));
  await page.close();
});

test("embedded: a picture alone, or beside its text", { skip }, async () => {
  const alone = await open(browser, at("?embed=picture#x=nv2a/light.toml"));
  assert.equal(await alone.$(".cm-editor"), null);
  const both = await open(browser, at("?embed=both#x=nv2a/light.toml"));
  await type(both, "x");
  assert.doesNotMatch(both.url(), /#1,/);
  assert.equal(await both.$(".bar"), null);
  await alone.close();
  await both.close();
});

test("the page works without its server", { skip }, async () => {
  const own = await serve();
  const page = await open(browser, `${own.url}#x=dreambox/teapot.toml`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => new Promise((resolve) => setTimeout(resolve, 500))));
  await own.close();
  await page.reload();
  await page.waitForSelector(".figures", { timeout: 30_000 });
  await page.close();
});

test("no script but the page's own runs", { skip }, async () => {
  const page = await open(browser, at(""));
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.intruder = true";
    document.body.append(script);
    return window.intruder === true;
  });
  assert.equal(ran, false);
  await page.close();
});

for (const [name, options] of [
  ["light", {}],
  ["dark", { dark: true }],
  ["phone", { width: 390, height: 780 }],
]) {
  test(`axe finds nothing: ${name}`, { skip }, async () => {
    const page = await open(browser, at("#x=nv2a/light.toml"), options);
    await type(page, "\nmul r0, v0, v1\n");
    await until(page, () => document.querySelector(".problems li") !== null);
    const check = async (where) => {
      const violations = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document);
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
      });
      assert.deepEqual(violations, [], where);
    };
    await page.evaluate(AXE);
    await check("start");
    if (name === "phone") {
      for (const part of ["Picture", "Tools"]) {
        await page.click(`.phone-nav ::-p-text(${part})`);
        await check(part);
      }
    }
    for (const tab of await page.$$('[role="tab"]')) {
      await tab.click();
      await check(await tab.evaluate((one) => one.textContent));
    }
    await page.close();
  });
}

test("Tab leaves the editor after Escape", { skip }, async () => {
  const page = await open(browser, at("#x=dreambox/teapot.toml"));
  await page.focus(".cm-content");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".cm-editor")), null);
  await page.close();
});

test("nothing is wider than a phone", { skip }, async () => {
  const page = await open(browser, at("#x=nv2a/light.toml"), { width: 360, height: 740 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await page.close();
});
