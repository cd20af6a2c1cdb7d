/** Questions about the next step, made of the course of the search itself: each has one right answer. */

/** @import {Course} from "./course.js" */
import { say } from "./texts.js";
import { brief, pathName } from "./words.js";

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} choices
 * @property {number} right
 */

/** One step in so many, besides those that matter, is asked about, so that the answer is not always the same. */
const NOW_AND_THEN = 4;

/** Chosen by the step alone, so that everybody with the same link is asked the same. @param {number} step */
const chosen = (step) => Math.imul(step + 1, 0x9e3779b1) >>> 8;

/**
 * What to ask before this step, if anything: which branch is cut off, what a node is worth, which move is tried next.
 * @param {Course} course
 * @param {number} step the number of steps done; the question is about the next
 * @returns {Question | null}
 */
export function question(course, step) {
  const letter = course.letters[step];
  if (letter === undefined) return null;
  if (letter === "p") return whichChild(course, step);
  const prunes = course.counters(course.length).cuts > 0;
  if (prunes) return afterChild(course, step) ? whichCut(course, step, letter) : null;
  return letter === "v" ? whichValue(course, step) : null;
}

/** Whether a child was just valued and its parent goes on from there. @param {Course} course @param {number} step */
function afterChild(course, step) {
  const before = course.letters[step - 1] ?? "";
  if (!"lotvb".includes(before)) return false;
  // A new best comes with the value of the child, and what it leads to after it.
  return course.letters[step] !== "b";
}

/** @param {Course} course @param {number} step @param {string} letter @returns {Question | null} */
function whichCut(course, step, letter) {
  const cut = letter === "a" || letter === "c";
  if (!cut && chosen(step) % NOW_AND_THEN !== 0) return null;
  // The nodes on the way here: each could be the one whose other moves are not tried.
  const path = course.path(course.stayAt(cut ? step + 1 : step));
  if (path.length < 2 && !cut) return null;
  const choices = [...path.map(({ node }) => say("ask.cut.at", { path: pathName(course, node) })), say("ask.cut.none")];
  return { text: say("ask.cut"), choices, right: cut ? path.length - 1 : choices.length - 1 };
}

/** @param {Course} course @param {number} step @returns {Question | null} */
function whichValue(course, step) {
  const node = course.lit(step + 1);
  const values = [...new Set(course.branches[node].map((mark) => brief(course.value(course.nodeOf(mark), step)?.value)))].slice(0, 6);
  const right = values.indexOf(brief(course.value(node, step + 1)?.value));
  if (values.length < 2 || right < 0) return null;
  return { text: say(course.isMax(node) ? "ask.max" : "ask.min", { path: pathName(course, node) }), choices: values, right };
}

/** @param {Course} course @param {number} step @returns {Question | null} */
function whichChild(course, step) {
  const next = course.lit(step + 1);
  const parent = course.parent[next];
  const choices = course.children[parent].slice(0, 8);
  if (choices.length < 2 || chosen(step) % NOW_AND_THEN !== 0 || !choices.includes(next)) return null;
  return {
    text: say("ask.select", { path: pathName(course, parent) }),
    choices: choices.map((child) => course.name(course.move[child])),
    right: choices.indexOf(next),
  };
}
