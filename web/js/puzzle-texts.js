/** What is said of a puzzle: every sentence from what the solver proved or what can be counted on the board. */

/** @import {Color, PuzzleAnswered, PuzzleReason, PuzzleSolution} from "./types.js" */
import { t } from "./i18n.js";

/** @param {number} score discs by which the one who solves wins or loses */
function ending(score) {
  if (score === 0) return t("puz.draws");
  return t(score > 0 ? "puz.wins" : "puz.loses", { n: Math.abs(score) });
}

/** @param {Color} color */
const other = (color) => (color === "black" ? "white" : "black");

/** A wrong move, and what the other side answers. @param {PuzzleAnswered} answered @param {Color} solver */
export function wrongText({ steps, score, best }, solver) {
  const [{ move }, reply] = steps;
  const said = [t("puz.wrong", { move, ending: ending(score), more: best - score })];
  if (reply) said.push(reply.move === "pass" ? t("puz.passes", { color: t(other(solver)) }) : t("puz.answers", { color: t(other(solver)), move: reply.move }));
  return said.join(" ");
}

/** The right move beside the next best. @param {PuzzleSolution} solution */
export function rightText({ scores: [first, second] }) {
  const right = t("puz.ends", { move: first[0], ending: ending(first[1]) });
  return second ? `${right} ${t("puz.next", { move: second[0], ending: ending(second[1]) })}` : right;
}

/** Why the right move works. @param {PuzzleReason} reason @param {string} move @param {Color} solver */
export function reasonText({ kind, other: instead, squares, instead: count }, move, solver) {
  return t(`puz.why.${kind}`, { move, color: t(other(solver)), n: squares.length, squares: squares.join(", "), other: instead, instead: count ?? 0 });
}
