/** A game as a moving picture: one frame for each board. */

import { GIFEncoder } from "../vendor/gifenc/gifenc.esm.js";

/** Background, lines, black, black's edge, white, white's edge, mark. */
const PALETTE = [
  [79, 122, 91],
  [49, 82, 59],
  [27, 26, 23],
  [70, 69, 65],
  [251, 248, 240],
  [165, 157, 140],
  [244, 201, 93],
];
const [FELT, LINE, BLACK, BLACK_EDGE, WHITE, WHITE_EDGE, MARK] = PALETTE.keys();
/** Bits that are enough for the palette. */
const DEPTH = 3;
/** Milliseconds for a move, and for the end. */
const PACE = 700;
const REST = 3000;

/**
 * @param {number} size squares along a side
 * @param {{cells: string, last: number | null}[]} boards
 */
export function film(size, boards) {
  const cell = Math.max(12, Math.floor(400 / size));
  const side = cell * size + 1;
  const gif = GIFEncoder();
  boards.forEach(({ cells, last }, index) => {
    const delay = index === boards.length - 1 ? REST : PACE;
    gif.writeFrame(frame(size, cell, side, cells, last), side, side, { palette: index === 0 ? PALETTE : undefined, colorDepth: DEPTH, delay });
  });
  gif.finish();
  return new Blob([gif.bytes()], { type: "image/gif" });
}

/**
 * @param {number} size
 * @param {number} cell
 * @param {number} side
 * @param {string} cells
 * @param {number | null} last
 */
function frame(size, cell, side, cells, last) {
  const pixels = new Uint8Array(side * side).fill(FELT);
  const radius = cell * 0.41;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (x % cell === 0 || y % cell === 0) {
        pixels[y * side + x] = LINE;
        continue;
      }
      const index = Math.floor(y / cell) * size + Math.floor(x / cell);
      const away = Math.hypot((x % cell) - cell / 2, (y % cell) - cell / 2);
      const disc = cells[index];
      if (disc === "X" || disc === "O") {
        if (index === last && away < cell * 0.1) pixels[y * side + x] = MARK;
        else if (away <= radius - 1.2) pixels[y * side + x] = disc === "X" ? BLACK : WHITE;
        else if (away <= radius) pixels[y * side + x] = disc === "X" ? BLACK_EDGE : WHITE_EDGE;
      }
    }
  }
  return pixels;
}
