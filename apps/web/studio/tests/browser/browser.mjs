// Headless Chromium, and the studio in it. What the console says is kept: a test fails that leaves an error there.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** WebGPU without a GPU: Chromium's own rasterizer. */
export const WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", "--use-vulkan=swiftshader"];

export const launch = (...more) => puppeteer.launch({ executablePath: CHROMIUM, headless: true, args: [...FLAGS, ...more] });

/** A page at an address of the studio, once it has drawn a picture. */
export async function open(browser, address, { width = 1280, height = 800, dark = false, drawn = true } = {}) {
  const page = await browser.newPage();
  const errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.clean = () => assert.deepEqual(errors, []);
  await page.setViewport({ width, height });
  if (dark) await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.goto(address);
  if (drawn) await page.waitForSelector(".figures", { timeout: 30_000 });
  return page;
}

/** The pixels of the picture, as the canvas has them. */
export async function pixels(page) {
  const { width, height, data } = await page.evaluate(() => {
    const canvas = document.querySelector(".screen canvas");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const { width, height, data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return { width, height, data: btoa(text) };
  });
  return { width, height, data: Buffer.from(data, "base64") };
}

/** Waits until a function of the page gives something true. */
export const until = (page, what, ...about) => page.waitForFunction(what, { timeout: 20_000 }, ...about);

export const click = (page, label) => page.click(`::-p-aria(${label})`);
