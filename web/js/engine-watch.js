/** A search that goes deeper while one looks on, and goes on from what it knows when one steps to another position. */

/** @import {Deepened, Place} from "./types.js" */
import { toast } from "./announce.js";
import * as api from "./api.js";

/** How long one request runs. A search in the browser hears nobody meanwhile, so it comes up for air soon, ever later up to this. */
const SLICE = api.alone ? 700 : 60_000;
const FIRST_SLICE = api.alone ? 150 : SLICE;

/** What is known of a position, all requests together. @typedef {Deepened & {spent: number, searched: number}} Known */

export class EngineWatch {
  /** @param {(known: Known | null) => void} tell called whenever more is known, and when there is another position */
  constructor(tell) {
    this.tell = tell;
    /** What the server remembers us by. */
    this.session = crypto.getRandomValues(new Uint32Array(3)).join("-");
    /** @type {Map<string, Known>} */
    this.found = new Map();
    /** @type {{place: Place, lines: number, key: string} | null} */
    this.at = null;
    this.running = false;
    /** @type {AbortController | null} */
    this.hanging = null;
    /** The request under way: the next begins when it has ended. @type {Promise<void>} */
    this.before = Promise.resolve();
    this.turn = 0;
    this.sees = () => this.#go();
    document.addEventListener("visibilitychange", this.sees);
  }

  close() {
    document.removeEventListener("visibilitychange", this.sees);
    this.look(null, 1);
  }

  /** What is known of the position that is looked at. @returns {Known | null} */
  get known() {
    return (this.at && this.found.get(this.at.key)) ?? null;
  }

  /** Looks at a position, or at none. @param {Place | null} place @param {number} lines moves to be judged */
  look(place, lines) {
    const key = place ? JSON.stringify([place, lines]) : "";
    if (key === (this.at?.key ?? "")) return;
    this.at = place ? { place, lines, key } : null;
    this.running = place !== null;
    this.tell(this.known);
    this.#go();
  }

  /** Stops, or goes on. @param {boolean} running */
  run(running) {
    if (running === this.running) return;
    this.running = running;
    this.tell(this.known);
    this.#go();
  }

  /** Whether there is something left to find. */
  get busy() {
    return this.running && this.at !== null && !this.known?.solved;
  }

  #go() {
    const mine = ++this.turn;
    this.hanging?.abort();
    this.hanging = null;
    if (!this.busy || document.hidden) return;
    this.before = this.before.then(() => this.#deepen(mine));
  }

  /** @param {number} mine */
  async #deepen(mine) {
    for (let slice = FIRST_SLICE; mine === this.turn && this.at && this.busy; slice = Math.min(2 * slice, SLICE)) {
      const { place, lines, key } = this.at;
      const before = this.found.get(key);
      // Without a server nothing is torn down: the worker would forget what it knows.
      this.hanging = api.alone ? null : new AbortController();
      const request = { ...place, lines, time_ms: slice, session: this.session };
      try {
        for await (const news of api.lines("/api/deepen", request, this.hanging?.signal)) this.#learn(mine, key, before, news);
      } catch (error) {
        if (error instanceof DOMException) return;
        if (mine !== this.turn) return;
        toast(/** @type {Error} */ (error).message);
        this.running = false;
        this.tell(this.known);
        return;
      }
    }
  }

  /** @param {number} mine @param {string} key @param {Known | undefined} before @param {Deepened} news */
  #learn(mine, key, before, news) {
    const known = this.found.get(key);
    // The way back to the depth that was reached is of no interest.
    const deeper = !known?.moves.length || news.depth > known.depth || (news.depth === known.depth && (news.confidence ?? 0) >= (known.confidence ?? 0));
    const spent = (before?.spent ?? 0) + news.time_ms;
    const searched = (before?.searched ?? 0) + news.nodes;
    this.found.set(key, { ...(deeper || !known ? news : { ...known, nps: news.nps }), spent, searched });
    if (mine === this.turn) this.tell(this.known);
  }
}
