/** The engine in this browser: what it finds, with what it has and without what browsers may lack. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { BENCH_PAGE, BENCH_WORKER, serve } from "../static-server.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ENGINE = process.env.EMILIA_ENGINE ?? join(ROOT, "target/engine");

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {{isolated?: boolean, instead?: (path: string) => string | Buffer | null | undefined}} Hosting */

// Without a compiler for WebAssembly there is nothing to test; `cargo xtask test` says so.
test.skip(!process.env.EMILIA_ENGINE, "the engine was not built");

/** @type {(() => Promise<unknown>)[]} */
const ends = [];
test.afterEach(async ({ page }) => {
  await page.close();
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** Opens a page of a host of our own, with a worker for the engine. @param {Page} page @param {Hosting} [hosting] */
async function open(page, hosting = {}) {
  const own = /** @type {Record<string, string>} */ ({ "/bench.html": BENCH_PAGE, "/bench-worker.js": BENCH_WORKER });
  const host = await serve(ENGINE, { ...hosting, instead: (path) => own[path] ?? hosting.instead?.(path) });
  ends.push(host.close);
  await page.goto(`${host.url}/bench.html`);
  await expect(page.locator("body")).toHaveText("ready");
}

/** Tells the worker something and waits for its answer. @param {Page} page @param {object} message @returns {Promise<any>} */
const tell = (page, message) => page.evaluate((said) => /** @type {any} */ (globalThis).tell(said), message);

/** Positions with ten empty squares and the exact scores of their moves. */
async function solved() {
  const lines = (await readFile(join(ROOT, "data/endgame/exact/e10.obf"), "utf8")).split("\n").filter((line) => line.includes(";"));
  return lines.slice(0, 12).map((line) => {
    const [position, ...moves] = line.split(";").map((part) => part.trim());
    const scores = moves.map((move) => Number(move.split(":")[1])).filter((score) => !Number.isNaN(score));
    return { position, score: Math.max(...scores) };
  });
}

/** Solves them all. @param {Page} page @param {string} player */
async function solve(page, player) {
  for (const { position, score } of await solved()) {
    const { lines } = await tell(page, { call: "ask", words: [player, JSON.stringify({ id: "exact", position, depth: 60 })] });
    expect(lines.at(-1), position).toMatchObject({ type: "answer", moves: [{ value: score, confidence: "exact" }] });
  }
}

/** The nodes that the program itself counts on this machine. @param {number} depth */
async function native(depth) {
  const { stdout } = await promisify(execFile)(process.env.EMILIA_BINARY ?? join(ROOT, "target/debug/emilia"), ["bench", "--depth", String(depth)]);
  return Number(/^Bench: (\d+)$/m.exec(stdout)?.[1]);
}

test("where memory is shared, threads solve and count as the program does, and can be stopped", async ({ page }) => {
  // Four threads that are compiled to be compiled quickly take their time on two busy cores.
  test.slow();
  await open(page);
  const loaded = await tell(page, { options: {} });
  expect(loaded).toMatchObject({ module: "threads", without: [], tier: "simd128" });
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  expect(loaded.threads).toBe(Math.min(cores, 8));
  await solve(page, "emilia:threads=4");
  expect((await tell(page, { call: "bench", words: [8] })).nodes).toBe(await native(8));
  // Nobody would ever see the end of this one.
  const { lines } = await page.evaluate(() => {
    const world = /** @type {any} */ (globalThis);
    const answer = world.tell({ call: "ask", words: ["emilia:threads=2", '{"id":"long","depth":60}'] });
    // Again and again: a stop that comes before the question is forgotten.
    const stopping = setInterval(world.stop, 200);
    return answer.finally(() => clearInterval(stopping));
  });
  expect(lines.at(-1)).toMatchObject({ type: "answer", id: "long" });
  expect(lines.at(-1).depth).toBeLessThan(60);
});

test("a page that may not share memory has one thread and the same results", async ({ page }) => {
  await open(page, { isolated: false });
  expect(await tell(page, { options: {} })).toMatchObject({ module: "threads", without: ["threads"], tier: "simd128", threads: 1 });
  await solve(page, "emilia:threads=4");
  expect((await tell(page, { call: "bench", words: [8] })).nodes).toBe(await native(8));
});

test("a browser without vectors gets the plain module and the same results", async ({ page }) => {
  await open(page);
  expect(await tell(page, { lacks: true, options: {} })).toMatchObject({
    module: "plain",
    without: ["simd", "atomics", "threads"],
    tier: "portable",
    threads: 1,
  });
  await solve(page, "emilia");
  expect((await tell(page, { call: "bench", words: [8] })).nodes).toBe(await native(8));
});

test("people and large boards play here too", async ({ page }) => {
  await open(page, { isolated: false });
  await tell(page, { options: {} });
  for (const [player, question] of [
    ["human:rating=1500", { id: "a", moves: "f5d6" }],
    ["emilia:level=3", { id: "b", size: 10 }],
    ["alphabeta:depth=3", { id: "c" }],
  ]) {
    const { lines } = await tell(page, { call: "ask", words: [player, JSON.stringify(question)] });
    expect(lines.at(-1)).toMatchObject({ type: "answer", moves: [{ move: expect.stringMatching(/^[a-j]\d+$/) }] });
  }
});

test("weights that are damaged, missing or foreign are said to be", async ({ page }) => {
  /** @type {Record<string, Buffer | null>} */
  const files = {};
  const whole = gunzipSync(await readFile(join(ENGINE, "weights/network.bin.gz")));
  await open(page, { isolated: false, instead: (path) => files[path] });
  const fault = async (/** @type {Buffer | null} */ served) => {
    files["/engine/weights/network.bin.gz"] = served;
    return (await tell(page, { options: {} })).fault;
  };
  const changed = Buffer.from(whole);
  changed[changed.length - 1] ^= 1;
  expect(await fault(gzipSync(changed))).toBe("the weights are damaged: their checksum is wrong");
  expect(await fault(gzipSync(whole).subarray(0, 1000))).toBe("The engine's file weights/network.bin.gz is damaged.");
  expect(await fault(Buffer.from("something else"))).toBe("this is no file of weights");
  expect(await fault(null)).toBe("The engine's file weights/network.bin.gz cannot be fetched (404).");
  // A host that unpacks by itself does no harm.
  expect(await fault(whole)).toBeUndefined();
});
