/** The page and the engine as a host of plain files would serve them, for tests and measurements. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = /** @type {Record<string, string>} */ ({
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
});

const PAGE = fileURLToPath(new URL(".", import.meta.url));

/**
 * Serves the folder of the page, and the folder of the engine below /engine/.
 * @param {string} engine
 * @param {{isolated?: boolean, instead?: (path: string) => string | Buffer | null | undefined}} [options] whether the page may share
 * memory among its workers, and what is served instead of a file (null: nothing)
 */
export async function serve(engine, { isolated = true, instead = () => undefined } = {}) {
  const sent = /** @type {Map<string, number>} */ (new Map());
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://any").pathname));
    const other = instead(path);
    const place = path.startsWith("/engine/") ? join(engine, path.slice(8)) : join(PAGE, path);
    const body = other === undefined ? await readFile(place).catch(() => null) : other;
    if (isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
    }
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
    response.statusCode = body === null ? 404 : 200;
    sent.set(path, (sent.get(path) ?? 0) + (body?.length ?? 0));
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      // A browser opens connections ahead of time, on which nothing may ever be asked: who waits for them waits for minutes.
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, sent, close };
}

/** A worker that loads the engine and does what the page asks, and the page that has it. */
export const BENCH_WORKER = `
import { load } from "/js/engine/load.js";
let loaded;
onmessage = async ({ data: { lacks, options, call, words } }) => {
  try {
    if (lacks) WebAssembly.validate = () => false;
    if (options) {
      loaded = await load(options);
      const { engine, memory, module, without } = loaded;
      const shared = memory.buffer instanceof ArrayBuffer || !crossOriginIsolated ? null : memory.buffer;
      postMessage({ module, without, tier: engine.tier(), threads: engine.threads(), shared, flag: engine.stopFlag() });
    } else if (call === "bench") {
      const begin = performance.now();
      const nodes = loaded.engine.bench(...words);
      postMessage({ nodes, seconds: (performance.now() - begin) / 1000 });
    } else {
      const player = new loaded.engine.Engine(words[0]);
      const lines = [];
      player.ask(words[1], (line) => lines.push(JSON.parse(line)));
      player.free();
      postMessage({ lines });
    }
  } catch (error) {
    postMessage({ fault: error.message });
  }
};
`;

/** A page with that worker, which `tell` talks to; where memory is shared, `stop` ends what it does. */
export const BENCH_PAGE = `<!doctype html><title>Engine</title><script type="module">
const worker = new Worker("/bench-worker.js", { type: "module" });
globalThis.tell = (message) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data: { shared, flag, ...data } }) => {
    if (shared) globalThis.stop = () => Atomics.store(new Uint8Array(shared), flag, 1);
    resolve(data);
  };
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage(message);
});
document.body.textContent = "ready";
</script><body></body>`;
