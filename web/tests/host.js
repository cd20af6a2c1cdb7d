/** A host of files, as simple as they come: it serves the site below an address of its own, and can be made to fail. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES = /** @type {Record<string, string>} */ ({
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
});

/** Where the site is; `cargo xtask web` writes one and says where. */
export const SITE = process.env.EMILIA_SITE ?? "";

/** The folder of the host in which the site lies usually. */
const BELOW = "/games/othello/";

/**
 * @typedef {object} Host
 * @property {string} address the page
 * @property {Map<string, Buffer | number>} instead other contents of files, or a status in place of one
 * @property {Set<string>} served the files that were asked for
 * @property {(path: string) => Promise<Buffer>} file what is served at a path of the site
 * @property {() => Promise<void>} close
 */

/** @param {string} [folder] @param {string} [below] @returns {Promise<Host>} */
export function host(folder = SITE, below = BELOW) {
  /** @type {Map<string, Buffer | number>} */
  const instead = new Map();
  /** @type {Set<string>} */
  const served = new Set();
  /** @param {string} path */
  const file = async (path) => {
    const other = instead.get(path);
    return Buffer.isBuffer(other) ? other : await readFile(join(folder, path));
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    const path = pathname.startsWith(below) ? pathname.slice(below.length) || "index.html" : "";
    const status = instead.get(path);
    served.add(path);
    try {
      if (typeof status === "number") throw new Error("made to fail");
      const content = await file(path);
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(typeof status === "number" ? status : 404).end();
    }
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const close = () =>
        new Promise((/** @type {(value: void) => void} */ done) => {
          server.closeAllConnections();
          server.close(() => done());
        });
      resolve({ address: `http://127.0.0.1:${port}${below}`, instead, served, file, close });
    }),
  );
}
