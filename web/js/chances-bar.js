/** How likely each side wins, as a bar at the edge of a board and in words. Black is below, as on its side of the table. */

/** @import {Deepened} from "./types.js" */
import { h, setText } from "./dom.js";
import { t } from "./i18n.js";

/** Where chances were not measured, the bar shows the discs that are expected: so many for a whole side of it. */
const WHOLE = 32;

/** @param {number} share */
const percent = (share) => Math.round(100 * share);

export class ChancesBar {
  constructor() {
    this.number = h("span", { class: "figure", "aria-hidden": "true" });
    this.element = h(
      "div",
      { class: "chances", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, hidden: true },
      h("span", { class: "black" }),
      this.number,
    );
    this.text = "";
  }

  /** @param {Deepened | null} known */
  show(known) {
    const score = known?.moves[0]?.score;
    const { chances } = known ?? {};
    this.element.hidden = !score;
    this.text = "";
    if (!score) return;
    const black = score.for === "black" ? score.value : -score.value;
    const share = chances ? chances.black + chances.draw / 2 : 0.5 + Math.max(-0.5, Math.min(0.5, black / (2 * WHOLE)));
    this.text = chances
      ? t("eng.chances", { black: percent(chances.black), draw: percent(chances.draw), white: percent(chances.white) })
      : t("eng.expected", { color: t(black >= 0 ? "black" : "white"), n: Math.abs(black).toFixed(known?.solved ? 0 : 1) });
    this.element.style.setProperty("--black", `${(100 * share).toFixed(1)}%`);
    this.element.setAttribute("aria-valuenow", String(percent(share)));
    this.element.setAttribute("aria-label", t("eng.bar"));
    this.element.setAttribute("aria-valuetext", this.text);
    this.element.title = this.text;
    setText(this.number, chances ? String(percent(share)) : "");
    this.number.classList.toggle("low", share < 0.5);
  }

  /** The same in words. */
  words() {
    return this.text ? h("p", { class: "hint chances-words" }, this.text) : null;
  }
}
