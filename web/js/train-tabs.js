/** The kinds of training, each with its address. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {"puzzles" | "mistakes" | "openings" | "play"} TrainTab */

const TABS = /** @type {const} */ ([
  ["puzzles", "#/train"],
  ["mistakes", "#/train/mistakes"],
  ["openings", "#/train/openings"],
  ["play", "#/train/play"],
]);

/** The title of the view with the way to the others. @param {TrainTab} here */
export const trainTitle = (here) =>
  h(
    "div",
    { class: "score train-title" },
    h("h1", null, t("train.title")),
    h(
      "nav",
      { "aria-label": t("train.title") },
      TABS.map(([name, address]) => h("a", { href: address, "aria-current": name === here ? "page" : null }, t(`train.tab.${name}`))),
    ),
  );
