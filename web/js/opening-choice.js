/** Choosing an opening by its name or its moves, and a colour. */

/** @import {Color, Opening} from "./types.js" */
/** @import {Course} from "./opening-trainer.js" */
import { field, freshId, h, select } from "./dom.js";
import { t } from "./i18n.js";
import { openingName } from "./opening-name.js";
import { radio } from "./views/start.js";

/** A line of moves: squares and what may stand between them. */
const MOVES = /^([\s\d.,;-]*[a-h][1-8])+\s*$/i;

export class OpeningChoice {
  /**
   * @param {{moves: string, name: Opening}[]} openings
   * @param {(course: Course) => void} begin
   */
  constructor(openings, begin) {
    // Those that have a name in the reader's language come first.
    const known = openings.map(({ moves, name }) => ({ moves, name: openingName(name) || name.ja, foreign: openingName(name) ? 0 : 1 }));
    known.sort((a, b) => a.foreign - b.foreign || a.name.localeCompare(b.name) || a.moves.length - b.moves.length);
    /** @type {{moves: string, name: string}[]} */
    this.openings = known;
    this.begin = begin;
    /** @type {Color} */
    this.color = "black";
    this.beyond = "4";
    this.replies = "book";
    const id = freshId();
    this.list = h("select", {
      id,
      size: 5,
      ondblclick: () => this.#start(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && this.#start(),
    });
    this.wrong = h("p", { class: "error", role: "alert" });
    this.search = field({ label: t("train.search"), autocomplete: "off", spellcheck: "false", onchange: (text) => this.#filter(text) });
    this.element = h(
      "div",
      { class: "stack" },
      this.search,
      h("div", { class: "field" }, h("label", { for: id }, t("train.list")), this.list),
      h(
        "div",
        { class: "segments", role: "radiogroup", "aria-label": t("start.your") },
        radio("train-color", "black", t("black"), true, () => (this.color = "black")),
        radio("train-color", "white", t("white"), false, () => (this.color = "white")),
      ),
      select({
        label: t("train.beyondlabel"),
        value: this.beyond,
        options: ["0", "2", "4", "8", "12"].map((plies) => [plies, t("train.plies", { n: plies })]),
        onchange: (value) => (this.beyond = value),
      }),
      select({
        label: t("train.replies"),
        value: this.replies,
        options: [
          ["book", t("train.bybook")],
          ["people", t("train.bypeople")],
          ["engine", t("train.byengine")],
        ],
        onchange: (value) => (this.replies = value),
      }),
      this.wrong,
      h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: () => this.#start() }, t("train.begin"))),
    );
    this.#filter("");
  }

  /** What is chosen now. @returns {{line: string, color: Color}} */
  chosen() {
    return { line: this.list.value, color: this.color };
  }

  /** Begins with a line that the address named. @param {string} line @param {Color} color */
  openLine(line, color) {
    this.color = color;
    for (const input of this.element.querySelectorAll("input[type=radio]")) {
      const choice = /** @type {HTMLInputElement} */ (input);
      choice.checked = choice.value === color;
    }
    this.#filter(line);
    this.#start();
  }

  /** @param {string} text */
  #filter(text) {
    const wanted = text.trim().toLowerCase();
    const moves = wanted.replace(/[^a-h1-8]/g, "");
    const found = this.openings.filter(({ name, moves: line }) => name.toLowerCase().includes(wanted) || (MOVES.test(wanted) && line.startsWith(moves)));
    const own = MOVES.test(wanted) && !found.some(({ moves: line }) => line === moves) ? [{ name: t("train.own"), moves }] : [];
    // What begins with the words stands before what only has them, and short lines before long ones.
    const rank = (/** @type {{name: string, moves: string}} */ { name, moves: line }) =>
      (name.toLowerCase().startsWith(wanted) ? 0 : 100) + (wanted ? line.length : 0);
    found.sort((a, b) => rank(a) - rank(b));
    const options = [...own, ...found].map(({ name, moves: line }) => h("option", { value: line }, `${name} · ${line}`));
    this.list.replaceChildren(...options);
    if (options.length) this.list.selectedIndex = 0;
    this.wrong.textContent = options.length ? "" : t("train.none", { text: text.slice(0, 40) });
  }

  #start() {
    const line = this.list.value;
    if (!line) return;
    const name = this.openings.find(({ moves }) => moves === line)?.name ?? "";
    this.begin({
      line,
      color: this.color,
      name,
      replies: this.replies,
      plies: Math.min(line.length / 2 + Number(this.beyond), 40),
      seed: Math.floor(Math.random() * 2 ** 31),
    });
  }
}
