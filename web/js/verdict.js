/** What is said about a position of the analysis board: whose turn it is, how good the last move was, the opening. */

/** @import {Analysis, Color} from "./types.js" */
/** @import {TreeSpot} from "./game-tree.js" */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { openingName } from "./opening-name.js";
import { whySentence } from "./why.js";

/** Most discs that a good move may lose. */
const GOOD = 2;

/**
 * @param {TreeSpot} spot
 * @param {Analysis | undefined} analysis
 * @param {Record<Color, string>} names
 * @param {{shown: boolean, show: (on: boolean) => void}} why whether the board shows why the move is bad
 */
export function verdict(spot, analysis, names, why) {
  const position = analysis?.position;
  const lines = [];
  if (position?.status === "over") lines.push(h("p", { class: "headline" }, t("ana.over", { black: position.counts.black, white: position.counts.white })));
  else if (position?.turn) lines.push(h("p", { class: "headline" }, t("game.turn", { name: names[position.turn] || t(position.turn) })));
  lines.push(...(spot.judged ? judgement(spot, why) : [h("p", { class: "tally" }, moveText(spot))]));
  const opening = openingName(analysis?.opening);
  if (opening) lines.push(h("p", { class: "opening" }, t("ana.opening", { name: opening })));
  if (spot.comment) lines.push(h("p", { class: "small" }, spot.comment));
  return lines;
}

/** The move that led here. @param {TreeSpot} spot */
function moveText({ move, number }) {
  if (!move) return t("ana.start");
  return move === "pass" ? t("game.passmove") : `${number}. ${move}`;
}

/** How good the move that led here was, and why. @param {TreeSpot} spot @param {{shown: boolean, show: (on: boolean) => void}} why */
function judgement({ judged, number, move }, { shown, show }) {
  if (!judged) return [];
  const lost = judged.loss > 0.05;
  const n = judged.loss.toFixed(1).replace(/\.0$/, "");
  const kind = /** @type {"best" | "good" | "inaccuracy" | "mistake" | "blunder" | "forced"} */ (judged.forced ? "forced" : judged.judgement);
  // Without a mark only because no second search has confirmed the first.
  const unsure = kind === "good" && judged.loss > GOOD;
  const words = unsure ? [t("ana.unsure", { n })] : [t(`ana.judged.${kind}`), ...(lost ? [t("ana.lost", { n })] : [])];
  return [
    h("p", { class: `verdict ${unsure ? "unsure" : kind}` }, [`${number}. ${move}${judged.mark}`, ...words].join(" · ")),
    judged.best && judged.best !== judged.move && lost ? h("p", { class: "hint" }, t("ana.better", { best: judged.best, line: judged.line.join(" ") })) : null,
    judged.why &&
      h(
        "p",
        { class: "why" },
        `${whySentence(judged.why, judged)} `,
        h("button", { type: "button", class: "quiet small", id: "why", "aria-pressed": String(shown), onclick: () => show(!shown) }, t("why.show")),
      ),
  ];
}
