/** A game with its variations: nodes that know their parent and children. No rules: boards come from the server. */

/** @import {Color, ImportGame, Judged, Place} from "./types.js" */
/** @import {Linked, Variation} from "./permalink.js" */
import { usualStart } from "./permalink.js";

/**
 * @typedef {object} TreeSpot
 * @property {number} id
 * @property {number | null} parent
 * @property {number[]} children the first is the main line
 * @property {string | null} move
 * @property {Color | null} color who made it
 * @property {number} ply moves and passes until here
 * @property {number} number discs placed until here
 * @property {string | null} cells the board after it, if known
 * @property {string} comment
 * @property {number | null} discs what the record says it is worth, for whoever made it
 * @property {string} [depth] how deep a search found that
 * @property {number | null} time in milliseconds
 * @property {string[]} [markings] what is drawn on the board
 * @property {Judged | null} judged
 */

/** @typedef {{tags?: Record<string, string>, result?: object, clocks?: object}} About what else a record says of the game */

/** @typedef {{comment?: string, discs?: number, depth?: string, seconds?: number, markings?: string[]}} RecordNote */

/**
 * A game as Emilia keeps games; docs/formats.md describes it.
 * @typedef {{format: string, version: number, size: number, start?: string, objective?: string, tags?: [string, string][], result?: object,
 *   clocks?: object, note?: RecordNote, moves?: (string | {move: string, after?: number, note?: RecordNote})[]}} GameRecord
 */

/** What is said of a move that nothing is said of. */
const BARE = { comment: "", discs: null, time: null, judged: null };

export class GameTree {
  /** @param {{size: number, start: string | null, startTurn: Color, opening?: string, objective?: string, names?: Record<Color, string>,
   *   about?: About}} given */
  constructor({ size, start, startTurn, opening = "standard", objective = "most", names = { black: "", white: "" }, about = {} }) {
    this.size = size;
    this.start = start;
    this.startTurn = startTurn;
    this.opening = opening;
    this.objective = objective;
    this.names = names;
    this.about = about;
    /** @type {Map<number, TreeSpot>} */
    this.spots = new Map();
    this.spots.set(0, { ...BARE, id: 0, parent: null, children: [], move: null, color: null, ply: 0, number: 0, cells: start });
    this.next = 1;
  }

  /** @param {ImportGame} game */
  static imported(game) {
    const names = { black: game.tags.Black ?? game.tags.PB ?? "", white: game.tags.White ?? game.tags.PW ?? "" };
    const { size, start_turn: startTurn, objective, record, tags } = game;
    const usual = startTurn === "black" && [false, true].findIndex((mirrored) => game.start === usualStart(size, mirrored));
    const opening = usual === 1 ? "mirrored" : "standard";
    const start = usual === 0 || usual === 1 ? null : game.start;
    const { result, clocks } = /** @type {{result?: object, clocks?: object}} */ (record);
    const tree = new GameTree({ size, start, startTurn, opening, objective, names, about: { tags, result, clocks } });
    /** @type {Map<number, number>} */
    const ids = new Map();
    for (const node of game.nodes) {
      if (node.parent === null) {
        ids.set(node.id, 0);
        tree.spot(0).comment = node.comment;
        tree.spot(0).markings = node.markings;
        tree.spot(0).cells = node.cells;
        continue;
      }
      const parent = ids.get(node.parent);
      if (parent === undefined || node.move === null) continue;
      const spot = tree.add(parent, node.move, node.color);
      Object.assign(spot, { cells: node.cells, comment: node.comment, discs: node.discs, time: node.time_ms, markings: node.markings });
      ids.set(node.id, spot.id);
    }
    return tree;
  }

  /** The tree of a game in Emilia's own format, with every pass in it. @param {GameRecord} record */
  static recorded(record) {
    const { size, objective, result, clocks } = record;
    const tags = Object.fromEntries(record.tags ?? []);
    const cells = record.start?.replace(/\s/g, "").slice(0, -1) ?? null;
    const startTurn = record.start?.endsWith("O") ? "white" : "black";
    const mirrored = startTurn === "black" && cells === usualStart(size, true);
    const names = { black: tags.Black ?? "", white: tags.White ?? "" };
    const opening = mirrored ? "mirrored" : "standard";
    const tree = new GameTree({ size, start: mirrored ? null : cells, startTurn, opening, objective, names, about: { tags, result, clocks } });
    tree.note(tree.spot(0), record.note);
    const ids = [0];
    for (const entry of record.moves ?? []) {
      const { move, after, note } = typeof entry === "string" ? { move: entry } : entry;
      const parent = ids[after ?? ids.length - 1] ?? 0;
      const odd = tree.spot(parent).ply % 2 === 1;
      const spot = tree.add(parent, move, odd === (startTurn === "black") ? "white" : "black");
      tree.note(spot, note);
      ids.push(spot.id);
    }
    return tree;
  }

  /** Writes beside a node what a record says of it. @param {TreeSpot} spot @param {RecordNote} [note] */
  note(spot, note = {}) {
    spot.comment = note.comment ?? "";
    spot.discs = note.discs ?? null;
    spot.depth = note.depth;
    spot.time = note.seconds === undefined ? null : note.seconds * 1000;
    spot.markings = note.markings ?? [];
  }

  /** @param {Linked} link */
  static linked(link) {
    const tree = new GameTree({ ...link, names: link.names });
    /** @type {number[][]} the nodes of each line from the start on; a link has no passes, so that discs count them */
    const lines = [];
    for (const { from, discs, moves } of [{ from: 0, discs: 0, moves: link.moves }, ...(link.variations ?? [])]) {
      const line = lines.length ? lines[from].slice(0, discs + 1) : [0];
      for (const move of moves) line.push(tree.add(/** @type {number} */ (line.at(-1)), move, null).id);
      lines.push(line);
    }
    return tree;
  }

  /** @param {number} id @returns {TreeSpot} */
  spot(id) {
    const spot = this.spots.get(id);
    if (!spot) throw new RangeError(`no node ${id}`);
    return spot;
  }

  /** The child with this move, made if there is none. @param {number} parent @param {string} move @param {Color | null} color */
  add(parent, move, color) {
    const above = this.spot(parent);
    const known = above.children.map((id) => this.spot(id)).find((spot) => spot.move === move);
    if (known) return known;
    const number = above.number + (move === "pass" ? 0 : 1);
    /** @type {TreeSpot} */
    const spot = { ...BARE, id: this.next++, parent, children: [], move, color, ply: above.ply + 1, number, cells: null };
    this.spots.set(spot.id, spot);
    above.children.push(spot.id);
    return spot;
  }

  /** Takes a node and all below it away; gives its parent. @param {number} id */
  remove(id) {
    const spot = this.spot(id);
    if (spot.parent === null) return 0;
    const above = this.spot(spot.parent);
    above.children = above.children.filter((child) => child !== id);
    // How a game ended that goes on otherwise is not known.
    delete this.about.result;
    const below = [id];
    for (let at = below.pop(); at !== undefined; at = below.pop()) {
      below.push(...this.spot(at).children);
      this.spots.delete(at);
    }
    return spot.parent;
  }

  /** Nodes from the first move to this one. @param {number} id */
  path(id) {
    const path = [];
    for (let spot = this.spot(id); spot.parent !== null; spot = this.spot(spot.parent)) path.unshift(spot);
    return path;
  }

  /** This node and the main line below it. @param {number} id */
  line(id) {
    const line = this.path(id);
    for (let at = this.spot(id); at.children.length; ) {
      at = this.spot(at.children[0]);
      line.push(at);
    }
    return line;
  }

  /** The last node of the game itself. */
  end() {
    return this.line(0).at(-1)?.id ?? 0;
  }

  /**
   * Every line: the game itself, then its variations, each with the line that it leaves and the discs placed until there.
   * @returns {{from: number, discs: number, spots: TreeSpot[]}[]}
   */
  lines() {
    /** @type {ReturnType<GameTree["lines"]>} */
    const lines = [];
    /** @type {{id: number, from: number, discs: number}[]} the first of a line, last first */
    const left = [{ id: 0, from: 0, discs: 0 }];
    for (let next = left.pop(); next; next = left.pop()) {
      const spots = [this.spot(next.id)];
      for (let at = spots[0]; at.children.length; spots.push(at)) at = this.spot(at.children[0]);
      const number = lines.push({ from: next.from, discs: next.discs, spots: spots.filter(({ move }) => move) }) - 1;
      const branches = spots.flatMap((spot) => spot.children.slice(1).map((id) => ({ id, from: number, discs: spot.number })));
      left.push(...branches.reverse());
    }
    return lines;
  }

  /** The variations as a link has them. @returns {Variation[]} */
  variations() {
    return this.lines()
      .slice(1)
      .map(({ from, discs, spots }) => ({ from, discs, moves: spots.map(({ move }) => move ?? "") }));
  }

  /** The same as a text, which every route takes. */
  record() {
    return JSON.stringify(this.toRecord());
  }

  /** The game with all its variations as Emilia keeps games. @returns {GameRecord} */
  toRecord() {
    /** @type {NonNullable<GameRecord["moves"]>} */
    const moves = [];
    /** @type {Map<number, number>} */
    const numbers = new Map([[0, 0]]);
    for (const { spots } of this.lines()) {
      for (const spot of spots) {
        const note = written(spot);
        moves.push({ move: spot.move ?? "", after: numbers.get(spot.parent ?? 0), ...(Object.keys(note).length && { note }) });
        numbers.set(spot.id, moves.length);
      }
    }
    const note = written(this.spot(0));
    const start = this.start ?? (this.opening === "mirrored" ? usualStart(this.size, true) : null);
    const names = { ...(this.names.black && { Black: this.names.black }), ...(this.names.white && { White: this.names.white }) };
    return {
      format: "emilia-game",
      version: 1,
      size: this.size,
      ...(start && { start: `${start} ${this.startTurn === "black" ? "X" : "O"}` }),
      objective: this.objective,
      tags: Object.entries({ ...this.about.tags, ...names }),
      ...(this.about.result && { result: this.about.result }),
      ...(this.about.clocks && { clocks: this.about.clocks }),
      ...(Object.keys(note).length && { note }),
      moves,
    };
  }

  /** Makes the line that leads to a node the main one at each of its moves. @param {number} id */
  promote(id) {
    for (const { id: child, parent } of this.path(id)) {
      const above = this.spot(parent ?? 0);
      if (above.children[0] === child) continue;
      above.children = [child, ...above.children.filter((other) => other !== child)];
      delete this.about.result;
    }
  }

  /** The node that moves lead to, as far as they are there; passes may be left out. @param {string[]} moves */
  reached(moves) {
    let at = 0;
    const after = (/** @type {number} */ id, /** @type {string} */ move) => this.spot(id).children.find((child) => this.spot(child).move === move);
    for (const move of moves) {
      const passed = after(at, "pass");
      const next = after(at, move) ?? (passed === undefined ? undefined : after(passed, move));
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  /** The moves that lead to a node. @param {number} id */
  moves(id) {
    return this.path(id).map((spot) => spot.move ?? "");
  }

  /** What the server needs to know about a node. @param {number} id @returns {Place} */
  place(id) {
    const begin = this.start ? { position: `${this.start} ${this.startTurn === "black" ? "X" : "O"}` } : { size: this.size, start: this.opening };
    return { ...begin, moves: this.moves(id), objective: this.objective };
  }
}

/** What a record says beside a node. @param {TreeSpot} spot @returns {RecordNote} */
function written({ comment, discs, depth, time, markings }) {
  return {
    ...(comment && { comment }),
    ...(discs !== null && { discs, ...(depth && { depth }) }),
    ...(time !== null && { seconds: time / 1000 }),
    ...(markings?.length && { markings }),
  };
}
