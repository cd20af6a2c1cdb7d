/** Setting up a position: squares change at a click. The server says whether it can be played. */

/** @import {Color} from "./types.js" */
/** @import {Board} from "./board.js" */
import { toast } from "./announce.js";
import * as api from "./api.js";
import { indexOf } from "./board.js";
import { fill, h, select } from "./dom.js";
import { t } from "./i18n.js";

const NEXT = { "-": "X", X: "O", O: "-" };

export class Editor {
  /** @param {{board: Board, done: (start: string, turn: Color) => void, cancel: () => void}} on */
  constructor(on) {
    this.on = on;
    this.active = false;
    this.size = 8;
    /** @type {string[]} */
    this.cells = [];
    /** @type {Color} */
    this.turn = "black";
    this.place = h("div", { class: "stack" });
    this.begins = () => {};
  }

  /** @param {() => void} begins */
  panel(begins) {
    this.begins = begins;
    this.#panel();
    return this.place;
  }

  /** @param {number} size @param {string} cells @param {Color} turn */
  begin(size, cells, turn) {
    Object.assign(this, { active: true, size, cells: [...cells], turn });
    this.#panel();
    this.draw();
  }

  /** @param {string} square */
  click(square) {
    const index = indexOf(square, this.size);
    this.cells[index] = NEXT[/** @type {keyof typeof NEXT} */ (this.cells[index])] ?? "-";
    this.draw();
  }

  draw() {
    this.on.board.show({ size: this.size, cells: this.cells.join(""), free: true });
  }

  #panel() {
    if (!this.active) {
      fill(this.place, h("button", { type: "button", onclick: () => this.begins() }, t("ana.edit")));
      return;
    }
    fill(
      this.place,
      h("p", { class: "hint" }, t("ana.edithint")),
      h(
        "div",
        { class: "pair" },
        select({
          label: t("start.size"),
          value: String(this.size),
          options: [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26].map((n) => [String(n), `${n} × ${n}`]),
          onchange: (size) => this.#empty(Number(size)),
        }),
        select({
          label: t("ana.tomove"),
          value: this.turn,
          options: [
            ["black", t("black")],
            ["white", t("white")],
          ],
          onchange: (turn) => (this.turn = turn === "white" ? "white" : "black"),
        }),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "primary", onclick: () => this.#done() }, t("ana.editdone")),
        h("button", { type: "button", onclick: () => this.#empty(this.size) }, t("ana.clear")),
        h("button", { type: "button", class: "quiet", onclick: () => this.#end(() => this.on.cancel()) }, t("ana.editcancel")),
      ),
    );
  }

  /** @param {number} size */
  #empty(size) {
    this.begin(size, "-".repeat(size * size), this.turn);
  }

  async #done() {
    const start = this.cells.join("");
    try {
      await api.analyse({ position: `${start} ${this.turn === "black" ? "X" : "O"}` });
      this.#end(() => this.on.done(start, this.turn));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {() => void} then */
  #end(then) {
    this.active = false;
    this.#panel();
    then();
  }
}
