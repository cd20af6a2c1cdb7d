/** The engine at work: one request after the other, each answered before the next is looked at. */

import { bringSummary, load } from "./engine/load.js";

/** @typedef {{id: number, request: {path: string}}} Ask */
/** @typedef {{answer: (request: string, line: (line: string) => void) => string}} Desk */

/** Which weights are wanted, as the name of the worker says; who only keeps books needs none. */
const WEIGHTS = /** @type {const} */ ({ none: null, small: "small.bin", large: "network.bin" });
const { name } = /** @type {{name: keyof typeof WEIGHTS}} */ (/** @type {unknown} */ (globalThis));
const searches = name !== "none";

const ready = load({ weights: WEIGHTS[name], people: searches, threads: searches });
/** @type {Promise<Desk>} */
const desk = ready.then(({ engine }) => new /** @type {{Desk: new () => Desk}} */ (/** @type {unknown} */ (engine)).Desk());

addEventListener("message", async (/** @type {MessageEvent<Ask>} */ { data: { id, request } }) => {
  try {
    if (request.path.startsWith("/api/openings")) await bringSummary((await ready).engine);
    const told = (await desk).answer(JSON.stringify(request), (line) => postMessage({ id, line }));
    postMessage({ id, answer: JSON.parse(told) });
  } catch (error) {
    postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});
