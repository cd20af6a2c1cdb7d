/** The panel that shows the computer's thinking as it goes on. */

/** @import {Thought, Breakdown} from "./types.js" */
import { fill, h } from "./dom.js";
import { number, t, term } from "./i18n.js";

/**
 * @param {Thought | null} thought
 * @param {number} move the number of the move that is thought about
 * @param {(line: string[] | null) => void} online the line the user points at
 */
export function thinkingPanel(thought, move, online) {
  if (!thought) return h("p", { class: "hint" }, t("think.nothing"));
  const line = thought.line.length ? thought.line : thought.best ? [thought.best] : [];
  /** @param {string} label @param {string} value */
  const row = (label, value) => h("div", null, h("dt", null, label), " ", h("dd", null, value));
  const show = () => online(line);
  const hide = () => online(null);
  return h(
    "div",
    { class: "stack" },
    h("p", { class: "hint" }, t("think.by", { player: thought.player, n: move })),
    h(
      "dl",
      { class: "figures" },
      thought.source === "book" ? row(t("think.source"), t("think.book")) : effort(thought, row),
      row(t("think.score"), thought.score?.text ?? "–"),
    ),
    line.length > 0 &&
      h(
        "p",
        null,
        h("span", { class: "hint" }, t("think.line")),
        " ",
        h("button", { type: "button", class: "quiet line", onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide }, line.join(" ")),
      ),
    thought.breakdown && breakdownTable(thought.breakdown),
  );
}

/**
 * What a search took.
 * @param {Thought} thought
 * @param {(label: string, value: string) => HTMLElement} row
 */
function effort(thought, row) {
  return [
    row(t("think.depth"), String(thought.depth)),
    row(t("think.nodes"), number(thought.nodes)),
    row(t("think.speed"), number(Math.round(thought.nps))),
    row(t("think.time"), t("seconds", { n: (thought.time_ms / 1000).toFixed(2) })),
  ];
}

/** How a textbook evaluation comes together. @param {Breakdown} breakdown */
export function breakdownTable({ evaluator: name, total, components }) {
  const evaluator = term("eval", name);
  const figure = (/** @type {number} */ value) => number(Math.round(value * 100) / 100);
  return h(
    "details",
    null,
    h("summary", { class: "small" }, t("think.breakdown", { evaluator })),
    h(
      "div",
      { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("think.breakdown", { evaluator }) },
      h(
        "table",
        { class: "small" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th", null, t("think.part")),
            ["own", "other", "value", "weight", "adds"].map((key) => h("th", { class: "number" }, t(/** @type {"think.own"} */ (`think.${key}`)))),
          ),
        ),
        h(
          "tbody",
          null,
          components.map((part) =>
            h(
              "tr",
              null,
              h("td", null, term("part", part.name)),
              [part.own, part.opponent, part.value, part.weight, part.contribution].map((value) => h("td", { class: "number" }, figure(value))),
            ),
          ),
          h("tr", null, h("th", { colspan: 5 }, t("think.total")), h("td", { class: "number" }, figure(total))),
        ),
      ),
    ),
  );
}

/**
 * Keeps a panel up to date without rebuilding it when nothing changed.
 * @param {HTMLElement} place
 * @param {(line: string[] | null) => void} online
 */
export function thinkingPlace(place, online) {
  let shown = "";
  return (/** @type {Thought | null} */ thought, /** @type {number} */ move) => {
    const news = JSON.stringify([thought, move]);
    if (news === shown) return;
    shown = news;
    const open = place.querySelector("details")?.open ?? false;
    const focused = place.contains(document.activeElement);
    fill(place, thinkingPanel(thought, move, online));
    const details = place.querySelector("details");
    if (details) details.open = open;
    if (focused) place.querySelector("button")?.focus();
  };
}
