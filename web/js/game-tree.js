/** A game with its variations: nodes that know their parent and children. No rules: boards come from the server. */

/** @import {Color, ImportGame, Judged, Place} from "./types.js" */
/** @import {Linked} from "./permalink.js" */

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
 * @property {Judged | null} judged
 */

export class GameTree {
  /** @param {{size: number, start: string | null, startTurn: Color, opening?: string, objective?: string, names?: Record<Color, string>}} given */
  constructor({ size, start, startTurn, opening = "standard", objective = "most", names = { black: "", white: "" } }) {
    this.size = size;
    this.start = start;
    this.startTurn = startTurn;
    this.opening = opening;
    this.objective = objective;
    this.names = names;
    /** @type {Map<number, TreeSpot>} */
    this.spots = new Map();
    this.spots.set(0, { id: 0, parent: null, children: [], move: null, color: null, ply: 0, number: 0, cells: start, comment: "", judged: null });
    this.next = 1;
  }

  /** @param {ImportGame} game */
  static imported(game) {
    const names = { black: game.tags.Black ?? game.tags.PB ?? "", white: game.tags.White ?? game.tags.PW ?? "" };
    const tree = new GameTree({ size: game.size, start: game.start, startTurn: game.start_turn, objective: game.objective, names });
    /** @type {Map<number, number>} */
    const ids = new Map();
    for (const node of game.nodes) {
      if (node.parent === null) {
        ids.set(node.id, 0);
        tree.spot(0).comment = node.comment;
        tree.spot(0).cells = node.cells;
        continue;
      }
      const parent = ids.get(node.parent);
      if (parent === undefined || node.move === null) continue;
      const spot = tree.add(parent, node.move, node.color);
      Object.assign(spot, { cells: node.cells, comment: node.comment });
      ids.set(node.id, spot.id);
    }
    return tree;
  }

  /** @param {Linked} link */
  static linked(link) {
    const tree = new GameTree({ ...link, names: link.names });
    let at = 0;
    for (const move of link.moves) at = tree.add(at, move, null).id;
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
    const spot = { id: this.next++, parent, children: [], move, color, ply: above.ply + 1, number, cells: null, comment: "", judged: null };
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
