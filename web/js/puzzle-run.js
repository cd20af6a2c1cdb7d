/** A run: puzzles that get harder and harder, until the time is up or the third mistake is made. */

/** @typedef {"clock" | "strikes"} RunKind */

/** How long a run against the clock takes, in milliseconds. */
const TIME = 180_000;
/** Mistakes that end the other kind. */
const STRIKES = 3;

export class Run {
  /** @param {RunKind} kind @param {number} seed which puzzles come */
  constructor(kind, seed) {
    this.kind = kind;
    this.seed = seed;
    /** The puzzle that is asked, from 0. */
    this.number = 0;
    this.solved = 0;
    /** @type {string[]} the puzzles that were missed */
    this.missed = [];
    this.until = Date.now() + TIME;
    this.over = false;
    this.record = false;
    this.best = 0;
  }

  /** @param {string} puzzle @param {boolean} right */
  answered(puzzle, right) {
    if (right) this.solved += 1;
    else this.missed.push(puzzle);
    this.number += 1;
  }

  /** Whether it is to end. */
  get ended() {
    return this.kind === "clock" ? Date.now() >= this.until : this.missed.length >= STRIKES;
  }

  /** Mistakes that may still be made. */
  get lives() {
    return STRIKES - this.missed.length;
  }

  /** What is left: time as minutes and seconds, or mistakes that may still be made. */
  get left() {
    if (this.kind === "strikes") return `${"♥".repeat(this.lives)}${"♡".repeat(this.missed.length)}`;
    const seconds = Math.max(0, Math.ceil((this.until - Date.now()) / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
