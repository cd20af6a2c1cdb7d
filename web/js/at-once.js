/** A move as it looks before the server has answered. What it turns was told together with what is legal. */

/** @import {Color, Legal} from "./types.js" */
/** @import {BoardState} from "./board.js" */
import { indexOf } from "./board.js";

/**
 * @param {{size: number, cells: string, turn: Color | null}} position
 * @param {Legal} move
 * @returns {BoardState}
 */
export function atOnce({ size, cells, turn }, { square, flips }) {
  const after = [...cells];
  for (const turned of [square, ...flips]) after[indexOf(turned, size)] = turn === "black" ? "X" : "O";
  return { size, cells: after.join(""), last: square, turned: flips };
}
