/** The engine at work: one request after the other, each answered before the next is looked at. */

import { bringPuzzles, bringSummary, load } from "./engine/load.js";

/** @import {Compiled} from "./engine/load.js" */

/** @typedef {{id: number, request: {path: string, body: string}}} Ask */
/** What the page says first: the module, or why there is none. @typedef {{compiled?: Compiled, fault?: string}} Start */
/** @typedef {{answer: (request: string, line: (line: string) => void) => string}} Desk */
/** @typedef {{new (): Desk}} MadeDesk */

/** Which weights are wanted, as the name of the worker says; who only keeps books needs none. */
const WEIGHTS = /** @type {const} */ ({ none: null, small: "small.bin", large: "network.bin" });
const { name } = /** @type {{name: keyof typeof WEIGHTS}} */ (/** @type {unknown} */ (globalThis));
const searches = name !== "none";

/** @type {Promise<Compiled>} */
const compiled = new Promise((resolve, reject) => {
  addEventListener("message", (/** @type {MessageEvent<Start>} */ { data: { compiled, fault } }) => {
    if (compiled) resolve(compiled);
    else if (fault !== undefined) reject(new Error(fault));
  });
});
const ready = load({ weights: WEIGHTS[name], people: searches, behind: true, threads: searches, compiled });
const desk = ready.then(({ engine }) => new /** @type {{Desk: MadeDesk}} */ (/** @type {unknown} */ (engine)).Desk());
ready.then(
  ({ engine, without }) => postMessage({ engine: { vectors: !without.includes("simd"), threads: engine.threads() } }),
  () => {},
);
desk.catch(() => {});

/** @param {unknown} error */
const sentence = (error) => (error instanceof Error ? error.message : String(error));

/** Why nobody here errs like people, if that is so. Emilia and the textbook play all the same. @type {Promise<string>} */
const lacksPeople = ready.then(({ people }) => people.then(() => "", sentence)).catch(() => "");

/** Whether it has to be known what people played. @param {Ask["request"]} request */
const asksPeople = ({ path, body }) => path.startsWith("/api/openings") || (path === "/api/train/opening" && JSON.parse(body).replies === "people");

addEventListener("message", async (/** @type {MessageEvent<Ask>} */ { data: { id, request } }) => {
  if (!request) return;
  try {
    await ready;
  } catch (error) {
    postMessage({ id, fault: sentence(error), unloaded: true });
    return;
  }
  const without = await lacksPeople;
  try {
    const { engine } = await ready;
    if (asksPeople(request)) await bringSummary(engine);
    if (request.path.startsWith("/api/train/puzzle")) await bringPuzzles(engine);
    const told = (await desk).answer(JSON.stringify(request), (line) => postMessage({ id, line }));
    postMessage({ id, answer: JSON.parse(told) });
  } catch (error) {
    postMessage({ id, fault: without || sentence(error) });
  }
});
