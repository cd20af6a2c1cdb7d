/**
 * The engine in this browser: which of its modules runs here, fetched, started and given its weights. It runs in a worker; a page that
 * has several compiles the module once and gives it to all.
 *
 * There are two modules. The one with vectors and threads needs both of the browser; where the page is not isolated from
 * other origins it has one thread. The plain one runs in every browser with WebAssembly, several times slower.
 */

/**
 * What the module exports; crates/wasm describes it.
 * @typedef {object} Engine
 * @property {(weights: Uint8Array) => void} embed
 * @property {(weights: Uint8Array) => void} embedPeople
 * @property {(summary: Uint8Array) => void} embedSummary
 * @property {(packed: string) => void} embedPuzzles
 * @property {() => string} tier
 * @property {() => number} threads
 * @property {() => number} stopFlag
 * @property {(depth?: number) => number} bench
 * @property {new (player: string) => {ask: (line: string, say: (line: string) => void) => void, free: () => void}} Engine
 * @property {(workers: number) => void} [startPool]
 * @property {(start: {module_or_path: WebAssembly.Module, memory?: WebAssembly.Memory}) => Promise<{memory: WebAssembly.Memory}>} default
 */

/**
 * An engine that is ready, the memory it works in, what had to be done without, and when it knows people: nobody may ask for a
 * player `human` before.
 * @typedef {{engine: Engine, memory: WebAssembly.Memory, module: "threads" | "plain", without: string[], people: Promise<void>}} Loaded
 */

/** A module that is compiled, and what had to be done without. @typedef {{module: WebAssembly.Module, kind: "threads" | "plain", without: string[]}} Compiled */

/** The smallest module with a vector and one with an atomic load of shared memory: who cannot read them cannot run ours. */
const VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
const ATOMICS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 4, 1, 3, 1, 1, 10, 11, 1, 9, 0, 65, 0, 254, 16, 2, 0, 26, 11]);

/** More threads than that and they wait for each other. */
const MOST_THREADS = 8;

/** A file of the engine. @param {string} name */
const file = (name) => new URL(`../../engine/${name}`, import.meta.url).href;

/**
 * The bytes of a file, unpacked. Some hosts unpack what is called .gz by themselves, so its first bytes decide.
 * @param {string} name
 * @returns {Promise<Response>}
 */
async function unpacked(name) {
  const response = await fetch(file(name)).catch(() => null);
  if (!response?.ok || !response.body) throw new Error(`The engine's file ${name} cannot be fetched (${response?.status ?? "no answer"}).`);
  const [head, body] = response.body.tee();
  const reader = head.getReader();
  const { value } = await reader.read();
  reader.cancel().catch(() => {});
  const packed = value?.[0] === 0x1f && value[1] === 0x8b;
  return new Response(packed ? body.pipeThrough(new DecompressionStream("gzip")) : body, { headers: { "Content-Type": "application/wasm" } });
}

/** @param {string} name @returns {Promise<Uint8Array>} */
async function bytes(name) {
  try {
    return new Uint8Array(await (await unpacked(name)).arrayBuffer());
  } catch (error) {
    // A stream that breaks off says no more than that.
    throw error instanceof TypeError ? new Error(`The engine's file ${name} is damaged.`) : error;
  }
}

/** What this browser lacks for the module with vectors and threads. @returns {string[]} */
function lacking() {
  const lacks = [];
  if (!WebAssembly.validate(VECTORS)) lacks.push("simd");
  if (!WebAssembly.validate(ATOMICS)) lacks.push("atomics");
  return lacks;
}

/**
 * Starts a worker for each thread that searches may share their work among, and waits until all are there.
 * @param {Engine} engine
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} memory
 */
async function startThreads(engine, module, memory) {
  const others = Math.min(navigator.hardwareConcurrency, MOST_THREADS) - 1;
  if (others < 1 || !engine.startPool) return;
  const ready = Array.from({ length: others }, () => {
    const worker = new Worker(new URL("thread.js", import.meta.url), { type: "module" });
    worker.postMessage({ script: file("threads/emilia.js"), module, memory });
    return new Promise((resolve, reject) => {
      worker.addEventListener("message", resolve, { once: true });
      worker.addEventListener("error", () => reject(new Error("A thread of the engine cannot be started.")), { once: true });
    });
  });
  await Promise.all(ready);
  engine.startPool(others);
}

/** Compiles the module that runs here. @param {boolean} [plain] whether as for a browser that lacks everything @returns {Promise<Compiled>} */
export async function compile(plain = false) {
  if (!("WebAssembly" in globalThis)) throw new Error("This browser has no WebAssembly, which Emilia's engine needs.");
  const without = plain ? ["simd", "atomics"] : lacking();
  const kind = without.length > 0 ? "plain" : "threads";
  // The script that goes with it comes meanwhile, so that no worker waits for it afterwards.
  const [module] = await Promise.all([
    unpacked(`${kind}/emilia.wasm.gz`).then((response) => WebAssembly.compileStreaming(response)),
    import(file(`${kind}/emilia.js`)),
  ]);
  return { module, kind, without };
}

/**
 * Loads the engine. A page that wants to be played on at once begins with small weights and people behind them, and ends this
 * worker for one with the full weights when they are there: a module has one evaluation for its whole life.
 * @param {{weights?: "small.bin" | "network.bin" | null, people?: boolean, behind?: boolean, threads?: boolean, plain?: boolean,
 *   compiled?: Promise<Compiled>}} [wanted] with which evaluation, if any; whether with people, who may come later; whether with threads
 * where they can be had, whether as for a browser that lacks everything, and the module, if the page has it
 * @returns {Promise<Loaded>}
 */
export async function load({
  weights = "network.bin",
  people: wantsPeople = true,
  behind = false,
  threads = true,
  plain = false,
  compiled = compile(plain),
} = {}) {
  const [{ module, kind, without: lacks }, evaluation] = await Promise.all([compiled, weights ? bytes(`weights/${weights}.gz`) : null]);
  const without = [...lacks];
  /** @type {Engine} */
  const engine = await import(file(`${kind}/emilia.js`));
  const { memory } = await engine.default({ module_or_path: module });
  if (evaluation) engine.embed(evaluation);
  const people = wantsPeople ? bytes("weights/people.bin.gz").then((policy) => engine.embedPeople(policy)) : Promise.resolve();
  if (!behind) await people;
  // Whoever waits for them later is told then.
  people.catch(() => {});
  if (threads && kind === "threads" && globalThis.crossOriginIsolated) await startThreads(engine, module, memory);
  else without.push("threads");
  return { engine, memory, module: kind, without, people };
}

/** @type {Map<string, Promise<void>>} what is brought or was */
const brought = new Map();

/** Brings a file that not everybody needs, once. @param {string} name @param {(content: Uint8Array) => void} embed @returns {Promise<void>} */
function bring(name, embed) {
  const known = brought.get(name);
  if (known) return known;
  const coming = bytes(`weights/${name}.gz`).then(embed);
  brought.set(name, coming);
  // Who asks again later may have more luck.
  coming.catch(() => brought.delete(name));
  return coming;
}

/** Brings the summary of tournament games, which the opening explorer asks and who trains openings as people play them. @param {Engine} engine */
export const bringSummary = (engine) => bring("tournaments.summary", (summary) => engine.embedSummary(summary));

/** Brings the puzzles. @param {Engine} engine */
export const bringPuzzles = (engine) => bring("puzzles.txt", (packed) => engine.embedPuzzles(new TextDecoder().decode(packed)));
