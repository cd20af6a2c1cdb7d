/** What stands in a node of a tree after so many steps. */

/** @import {Course} from "./course.js" */
import { say } from "./texts.js";
import { joinSentence, nodeSentence, share, signed, tiny, windowEnd } from "./words.js";

/** @param {Course} course @param {number} node @param {number} step */
export function nodeText(course, node, step) {
  const move = course.name(course.move[node]);
  const label = nodeSentence(course, node, step);
  if (course.isMonteCarlo) {
    const games = course.visits(node, step);
    return { move, ways: "", value: share(games), window: games.visits ? say("games", { n: games.visits }) : "", label, classes: games.visits ? "" : " faint" };
  }
  const known = course.value(node, step);
  const { alpha, beta, best } = course.window(node, step);
  const { entry, cut } = course.stay(node, step);
  const ways = course.otherWays(node, step).length;
  const searches = course.searches(node, step);
  const value = known ? signed(known) : best === null ? "…" : `${tiny(best)}…`;
  const window =
    alpha === null && beta === null
      ? ""
      : entry === "s"
        ? `${say("scout")} ${scoutWindow(course, node, alpha, beta)}`
        : `${windowEnd(alpha, "α")} … ${windowEnd(beta, "β")}`;
  const times = searches > 1 ? `↻${searches} ` : entry === "r" ? `${say("again")} ` : "";
  const classes = `${cut >= 0 && cut < step ? " was-cut" : ""}${known ? "" : " open"}${ways ? " joined" : ""}${entry === "s" ? " scout" : entry === "r" ? " again" : ""}`;
  return { move, ways: ways ? `×${ways + 1}` : "", value, window: times + window, label, classes };
}

/** What stands in a join: the move, and what the node it leads to is worth. @param {Course} course @param {number} mark @param {number} step */
export function joinText(course, mark, step) {
  const { parent, node, move } = /** @type {import("./course.js").Join} */ (course.join(mark));
  const known = course.value(node, step);
  const best = course.bestLine(step).has(parent) && course.bestChild(parent, step) === node;
  return { move: `${course.name(move)}↪`, value: signed(known) || "…", label: joinSentence(course, mark, step), classes: best ? " best-line" : "" };
}

/** What a scout asks: whether it is more, or less. @param {Course} course @param {number} node @param {number | null} alpha @param {number | null} beta */
const scoutWindow = (course, node, alpha, beta) => (course.isMax(node) ? `< ${windowEnd(beta, "β")}?` : `> ${windowEnd(alpha, "α")}?`);

/** What a node leaves out. @param {Course} course @param {number} node @param {number} step */
export function stubText(course, node, step) {
  const { cut, undrawn } = course.leftOut(node, step);
  return { text: (cut.length ? `✂ ${cut.join(" ")}` : "") + (undrawn.length ? `${cut.length ? " " : ""}∅ ${undrawn.join(" ")}` : ""), undrawn: !cut.length };
}
