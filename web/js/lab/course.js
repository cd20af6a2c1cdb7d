/**
 * The course of a search: what `/api/steps` tells, made ready to be asked about any step. Everything shown is a function of the
 * course and the number of steps done, so that going back is exact and a link can name a step.
 *
 * In a search with transpositions a position is one node, whichever moves lead to it. It stands below the node that led to it first;
 * every other way to it is a join. Nodes and joins have their numbers, joins after nodes, and are called marks together.
 */

/** @import {Color, StepsAnswer} from "../types.js" */
import { COUNTERS, PASS, Reader } from "./reader.js";

/** Where a number stands for no move at all. */
const NO_MOVE = -2;

/**
 * @typedef {"e" | "s" | "r" | "g"} Entry entered to know it, as a scout, or again because the scout found it better; grown by a Monte Carlo tree
 * @typedef {{move: string, looks: number, lots: number, drawn: boolean}} Lot
 * @typedef {{end: "α" | "β", limit: number | null, scout: boolean, holder: number, untried: string[]}} Cut
 * @typedef {{points: number, own: number, other: number, plies: number}} Playout
 * @typedef {{step: number, value: number, alpha: number | null, beta: number | null, node: number, move: number}} Best
 * @typedef {{parent: number, node: number, move: number, entered: number}} Join a way to a node that stands elsewhere, and the step after which it is there
 * @typedef {Record<typeof COUNTERS[number], number>} Counters
 */

/**
 * The search in a node, from entering to leaving it.
 * @typedef {object} Stay
 * @property {number} node
 * @property {Entry} entry
 * @property {number} move the one that led here
 * @property {number} windowAt where alpha stands in the numbers; below 0: nowhere
 * @property {Stay | null} above
 * @property {Stay | null} child the last one below that ended
 * @property {number} join by which way that is not the first it was entered; below 0: by the first
 * @property {number} entered the number of steps after which it has begun
 * @property {number} left and after which it has ended
 * @property {string} end the letter of the step that ended it: a leaf, a value, or what was known before
 * @property {number | null} value
 * @property {number} bound -1 for at most, 1 for at least
 * @property {Best[] | null} bests
 * @property {number} cut the place of the step that cut it off; below 0: none
 * @property {number} drawn the same of the lottery
 */

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
    /** The stay that a step is about. @type {(Stay | null)[]} */
    this.about = [];
    /** The tree that a step belongs to: searches that deepen have one for each depth. */
    this.treeOf = new Int32Array(letters.length);
    /** The first node of each tree, and the depth it goes to. @type {{root: number, end: number, depth: number | null}[]} */
    this.trees = [];
    this.counts = COUNTERS.map(() => new Int32Array(letters.length + 1));
    // Of each node:
    /** The node that led to it first, with which move, and how far below the root. @type {number[]} */
    this.parent = [];
    /** @type {number[]} */
    this.move = [];
    /** @type {number[]} */
    this.ply = [];
    /** The nodes that stand below it. @type {number[][]} */
    this.children = [];
    /** @type {number[]} */
    this.flipsAt = [];
    /** The first stay in it, and the later ones where there are any. @type {Stay[]} */
    this.first = [];
    /** @type {Map<number, Stay[]>} */
    this.later = new Map();
    /** Nodes that are cut off or draw lots at some step. @type {Set<number>} */
    this.leavesOut = new Set();
    /** When games were counted at a node, and the points until then. @type {Map<number, {steps: number[], points: number[]}>} */
    this.games = new Map();
    /** @type {Join[]} */
    this.joins = [];
    /** The joins that lead to a node. @type {Map<number, number[]>} */
    this.ways = new Map();
    const branches = new Reader(this).read();
    /** The marks below each node, in the order in which they were tried. @type {number[][]} */
    this.branches = [...this.children];
    for (const [node, marks] of branches) this.branches[node] = marks.map((mark) => (mark < 0 ? this.nodes + ~mark : mark));
  }

  /** How many nodes there are: the number of the first mark that is a join. */
  get nodes() {
    return this.parent.length;
  }

  /** How many marks there are. */
  get marks() {
    return this.parent.length + this.joins.length;
  }

  /** @param {number} mark @returns {Join | undefined} */
  join(mark) {
    return mark < this.parent.length ? undefined : this.joins[mark - this.parent.length];
  }

  /** The node that a mark leads to. @param {number} mark */
  nodeOf(mark) {
    return this.join(mark)?.node ?? mark;
  }

  /** The node that a mark stands below. @param {number} mark */
  above(mark) {
    return this.join(mark)?.parent ?? this.parent[mark];
  }

  /** How far from the root a mark stands. @param {number} mark */
  column(mark) {
    const join = this.join(mark);
    return join ? this.ply[join.parent] + 1 : this.ply[mark];
  }

  /** The number of steps after which a mark is there. @param {number} mark */
  entered(mark) {
    return this.join(mark)?.entered ?? this.first[mark].entered;
  }

  /** The marks that lead to a node, but for the one it stands at, after so many steps. @param {number} node @param {number} step */
  otherWays(node, step) {
    const ways = this.ways.get(node) ?? [];
    return ways.flatMap((way) => (this.joins[way].entered <= step ? [this.parent.length + way] : []));
  }

  /** The stay in a node after so many steps, or the last one before. @param {number} node @param {number} step */
  stay(node, step) {
    return this.later.get(node)?.findLast(({ entered }) => entered <= step) ?? this.first[node];
  }

  /** How often a node was searched, or is being searched, after so many steps: not where it was only looked up or judged. @param {number} node @param {number} step */
  searches(node, step) {
    return [this.first[node], ...(this.later.get(node) ?? [])].filter(({ entered, end }) => entered <= step && !"tlo".includes(end || "v")).length;
  }

  /** What was found when the node of a stay was left before it, as far below the root as now. @param {Stay} stay */
  found(stay) {
    const plies = this.path(stay).length;
    const before = [this.first[stay.node], ...(this.later.get(stay.node) ?? [])].filter(({ left }) => left < stay.entered);
    return before.findLast((one) => this.path(one).length === plies);
  }

  /** The stay that one looks at after so many steps. @param {number} step */
  stayAt(step) {
    return step > 0 ? this.about[Math.min(step, this.length) - 1] : null;
  }

  /** What one looks at after so many steps. @param {number} step */
  lit(step) {
    return this.stayAt(step)?.node ?? Math.min(this.tree(step).root, this.parent.length - 1);
  }

  /** The stays from the root to this one. @param {Stay | null} stay @returns {Stay[]} */
  path(stay) {
    const path = [];
    for (let at = stay; at; at = at.above) path.unshift(at);
    return path;
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

  /** The moves from the root to a mark. @param {number} mark @returns {string[]} */
  line(mark) {
    const join = this.join(mark);
    const line = join ? [this.name(join.move)] : [];
    for (let at = join?.parent ?? mark; at >= 0 && this.parent[at] >= 0; at = this.parent[at]) line.unshift(this.name(this.move[at]));
    return line;
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
    const { windowAt, bests } = this.stay(node, step);
    const [alpha, beta] = windowAt < 0 ? [null, null] : [this.numbers[windowAt] ?? null, this.numbers[windowAt + 1] ?? null];
    const change = bests?.findLast((best) => best.step <= step);
    return change ? { alpha: change.alpha, beta: change.beta, best: change.value } : { alpha, beta, best: null };
  }

  /** What is known about its value after so many steps. @param {number} node @param {number} step */
  value(node, step) {
    const { left, value, bound } = this.stay(node, step);
    return left <= step ? { value, bound } : null;
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
    const { cut, drawn } = this.stay(node, step);
    return {
      cut: cut >= 0 && cut < step ? this.cut(cut).untried : [],
      undrawn: drawn >= 0 && drawn < step ? this.lots(drawn).flatMap((lot) => (lot.drawn ? [] : [lot.move])) : [],
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
    if (!this.first[node]) return undefined;
    const stays = [this.first[node], ...(this.later.get(node) ?? [])].filter(({ entered }) => entered <= step);
    for (const { bests, child } of stays.reverse()) {
      const change = bests?.findLast((best) => best.step <= step);
      if (change) return change.node;
      // A forced pass has one child, which is the best.
      if (!bests && child && child.left <= step) return child.node;
    }
    return undefined;
  }

  #names(/** @type {number} */ at) {
    const count = this.numbers[at] ?? 0;
    return this.numbers.slice(at + 1, at + 1 + count).map((square) => this.name(square ?? PASS));
  }
}
