/** What a step means, in a sentence; and values as there is room for them. */

/** @import {Course, Stay} from "./course.js" */
import { number, t } from "../i18n.js";
import { say } from "./texts.js";

/** Evaluations stay below this, results of games above. */
const DECIDED = 5e8;
const WIN = 1e9;

/** A value in figures or a word. @param {number | null | undefined} value */
export function brief(value) {
  if (value === null || value === undefined) return "?";
  if (Math.abs(value) > DECIDED) {
    const margin = Math.round(Math.abs(value) - WIN);
    return say(value > 0 ? "won" : "lost") + (margin > 0 ? ` ${margin}` : "");
  }
  const digits = Math.abs(value) >= 100 ? 1 : 10;
  return number(Math.round(value * digits) / digits).replace("-", "−");
}

/** The same where there is little room: thousands as k. @param {number | null | undefined} value */
export function tiny(value) {
  const large = typeof value === "number" && Math.abs(value) >= 1000 && Math.abs(value) <= DECIDED;
  const digits = Math.abs(value ?? 0) >= 10_000 ? 1 : 10;
  return large ? `${brief(Math.round((value * digits) / 1000) / digits)}k` : brief(value);
}

/** An end of a window. @param {number | null} end @param {"α" | "β"} which */
export const windowEnd = (end, which) => (end === null ? (which === "α" ? "−∞" : "∞") : tiny(end));

/** The same where it is compared with a value. @param {number | null} end @param {"α" | "β"} which */
const spelledEnd = (end, which) => (end === null ? windowEnd(end, which) : brief(end));

/** A value and what is known about it. @param {{value: number | null, bound: number} | null} known */
export const signed = (known) => (known ? `${known.bound < 0 ? "≤" : known.bound > 0 ? "≥" : ""}${tiny(known.value)}` : "");

/** The same in words. @param {{value: number | null, bound: number}} known */
const spoken = ({ value, bound }) => (bound < 0 ? say("atmost", { value: brief(value) }) : bound > 0 ? say("atleast", { value: brief(value) }) : brief(value));

/** What a node is called: the moves that lead to it; or a join. @param {Course} course @param {number} mark */
export const pathName = (course, mark) => course.line(mark).map(moveName).join(" ") || say("root");

/** The moves by which the search came here this time. @param {Course} course @param {Stay} stay */
const wayName = (course, stay) =>
  course
    .path(stay)
    .slice(1)
    .map(({ move }) => moveName(course.name(move)))
    .join(" ");

/** How else a node is reached: at most so many ways are named. */
const WAYS_NAMED = 4;

/** @param {Course} course @param {number} node @param {number} step */
export function waysNamed(course, node, step) {
  const ways = course.otherWays(node, step);
  const names = ways.slice(0, WAYS_NAMED).map((mark) => pathName(course, mark));
  return names.join(say("list")) + (ways.length > WAYS_NAMED ? " …" : "");
}

/** @param {string} move */
const moveName = (move) => (move === "pass" ? say("pass") : move);

/** A share of the points, in percent. @param {{visits: number, points: number}} games */
export const share = ({ visits, points }) => (visits ? `${Math.round((100 * points) / visits)}%` : "–");

/** What the step that led here did. @param {Course} course @param {number} step @returns {string} */
export function sentence(course, step) {
  if (step === 0) return say("step.none");
  const at = Math.min(step, course.length) - 1;
  const node = course.lit(step);
  const who = { path: pathName(course, node), color: t(course.turn(node)) };
  const last = step >= course.length ? ` ${ending(course)}` : "";
  return said(course, at, node, who) + last;
}

/**
 * @param {Course} course
 * @param {number} at the place of the step
 * @param {number} node
 * @param {{path: string, color: string}} who
 * @returns {string}
 */
function said(course, at, node, who) {
  const letter = course.letters[at];
  const step = at + 1;
  switch (letter) {
    case "i":
      return say("step.deeper", { n: course.tree(step).depth ?? 0 });
    case "e":
      return entered(course, node, step, who);
    case "s":
      return say("step.scout", { move: moveName(course.name(course.move[node])), limit: scoutLimit(course, node, step) });
    case "r":
      return say("step.again", { move: moveName(course.name(course.move[node])) });
    case "j":
      return joined(course, course.stay(node, step), step);
    case "l":
      return say("step.leaf", { ...who, value: brief(course.stay(node, step).value) });
    case "o":
      return say("step.over", { ...who, value: brief(course.stay(node, step).value) });
    case "t":
      return known(course, node, step, who);
    case "v":
      return say("step.value", { ...who, value: spoken(course.stay(node, step)) });
    case "b":
      return better(course, node, step, who);
    case "a":
    case "c":
      return cutOff(course, node, at);
    case "m":
      return say("step.ranked", {
        ...who,
        moves: course
          .ranking(at)
          .map(({ move, looks }) => `${move} (${brief(looks)})`)
          .join(", "),
      });
    case "d":
      return lottery(course, at, who);
    default:
      return game(course, at, node, who);
  }
}

/** @param {Course} course @param {number} node @param {number} step @param {{path: string, color: string}} who */
function entered(course, node, step, who) {
  if (course.parent[node] < 0) return say("step.root", who);
  const { alpha, beta } = course.window(node, step);
  if (alpha === null && beta === null) return say(course.isMax(node) ? "step.max.open" : "step.min.open", who);
  return say(course.isMax(node) ? "step.max" : "step.min", { ...who, alpha: windowEnd(alpha, "α"), beta: windowEnd(beta, "β") });
}

/** A node that is there already is entered again: why, and what will come of it. @param {Course} course @param {Stay} stay @param {number} step */
function joined(course, stay, step) {
  const { node, entry } = stay;
  const earlier = pathName(course, node);
  const gaps = { path: stay.join < 0 ? earlier : wayName(course, stay), earlier, move: moveName(course.name(stay.move)) };
  const same = say(stay.join < 0 ? "step.back" : "step.join", gaps);
  if (entry === "r") return say("step.again", gaps);
  const asked = entry === "s" ? `${say("step.scout", { ...gaps, limit: scoutLimit(course, node, step) })} ` : "";
  return asked + [same, searchedAgain(course, stay, step)].filter(Boolean).join(" ");
}

/** Why a node that was searched before is not only looked up; nothing where it is. @param {Course} course @param {Stay} stay @param {number} step */
function searchedAgain(course, stay, step) {
  if (stay.end === "t" || stay.end === "o") return "";
  if (stay.end === "l") return say("step.join.leaf");
  const { alpha, beta } = course.window(stay.node, step);
  const before = course.found(stay);
  if (!before) return say("step.join.depth");
  // A table that is full keeps nothing new, so that what would be enough may be lost.
  if (answers(before, alpha, beta)) return say("step.join.lost");
  return say("step.join.bound", { value: spoken(before), alpha: spelledEnd(alpha, "α"), beta: spelledEnd(beta, "β") });
}

/** @param {{value: number | null, bound: number}} known @param {number | null} alpha @param {number | null} beta */
function answers({ value, bound }, alpha, beta) {
  if (bound === 0 || value === null) return true;
  return bound < 0 ? alpha !== null && value <= alpha : beta !== null && value >= beta;
}

/** What is taken over: a value, or a bound that is enough. @param {Course} course @param {number} node @param {number} step @param {{path: string, color: string}} who */
function known(course, node, step, who) {
  const { value, bound } = course.stay(node, step);
  const { alpha, beta } = course.window(node, step);
  const gaps = { ...who, value: brief(value), alpha: spelledEnd(alpha, "α"), beta: spelledEnd(beta, "β") };
  return say(bound < 0 ? "step.known.most" : bound > 0 ? "step.known.least" : "step.known", gaps);
}

/** What a scout has to beat: the end of the window that was there before. @param {Course} course @param {number} node @param {number} step */
function scoutLimit(course, node, step) {
  const { alpha, beta } = course.window(node, step);
  return course.isMax(node) ? windowEnd(beta, "β") : windowEnd(alpha, "α");
}

/** @param {Course} course @param {number} node @param {number} step @param {{path: string, color: string}} who */
function better(course, node, step, who) {
  const best = course.stay(node, step).bests?.find((one) => one.step === step);
  if (!best) return "";
  const before = course.window(node, step - 1);
  const { value, alpha, beta, move } = best;
  const text = say("step.best", { ...who, move: moveName(course.name(move)), value: brief(value) });
  if (alpha !== before.alpha) return `${text} ${say("step.alpha", { value: brief(alpha) })}`;
  if (beta !== before.beta) return `${text} ${say("step.beta", { value: brief(beta) })}`;
  return text;
}

/** Why the rest of a node is not tried. @param {Course} course @param {number} node @param {number} at */
export function cutOff(course, node, at) {
  const cut = course.cut(at);
  const moves = cut.untried.join(" ");
  const here = t(course.turn(node));
  const { best } = course.window(node, at);
  if (cut.scout) return say("cut.scout", { value: brief(best), limit: brief(cut.limit), moves });
  const holder = t(course.turn(cut.holder));
  const gaps = { here, holder, value: brief(best), limit: brief(cut.limit), moves, where: pathName(course, cut.holder) };
  return say(cut.end === "α" ? "cut.alpha" : "cut.beta", gaps);
}

/** @param {Course} course @param {number} at @param {{path: string, color: string}} who */
function lottery(course, at, who) {
  const lots = course.lots(at);
  const all = lots.reduce((sum, lot) => sum + lot.lots, 0);
  const list = (/** @type {boolean} */ drawn) =>
    lots
      .filter((lot) => lot.drawn === drawn)
      .map((lot) => `${lot.move} (${lot.lots}/${all})`)
      .join(", ");
  return say("step.drawn", { ...who, drawn: list(true), undrawn: list(false) });
}

/** @param {Course} course @param {number} at @param {number} node @param {{path: string, color: string}} who */
function game(course, at, node, who) {
  const letter = course.letters[at];
  if (letter === "g") {
    const grown = course.children[node].map((child) => moveName(course.name(course.move[child])));
    return say("step.grow", { ...who, moves: grown.join(" ") });
  }
  if (letter === "p") {
    const games = course.visits(node, at);
    const move = moveName(course.name(course.move[node]));
    return games.visits ? say("step.select", { move, n: games.visits, share: share(games) }) : say("step.untried", { move });
  }
  if (letter === "w") {
    const { points, own, other, plies } = course.playout(at);
    const result = say(points > 0.5 ? "game.won" : points < 0.5 ? "game.lost" : "game.drawn");
    return say("step.playout", { plies, own, other, result, color: t(course.side) });
  }
  const games = course.visits(course.tree(at + 1).root, at + 1);
  return say("step.backup", { n: games.visits, share: share(games), color: t(course.side) });
}

/** What came of it. @param {Course} course */
function ending(course) {
  const { report } = course;
  if (report.stopped) return say("end.stopped");
  return say("end.done", { best: report.best ?? "–", value: report.score?.text ?? "–", n: number(course.counters(course.length).positions) });
}

/** A node in a sentence, for those who do not see it. @param {Course} course @param {number} node @param {number} step */
export function nodeSentence(course, node, step) {
  const parts = [pathName(course, node), say(course.isMax(node) ? "node.max" : "node.min", { color: t(course.turn(node)) })];
  if (course.isMonteCarlo) {
    const games = course.visits(node, step);
    parts.push(say("node.games", { n: games.visits, share: share(games), color: t(course.side) }));
    return parts.join(", ");
  }
  const known = course.value(node, step);
  const { alpha, beta } = course.window(node, step);
  if (known) parts.push(say("node.value", { value: spoken(known) }));
  parts.push(`α ${windowEnd(alpha, "α")}, β ${windowEnd(beta, "β")}`);
  const ways = waysNamed(course, node, step);
  if (ways) parts.push(say("node.ways", { ways }));
  const searches = course.searches(node, step);
  if (searches > 1) parts.push(say("node.searches", { n: searches }));
  const { cut } = course.stay(node, step);
  if (cut >= 0 && cut < step) parts.push(cutOff(course, node, cut));
  return parts.join(", ");
}

/** A join in a sentence. @param {Course} course @param {number} mark @param {number} step */
export function joinSentence(course, mark, step) {
  const node = course.nodeOf(mark);
  const known = course.value(node, step);
  const parts = [pathName(course, mark), say("node.same", { earlier: pathName(course, node) })];
  if (known) parts.push(say("node.value", { value: spoken(known) }));
  return parts.join(", ");
}
