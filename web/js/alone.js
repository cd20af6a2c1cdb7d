/** Emilia without a server: the engine works in this browser, and games and profiles are kept here. Answers as the server does. */

/** @import {KeptGame} from "./alone-store.js" */
/** @import {Compiled} from "./engine/load.js" */
/** @import {Sight} from "./types.js" */
import { gameStore, learnerStore } from "./alone-store.js";
import { compile } from "./engine/load.js";
import { Refused } from "./refused.js";

/** @typedef {{status: number, media: string, name: string | null, body: string, game: string | null, learner: string | null}} Answer */
/** @typedef {{body?: unknown, token?: string | null, raw?: BodyInit, signal?: AbortSignal}} Options */
/** @typedef {{request: object, online: (line: string) => void, done: (answer: Answer) => void, failed: (error: Error) => void}} Job */

/** Whether the browser has the large weights; till then players make do with small ones, which are there sooner. */
let grown = false;

let growing = false;

/** Why the large weights cannot be used, if they cannot. */
let stunted = "";

/** @typedef {{vectors: boolean, threads: number, large: boolean, stunted: string}} Engine what searches here, and why it makes do with small weights if it must */

/** @type {Set<(engine: Engine) => void>} */
const watchers = new Set();
/** @type {Engine | null} */
let engine = null;

/** Tells what searches here, now and whenever it is another. @param {(engine: Engine) => void} watcher @returns {() => void} stops telling */
export function onEngine(watcher) {
  watchers.add(watcher);
  if (engine) watcher(engine);
  return () => watchers.delete(watcher);
}

/** The engine's module, for all workers: what one of them has translated, none translates again. @type {Promise<Compiled> | null} */
let compiled = null;

/** Gives a worker the module, or says why there is none. @param {Worker} worker */
async function equip(worker) {
  compiled ??= compile();
  try {
    worker.postMessage({ compiled: await compiled });
  } catch (error) {
    // Who asks again later may have more luck.
    compiled = null;
    worker.postMessage({ fault: error instanceof Error ? error.message : String(error) });
  }
}

/** Fetches the large weights, so that the next worker finds them in the browser. */
async function grow() {
  if (growing) return;
  growing = true;
  const answer = await fetch(new URL("../engine/weights/network.bin.gz", import.meta.url)).catch(() => null);
  if (answer?.ok)
    await answer.arrayBuffer().then(
      () => (grown = true),
      () => {},
    );
}

/** One worker with the engine. It is started when it is first needed, and ended to stop what it does. */
class Hand {
  /** @param {boolean} searches whether it needs weights */
  constructor(searches) {
    this.searches = searches;
  }

  #large = false;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Job>} what it has to do, in order */
  #jobs = new Map();
  #count = 0;

  /**
   * @param {object} request
   * @param {AbortSignal} [signal]
   * @param {(line: string) => void} [online]
   * @returns {Promise<Answer>}
   */
  do(request, signal, online = () => {}) {
    if (signal?.aborted) return Promise.reject(new DOMException("stopped", "AbortError"));
    return new Promise((done, failed) => {
      const id = ++this.#count;
      this.#jobs.set(id, { request, online, done, failed });
      this.#send(id);
      signal?.addEventListener("abort", () => this.#stop(id), { once: true });
    });
  }

  /** @param {number} id */
  #send(id) {
    // Between two jobs nobody misses the old worker.
    if (this.searches && grown && !this.#large && this.#jobs.size === 1) {
      this.#worker?.terminate();
      this.#worker = null;
    }
    this.#worker ??= this.#start();
    this.#worker.postMessage({ id, request: this.#jobs.get(id)?.request });
  }

  #start() {
    this.#large = grown;
    const name = this.searches ? (grown ? "large" : "small") : "none";
    const worker = new Worker(new URL("./alone-worker.js", import.meta.url), { type: "module", name });
    void equip(worker);
    worker.onmessage = ({ data: { id, line, answer, fault, unloaded, engine: about } }) => {
      if (about) return this.#tell(about);
      const job = this.#jobs.get(id);
      if (!job) return;
      if (line !== undefined) return job.online(line);
      // Weights that are damaged are done without, where there are others.
      if (unloaded && this.#large) return this.#shrink(fault);
      this.#jobs.delete(id);
      if (this.searches && answer) void grow();
      if (answer) return job.done(answer);
      job.failed(new Refused(503, "engine", fault));
      // Nobody knows what state it is in.
      this.#again();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const error = new Error(event.message || "the engine could not be started");
      for (const job of this.#jobs.values()) job.failed(error);
      this.#jobs.clear();
      this.#worker = null;
    };
    return worker;
  }

  /** A search listens to nobody, so the worker is ended; the next one does what else there is to do. @param {number} id */
  #stop(id) {
    const job = this.#jobs.get(id);
    if (!job) return;
    const running = this.#jobs.keys().next().value === id;
    this.#jobs.delete(id);
    job.failed(new DOMException("stopped", "AbortError"));
    if (running) this.#again();
  }

  /** Another worker does what is left. */
  #again() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const id of this.#jobs.keys()) this.#send(id);
  }

  /** @param {string} reason */
  #shrink(reason) {
    grown = false;
    stunted = reason;
    this.#again();
  }

  /** @param {{vectors: boolean, threads: number}} about */
  #tell(about) {
    if (!this.searches) return;
    engine = { ...about, large: this.#large, stunted };
    for (const watcher of watchers) watcher(engine);
  }
}

/** Quick questions, moves of computer players and answers to learners, positions that are judged, and what takes long: none waits for the others. */
const clerk = new Hand(false);
const player = new Hand(true);
const analyst = new Hand(true);
const labourer = new Hand(true);

/** What is answered line by line. */
const LINES = new Set(["/api/review", "/api/deepen", "/api/duels", "/api/evolutions", "/api/import/wthor"]);

/** How many of these games the engine can read. @param {string[]} games @returns {Promise<number>} */
export async function readable(games) {
  const { body } = await clerk.do({ path: "/api/games", now: Date.now(), games });
  return JSON.parse(body).total;
}

/** How many of these profiles the engine can read. @param {string[]} learners @returns {Promise<number>} */
export async function readableLearners(learners) {
  const { body } = await clerk.do({ path: "/api/profiles", now: Date.now(), learners });
  return JSON.parse(body).profiles.length;
}

const chance = () => Array.from(crypto.getRandomValues(new Uint8Array(36)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} path @param {Options} options */
async function written(path, { body, token, raw }) {
  const request = { path, post: body !== undefined || raw !== undefined, now: Date.now(), token: token ?? null, chance: chance() };
  if (raw === undefined) return { ...request, body: body === undefined ? "" : JSON.stringify(body) };
  const bytes = new Uint8Array(await new Response(raw).arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { ...request, body: text, binary: true };
}

/** Answers a request as the server would. @param {string} path @param {Options} [options] @returns {Promise<Response>} */
export async function ask(path, options = {}) {
  const request = await written(path, options);
  const [, id] = /^\/api\/games\/([\w-]+)/.exec(path) ?? [];
  if (id && path.endsWith("/delete")) return response(await forget(id));
  if (id) return response(await inGame(id, request));
  if (/^\/api\/(profile|train\/)/.test(path)) return response(await learn(path, request, options.signal));
  if (path === "/api/my/games") return response(await clerk.do({ ...request, games: (await gameStore.all()).map(({ game }) => game) }));
  if (path.startsWith("/api/games")) return response(request.post ? await begin(request) : await list(path, request));
  if (path === "/api/insights/played") return response(await clerk.do({ ...request, games: (await gameStore.all()).map(({ game }) => game) }));
  if (path === "/api/insights") {
    const judged = await import("./judged-store.js");
    return streamed(labourer, { ...request, games: await judged.all() }, options.signal, judged.taken);
  }
  if (/^\/api\/(my\/)?studies/.test(path)) {
    const studies = await import("./alone-studies.js");
    return response(await studies.answer(path, request, (asked) => clerk.do(asked, options.signal)));
  }
  if (LINES.has(path.split("?")[0])) return streamed(path === "/api/deepen" ? analyst : labourer, request, options.signal);
  return response(await handFor(path, options).do(request, options.signal));
}

/** Who searches must not hold up who does not. @param {string} path @param {Options} options */
function handFor(path, { body }) {
  const { player: judge, evaluate } = /** @type {{player?: unknown, evaluate?: unknown}} */ (body ?? {});
  return judge || evaluate || path === "/api/hint" ? analyst : clerk;
}

/** @param {Answer} answer */
function response({ status, media, name, body }) {
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": media };
  if (name) headers["Content-Disposition"] = `attachment; filename="${name}"`;
  const binary = media === "application/octet-stream";
  return new Response(binary ? Uint8Array.from(body, (character) => character.charCodeAt(0)) : body, { status, headers });
}

/**
 * An answer whose lines are read while the work goes on.
 * @param {Hand} hand who works
 * @param {object} request
 * @param {AbortSignal} [signal]
 * @param {(line: string) => boolean} [taken] whether a line is for us and not for who asked
 * @returns {Promise<Response>}
 */
function streamed(hand, request, signal, taken = () => false) {
  return new Promise((resolve, reject) => {
    const letters = new TextEncoder();
    const gone = new AbortController();
    let begun = false;
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let out;
    const stream = new ReadableStream({
      start: (controller) => {
        out = controller;
      },
      cancel: () => gone.abort(),
    });
    const begin = () => {
      if (!begun) resolve(new Response(stream, { headers: { "Content-Type": "application/x-ndjson" } }));
      begun = true;
    };
    const both = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal;
    hand
      .do(request, both, (line) => {
        begin();
        if (taken(line)) return;
        out.enqueue(letters.encode(`${line}\n`));
      })
      .then(
        (answer) => {
          if (!begun && answer.status !== 200) return resolve(response(answer));
          begin();
          out.close();
        },
        (error) => {
          if (!begun) return reject(error);
          try {
            out.error(error);
          } catch {
            // Whoever cancelled the stream does not read how it ended.
          }
        },
      );
  });
}

/** @param {Answer} answer @returns {KeptGame} the changed game */
function changed(answer) {
  const game = answer.game ?? "";
  const { id, version } = JSON.parse(game);
  return { id, version, game, since: Date.now() };
}

/** @param {object} request @returns {Promise<Answer>} */
async function begin(request) {
  const answer = await clerk.do(request);
  if (answer.game) await gameStore.keep(changed(answer), 0);
  return answer;
}

/** @param {string} path @param {object} request @returns {Promise<Answer>} */
async function list(path, request) {
  const games = (await gameStore.all()).map(({ game }) => game);
  const answer = await clerk.do({ ...request, path: "/api/games", games });
  const wanted = new URL(path, location.href).searchParams.get("status");
  const listed = JSON.parse(answer.body);
  listed.games = listed.games.filter((/** @type {{status: string}} */ { status }) => (wanted ? status === wanted : status !== "over"));
  return { ...answer, body: JSON.stringify({ ...listed, total: listed.games.length }) };
}

/** Games here are their player's alone. @param {string} id @returns {Promise<Answer>} */
async function forget(id) {
  await gameStore.remove(id);
  return { status: 200, media: "application/json", name: null, body: JSON.stringify({ deleted: true }), game: null, learner: null };
}

/** What has to be searched for. */
const SEARCHED = new Set(["/api/train/opening", "/api/train/puzzle/answer"]);

/** Does something with a profile; again if another tab was faster. @param {string} path @param {Record<string, unknown>} request @param {AbortSignal} [signal] @returns {Promise<Answer>} */
async function learn(path, request, signal) {
  if (path === "/api/profiles")
    return request.post ? enrol(request) : clerk.do({ ...request, learners: (await learnerStore.all()).map(({ learner }) => learner) });
  const hand = SEARCHED.has(path) ? player : clerk;
  for (;;) {
    const kept = typeof request.token === "string" ? await learnerStore.find(request.token) : undefined;
    const answer = await hand.do({ ...request, now: Date.now(), learner: kept?.learner ?? null }, signal);
    if (!answer.learner || !kept) return answer;
    if (path === "/api/profile/delete") {
      await learnerStore.remove(kept.id);
      return answer;
    }
    if (await learnerStore.keep({ ...kept, version: kept.version + 1, learner: answer.learner }, kept.version)) return answer;
  }
}

/** A new profile. @param {object} request @returns {Promise<Answer>} */
async function enrol(request) {
  const answer = await clerk.do(request);
  if (answer.learner) await learnerStore.keep({ id: JSON.parse(answer.body).token, version: 1, learner: answer.learner }, 0);
  return answer;
}

/** Does something in a game; again if another tab was faster. @param {string} id @param {Record<string, unknown>} request @returns {Promise<Answer>} */
async function inGame(id, request) {
  for (;;) {
    const kept = await gameStore.find(id);
    const answer = await clerk.do({ ...request, now: Date.now(), game: kept?.game ?? null, since: kept?.since ?? null });
    if (!answer.game || !kept) return answer;
    const next = changed(answer);
    const fresh = next.id !== id;
    if (!(await gameStore.keep(next, fresh ? 0 : kept.version))) continue;
    if (!fresh) {
      tables.get(id)?.take(answer);
      others?.postMessage({ id });
    }
    return answer;
  }
}

/** Tells other tabs that a game has changed. */
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("emilia") : null;
others?.addEventListener("message", ({ data }) => void tables.get(data.id)?.look());

/** @typedef {{message: (message: any) => void, linked?: (linked: boolean) => void}} Listener */

/** A game that is looked at here: its computers think, and its clocks run. */
class Live {
  /** @type {Set<Listener>} */
  listeners = new Set();
  #version = 0;
  #stop = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #alarm;

  /** @param {string} id @param {() => string | null} token */
  constructor(id, token) {
    this.id = id;
    this.token = token;
  }

  /** Nobody has looked at the game for a while, so its clock stood still. */
  async open() {
    const kept = await gameStore.find(this.id);
    if (kept) await gameStore.keep({ ...kept, since: Date.now() }, kept.version);
    await this.look();
  }

  close() {
    this.#stop.abort();
    clearTimeout(this.#alarm);
  }

  async look() {
    const kept = await gameStore.find(this.id);
    const request = { path: `/api/games/${this.id}`, token: this.token(), now: Date.now(), game: kept?.game ?? null, since: kept?.since ?? null };
    this.take(await clerk.do(request));
  }

  /** @param {object} message */
  tell(message) {
    for (const listener of this.listeners) listener.message(message);
  }

  /** The game as it stands now. @param {Answer} answer */
  take(answer) {
    if (answer.status >= 300) return;
    const sight = /** @type {Sight} */ (JSON.parse(answer.body));
    this.tell({ type: "game", ...sight });
    if (sight.game.version === this.#version) return;
    this.#version = sight.game.version;
    this.close();
    this.#stop = new AbortController();
    if (sight.game.thinking) void this.#think(sight, this.#stop.signal);
    this.#setAlarm(sight);
  }

  /** Ends the game when time is up. @param {Sight} sight */
  #setAlarm({ game: { clock } }) {
    if (!clock?.running || clock.running_since === null) return;
    const left = clock[`${clock.running}_ms`] - (Date.now() - clock.running_since);
    this.#alarm = setTimeout(() => void ask(`/api/games/${this.id}/flag`, { body: {}, token: this.token() }), Math.max(left, 0) + 1);
  }

  /** Lets the computer move. If several tabs look at the game, one of them thinks. @param {Sight} sight @param {AbortSignal} signal */
  async #think(sight, signal) {
    try {
      if (navigator.locks) await navigator.locks.request(`emilia.${this.id}`, { signal }, () => this.#move(sight, signal));
      else await this.#move(sight, signal);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      this.tell({ type: "error", error: { code: "engine", message: error instanceof Error ? error.message : String(error) } });
    }
  }

  /** @param {Sight} sight @param {AbortSignal} signal */
  async #move({ game }, signal) {
    const kept = await gameStore.find(this.id);
    if (kept?.version !== game.version) return;
    const began = Date.now();
    const request = { path: `/api/games/${this.id}/think`, post: true, token: this.token(), now: began, game: kept.game, since: kept.since };
    const answer = await player.do(request, signal, (line) => this.tell(JSON.parse(line)));
    const pause = began + game.pause_ms - Date.now();
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (signal.aborted || !answer.game) return;
    if (!(await gameStore.keep(changed(answer), kept.version))) return;
    others?.postMessage({ id: this.id });
    await this.look();
  }
}

/** @type {Map<string, Live>} */
const tables = new Map();

/** The live wire of a game. @param {string} id @param {Listener} on @param {() => string | null} token @returns {{hello: () => void, close: () => void}} */
export function live(id, on, token) {
  const known = tables.get(id);
  const table = known ?? new Live(id, token);
  tables.set(id, table);
  table.listeners.add(on);
  void (known ? table.look() : table.open());
  return {
    hello: () => void table.look(),
    close: () => {
      table.listeners.delete(on);
      if (table.listeners.size) return;
      tables.delete(id);
      table.close();
    },
  };
}
