/** Reads the steps of a search one after the other into a course: a letter for each, and the numbers that belong to it. */

/** @import {Course, Entry, Stay} from "./course.js" */

/** Where a number stands for a pass. */
export const PASS = -1;

/** What never happened. */
const NEVER = 2 ** 31 - 1;

/** The counters in the order in which they are kept. */
export const COUNTERS = /** @type {const} */ (["positions", "joins", "leaves", "cuts", "known", "again", "games"]);

/** Why a node that is there already is entered, by the number that says it. @type {Entry[]} */
const ENTRIES = ["e", "s", "r"];

export class Reader {
  /** @param {Course} course */
  constructor(course) {
    this.course = course;
    /** Where the search is: a stay in each node from the root on. @type {Stay[]} */
    this.path = [];
    /** The stay that ended last. @type {Stay | null} */
    this.ended = null;
    /** What was counted until now. */
    this.now = COUNTERS.map(() => 0);
    /** Where the numbers of the step begin. */
    this.at = 0;
    /** What was tried in nodes that have joins below them. @type {Map<number, number[]>} */
    this.branches = new Map();
  }

  /** Reads it all, and gives what was tried in nodes that have joins below them: nodes; and joins, below 0 until it is known how many nodes there are. */
  read() {
    const { course } = this;
    for (let step = 0; step < course.length; step++) {
      course.offsets[step] = this.at;
      const letter = course.letters[step];
      const before = this.path.at(-1) ?? null;
      this.at += this.#step(letter, step);
      if (!course.trees.length) course.trees.push({ root: 0, end: NEVER, depth: null });
      // What is entered or chosen becomes what the step is about; what is left still is.
      course.about.push("esrjp".includes(letter) ? (this.path.at(-1) ?? null) : before);
      course.treeOf[step] = course.trees.length - 1;
      for (let which = 0; which < this.now.length; which++) course.counts[which][step + 1] = this.now[which];
    }
    this.#closeTree();
    return this.branches;
  }

  /** The number so many places after the beginning of the step. @param {number} place */
  #number(place) {
    return this.course.numbers[this.at + place] ?? 0;
  }

  /** @param {typeof COUNTERS[number]} what @param {number} [by] */
  #count(what, by = 1) {
    this.now[COUNTERS.indexOf(what)] += by;
  }

  /** Does what a step does, and gives how many numbers it has. @param {string} letter @param {number} step @returns {number} */
  #step(letter, step) {
    switch (letter) {
      case "e":
      case "s":
      case "r":
        return this.#enter(letter, step);
      case "j":
        return this.#join(step);
      case "l":
      case "o":
        this.#count("leaves");
        return this.#leave(letter, step, 0);
      case "t":
        this.#count("known");
        return this.#leave(letter, step, this.#number(1));
      case "v":
        return this.#leave(letter, step, this.#number(1));
      case "b":
        return this.#best(step);
      case "a":
      case "c":
        return this.#cut(step);
      case "m":
        return 1 + 2 * this.#number(0);
      case "d":
        return this.#draw(step);
      case "i":
        return this.#deeper();
      default:
        return this.#game(letter, step);
    }
  }

  /** The steps of a Monte Carlo tree. @param {string} letter @param {number} step @returns {number} */
  #game(letter, step) {
    const { course, path } = this;
    if (letter === "g") return this.#grow(step);
    if (letter === "p") {
      path.push(course.first[this.#number(0)]);
      return 1;
    }
    if (letter === "w") return 4;
    if (letter === "u") {
      const { points } = course.playout(step - 1);
      for (const { node } of path) this.#countGame(node, points, step + 1);
      this.#count("games");
      path.length = Math.min(path.length, 1);
    }
    return 0;
  }

  /** A new node. @param {Entry} entry @param {number} step */
  #enter(entry, step) {
    const move = this.course.numbers[this.at] ?? PASS;
    const node = this.#add(move, this.at + 3);
    this.path.push(this.#stay(node, entry, move, step, this.at + 1));
    this.#count("positions");
    if (entry === "r") this.#count("again");
    return 4 + this.#number(3);
  }

  /** A node that is there already, by the way that led to it first or by another. @param {number} step */
  #join(step) {
    const { course } = this;
    const [node, entry, move] = [this.#number(0), ENTRIES[this.#number(1)] ?? "e", course.numbers[this.at + 2] ?? PASS];
    const parent = this.path.at(-1)?.node ?? -1;
    const stay = this.#stay(node, entry, move, step, this.at + 3);
    if (course.parent[node] !== parent) stay.join = this.#way(parent, node, move, step);
    this.path.push(stay);
    const next = course.letters[step + 1];
    if (next !== undefined && !"tlo".includes(next)) this.#count("again");
    return 5;
  }

  /** The number of the way from a node to one that stands elsewhere. @param {number} parent @param {number} node @param {number} move @param {number} step */
  #way(parent, node, move, step) {
    const { course } = this;
    const ways = course.ways.get(node) ?? [];
    const known = ways.find((way) => course.joins[way].parent === parent);
    if (known !== undefined) return known;
    const way = course.joins.push({ parent, node, move, entered: step + 1 }) - 1;
    course.ways.set(node, [...ways, way]);
    const branches = this.branches.get(parent);
    if (branches) branches.push(~way);
    else this.branches.set(parent, [...course.children[parent], ~way]);
    this.#count("joins");
    return way;
  }

  /** @param {string} letter @param {number} step @param {number} bound */
  #leave(letter, step, bound) {
    const stay = this.path.pop();
    if (stay) {
      stay.value = this.course.numbers[this.at] ?? null;
      stay.bound = bound;
      stay.left = step + 1;
      stay.end = letter;
      if (stay.above) stay.above.child = stay;
    }
    this.ended = stay ?? null;
    return letter === "l" || letter === "o" ? 1 : 2;
  }

  /** @param {number} step */
  #best(step) {
    const { numbers } = this.course;
    const { node, move } = this.ended ?? { node: 0, move: PASS };
    const [alpha, beta] = [numbers[this.at + 1] ?? null, numbers[this.at + 2] ?? null];
    const best = { step: step + 1, value: this.#number(0), alpha, beta, node, move };
    const stay = this.path.at(-1);
    if (stay?.bests) stay.bests.push(best);
    else if (stay) stay.bests = [best];
    return 3;
  }

  /** @param {number} step */
  #cut(step) {
    const stay = this.path.at(-1);
    if (stay) {
      stay.cut = step;
      this.course.leavesOut.add(stay.node);
    }
    this.#count("cuts");
    return 4 + this.#number(3);
  }

  /** @param {number} step */
  #draw(step) {
    const stay = this.path.at(-1);
    if (stay) {
      stay.drawn = step;
      this.course.leavesOut.add(stay.node);
    }
    return 1 + 4 * this.#number(0);
  }

  #deeper() {
    const { course } = this;
    this.#closeTree();
    course.trees.push({ root: course.parent.length, end: NEVER, depth: this.#number(0) });
    this.path = [];
    return 1;
  }

  /** @param {number} step */
  #grow(step) {
    const count = this.#number(0);
    let place = 1;
    for (let child = 0; child < count; child++) {
      const move = this.course.numbers[this.at + place] ?? PASS;
      this.#stay(this.#add(move, this.at + place + 1), "g", move, step, -1);
      place += 2 + this.#number(place + 1);
    }
    this.#count("positions", count);
    return place;
  }

  /** A new node below the one where the search is. @param {number} move @param {number} flipsAt */
  #add(move, flipsAt) {
    const { course } = this;
    const parent = this.path.at(-1)?.node ?? -1;
    const node = course.parent.push(parent) - 1;
    course.move.push(move);
    course.ply.push(parent < 0 ? 0 : course.ply[parent] + 1);
    course.children.push([]);
    course.flipsAt.push(flipsAt);
    if (parent >= 0) {
      course.children[parent].push(node);
      this.branches.get(parent)?.push(node);
    }
    return node;
  }

  /** @param {number} node @param {Entry} entry @param {number} move @param {number} step @param {number} windowAt */
  #stay(node, entry, move, step, windowAt) {
    const { course, path } = this;
    /** @type {Stay} */
    const stay = {
      node,
      entry,
      move,
      windowAt,
      above: path.at(-1) ?? null,
      child: null,
      join: -1,
      entered: step + 1,
      left: NEVER,
      end: "",
      value: null,
      bound: 0,
      bests: null,
      cut: -1,
      drawn: -1,
    };
    if (node === course.first.length) course.first.push(stay);
    else if (course.later.get(node)?.push(stay) === undefined) course.later.set(node, [stay]);
    return stay;
  }

  /** @param {number} node @param {number} points @param {number} step */
  #countGame(node, points, step) {
    const { games } = this.course;
    const counted = games.get(node) ?? { steps: [], points: [] };
    counted.steps.push(step);
    counted.points.push((counted.points.at(-1) ?? 0) + points);
    games.set(node, counted);
  }

  #closeTree() {
    const last = this.course.trees.at(-1);
    if (last) last.end = this.course.parent.length;
  }
}
