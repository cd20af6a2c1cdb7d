/** Showing a line of moves on the board without playing it: numbered discs, colours in turn. */

/** @import {Color} from "./types.js" */
/** @import {BoardState} from "./board.js" */

/**
 * @param {string[]} line
 * @param {Color} color who moves first
 * @returns {Partial<BoardState>}
 */
export function lineState(line, color) {
  /** @type {Record<string, "X" | "O">} */
  const ghosts = {};
  /** @type {Record<string, string>} */
  const texts = {};
  let black = color === "black";
  line.forEach((move, index) => {
    if (move !== "pass" && move !== "--") {
      ghosts[move] = black ? "X" : "O";
      texts[move] = String(index + 1);
    }
    black = !black;
  });
  return { ghosts, texts, best: [] };
}
