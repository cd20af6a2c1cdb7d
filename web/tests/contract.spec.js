/** The description for machines is true: every path in it answers as it says. On a server of its own, whose lobby it fills. */

import { on } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { binary, start } from "./server.js";

/** @typedef {{content: Record<string, {schema: object}>}} Documented */
/** @typedef {{requestBody?: {content: Record<string, {example: unknown}>}, responses: Record<string, Documented>}} Operation */

/** @param {string} path in the repository */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const API = read("docs/api.md");
// Each schema is compiled by itself, so its references have to say where the others are.
const OPENAPI = JSON.parse(read("crates/server/openapi.json").replaceAll('"#/components/schemas/', '"openapi#/$defs/'));
const PATHS = /** @type {Record<string, Record<string, Operation>>} */ (OPENAPI.paths);

// Formats say what type a number has in Rust, which JSON does not know.
const ajv = new Ajv2020({ validateFormats: false, allowUnionTypes: true }).addSchema({ $defs: OPENAPI.components.schemas }, "openapi");

// One server for all tests of this file.
test.describe.configure({ mode: "default" });
test.skip(!binary, "EMILIA_BINARY names no program; cargo xtask test does");

/** @type {Awaited<ReturnType<typeof start>>} */
let server;

test.beforeAll(async () => {
  server = await start(0, "--ephemeral");
});

test.afterAll(() => server.kill());

/** @param {string} method @param {string} path @param {string} [token] @param {string} [media] @param {string} [body] */
function ask(method, path, token, media, body) {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(media && { "Content-Type": media }) };
  return fetch(server.address + path, { method: method.toUpperCase(), headers, body, redirect: "manual" });
}

/** Something new. @param {string} path @param {object} body @returns {Promise<any>} */
async function made(path, body) {
  const answer = await ask("post", path, undefined, "application/json", JSON.stringify(body));
  expect(answer.status, path).toBe(201);
  return answer.json();
}

/** Something to ask for, and the token of one who may. @param {string} path @returns {Promise<{id: string, token: string}>} */
async function subject(path) {
  if (path.startsWith("/api/studies/{id}")) {
    return made("/api/studies", { title: "Edges", chapters: [{ format: "emilia-game", version: 1, size: 8, moves: ["f5"] }] });
  }
  const { game, token } = await made("/api/games", { mode: "link" });
  // Learners show the token of a profile.
  const learner = /^\/api\/(profile|train)/.test(path) ? await made("/api/profiles", { name: "" }) : { token };
  return { id: game.id, token: learner.token };
}

/** @param {string} method @param {string} path @param {Operation} operation */
async function askAsInExample(method, path, { requestBody }) {
  const { id, token } = await subject(path);
  const [[media, { example }] = [undefined, { example: undefined }]] = Object.entries(requestBody?.content ?? {});
  const body = typeof example === "string" ? example.replaceAll("{id}", id) : JSON.stringify(example);
  return ask(method, path.replaceAll("{id}", id), token, media, body);
}

/** Whether a value is what a schema of the document says. @param {object} schema @param {unknown} value @param {string} place */
function check(schema, value, place) {
  expect(ajv.validate(schema, value), `${place}: ${ajv.errorsText(ajv.errors)}`).toBe(true);
}

// The documented status and an answer of the documented shape come back, or a refusal where the example cannot be done in a fresh game.
test("every documented path exists and answers", async () => {
  for (const [path, operations] of Object.entries(PATHS)) {
    expect(API.includes(path) || path === "/game/{id}", `${path} is in docs/api.md`).toBe(true);
    for (const [method, operation] of Object.entries(operations)) {
      const place = `${method} ${path}`;
      const answer = await askAsInExample(method, path, operation);
      const text = await answer.text();
      const response = operation.responses[answer.status];
      if (!response) {
        expect(answer.status, `${place}: ${text}`).toBeGreaterThanOrEqual(400);
        expect(answer.status, `${place}: ${text}`).toBeLessThan(500);
        const { code, message } = JSON.parse(text).error;
        expect(message.length, place).toBeGreaterThan(3);
        expect(["not_found", "bad_method", "bad_json", "bad_type"], place).not.toContain(code);
        expect(API.includes(`\`${code}\``), `${code} is in docs/api.md`).toBe(true);
        continue;
      }
      const [[media, { schema }]] = Object.entries(response.content);
      const kind = answer.headers.get("content-type") ?? "";
      expect(media === "*/*" || kind.startsWith(media), `${place}: ${kind}`).toBe(true);
      if (media === "application/json") check(schema, JSON.parse(text), place);
      if (media === "application/x-ndjson") for (const line of text.trimEnd().split("\n")) check(schema, JSON.parse(line), place);
    }
  }
});

test("what watchers are told is documented", async () => {
  const { schema } = PATHS["/api/games/{id}/live"].get.responses[101].content["application/json"];
  const { game, token } = await made("/api/games", { mode: "computer", white: { player: "iterative:time=300ms" }, pause_ms: 0 });
  const socket = new WebSocket(`${server.address.replace("http", "ws")}/api/games/${game.id}/live`);
  const messages = on(socket, "message", { close: ["close", "error"] });
  socket.addEventListener("open", async () => {
    socket.send(JSON.stringify({ type: "hello", token }));
    socket.send("nonsense");
    await ask("post", `/api/games/${game.id}/moves`, token, "application/json", JSON.stringify({ move: "d3" }));
  });
  const missing = new Set(["game", "thinking", "error"]);
  for await (const [{ data }] of messages) {
    const message = JSON.parse(data);
    check(schema, message, "live");
    missing.delete(message.type);
    if (missing.size === 0) socket.close();
  }
  expect([...missing]).toEqual([]);
});
