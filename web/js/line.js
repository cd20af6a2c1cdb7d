/** Showing a line of moves on the board without playing it: numbered discs, colours in turn. */

/** @import {Color} from "./types.js" */
/** @import {BoardState} from "./board.js" */
import { numbered } from "./move-number.js";

/**
 * @param {string[]} line
 * @param {Color} color who moves first
 * @returns {Partial<BoardState>}
 */
export function lineState(line, color) {
  /** @type {Record<string, "X" | "O">} */
  const ghosts = {};
  let black = color === "black";
  for (const move of line) {
    if (move !== "pass" && move !== "--") ghosts[move] = black ? "X" : "O";
    black = !black;
  }
  return { ghosts, texts: numbered(line), best: [] };
}
