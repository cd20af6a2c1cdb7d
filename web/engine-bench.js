/**
 * The engine in a real browser beside the program, in one run: nodes a second, FFO #40, and how soon the first move comes.
 *
 *     npm run engine-bench -- ENGINE PROGRAM
 *
 * ENGINE is the folder that `cargo xtask wasm` writes, PROGRAM the program of a release build. Both take turns, so that
 * what else the machine does meets both.
 */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { BENCH_PAGE, BENCH_WORKER, serve } from "./static-server.js";

const [engine, program] = process.argv.slice(2).map((path) => resolve(path));
const ROUNDS = 5;
/** FFO #40: twenty empty squares, Black wins by 38. */
const FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
/** @param {string} what @param {string} value */
const print = (what, value) => process.stdout.write(`${what.padEnd(58)} ${value}\n`);

/** What the program itself prints. @param {string[]} words */
const native = async (...words) => (await promisify(execFile)(program, words)).stdout;

/** A page in a browser that knows nothing yet. @param {string} url @param {(page: import("@playwright/test").Page) => Promise<void>} use */
async function fresh(url, use) {
  const folder = await mkdtemp(join(tmpdir(), "emilia-bench-"));
  const executablePath = process.env.EMILIA_CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const context = await chromium.launchPersistentContext(folder, { executablePath, args });
  const page = await context.newPage();
  await page.goto(`${url}/bench.html`);
  await use(page);
  await context.close();
  await rm(folder, { recursive: true });
}

/** @param {import("@playwright/test").Page} page @param {object} message @returns {Promise<any>} */
const tell = (page, message) => page.evaluate((said) => /** @type {any} */ (globalThis).tell(said), message);

/** A page that asks for a move at once, as somebody who opens it and plays. */
const FIRST_MOVE = `${BENCH_PAGE}<script type="module">
await tell({ options: { weights: "small.bin", behind: true } });
const { lines } = await tell({ call: "ask", words: ["emilia", '{"id":"first","moves":"f5","level":10}'] });
globalThis.first = { move: lines.at(-1).moves[0].move, milliseconds: performance.now() };
</script>`;

const own = /** @type {Record<string, string>} */ ({ "/bench.html": BENCH_PAGE, "/bench-worker.js": BENCH_WORKER, "/first.html": FIRST_MOVE });
const host = await serve(engine, { instead: (path) => own[path] });

/** @type {number[]} */
const firsts = [];
for (let round = 0; round < ROUNDS; round++) {
  host.sent.clear();
  await fresh(host.url, async (page) => {
    await page.goto(`${host.url}/first.html`);
    await page.waitForFunction(() => "first" in globalThis);
    firsts.push(await page.evaluate(() => /** @type {any} */ (globalThis).first.milliseconds));
  });
}
// Those who err like people come behind the first move.
const needed = [...host.sent].filter(([path]) => path.startsWith("/engine/") && !path.includes("people"));
const before = needed.reduce((sum, [, bytes]) => sum + bytes, 0);
print("engine's files before the first move, compressed", `${before} bytes`);
print("from opening the page to the first move at level 10", `${median(firsts).toFixed(0)} ms (${firsts.map((time) => time.toFixed(0)).join(", ")})`);

for (const [kind, options] of [
  ["vectors", {}],
  ["plain", { plain: true }],
]) {
  await fresh(host.url, async (page) => {
    const { tier, threads } = await tell(page, { options });
    /** @type {{here: number[], there: number[], solvedHere: number[], solvedThere: number[]}} */
    const times = { here: [], there: [], solvedHere: [], solvedThere: [] };
    const question = JSON.stringify({ id: "40", position: FFO_40, depth: 60 });
    for (let round = 0; round < ROUNDS; round++) {
      const bench = await tell(page, { call: "bench", words: [] });
      times.here.push(bench.nodes / bench.seconds);
      const [, nodes, seconds] = /: (\d+) nodes in ([\d.]+) s/.exec(await native("bench")) ?? [];
      if (Number(nodes) !== bench.nodes) throw new Error(`${bench.nodes} nodes in the browser, ${nodes} in the program`);
      times.there.push(Number(nodes) / Number(seconds));
      const { lines } = await tell(page, { call: "ask", words: ["emilia:hash=64", question] });
      times.solvedHere.push(lines.at(-1).seconds);
      times.solvedThere.push(JSON.parse(await native("solve", "--json", "--hash", "64", FFO_40)).seconds);
    }
    const ratios = times.here.map((speed, round) => speed / times.there[round]);
    print(`${kind} (${tier}, one of ${threads} threads): bench, million nodes a second`, (median(times.here) / 1e6).toFixed(2));
    print("  the program, one thread", (median(times.there) / 1e6).toFixed(2));
    print("  of the program's speed", `${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`);
    print("  FFO #40, seconds; the program", `${median(times.solvedHere).toFixed(2)}; ${median(times.solvedThere).toFixed(2)}`);
  });
}
await host.close();
