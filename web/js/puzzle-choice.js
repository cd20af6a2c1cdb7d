/** The panel that says which puzzles are wanted. */

/** @import {PuzzleListing} from "./types.js" */
/** @import {Key} from "./i18n.js" */
import { freshId, h, select } from "./dom.js";
import { number, t } from "./i18n.js";

/** @typedef {"rated" | "daily" | "clock" | "strikes"} Mode */
/** @typedef {{theme: string, size: string, shift: string}} Chosen */

export const MODES = /** @type {const} */ (["rated", "daily", "clock", "strikes"]);
const SHIFTS = /** @type {const} */ ([
  ["-300", "puz.easier"],
  ["0", "puz.mine"],
  ["300", "puz.harder"],
]);

export class PuzzleChoice {
  /**
   * @param {PuzzleListing} listing
   * @param {(mode: Mode) => void} begin
   */
  constructor(listing, begin) {
    /** @type {Mode} */
    this.mode = "rated";
    /** @type {Chosen} */
    this.chosen = { theme: "", size: "", shift: "0" };
    this.listing = listing;
    this.begin = begin;
    const name = freshId();
    this.filters = h("div", { class: "stack" });
    this.element = h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "segments", role: "radiogroup", "aria-label": t("puz.kind") },
        MODES.map((mode) => {
          const input = h("input", { type: "radio", name, value: mode, onchange: () => this.#choose(mode) });
          input.checked = mode === this.mode;
          return h("label", { class: "segment" }, input, h("span", null, t(`puz.mode.${mode}`)));
        }),
      ),
      this.filters,
    );
    this.#draw();
  }

  /** What the server is asked for. */
  get selection() {
    const { theme, size, shift } = this.chosen;
    return { ...(theme && { theme }), ...(size && { size: Number(size) }), ...(this.mode === "rated" && shift !== "0" && { shift: Number(shift) }) };
  }

  /** Chooses without beginning. @param {Mode} mode */
  show(mode) {
    this.mode = mode;
    for (const input of this.element.querySelectorAll("input")) input.checked = input.value === mode;
    this.#draw();
  }

  /** @param {Mode} mode */
  #choose(mode) {
    this.mode = mode;
    this.#draw();
    this.begin(mode);
  }

  #draw() {
    const { themes, sizes } = this.listing;
    const change = (/** @type {keyof Chosen} */ what) => (/** @type {string} */ value) => {
      this.chosen[what] = value;
      this.begin(this.mode);
    };
    const named = (/** @type {Record<string, number>} */ counts, /** @type {(name: string) => string} */ call) =>
      Object.entries(counts).map(([name, count]) => /** @type {[string, string]} */ ([name, `${call(name)} (${number(count)})`]));
    const { theme, size, shift } = this.chosen;
    // The puzzle of the day is the same for everybody.
    const choices =
      this.mode === "daily"
        ? []
        : [
            select({
              label: t("puz.theme"),
              value: theme,
              options: [["", t("puz.any")], ...named(themes, (name) => t(/** @type {Key} */ (`puz.theme.${name}`)))],
              onchange: change("theme"),
            }),
            select({
              label: t("puz.size"),
              value: size,
              options: [["", t("puz.any")], ...named(sizes, (name) => `${name}×${name}`)],
              onchange: change("size"),
            }),
            this.mode === "rated" &&
              select({ label: t("puz.hard"), value: shift, options: SHIFTS.map(([value, key]) => [value, t(key)]), onchange: change("shift") }),
          ];
    this.filters.replaceChildren(
      ...choices.filter((choice) => choice !== false),
      h("p", { class: "hint" }, t(`puz.lead.${this.mode}`)),
      h("p", { class: "hint roomy" }, t("puz.keys")),
    );
  }
}
