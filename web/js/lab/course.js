/**
 * The course of a search: what `/api/steps` tells, made ready to be asked about any step. Everything shown is a function of the
 * course and the number of steps done, so that going back is exact and a link can name a step.
 */

/** @import {Color, StepsAnswer} from "../types.js" */

/** Where a number stands for no square. */
const PASS = -1;
const NO_MOVE = -2;

/** What never happened. */
const NEVER = 2 ** 31 - 1;

/**
 * @typedef {"e" | "s" | "r"} Entry entered to know it, as a scout, or again because the scout found it better
 * @typedef {{move: string, looks: number, lots: number, drawn: boolean}} Lot
 * @typedef {{end: "α" | "β", limit: number | null, scout: boolean, holder: number, untried: string[]}} Cut
 * @typedef {{points: number, own: number, other: number, plies: number}} Playout
 * @typedef {{step: number, value: number, alpha: number | null, beta: number | null}} Best
 * @typedef {{positions: number, leaves: number, cuts: number, known: number, again: number, games: number}} Counters
 */

/** The counters in the order in which they are kept. */
const COUNTERS = /** @type {const} */ (["positions", "leaves", "cuts", "known", "again", "games"]);

export class Course {
  /** @param {StepsAnswer} answer */
  constructor({ player, report, steps: { size, cells, side, letters, numbers } }) {
    this.player = player;
    this.report = report;
    this.size = size;
    this.cells = cells;
    this.side = side;
    this.letters = letters;
    this.numbers = numbers;
    /** Whether this is a Monte Carlo tree. */
    this.isMonteCarlo = letters.includes("g");
    /** How many steps there are. */
    this.length = letters.length;
    /** Where the numbers of a step begin. */
    this.offsets = new Int32Array(letters.length);
    /** The node that a step is about. */
    this.about = new Int32Array(letters.length);
    /** The tree that a step belongs to: searches that deepen have one for each depth. */
    this.treeOf = new Int32Array(letters.length);
    /** The first node of each tree, and the depth it goes to. @type {{root: number, end: number, depth: number | null}[]} */
    this.trees = [];
    this.counts = COUNTERS.map(() => new Int32Array(letters.length + 1));
    // Of each node:
    /** @type {number[]} */
    this.parent = [];
    /** @type {number[]} */
    this.move = [];
    /** @type {number[]} */
    this.ply = [];
    /** @type {number[][]} */
    this.children = [];
    /** The number of steps after which it is there, and after which its value is. @type {number[]} */
    this.entered = [];
    /** @type {number[]} */
    this.left = [];
    /** @type {(number | null)[]} */
    this.values = [];
    /** -1 for at most, 1 for at least. @type {number[]} */
    this.bounds = [];
    /** @type {number[]} */
    this.flipsAt = [];
    /** @type {Map<number, Best[]>} */
    this.bests = new Map();
    /** The step of the cut, of the ranking, of the lottery and of the growing. @type {Map<number, number>} */
    this.cutAt = new Map();
    /** @type {Map<number, number>} */
    this.drawnAt = new Map();
    /** The earlier node that a node is the same as. @type {Map<number, number>} */
    this.same = new Map();
    /** When games were counted at a node, and the points until then. @type {Map<number, {steps: number[], points: number[]}>} */
    this.games = new Map();
    this.#read();
  }

  #read() {
    const { letters, numbers } = this;
    /** @type {number[]} */
    let path = [];
    const now = [0, 0, 0, 0, 0, 0];
    let cursor = 0;
    for (let step = 0; step < letters.length; step++) {
      const letter = letters[step];
      this.offsets[step] = cursor;
      let node = path.at(-1) ?? 0;
      if (letter === "e" || letter === "s" || letter === "r") {
        node = this.#add(path.at(-1) ?? -1, numbers[cursor] ?? PASS, step, cursor + 3);
        path.push(node);
        now[0]++;
        cursor += 4 + (numbers[cursor + 3] ?? 0);
      } else if (letter === "l" || letter === "o" || letter === "v" || letter === "t") {
        const same = letter === "t";
        this.values[node] = numbers[cursor + (same ? 1 : 0)] ?? null;
        this.bounds[node] = letter === "v" ? (numbers[cursor + 1] ?? 0) : same ? (numbers[cursor + 2] ?? 0) : 0;
        this.left[node] = step + 1;
        if (same) this.same.set(node, numbers[cursor] ?? 0);
        now[letter === "t" ? 3 : 1] += letter === "v" ? 0 : 1;
        path.pop();
        cursor += same ? 3 : letter === "v" ? 2 : 1;
      } else if (letter === "b") {
        const best = { step: step + 1, value: numbers[cursor] ?? 0, alpha: numbers[cursor + 1] ?? null, beta: numbers[cursor + 2] ?? null };
        const before = this.bests.get(node);
        if (before) before.push(best);
        else this.bests.set(node, [best]);
        cursor += 3;
      } else if (letter === "a" || letter === "c") {
        this.cutAt.set(node, step);
        now[2]++;
        cursor += 4 + (numbers[cursor + 3] ?? 0);
      } else if (letter === "m") cursor += 1 + 2 * (numbers[cursor] ?? 0);
      else if (letter === "d") {
        this.drawnAt.set(node, step);
        cursor += 1 + 4 * (numbers[cursor] ?? 0);
      } else if (letter === "g") {
        const count = numbers[cursor++] ?? 0;
        for (let child = 0; child < count; child++) {
          this.#add(node, numbers[cursor] ?? PASS, step, cursor + 1);
          cursor += 2 + (numbers[cursor + 1] ?? 0);
        }
        now[0] += count;
      } else if (letter === "p") {
        node = numbers[cursor++] ?? 0;
        path.push(node);
      } else if (letter === "w") cursor += 4;
      else if (letter === "u") {
        this.#count(path, this.playout(step - 1).points, step + 1);
        now[5]++;
        path = [path[0] ?? 0];
      } else if (letter === "i") {
        this.#close();
        this.trees.push({ root: this.parent.length, end: NEVER, depth: numbers[cursor++] ?? 0 });
        path = [];
        node = this.parent.length;
      }
      if (letter === "r") now[4]++;
      if (!this.trees.length) this.trees.push({ root: 0, end: NEVER, depth: null });
      this.about[step] = node;
      this.treeOf[step] = this.trees.length - 1;
      for (let which = 0; which < now.length; which++) this.counts[which][step + 1] = now[which];
    }
    this.#close();
  }

  #close() {
    const last = this.trees.at(-1);
    if (last) last.end = this.parent.length;
  }

  /** @param {number} parent @param {number} move @param {number} step @param {number} flipsAt */
  #add(parent, move, step, flipsAt) {
    const node = this.parent.length;
    this.parent.push(parent);
    this.move.push(move);
    this.ply.push(parent < 0 ? 0 : this.ply[parent] + 1);
    this.children.push([]);
    this.entered.push(step + 1);
    this.left.push(NEVER);
    this.values.push(null);
    this.bounds.push(0);
    this.flipsAt.push(flipsAt);
    if (parent >= 0) this.children[parent].push(node);
    return node;
  }

  /** @param {number[]} path @param {number} points @param {number} step */
  #count(path, points, step) {
    for (const node of path) {
      const games = this.games.get(node) ?? { steps: [], points: [] };
      games.steps.push(step);
      games.points.push((games.points.at(-1) ?? 0) + points);
      this.games.set(node, games);
    }
  }

  /** What one looks at after so many steps. @param {number} step */
  lit(step) {
    return step > 0 ? this.about[Math.min(step, this.length) - 1] : 0;
  }

  /** Which tree is there after so many steps. @param {number} step */
  tree(step) {
    return this.trees[step > 0 ? this.treeOf[Math.min(step, this.length) - 1] : 0] ?? { root: 0, end: 0, depth: null };
  }

  /** What kind of step it was that led here. @param {number} step */
  letter(step) {
    return step > 0 ? this.letters[Math.min(step, this.length) - 1] : "";
  }

  /** @param {number} step @returns {Counters} */
  counters(step) {
    const at = Math.min(step, this.length);
    const counted = COUNTERS.map((name, which) => [name, this.counts[which][at]]);
    return /** @type {Counters} */ (Object.fromEntries(counted));
  }

  /** The name of a square. @param {number} square */
  name(square) {
    if (square === NO_MOVE) return "";
    if (square === PASS) return "pass";
    return String.fromCharCode(97 + (square % this.size)) + (Math.floor(square / this.size) + 1);
  }

  /** The moves from the root to a node. @param {number} node @returns {string[]} */
  line(node) {
    const line = [];
    for (let at = node; at >= 0 && this.parent[at] >= 0; at = this.parent[at]) line.unshift(this.name(this.move[at]));
    return line;
  }

  /** Whether a node is below another, or is it. @param {number} node @param {number} above */
  isBelow(node, above) {
    let at = node;
    while (at >= 0 && at !== above) at = this.parent[at];
    return at === above;
  }

  /** Who is to move. @param {number} node @returns {Color} */
  turn(node) {
    const first = this.side === "black";
    return ((this.ply[node] ?? 0) % 2 === 0) === first ? "black" : "white";
  }

  /** Whether the largest value is taken. @param {number} node */
  isMax(node) {
    return this.ply[node] % 2 === 0;
  }

  /** The board of a node, and what the last move turned. @param {number} node */
  board(node) {
    const cells = [...this.cells];
    /** @type {string[]} */
    let turned = [];
    const path = [];
    for (let at = node; at >= 0 && this.parent[at] >= 0; at = this.parent[at]) path.unshift(at);
    for (const at of path) {
      const color = this.turn(this.parent[at]) === "black" ? "X" : "O";
      const begin = this.flipsAt[at];
      const flips = this.numbers.slice(begin + 1, begin + 1 + (this.numbers[begin] ?? 0)).map(Number);
      for (const square of flips) cells[square] = color;
      if (this.move[at] >= 0) cells[this.move[at]] = color;
      turned = flips.map((square) => this.name(square));
    }
    const last = path.length ? this.move[path[path.length - 1]] : NO_MOVE;
    return { size: this.size, cells: cells.join(""), last: last >= 0 ? this.name(last) : null, turned };
  }

  /** The window of a node after so many steps, and the best value so far. @param {number} node @param {number} step */
  window(node, step) {
    const at = this.flipsAt[node] - 3;
    const monte = this.letters[this.entered[node] - 1] === "g";
    let alpha = monte ? null : (this.numbers[at + 1] ?? null);
    let beta = monte ? null : (this.numbers[at + 2] ?? null);
    /** @type {number | null} */
    let best = null;
    for (const change of this.bests.get(node) ?? []) {
      if (change.step > step) break;
      ({ alpha, beta, value: best } = change);
    }
    return { alpha, beta, best };
  }

  /** How a node was entered. @param {number} node @returns {Entry} */
  entry(node) {
    return /** @type {Entry} */ (this.letters[this.entered[node] - 1]);
  }

  /** What is known about its value after so many steps. @param {number} node @param {number} step */
  value(node, step) {
    return this.left[node] <= step ? { value: this.values[node], bound: this.bounds[node] } : null;
  }

  /** The games through a node until this step: how many, and the points of Max in them. @param {number} node @param {number} step */
  visits(node, step) {
    const games = this.games.get(node);
    if (!games) return { visits: 0, points: 0 };
    let [low, high] = [0, games.steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (games.steps[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return { visits: low, points: low ? games.points[low - 1] : 0 };
  }

  /** The cut at a step. @param {number} step its place, from 0 @returns {Cut} */
  cut(step) {
    const at = this.offsets[step];
    return {
      end: this.letters[step] === "a" ? "α" : "β",
      limit: this.numbers[at] ?? null,
      scout: this.numbers[at + 1] === 1,
      holder: this.numbers[at + 2] ?? 0,
      untried: this.#names(at + 3),
    };
  }

  /** The lottery at a step. @param {number} step its place, from 0 @returns {Lot[]} */
  lots(step) {
    const at = this.offsets[step];
    return [...Array(this.numbers[at] ?? 0).keys()].map((lot) => {
      const [move, looks, lots, drawn] = this.numbers.slice(at + 1 + 4 * lot, at + 5 + 4 * lot);
      return { move: this.name(move ?? PASS), looks: looks ?? 0, lots: lots ?? 0, drawn: drawn === 1 };
    });
  }

  /** The moves in the order in which they are tried, at a step. @param {number} step its place, from 0 */
  ranking(step) {
    const at = this.offsets[step];
    return [...Array(this.numbers[at] ?? 0).keys()].map((place) => ({
      move: this.name(this.numbers[at + 1 + 2 * place] ?? PASS),
      looks: this.numbers[at + 2 + 2 * place] ?? 0,
    }));
  }

  /** The random game that ended at a step. @param {number} step its place, from 0 @returns {Playout} */
  playout(step) {
    const [points, own, other, plies] = this.numbers.slice(this.offsets[step], this.offsets[step] + 4);
    return { points: points ?? 0, own: own ?? 0, other: other ?? 0, plies: plies ?? 0 };
  }

  /** The moves of a node that are left out, as far as that is known: cut off, and not drawn. @param {number} node @param {number} step */
  leftOut(node, step) {
    const cut = this.cutAt.get(node);
    const drawn = this.drawnAt.get(node);
    return {
      cut: cut !== undefined && cut < step ? this.cut(cut).untried : [],
      undrawn: drawn !== undefined && drawn < step ? this.lots(drawn).flatMap((lot) => (lot.drawn ? [] : [lot.move])) : [],
    };
  }

  /** The next step of one of these kinds after so many steps; the end if there is none. @param {number} step @param {string} letters */
  next(step, letters) {
    for (let at = step; at < this.length; at++) if (letters.includes(this.letters[at])) return at + 1;
    return this.length;
  }

  /** The line that is the best so far in the tree of this step. @param {number} step @returns {Set<number>} */
  bestLine(step) {
    const line = new Set();
    for (let at = this.tree(step).root; at !== undefined; ) {
      line.add(at);
      at = /** @type {number} */ (this.bestChild(at, step));
    }
    return line;
  }

  /** The child that the best value so far comes from, or that was tried most. @param {number} node @param {number} step */
  bestChild(node, step) {
    if (this.isMonteCarlo) {
      let [best, most] = [/** @type {number | undefined} */ (undefined), 0];
      for (const child of this.children[node] ?? []) {
        const { visits } = this.visits(child, step);
        if (visits > most) [best, most] = [child, visits];
      }
      return best;
    }
    const change = this.bests.get(node)?.findLast((best) => best.step <= step);
    // The best child is the one left just before; of a forced pass it is the only one.
    const before = change ? change.step - 1 : step;
    return this.children[node]?.findLast((child) => this.left[child] <= before);
  }

  #names(/** @type {number} */ at) {
    const count = this.numbers[at] ?? 0;
    return this.numbers.slice(at + 1, at + 1 + count).map((square) => this.name(square ?? PASS));
  }
}
