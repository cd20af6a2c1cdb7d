/** Why a move is bad: one sentence in the reader's language, and a picture on the board. */

/** @import {Color, Why} from "./types.js" */
/** @import {BoardState} from "./board.js" */
/** @import {Key} from "./i18n.js" */
import { t } from "./i18n.js";
import { numbered } from "./move-number.js";

/** Reasons whose squares are those of the side that moved; the others are about its opponent. */
const OWN = new Set(["missed_corner", "missed_pass", "greedy", "frontier"]);

/** @param {Color} color @returns {Color} */
const opposite = (color) => (color === "black" ? "white" : "black");

/**
 * The sentence.
 * @param {Why} why
 * @param {{move: string, best: string | null, color: Color}} judged
 */
export function whySentence({ kind, facts, line }, { move, best, color }) {
  return t(/** @type {Key} */ (`why.${kind}`), { ...facts, played: move, best: best ?? "", side: t(color), other: t(opposite(color)), line: line.join(" ") });
}

/**
 * The picture: the board after the moves that show it, which are numbered, and the squares it is about.
 * @param {Why} why
 * @param {Color} color who made the move
 * @returns {Partial<BoardState>}
 */
export function whyState({ kind, line, cells, squares }, color) {
  const side = OWN.has(kind) ? color : opposite(color);
  const shade = kind === "parity" ? "even" : side === "black" ? "own" : "other";
  return {
    cells,
    legal: [],
    last: line.findLast((move) => move !== "pass") ?? null,
    turned: [],
    texts: numbered(line),
    shades: Object.fromEntries(squares.map((square) => [square, shade])),
    best: [],
  };
}
