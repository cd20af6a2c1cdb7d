/**
 * Drawing on a board: by mouse (right button), by finger (choose what to draw, then tap), by keyboard on the square that has the focus.
 * What is drawn is written as SGF has it: `TR f5`, `AR a1 c3`, `LB d3 A`.
 */

/** @import {Board} from "../board.js" */
import { announce } from "../announce.js";
import { h, redraw, s } from "../dom.js";
import { say } from "./texts.js";

/** @typedef {"CR" | "TR" | "SQ" | "MA" | "LB" | "AR" | "LN"} Kind */
/** @typedef {"play" | Kind | "erase"} Tool */

/** What each tool looks like on its button, in a box of 16. */
const SIGNS = /** @type {Record<Tool, string>} */ ({
  play: "M3 2l9 6-4 .8L6 13z",
  CR: "M8 3a5 5 0 1 0 .01 0z",
  TR: "M8 3l5.5 9.5h-11z",
  SQ: "M3.5 3.5h9v9h-9z",
  MA: "M4 4l8 8M12 4l-8 8",
  LB: "M4 13l4-10 4 10M5.4 9.6h5.2",
  AR: "M2.5 13.5l10-10M7 3h6v6",
  LN: "M2.5 13.5l11-11",
  erase: "M2.5 10.5l6-7 5 4.5-5 5.5H5zM5 7.5l5 4.5",
});
const TOOLS = /** @type {Tool[]} */ (Object.keys(SIGNS));

/** Keys on the square that has the focus, held with Shift. */
const KEYS = /** @type {Record<string, Kind>} */ ({ C: "CR", T: "TR", S: "SQ", X: "MA", L: "LB", A: "AR", N: "LN" });

/** Whether it has two ends. @param {string} tool */
const isLine = (tool) => tool === "AR" || tool === "LN";

/** Whether a marking is something on one square, and that square is this. @param {string} marking @param {string} square */
const isOn = (marking, square) => !isLine(marking.slice(0, 2)) && marking.split(" ")[1] === square;

/** Whether a marking touches a square. @param {string} marking @param {string} square */
const touches = (marking, square) => isOn(marking, square) || (isLine(marking.slice(0, 2)) && marking.split(" ").includes(square));

export class Pen {
  /** @param {{board: Board, markings: () => string[], change: (markings: string[]) => void, draw: () => void, may: () => boolean}} on */
  constructor(on) {
    this.on = on;
    /** @type {Tool} */
    this.tool = "play";
    /** @type {string | null} the end of an arrow or line that is there already */
    this.from = null;
    /** @type {string | null} what is drawn while the mouse moves */
    this.preview = null;
    this.element = h("div", { class: "pen", role: "toolbar", "aria-label": say("pen.title") });
    const { squares } = on.board;
    squares.addEventListener("contextmenu", (event) => {
      if (on.may()) event.preventDefault();
    });
    squares.addEventListener("pointerdown", (event) => this.#down(event));
    squares.addEventListener("pointermove", (event) => this.#move(event));
    squares.addEventListener("pointerup", (event) => this.#up(event));
    squares.addEventListener("pointercancel", () => this.#drop());
    this.#bar();
  }

  /** What is to be seen on the board now. @returns {string[]} */
  get shown() {
    return this.preview ? [...this.on.markings(), this.preview] : this.on.markings();
  }

  /** What is drawn on each square, in words. @returns {Record<string, string>} */
  get said() {
    /** @type {Record<string, string[]>} */
    const said = {};
    for (const marking of this.on.markings()) {
      const [kind, square, ...rest] = marking.split(" ");
      const words = isLine(kind) ? say(kind === "AR" ? "pen.arrowto" : "pen.lineto", { to: rest[0] }) : say(`pen.${/** @type {Kind} */ (kind)}`);
      said[square] = [...(said[square] ?? []), kind === "LB" ? `${words} ${rest.join(" ")}` : words];
    }
    return Object.fromEntries(Object.entries(said).map(([square, words]) => [square, words.join(", ")]));
  }

  /** @param {Tool} tool */
  choose(tool) {
    this.tool = tool;
    this.from = null;
    this.#bar();
    this.on.draw();
  }

  /** Uses the chosen tool on a square. @param {string} square */
  use(square) {
    if (this.tool === "erase") this.erase(square);
    else if (this.tool !== "play") this.mark(this.tool, square);
  }

  /** Draws on a square, or takes away what was drawn there; lines need two squares. @param {Kind} kind @param {string} square */
  mark(kind, square) {
    if (!isLine(kind)) {
      const same = kind === "LB" ? this.on.markings().some((marking) => marking.startsWith(`LB ${square} `)) : this.#has(`${kind} ${square}`);
      const others = this.on.markings().filter((marking) => !isOn(marking, square));
      const text = kind === "LB" ? ` ${this.#letter()}` : "";
      this.#put(same ? others : [...others, `${kind} ${square}${text}`], say(same ? "pen.gone" : `pen.did.${kind}`, { square, text: text.trim() }));
      return;
    }
    if (!this.from || this.from === square) {
      this.from = this.from ? null : square;
      announce(this.from ? say("pen.from", { square }) : say("pen.dropped"));
      this.on.draw();
      return;
    }
    this.#line(kind, this.from, square);
  }

  /** Takes away everything that touches a square. @param {string} square */
  erase(square) {
    const left = this.on.markings().filter((marking) => !touches(marking, square));
    this.#put(left, say("pen.gone", { square }));
  }

  clear() {
    this.#put([], say("pen.cleared"));
  }

  /** A key on the board. @param {KeyboardEvent} event @param {string} square @returns {boolean} whether it was meant for drawing */
  key(event, square) {
    if (!this.on.may()) return false;
    const kind = event.shiftKey ? KEYS[event.key.toUpperCase()] : undefined;
    if (kind) this.mark(kind, square);
    else if (event.key === "Delete" || event.key === "Backspace") this.erase(square);
    else if (event.key === "Escape" && this.from) this.#drop();
    else return false;
    return true;
  }

  /** @param {string} marking */
  #has(marking) {
    return this.on.markings().includes(marking);
  }

  /** The first letter that is not on the board. */
  #letter() {
    const used = new Set(this.on.markings().flatMap((marking) => (marking.startsWith("LB ") ? [marking.split(" ").slice(2).join(" ")] : [])));
    for (let code = 65; ; code++) {
      const letter = code <= 90 ? String.fromCharCode(code) : String(code - 90);
      if (!used.has(letter)) return letter;
    }
  }

  /** @param {string} kind @param {string} from @param {string} to */
  #line(kind, from, to) {
    const line = `${kind} ${from} ${to}`;
    const had = this.#has(line);
    const others = this.on.markings().filter((marking) => !(isLine(marking.slice(0, 2)) && marking.slice(3) === `${from} ${to}`));
    this.from = null;
    this.#put(had ? others : [...others, line], had ? say("pen.linegone", { from, to }) : say(kind === "AR" ? "pen.did.AR" : "pen.did.LN", { from, to }));
  }

  /** @param {string[]} markings @param {string} said */
  #put(markings, said) {
    this.on.change(markings);
    announce(said);
    this.on.draw();
  }

  #drop() {
    this.from = null;
    this.preview = null;
    this.on.draw();
  }

  /** The square under a pointer. @param {PointerEvent} event */
  #under({ clientX, clientY }) {
    const place = document.elementFromPoint(clientX, clientY)?.closest(".place");
    return place instanceof HTMLElement && this.on.board.squares.contains(place) ? (place.dataset.name ?? null) : null;
  }

  /** @type {string | null} where the right button went down */
  #pressed = null;

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 2 || !this.on.may()) return;
    this.#pressed = this.#under(event);
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#pressed) return;
    const to = this.#under(event);
    const kind = this.tool === "LN" ? "LN" : "AR";
    const preview = to && to !== this.#pressed ? `${kind} ${this.#pressed} ${to}` : null;
    if (preview === this.preview) return;
    this.preview = preview;
    this.on.draw();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const from = this.#pressed;
    if (event.button !== 2 || !from) return;
    const to = this.#under(event);
    this.#pressed = null;
    this.preview = null;
    const shape = this.tool === "TR" || this.tool === "SQ" || this.tool === "MA" || this.tool === "LB" ? this.tool : "CR";
    if (to === from) this.mark(shape, from);
    else if (to) this.#line(this.tool === "LN" ? "LN" : "AR", from, to);
    else this.on.draw();
  }

  #bar() {
    const button = (/** @type {Tool} */ tool) =>
      h(
        "button",
        {
          type: "button",
          id: `pen-${tool}`,
          class: "icon",
          "aria-pressed": String(tool === this.tool),
          "aria-label": say(`pen.${tool}`),
          title: say(`pen.${tool}`),
          onclick: () => this.choose(tool),
        },
        s(
          "svg",
          {
            viewBox: "0 0 16 16",
            width: 18,
            height: 18,
            fill: "none",
            stroke: "currentColor",
            "stroke-width": 1.6,
            "stroke-linejoin": "round",
            "aria-hidden": "true",
          },
          s("path", { d: SIGNS[tool] }),
        ),
      );
    redraw(this.element, TOOLS.map(button));
  }
}
