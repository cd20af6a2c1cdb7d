/** How a game can begin. */

import { t } from "./i18n.js";

/** Balanced openings are for the usual board. @param {number} size @returns {[string, string][]} */
export const startOptions = (size) => [
  ["standard", t("start.standard")],
  ["mirrored", t("start.mirrored")],
  ...(size === 8 ? [/** @type {[string, string]} */ (["balanced", t("start.balanced")])] : []),
];
