import { launch, open } from "./browser.mjs";
import { serve } from "./server.mjs";
const host = await serve();
const browser = await launch();
for (const x of process.argv.slice(2)) {
  const page = await open(browser, `${host.url}#x=${x}`);
  await new Promise((r) => setTimeout(r, 1500));
  await page.evaluate(() => { const b = [...document.querySelectorAll(".tab-row button")].find((b) => /cost/i.test(b.textContent)); b?.click(); });
  await new Promise((r) => setTimeout(r, 1500));
  await page.screenshot({ path: `/tmp/sq/${x.replace(/\W/g, "_")}.png` });
  await page.close();
}
await browser.close(); await host.close();
