/** What a puzzle asks for, in words. */

import { t } from "./i18n.js";

/** @param {string} goal */
export function goalText(goal) {
  return t(goal === "win" ? "puz.goal.win" : goal === "draw" ? "puz.goal.draw" : "puz.goal.most");
}
