/**
 * A whole game in an address: `#t=f5d6c3&p=3`. `n` is the size of the board if not 8, `s=mirrored` the other opening,
 * `b` a starting board of its own with the side to move, `o=fewest` the other objective, `x` and `w` the names. Variations are in
 * `v=0.1.f6d3~1.2.c4`: each with the line that it leaves (0 is the game), the discs placed until there, and its moves; `l` is
 * the line of the position it opens with.
 */

/** @import {Color} from "./types.js" */
import { t } from "./i18n.js";

/** @typedef {{from: number, discs: number, moves: string[]}} Variation */

/**
 * @typedef {object} Linked
 * @property {number} size
 * @property {string | null} start the board the game began with, or null for the usual one
 * @property {Color} startTurn
 * @property {string} objective
 * @property {string[]} moves passes included or not
 * @property {number | null} ply the position it opens with; null for the last one
 * @property {Variation[]} [variations]
 * @property {number} [line] which line the ply counts in; 0 is the game
 * @property {Record<Color, string>} [names]
 * @property {boolean} [review] whether to review it at once
 * @property {"standard" | "mirrored"} [opening]
 * @property {string} [wrong] what is wrong with it
 */

/** The usual starting boards of a size, to leave them out of links. @param {number} size @param {boolean} mirrored */
export function usualStart(size, mirrored = false) {
  const cells = Array(size * size).fill("-");
  const middle = size / 2;
  for (const [row, column] of [
    [middle - 1, middle - 1],
    [middle, middle],
  ])
    cells[row * size + column] = mirrored ? "X" : "O";
  for (const [row, column] of [
    [middle - 1, middle],
    [middle, middle - 1],
  ])
    cells[row * size + column] = mirrored ? "O" : "X";
  return cells.join("");
}

/** Moves as a link has them. @param {string[]} moves */
const placed = (moves) => moves.filter((move) => move !== "pass").join("");

/** @param {Linked} game @param {number} [kept] how many variations it holds @returns {string} the part of the address from `#` on */
export function permalink(game, kept = game.variations?.length ?? 0) {
  const parts = [`t=${placed(game.moves)}`];
  const mirrored = game.opening === "mirrored" || game.start === usualStart(game.size, true);
  if (game.size !== 8) parts.push(`n=${game.size}`);
  if (mirrored && game.startTurn === "black") parts.push("s=mirrored");
  else if (game.start && (game.start !== usualStart(game.size) || game.startTurn !== "black"))
    parts.push(`b=${squeeze(game.start)}${game.startTurn === "black" ? "X" : "O"}`);
  if (kept) {
    const variations = game.variations?.slice(0, kept) ?? [];
    parts.push(`v=${variations.map(({ from, discs, moves }) => `${from}.${discs}.${placed(moves)}`).join("~")}`);
  }
  const line = game.line ?? 0;
  if (line && line <= kept) parts.push(`l=${line}`);
  if (game.ply !== null && line <= kept) parts.push(`p=${game.ply}`);
  if (game.objective === "fewest") parts.push("o=fewest");
  if (game.names?.black) parts.push(`x=${encodeURIComponent(game.names.black)}`);
  if (game.names?.white) parts.push(`w=${encodeURIComponent(game.names.white)}`);
  return `#${parts.join("&")}`;
}

/** How many variations fit into a link of so many characters; the game itself is always there. @param {Linked} game @param {number} longest */
export function fittingVariations(game, longest) {
  let kept = game.variations?.length ?? 0;
  while (kept && permalink(game, kept).length > longest) kept--;
  return kept;
}

/** @param {URLSearchParams} query @returns {Linked | null} null if it is not a permalink */
export function readPermalink(query) {
  if (!query.has("t") && !query.has("b")) return null;
  const wanted = Number(query.get("n") ?? 8);
  const size = Number.isInteger(wanted) && wanted >= 4 && wanted <= 26 && wanted % 2 === 0 ? wanted : 8;
  const text = query.get("t") ?? "";
  const good = /^(?:[a-z]\d{1,2}|-)*/i.exec(text)?.[0] ?? "";
  const moves = good.toLowerCase().match(/[a-z]\d{1,2}/g) ?? [];
  const { variations, unclear } = readVariations(query.get("v") ?? "", moves.length);
  const board = query.get("b") ? spread(query.get("b") ?? "") : null;
  const fits = board !== null && board.length === size * size + 1;
  let wrong;
  if (size !== wanted) wrong = t("link.size", { n: query.get("n") ?? "" });
  else if (board !== null && !fits) wrong = t("link.board", { n: board.length - 1, all: size * size });
  else if (good !== text) wrong = t("link.move", { text: text.slice(good.length, good.length + 10) });
  else if (unclear) wrong = t("link.variation", { text: unclear.slice(0, 20) });
  const mirrored = query.get("s") === "mirrored";
  return {
    size,
    moves,
    variations,
    line: Number(/^\d{1,4}$/.exec(query.get("l") ?? "")?.[0] ?? 0),
    start: fits ? board.slice(0, -1) : null,
    startTurn: fits && board.endsWith("O") ? "white" : "black",
    opening: mirrored ? "mirrored" : "standard",
    objective: query.get("o") === "fewest" ? "fewest" : "most",
    ply: /^\d{1,4}$/.test(query.get("p") ?? "") ? Number(query.get("p")) : null,
    review: query.get("review") === "1",
    names: { black: query.get("x") ?? "", white: query.get("w") ?? "" },
    wrong,
  };
}

/** @param {string} text @param {number} length of the game @returns {{variations: Variation[], unclear?: string}} those before the first that is wrong */
function readVariations(text, length) {
  /** @type {Variation[]} */
  const variations = [];
  const lengths = [length];
  for (const part of text ? text.split("~") : []) {
    const [, from, discs, line] = /^(\d{1,4})\.(\d{1,4})\.((?:[a-z]\d{1,2})+)$/i.exec(part) ?? [];
    if (!line || !(Number(discs) <= (lengths[Number(from)] ?? -1))) return { variations, unclear: part };
    const moves = line.toLowerCase().match(/[a-z]\d{1,2}/g) ?? [];
    variations.push({ from: Number(from), discs: Number(discs), moves });
    lengths.push(Number(discs) + moves.length);
  }
  return { variations };
}

/** Runs of empty squares as numbers, as chess diagrams have them: a third of the length. @param {string} cells */
const squeeze = (cells) => cells.replace(/-+/g, (run) => String(run.length));

/** @param {string} text */
const spread = (text) => text.replace(/\d+/g, (run) => "-".repeat(Math.min(Number(run), 676)));
