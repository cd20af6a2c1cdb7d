/** An evolution under way: what was asked for, what came of it so far, and how to go on. Kept in the browser. */

import * as api from "./api.js";
import { forget } from "./kept.js";

/**
 * @typedef {{generation: number, best: number, mean: number, worst: number, games: number, decisive: number, genes: number[],
 *   weights: string, player: string}} Generation
 * @typedef {{plan: {population: number, generations: number, size: number, seed: number, search: string}, most: number,
 *   history: Generation[], checkpoint: object, result: Generation | null}} Kept
 */

const KEY = "emilia.evolution";

export class EvolutionRun {
  /** @param {{onchange: () => void, onend: (error: Error | null) => void}} on */
  constructor(on) {
    this.on = on;
    /** @type {Kept | null} */
    this.kept = recall();
    /** How far the games of the generation under way are. @type {{generation: number, done: number, games: number} | null} */
    this.games = null;
    /** @type {AbortController | null} */
    this.hanging = null;
  }

  get running() {
    return this.hanging !== null;
  }

  /** Whether there is something to go on with. */
  get unfinished() {
    return this.kept !== null && this.kept.result === null;
  }

  /** The fittest so far. */
  get fittest() {
    return this.kept?.result ?? this.kept?.history.at(-1) ?? null;
  }

  /** Everybody's generations, the last games included. */
  get generations() {
    return this.kept ? [...this.kept.history, ...(this.kept.result ? [this.kept.result] : [])] : [];
  }

  /** @param {object} terms */
  async start(terms) {
    this.kept = null;
    await this.#run(terms);
  }

  /** Goes on where it was stopped; with a number of generations, beyond the end. @param {number} [generations] */
  async resume(generations) {
    if (this.kept) await this.#run({ checkpoint: this.kept.checkpoint, ...(generations ? { generations } : {}) });
  }

  stop() {
    this.hanging?.abort();
    this.hanging = null;
    this.games = null;
  }

  /** @param {object} asked */
  async #run(asked) {
    this.stop();
    const mine = new AbortController();
    this.hanging = mine;
    this.on.onchange();
    /** @type {Error | null} */
    let failure = null;
    try {
      for await (const news of api.lines("/api/evolutions", asked, mine.signal)) {
        if (this.hanging !== mine) return;
        this.#hear(news);
        this.on.onchange();
      }
    } catch (error) {
      if (!(error instanceof DOMException)) failure = /** @type {Error} */ (error);
    }
    if (this.hanging !== mine) return;
    this.stop();
    this.on.onchange();
    this.on.onend(failure);
  }

  /** @param {any} news */
  #hear(news) {
    if (news.type === "start") this.kept = { plan: news.plan, most: news.most_points, history: news.history, checkpoint: news.checkpoint, result: null };
    else if (news.type === "games") this.games = news;
    else if (this.kept && news.type === "generation") {
      const { checkpoint, ...generation } = news;
      this.kept.history.push(generation);
      this.kept.checkpoint = checkpoint;
      this.games = null;
    } else if (this.kept && news.type === "end") this.kept.result = news;
    if (this.kept && news.type !== "games") keep(this.kept);
  }
}

/** @param {Kept} kept */
function keep(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // No room: then it cannot be resumed after the page is closed.
    forget(KEY);
  }
}

/** @returns {Kept | null} */
function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return kept && Array.isArray(kept.history) && kept.checkpoint ? kept : null;
  } catch {
    return null;
  }
}
