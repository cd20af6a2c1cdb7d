/** The best lines the engine sees, to point at and to play. */

/** @import {Analysis} from "./types.js" */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { short } from "./overlays.js";
import { breakdownTable } from "./thinking.js";

/** Lines shown. */
const MOST = 5;

/**
 * @param {Analysis | undefined} analysis
 * @param {{preview: (line: string[] | null) => void, play: (square: string) => void}} on
 */
export function engineLines(analysis, on) {
  if (!analysis?.evaluations.length) return [h("p", { class: "hint" }, "…")];
  const rows = analysis.evaluations.slice(0, MOST).map((item) => {
    const show = () => on.preview(item.line);
    const hide = () => on.preview(null);
    return h(
      "li",
      null,
      h(
        "button",
        { type: "button", class: "quiet line", onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide, onclick: () => on.play(item.move) },
        h("strong", { class: "worth" }, short(item.score)),
        h("span", { class: "moves-ahead" }, item.line.join(" ") || item.move),
        item.solved ? h("em", null, t("ana.exact")) : h("span", { class: "hint" }, t("ana.depth", { n: item.depth })),
      ),
    );
  });
  return [h("ol", { class: "engine-lines", "aria-label": t("ana.lines") }, rows), analysis.breakdown ? breakdownTable(analysis.breakdown) : null];
}
