/** What stands in a node of a tree after so many steps. */

/** @import {Course} from "./course.js" */
import { say } from "./texts.js";
import { nodeSentence, share, signed, tiny, windowEnd } from "./words.js";

/** @param {Course} course @param {number} node @param {number} step */
export function nodeText(course, node, step) {
  const move = course.name(course.move[node]);
  const label = nodeSentence(course, node, step);
  if (course.isMonteCarlo) {
    const games = course.visits(node, step);
    return { move, value: share(games), window: games.visits ? say("games", { n: games.visits }) : "", label, classes: games.visits ? "" : " faint" };
  }
  const known = course.value(node, step);
  const { alpha, beta, best } = course.window(node, step);
  const entry = course.entry(node);
  const same = known && course.same.has(node);
  const value = known ? signed(known) : best === null ? "…" : `${tiny(best)}…`;
  const window =
    alpha === null && beta === null
      ? ""
      : entry === "s"
        ? `${say("scout")} ${scoutWindow(course, node, alpha, beta)}`
        : `${windowEnd(alpha, "α")} … ${windowEnd(beta, "β")}`;
  const cut = course.cutAt.get(node);
  const classes = `${cut !== undefined && cut < step ? " was-cut" : ""}${known ? "" : " open"}${same ? " same" : ""}${entry === "s" ? " scout" : entry === "r" ? " again" : ""}`;
  return { move, value: same ? `↪ ${value}` : value, window: entry === "r" ? `${say("again")} ${window}` : window, label, classes };
}

/** What a scout asks: whether it is more, or less. @param {Course} course @param {number} node @param {number | null} alpha @param {number | null} beta */
const scoutWindow = (course, node, alpha, beta) => (course.isMax(node) ? `< ${windowEnd(beta, "β")}?` : `> ${windowEnd(alpha, "α")}?`);

/** What a node leaves out. @param {Course} course @param {number} node @param {number} step */
export function stubText(course, node, step) {
  const { cut, undrawn } = course.leftOut(node, step);
  return { text: (cut.length ? `✂ ${cut.join(" ")}` : "") + (undrawn.length ? `${cut.length ? " " : ""}∅ ${undrawn.join(" ")}` : ""), undrawn: !cut.length };
}
