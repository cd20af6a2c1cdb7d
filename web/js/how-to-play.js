/** The rules in three pictures, for those who have never played. */

import { Board } from "./board.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

/** Boards of four by four, each with what is to be seen on it. */
const STEPS = /** @type {const} */ ([
  { text: "how.place", cells: "--X--OX--OOX----", ghost: "a3", last: null, turned: [] },
  { text: "how.turn", cells: "--X--XX-XXXX----", ghost: null, last: "a3", turned: ["b2", "b3", "c3"] },
  { text: "how.end", cells: "XXXXXOOXXXOXOOOX", ghost: null, last: null, turned: [] },
]);

export function howToPlay() {
  return h(
    "ol",
    { class: "how" },
    STEPS.map(({ text, cells, ghost, last, turned }) => {
      const board = new Board({ bare: true, label: t(text) });
      board.show({ size: 4, cells, ghosts: ghost ? { [ghost]: "X" } : {}, last, turned: [...turned] });
      return h("li", null, h("div", { class: "board-place how-board" }, board.element), h("p", { class: "small" }, t(text)));
    }),
  );
}
