/** Mistakes of a reviewed game as cards of a deck. */

/** @import {Color} from "./types.js" */
/** @import {GameTree} from "./game-tree.js" */
import { t } from "./i18n.js";
import { usualStart } from "./permalink.js";

/**
 * The mistakes of one side that have one clear answer. Games in which fewest discs win have no cards.
 * @param {GameTree} tree
 * @param {number} at a node of the line
 * @param {Color} color
 */
export function lessons(tree, at, color) {
  if (tree.objective !== "most") return [];
  const usual = tree.size === 8 && !tree.start && tree.opening === "standard";
  const cells = tree.start ?? usualStart(tree.size, tree.opening === "mirrored");
  const start = usual ? undefined : `${cells} ${tree.startTurn === "black" ? "X" : "O"}`;
  return tree.line(at).flatMap(({ parent, number, judged }) => {
    if (!judged?.lesson || judged.color !== color || !judged.best) return [];
    const moves = tree
      .moves(parent ?? 0)
      .filter((move) => move !== "pass")
      .join("");
    const note = t("mist.note", { n: number, move: judged.move, mark: judged.mark, loss: judged.loss.toFixed(0) });
    return [{ start, moves, answers: [judged.best], note }];
  });
}
