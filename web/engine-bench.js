/**
 * The engine in a real browser beside the program, in one run: nodes a second, FFO #40, and how soon the first move comes.
 *
 *     npm run engine-bench -- ENGINE PROGRAM
 *
 * ENGINE is the folder that `cargo xtask wasm` writes, PROGRAM the program of a release build. Both take turns, and what they
 * take is counted in processor time, so that what else the machine does matters little.
 */

import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { BENCH_PAGE, BENCH_WORKER, serve } from "./static-server.js";

const [engine, program] = process.argv.slice(2).map((path) => resolve(path));
const ROUNDS = 5;
/** How deep the positions of `emilia bench` are searched: deep enough that nothing else matters. */
const DEPTH = 22;
/** FFO #40: twenty empty squares, Black wins by 38. */
const FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
/** @param {string} what @param {string} value */
const print = (what, value) => process.stdout.write(`${what.padEnd(66)} ${value}\n`);
/** @param {number[]} values @param {number} digits */
const all = (values, digits) => `${median(values).toFixed(digits)} (${values.map((value) => value.toFixed(digits)).join(", ")})`;

/** What the program itself prints, and the seconds of processor time that it took. @param {string[]} words */
async function native(...words) {
  const script = 'TIMEFORMAT=%U; time "$@"';
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script, "bash", program, ...words]);
  return { stdout, taken: Number(stderr.trim().split("\n").at(-1)?.replace(",", ".")) };
}

/** @typedef {{page: import("@playwright/test").Page, taken: () => Promise<number>}} Fresh a page, and the seconds of processor time that pages took */

/** A page in a browser that knows nothing yet. @param {(fresh: Fresh) => Promise<void>} use */
async function fresh(use) {
  const executablePath = process.env.EMILIA_CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const browser = await chromium.launch({ executablePath, args });
  const session = await browser.newBrowserCDPSession();
  const taken = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  await use({ page: await browser.newPage(), taken });
  await browser.close();
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

/** @type {{seconds: number[], taken: number[]}} */
const firsts = { seconds: [], taken: [] };
for (let round = 0; round < ROUNDS; round++) {
  host.sent.clear();
  await fresh(async ({ page, taken }) => {
    await page.goto(`${host.url}/first.html`);
    await page.waitForFunction(() => "first" in globalThis);
    firsts.taken.push(await taken());
    firsts.seconds.push((await page.evaluate(() => /** @type {any} */ (globalThis).first.milliseconds)) / 1000);
  });
}
// Those who err like people come behind the first move.
const needed = [...host.sent].filter(([path]) => path.startsWith("/engine/") && !path.includes("people"));
const before = needed.reduce((sum, [, bytes]) => sum + bytes, 0);
print("engine's files before the first move, compressed", `${before} bytes`);
print("from opening the page to the first move at level 10, seconds", all(firsts.seconds, 2));
print("  processor time of the page, threads and all", all(firsts.taken, 2));

for (const [kind, options] of [
  ["vectors", {}],
  ["plain", { plain: true }],
]) {
  await fresh(async ({ page, taken }) => {
    await page.goto(`${host.url}/bench.html`);
    const { tier, threads } = await tell(page, { options });
    /** @type {{here: number[], there: number[], solvedHere: number[], solvedThere: number[]}} */
    const times = { here: [], there: [], solvedHere: [], solvedThere: [] };
    /** Processor time that something takes in the page. @param {object} message */
    const timed = async (message) => {
      const begin = await taken();
      const told = await tell(page, message);
      return { told, seconds: (await taken()) - begin };
    };
    const question = JSON.stringify({ id: "40", position: FFO_40, depth: 60 });
    for (let round = 0; round < ROUNDS; round++) {
      const bench = await timed({ call: "bench", words: [DEPTH] });
      const program = await native("bench", "--depth", String(DEPTH));
      // The program judges boards besides.
      const besides = await native("bench", "--depth", "1");
      const nodes = Number(/^Bench: (\d+)$/m.exec(program.stdout)?.[1]);
      if (nodes !== bench.told.nodes) throw new Error(`${bench.told.nodes} nodes in the browser, ${nodes} in the program`);
      times.here.push(nodes / bench.seconds / 1e6);
      times.there.push(nodes / (program.taken - besides.taken) / 1e6);
      times.solvedHere.push((await timed({ call: "ask", words: ["emilia:hash=64", question] })).seconds);
      times.solvedThere.push((await native("solve", "--hash", "64", FFO_40)).taken);
    }
    print(`${kind} (${tier}, one of ${threads} threads): bench, million nodes a second`, all(times.here, 2));
    print("  the program, one thread", all(times.there, 2));
    const ratios = times.here.map((speed, round) => speed / times.there[round]);
    print("  of the program's speed", all(ratios, 2));
    print("  FFO #40, seconds", all(times.solvedHere, 2));
    print("  the program", all(times.solvedThere, 2));
  });
}
await host.close();
