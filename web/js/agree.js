/** Review and engine on the same move: the deeper of the two is believed by both. */

/** @import {Evaluation, Judged} from "./types.js" */

/** What a loss is called, best first, up to which limit; beyond the last it is a blunder. */
const KINDS = /** @type {const} */ ([
  ["best", ""],
  ["good", ""],
  ["inaccuracy", "?!"],
  ["mistake", "?"],
  ["blunder", "??"],
]);

/** Whether a judgement rests on more than an evaluation. @param {{exact: boolean, depth: number}} one @param {{exact: boolean, depth: number}} other */
const isDeeper = (one, other) => !other.exact && (one.exact || one.depth > other.depth);

/**
 * What the review says of a move once the engine has looked deeper; nothing if it has not.
 * @param {Judged} judged
 * @param {Pick<Evaluation, "move" | "score" | "depth" | "solved" | "line">[]} evaluations of the position before it, best first
 * @param {Record<string, number>} limits discs that a move of each kind may lose
 * @returns {Judged | null}
 */
export function corrected(judged, evaluations, limits) {
  const [best] = evaluations;
  const played = evaluations.find(({ move }) => move === judged.move);
  if (!best || !played || judged.forced) return null;
  const found = { exact: best.solved && played.solved, depth: Math.min(best.depth, played.depth) };
  if (!isDeeper(found, judged)) return null;
  const loss = Math.max(0, best.score.value - played.score.value);
  const [judgement, mark] = KINDS.find(([kind]) => loss <= (limits[kind] ?? Infinity)) ?? KINDS[4];
  const same = best.move === judged.best && mark !== "";
  return {
    ...judged,
    ...found,
    ...{ loss, judgement, mark, score: played.score, best: best.move, best_score: best.score, line: best.line },
    discs: judged.color === "black" ? played.score.value : 0 - played.score.value,
    lesson: judged.lesson && same,
    why: same ? judged.why : null,
  };
}

/**
 * What the engine says of the moves of a position once the review has looked deeper at some of them, best first.
 * @param {Evaluation[]} evaluations
 * @param {Judged[]} judgements of moves in this position
 */
export function deepened(evaluations, judgements) {
  const better = evaluations.map((evaluation) => {
    const { move, solved, depth } = evaluation;
    const judged = judgements.find((one) => one.move === move || one.best === move);
    const score = judged?.move === move ? judged.score : judged?.best_score;
    if (!judged || !score || !isDeeper(judged, { exact: solved, depth })) return evaluation;
    return { ...evaluation, score, depth: judged.depth, solved: judged.exact, line: judged.best === move ? judged.line : evaluation.line };
  });
  return better.sort((one, other) => other.score.value - one.score.value);
}
