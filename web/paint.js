/**
 * How soon a first visit is drawn: `EMILIA_URL=http://127.0.0.1:8000 npm run paint` visits a running server with an empty
 * cache, five times unless told otherwise (`npm run paint -- 9`), and prints the median of each figure.
 */

import { chromium } from "@playwright/test";
import config from "./playwright.config.js";

const visits = Number(process.argv[2] ?? 5);
if (!Number.isInteger(visits) || visits < 1) {
  console.error(`${process.argv[2]} is no number of visits`);
  process.exit(2);
}

const { baseURL, launchOptions, viewport } = config.use ?? {};

/** Milliseconds from the request to each event. @typedef {{first: number, largest: number, task: number}} Visit */

/** @param {import("@playwright/test").Browser} browser @returns {Promise<Visit>} */
async function visit(browser) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  // Tasks shorter than 50 ms are not told; what is longer keeps a finger waiting.
  await page.addInitScript(() => {
    const tasks = /** @type {number[]} */ (Reflect.set(globalThis, "tasks", []) && Reflect.get(globalThis, "tasks"));
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask", buffered: true });
  });
  await page.goto(baseURL ?? "/");
  await page.locator(".square.legal").nth(3).waitFor();
  const times = await page.evaluate(async () => {
    /** @param {string} type @returns {Promise<number>} */
    const last = (type) =>
      new Promise((seen) => new PerformanceObserver((list) => seen(list.getEntries().at(-1)?.startTime ?? 0)).observe({ type, buffered: true }));
    const first = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    return { first, largest: await last("largest-contentful-paint"), task: Math.max(0, ...Reflect.get(globalThis, "tasks")) };
  });
  await context.close();
  return times;
}

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const browser = await chromium.launch(launchOptions);
/** @type {Visit[]} */
const seen = [];
for (let number = 0; number < visits; number++) seen.push(await visit(browser));
await browser.close();
const line = (/** @type {string} */ name, /** @type {keyof Visit} */ key) => `${name} ${Math.round(median(seen.map((times) => times[key])))} ms`;
console.log(`median of ${visits} first visits: ${line("first paint", "first")}, ${line("largest paint", "largest")}, ${line("longest task", "task")}`);
