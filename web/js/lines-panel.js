/** How much must I know: the lines of the book that keep a tolerance, as a tree that can be walked. */

/** @import {Color, LinesAnswer, Position} from "./types.js" */
import { announce, toast } from "./announce.js";
import { json } from "./api.js";
import { fill, h, select } from "./dom.js";
import { number, t } from "./i18n.js";

/** Discs that may be given away. */
const TOLERANCES = ["0", "1", "2", "3", "4"];

export class LinesPanel {
  /** @param {{chosen: () => {line: string, color: Color}, show: (position: Position) => void}} on */
  constructor(on) {
    this.on = on;
    this.tolerance = "1";
    this.asked = 0;
    this.result = h("div", { class: "stack lines" });
    this.element = h(
      "div",
      { class: "stack" },
      h("p", { class: "tally" }, t("lines.lead")),
      select({
        label: t("lines.tolerance"),
        value: this.tolerance,
        options: TOLERANCES.map((discs) => [discs, t("lines.discs", { n: discs })]),
        onchange: (value) => (this.tolerance = value),
      }),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => void this.#count(false) }, t("lines.opening")),
        h("button", { type: "button", onclick: () => void this.#count(true) }, t("lines.all")),
      ),
      this.result,
    );
  }

  /** @param {boolean} whole from the first move of the game */
  async #count(whole) {
    const { line, color } = this.on.chosen();
    const question = { from: whole ? "" : line, color, tolerance: Number(this.tolerance) };
    const mine = ++this.asked;
    try {
      const answer = await lines(question, "");
      if (mine !== this.asked) return;
      this.on.show(answer.position);
      const told = t("lines.told", { lines: count(answer.lines), positions: number(answer.positions), longest: number(answer.longest) });
      announce(told);
      fill(
        this.result,
        h("p", { class: "headline" }, told),
        answer.open ? h("p", { class: "error" }, t("lines.open", { n: number(answer.open) })) : null,
        h("div", { class: "known-tree" }, this.#branches(question, "", answer)),
      );
    } catch (error) {
      if (mine !== this.asked) return;
      fill(this.result, h("p", { class: "error", role: "alert" }, /** @type {Error} */ (error).message));
    }
  }

  /**
   * What is known in a position: one's own moves that may be chosen, or every reply.
   * @param {{from: string, color: Color, tolerance: number}} question
   * @param {string} moves those that led there
   * @param {LinesAnswer} answer
   */
  #branches(question, moves, { moves: known, position }) {
    const shown = known.filter(({ lines }) => lines !== null);
    return h(
      "ul",
      null,
      shown.map((move) => {
        const name = [
          h("span", { class: `chip ${position.turn}`, role: "img", "aria-label": t(position.turn ?? "black") }),
          h("span", null, move.move),
          h("span", { class: "known-value" }, signed(move.discs)),
          h("span", { class: "tally" }, t("lines.count", { n: count(move.lines ?? 0) })),
          move.advised ? h("span", { class: "verdict good" }, t("lines.advised")) : null,
        ];
        const here = moves + move.move;
        if (!move.goes_on) return h("li", null, h("button", { type: "button", class: "known", onclick: () => void this.#look(question, here) }, name));
        const inside = h("div");
        const branch = h("details", { class: "branch" }, h("summary", { class: `known${move.advised ? " best-line" : ""}` }, name), inside);
        branch.addEventListener("toggle", () => branch.open && void this.#look(question, here, inside));
        return h("li", null, branch);
      }),
    );
  }

  /**
   * Shows a position of the tree, and what follows there.
   * @param {{from: string, color: Color, tolerance: number}} question
   * @param {string} moves
   * @param {HTMLElement} [inside]
   */
  async #look(question, moves, inside) {
    try {
      const answer = await lines(question, moves);
      this.on.show(answer.position);
      if (inside && !inside.firstChild) fill(inside, this.#branches(question, moves, answer));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }
}

/** @param {{from: string, color: Color, tolerance: number}} question @param {string} moves @returns {Promise<LinesAnswer>} */
const lines = (question, moves) => json("/api/train/lines", { body: { ...question, moves } });

/** A number of lines; there may be more than can be counted. @param {number} lines */
const count = (lines) => (lines > Number.MAX_SAFE_INTEGER ? "∞" : number(lines));

/** @param {number} discs */
const signed = (discs) => (discs > 0 ? `+${discs}` : String(discs).replace("-", "−"));
