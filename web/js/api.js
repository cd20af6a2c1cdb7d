/** Talking with Emilia: one function for each thing that can be asked. She is on a server, or in this browser alone. */

/** @import {Sight, Catalogue, Databases, Explored, Hint, ImportedGames, Listed, MyGame, OpeningsFilter, Place, Analysis, EvaluationAnswer, Imported, StepsAnswer, WthorGame} from "./types.js" */

import { t } from "./i18n.js";
import { forget, keep, keys, recall } from "./kept.js";
import { inWords, Refused } from "./refused.js";

export { Refused };

/** Whether there is no server: the site for file hosts says so in its page. */
export const alone = globalThis.document?.querySelector('meta[name="emilia"]')?.getAttribute("content") === "alone";

/** Emilia in this browser, if she is. */
const browser = alone ? await import("./alone.js") : null;

/** Kept in the browser: which token plays at which table. */
export const tokens = {
  /** @param {string} id @returns {string | null} */
  of: (id) => recall(`emilia.token.${id}`),
  /** @param {string} id @param {string} token */
  keep: (id, token) => keep(`emilia.token.${id}`, token),
  /** @param {string} id */
  forget: (id) => forget(`emilia.token.${id}`),
  /** The games this browser has a seat in. @returns {string[]} */
  games: () => keys("emilia.token.").map((key) => key.slice(13)),
};

/**
 * @param {string} path
 * @param {{body?: unknown, token?: string | null, raw?: BodyInit, signal?: AbortSignal}} [options]
 * @returns {Promise<Response>}
 */
export async function ask(path, { body, token, raw, signal } = {}) {
  let response;
  try {
    response = await (browser ? browser.ask(path, { body, token, raw, signal }) : request(path, { body, token, raw, signal }));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    // The engine in this browser says itself what is missing or damaged.
    if (error instanceof Refused) throw error;
    throw browser ? new Refused(0, "engine", t("error.engine")) : new Refused(0, "unreachable", t("error.unreachable"));
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => null);
  // What stands before a server answers for it while it is away.
  if (!told && response.status >= 502) throw new Refused(0, "unreachable", t("error.unreachable"));
  const { code, message } = told?.error ?? { code: "unknown", message: t("error.status", { status: response.status }) };
  throw new Refused(response.status, code, await inWords(code, message));
}

/** Whether the server could not be asked at all. @param {unknown} error */
export const isAway = (error) => error instanceof Refused && error.code === "unreachable";

/** @param {string} path @param {NonNullable<Parameters<typeof ask>[1]>} options */
function request(path, { body, token, raw, signal }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const post = body !== undefined || raw !== undefined;
  return fetch(path, { method: post ? "POST" : "GET", headers, body: raw ?? (post ? JSON.stringify(body) : undefined), signal });
}

/**
 * @param {string} path
 * @param {Parameters<typeof ask>[1]} [options]
 * @returns {Promise<any>}
 */
export const json = async (path, options) => (await ask(path, options)).json();

/** @returns {Promise<Catalogue>} */
export const players = () =>
  (catalogue ??= json("/api/players").catch((error) => {
    catalogue = undefined;
    throw error;
  }));
/** @type {Promise<Catalogue> | undefined} */
let catalogue;

/** @param {object} terms @returns {Promise<Sight>} */
export async function createGame(terms) {
  return seated(await json("/api/games", { body: terms }));
}

/** @param {string} [status] @returns {Promise<{games: Listed[], total: number}>} */
export const lobby = (status) => json(`/api/games?limit=100${status ? `&status=${status}` : ""}`);

/** The games of these seats. @param {{id: string, token: string | null}[]} seats @returns {Promise<{games: MyGame[], gone: string[]}>} */
export const mine = (seats) => json("/api/my/games", { body: { seats } });

/** Forgets a game for good. @param {string} id @returns {Promise<{deleted: boolean}>} */
export const deleteGame = (id) => json(`/api/games/${id}/delete`, { body: {}, token: tokens.of(id) });

/** A game as a file. @param {string} id @param {string} format */
export const gameFile = (id, format) => ask(`/api/games/${id}/export?format=${format}`);

/** @param {string} id @returns {Promise<Sight>} */
export const game = (id) => json(`/api/games/${id}`, { token: tokens.of(id) });

/**
 * Does something in a game: `moves`, `undo`, `undo/answer`, `redo`, `resign`, `close`, `pause`, `step`, `rematch`, `join`.
 * @param {string} id
 * @param {string} what
 * @param {object} [body]
 * @returns {Promise<Sight>}
 */
export async function act(id, what, body = {}) {
  const token = tokens.of(id);
  const sight = seated(await json(`/api/games/${id}/${what}`, { body, token }));
  // A rematch is another table with the same tokens.
  if (what === "rematch" && sight.game.id !== id && token && !tokens.of(sight.game.id)) tokens.keep(sight.game.id, token);
  return sight;
}

/** @param {Sight} sight */
function seated(sight) {
  if (sight.token) tokens.keep(sight.game.id, sight.token);
  return sight;
}

/** @param {Place & {player?: string | null, time_ms?: number, overlays?: boolean}} place @param {AbortSignal} [signal] @returns {Promise<Analysis>} */
export const analyse = (place, signal) => json("/api/analyse", { body: place, signal });

/** @param {Place} place @param {AbortSignal} [signal] @returns {Promise<Hint>} */
export const hint = (place, signal) => json("/api/hint", { body: place, signal });

/** @param {string | Blob} file @param {string} [name] @returns {Promise<Imported>} */
export const importFile = (file, name) => json(`/api/import${name ? `?name=${encodeURIComponent(name)}` : ""}`, { raw: file });

/**
 * All games of WTHOR files, some hundred at a time; lists of names may be among the files.
 * @param {Blob[]} files
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<{type: "start", total: number} | {type: "games", size: number, games: Omit<WthorGame, "size">[]}>}
 */
export const wthorGames = (files, signal) => lines(`/api/import/wthor?lengths=${files.map(({ size }) => size).join(",")}`, new Blob(files), signal);

/** @returns {Promise<Databases>} */
export const databases = () => json("/api/openings");

/**
 * @param {Place & OpeningsFilter & {database?: string, games?: number, evaluate?: boolean, time_ms?: number}} place
 * @param {AbortSignal} [signal]
 * @returns {Promise<Explored>}
 */
export const openings = (place, signal) => json("/api/openings/position", { body: place, signal });

/** @param {string | Blob} file @param {string} [name] @returns {Promise<ImportedGames>} */
export const keepGames = (file, name) => json(`/api/openings/import${name ? `?name=${encodeURIComponent(name)}` : ""}`, { raw: file });

/** @param {Place & {format: string, tags?: Record<string, string>, numbers?: boolean}} place @returns {Promise<{blob: Blob, name: string}>} */
export async function exportPlace(place) {
  const response = await ask("/api/export", { body: place });
  const name = /filename="?([^";]+)"?/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { blob: await response.blob(), name: name ?? `game.${place.format}` };
}

/** @param {Place & {player: string, steps?: number, time_ms?: number}} place @param {AbortSignal} [signal] @returns {Promise<StepsAnswer>} */
export const steps = (place, signal) => json("/api/steps", { body: place, signal });

/** @param {Place & {player: string}} place @param {AbortSignal} [signal] @returns {Promise<EvaluationAnswer>} */
export const evaluate = (place, signal) => json("/api/evaluate", { body: place, signal });

/**
 * The lines of JSON that `/api/review`, `/api/duels`, `/api/evolutions` and `/api/import/wthor` answer with, as they come.
 * @param {string} path
 * @param {object | Blob} body
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<any>}
 */
export async function* lines(path, body, signal) {
  const response = await ask(path, body instanceof Blob ? { raw: body, signal } : { body, signal });
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw error instanceof DOMException ? error : new Refused(0, "unreachable", t("error.broken"));
    });
    rest += value ?? "";
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.trim()) yield JSON.parse(part);
    if (done) break;
  }
  if (rest.trim()) yield JSON.parse(rest);
}

/**
 * The live wire of a game. Comes back by itself when it breaks.
 * @param {string} id
 * @param {{message: (message: any) => void, linked?: (linked: boolean) => void}} on
 * @returns {{hello: () => void, close: () => void}}
 */
export function live(id, on) {
  if (browser) {
    on.linked?.(true);
    return browser.live(id, on, () => tokens.of(id));
  }
  /** @type {WebSocket | null} */
  let socket = null;
  let closed = false;
  let wait = 250;
  /** Whether the server knows whom it speaks to; till then it tells a player only what a stranger may do. */
  let known = !tokens.of(id);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const hello = () => {
    const token = tokens.of(id);
    if (!token || socket?.readyState !== WebSocket.OPEN) return;
    known = false;
    socket.send(JSON.stringify({ type: "hello", token }));
  };
  /** @param {any} message */
  const hear = (message) => {
    known ||= message.type === "error" || message.you?.seats.length > 0 || message.you?.host;
    if (known || message.type !== "game") on.message(message);
  };
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/api/games/${id}/live`);
    socket.onopen = () => {
      wait = 250;
      on.linked?.(true);
      hello();
    };
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (closed) return;
      on.linked?.(false);
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, 5000);
    };
  };
  open();
  return {
    hello,
    close: () => {
      closed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
