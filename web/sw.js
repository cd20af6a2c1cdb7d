/**
 * Keeps the whole site in the browser, so that it works without a network and opens at once. `emilia site` writes the two
 * lines below: which files there are, and what is in them. A file that is not what it should be is not taken, and then the
 * version before stays in use.
 */

/** @type {string} */
const VERSION = "";
/** @type {Record<string, string>} the SHA-256 of each file, as hexadecimal digits */
const FILES = {};

/** @typedef {{waitUntil: (work: Promise<unknown>) => void, request: Request, respondWith: (answer: Promise<Response>) => void, data: unknown}} Happening */
const worker =
  /** @type {{registration: ServiceWorkerRegistration, clients: {claim: () => Promise<void>}, skipWaiting: () => Promise<void>, addEventListener: (kind: string, act: (event: Happening) => void) => void}} */ (
    /** @type {unknown} */ (globalThis)
  );
const NAME = "emilia";
const CACHE = `${NAME} ${VERSION}`;

/** The smallest module with a vector. Who reads it runs the engine with vectors and never asks for the plain one, and the other way round. */
const VECTORS = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
const UNUSED = globalThis.WebAssembly?.validate(VECTORS) ? "engine/plain/" : "engine/threads/";

/** Where a file is kept: under another name whenever its content is another. @param {string} path */
const key = (path) => new URL(`${path}?${FILES[path]}`, worker.registration.scope).href;

/** Fetches a file, unless an earlier version had the same. @param {Cache} cache @param {string} path */
async function keep(cache, path) {
  const known = await caches.match(key(path));
  if (known) return cache.put(key(path), known);
  const response = await fetch(new URL(path, worker.registration.scope), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  const content = await response.arrayBuffer();
  const digest = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", content)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (digest !== FILES[path]) throw new Error(`${path} is damaged, or of another version`);
  return cache.put(key(path), new Response(content, { headers: response.headers }));
}

/** What the site needs here; boards for pages of others it does not. */
const wanted = Object.keys(FILES).filter((path) => !path.startsWith(UNUSED) && !path.startsWith("embed/"));

/** What nobody needs for a first move comes behind what they do. @param {string} path */
const comesLast = (path) => /\/(network|tournaments|puzzles)[^/]*$/.test(path);

worker.addEventListener("install", (event) =>
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      for (const last of [false, true]) await Promise.all(wanted.filter((path) => comesLast(path) === last).map((path) => keep(cache, path)));
    })(),
  ),
);

worker.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith(NAME) && name !== CACHE) await caches.delete(name);
      await worker.clients.claim();
    })(),
  ),
);

worker.addEventListener("message", ({ data }) => {
  if (data === "use") void worker.skipWaiting();
});

/** The same answer in a page of its own, which may share memory among threads. Hosts of files seldom say so themselves. @param {Response} response */
function isolated(response) {
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { scope } = worker.registration;
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  const path = request.mode === "navigate" && !isFile(request.url) ? "index.html" : pathOf(request.url);
  if (!(path in FILES)) return;
  event.respondWith(
    (async () => {
      const kept = await caches.match(key(path));
      return isolated(kept ?? (await fetch(request)));
    })(),
  );
});

/** @param {string} url */
const pathOf = (url) => decodeURI(url.slice(worker.registration.scope.length).split(/[?#]/)[0]);

/** @param {string} url */
const isFile = (url) => pathOf(url) in FILES;
