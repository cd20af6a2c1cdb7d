/** One good square for somebody who is stuck, one reason that can be counted; asked again, the line. */

/** @import {Color, Hint, Merit} from "./types.js" */
import { t } from "./i18n.js";

/** Reasons that are given: more would be a lecture. */
const MOST = 2;

/** @param {Hint} hint @param {Color} turn whose move it is @param {boolean} line whether the line is shown too */
export function hintSentence(hint, turn, line) {
  const other = t(turn === "black" ? "white" : "black");
  const reasons = hint.merits.slice(0, MOST).map((merit) => reason(merit, other));
  const why = reasons.length ? reasons.join(t("hint.and")) : t(hint.solved ? "hint.solved" : "hint.deep", { n: hint.depth });
  const said = t("hint.says", { move: hint.move, why });
  return line ? `${said} ${t("hint.line", { line: hint.line.join(" ") })}` : said;
}

/** @param {Merit} merit @param {string} other the side that replies */
const reason = ({ kind, count, other: instead }, other) =>
  t(count === 1 && kind === "few_replies" ? "hint.one_reply" : `hint.${kind}`, { other, n: count, m: instead });
