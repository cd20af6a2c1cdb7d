/**
 * What a first visit to the site without a server fetches, and when one can play: `EMILIA_SITE=folder npm run weigh`. Bytes are
 * compressed as hosts compress them; times are those of this machine, from loopback, with an empty cache, the median of five visits.
 */

import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { host } from "./tests/host.js";

const VISITS = 5;
const site = await host();
const browser = await chromium.launch({ executablePath: process.env.EMILIA_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

/** The files that were asked for so far, but those that come behind. */
async function weight() {
  let bytes = 0;
  for (const path of site.served) {
    const content = await site.file(path).catch(() => Buffer.alloc(0));
    if (!path.endsWith("network.bin.gz")) bytes += /\.(gz|png)$/.test(path) ? content.length : gzipSync(content).length;
  }
  return bytes;
}

/** @type {{drawn: number, reply: number, toPlay: number, toReply: number}[]} */
const visits = [];
for (let visit = 0; visit < VISITS; visit++) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  site.served.clear();
  const began = Date.now();
  await page.goto(site.address);
  await page.locator(".square.legal").first().waitFor();
  const drawn = Date.now() - began;
  const toPlay = await weight();
  const clicked = Date.now();
  await page.locator(".square.legal").first().click();
  await page.locator(".move-list li").nth(1).waitFor({ state: "attached" });
  visits.push({ drawn, reply: Date.now() - clicked, toPlay, toReply: await weight() });
  await context.close();
}
await browser.close();
await site.close();

/** @param {"drawn" | "reply" | "toPlay" | "toReply"} what */
const median = (what) => visits.map((visit) => visit[what]).sort((one, other) => one - other)[Math.floor(VISITS / 2)];
console.log(`the first move can be made after ${median("drawn")} ms and ${Math.ceil(median("toPlay") / 1000)} KB`);
console.log(`the computer has answered it ${median("reply")} ms later, with ${Math.ceil(median("toReply") / 1000)} KB in all`);
