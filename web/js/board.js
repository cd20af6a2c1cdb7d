/**
 * The board: a function of the state it is shown. It knows no rules; it is told what is legal and says what was chosen.
 */

/** @import {Legal} from "./types.js" */
import { announce, toast } from "./announce.js";
import { h, s, setText } from "./dom.js";
import { t } from "./i18n.js";
import { settings } from "./settings.js";

/**
 * @typedef {object} BoardState
 * @property {number} size squares along a side
 * @property {string} cells n² of `X`, `O`, `-` from a1 along the rows
 * @property {Legal[]} [legal] what the user may choose
 * @property {Legal[]} [shown] what is marked as legal though nobody may choose it here
 * @property {string | null} [last] the square last played
 * @property {string[]} [turned] the discs it turned
 * @property {boolean} [free] any square may be chosen (the editor)
 * @property {Record<string, string>} [texts] writing on squares
 * @property {Record<string, string>} [badges] small notes in the corner of squares
 * @property {Record<string, string>} [shades] hatching: own, other, both, odd, even
 * @property {Record<string, "X" | "O">} [ghosts] discs of a line that is only looked at
 * @property {string[]} [best] squares whose writing stands out
 * @property {string | null} [ring] the square of the engine's move
 * @property {Record<string, string>} [said] what screen readers hear of squares besides
 * @property {string[]} [markings] what is drawn to explain the position, as SGF writes it: `TR f5`, `AR a1 c3`
 * @property {string | null} [planned] a square that is to be played when one's turn comes
 */

/** How long the next disc of a row waits before it turns, in milliseconds. */
const STAGGER = 40;
/** Squares that are smaller than a fingertip, in pixels: there a first tap aims and a second one plays. */
const FINGERTIP = 24;
/** How far from a legal square a finger may land that means it, in squares. */
const REACH = 1.5;
/** How long a typed row number may go on, in milliseconds. */
const TYPING = 900;

/** The name of a square. @param {number} column @param {number} row */
export const nameOf = (column, row) => String.fromCharCode(97 + column) + (row + 1);

/** The place of a square in the string of cells. @param {string} square @param {number} size */
export const indexOf = (square, size) => (Number(square.slice(1)) - 1) * size + square.charCodeAt(0) - 97;

/** Whether a point of orientation lies after this column or row: two squares from the edge. @param {number} line @param {number} size */
const isPoint = (line, size) => size >= 6 && (line === 1 || line === size - 3);

export class Board {
  /**
   * @param {{onplay?: (square: string) => void, onwrong?: (square: string) => void, onkey?: (event: KeyboardEvent, square: string) => boolean,
   *   label?: string, bare?: boolean}} [on] `onkey` says whether a key is its own; otherwise it is the board's
   */
  constructor(on = {}) {
    this.on = on;
    this.columns = h("div", { class: "columns", "aria-hidden": "true" });
    this.rows = h("div", { class: "rows", "aria-hidden": "true" });
    this.squares = h("div", { class: "squares", role: on.bare ? "img" : "grid", "aria-label": on.label ?? t("board") });
    this.element = h("div", { class: on.bare ? "board bare" : "board" }, this.columns, this.rows, this.squares);
    /** @type {{button: HTMLElement, disc: HTMLElement | null, color: string, text: HTMLElement, badge: HTMLElement}[]} */
    this.places = [];
    this.size = 0;
    this.cells = "";
    this.at = 0;
    this.typed = "";
    this.typedAt = 0;
    /** @type {Map<string, Legal>} */
    this.legal = new Map();
    this.free = false;
    /** @type {string | null} what a finger aims at */
    this.aim = null;
    /** @type {SVGElement | undefined} where markings are drawn */
    this.drawing = undefined;
    /** @type {string[]} the markings that were shown last */
    this.wanted = [];
    /** @type {string | null} the square that was tapped once and waits for the second tap */
    this.chosen = null;
    this.squares.addEventListener("click", (event) => this.#click(event));
    this.squares.addEventListener("keydown", (event) => this.#key(event));
    this.squares.addEventListener("focusin", (event) => this.#focus(event));
  }

  /** Shows a state. @param {BoardState} state */
  show(state) {
    if (state.size !== this.size) this.#build(state.size);
    const shown = new Map((state.shown ?? state.legal ?? []).map((legal) => [legal.square, legal]));
    this.legal = new Map((state.legal ?? []).map((legal) => [legal.square, legal]));
    this.free = state.free ?? false;
    if (this.chosen && (!this.legal.has(this.chosen) || state.cells !== this.cells)) this.chosen = null;
    this.element.classList.toggle("hints", settings.hints && shown.size > 0);
    this.element.classList.toggle("plain", !settings.flips);
    if (this.aim && !this.legal.has(this.aim)) this.aim = null;
    const last = state.last ?? null;
    const turned = new Set(state.turned ?? []);
    const best = new Set(state.best ?? []);
    this.places.forEach((place, index) => {
      const name = nameOf(index % this.size, Math.floor(index / this.size));
      const ghost = state.ghosts?.[name];
      this.#disc(place, index, ghost ?? state.cells[index] ?? "-", ghost !== undefined, last);
      const legal = this.legal.get(name);
      const { classList, dataset } = place.button;
      classList.toggle("legal", legal !== undefined || this.free);
      classList.toggle("aim", name === this.aim);
      classList.toggle("last", name === last);
      classList.toggle("turned", turned.has(name));
      classList.toggle("best", best.has(name));
      classList.toggle("ring", name === state.ring);
      classList.toggle("planned", name === state.planned || name === this.chosen);
      const text = state.texts?.[name] ?? "";
      classList.toggle("wrote", text !== "");
      setText(place.text, text);
      place.text.classList.toggle("on-white", place.color === "O");
      place.text.classList.toggle("long", text.length > 4);
      setText(place.badge, state.badges?.[name] ?? "");
      const shade = state.shades?.[name];
      if (shade) dataset.shade = shade;
      else delete dataset.shade;
      if (!this.on.bare) {
        const also = [text, state.badges?.[name] ?? "", state.said?.[name] ?? ""];
        this.#name(place.button, name, state.cells[index] ?? "-", shown.get(name), name === last, also);
        place.button.setAttribute("aria-disabled", String(!legal && !this.free));
      }
    });
    this.cells = state.cells;
    void this.#draw(state.markings ?? []);
  }

  /** Draws what explains the position; who draws is fetched when there is something to draw. @param {string[]} markings */
  async #draw(markings) {
    this.wanted = markings;
    this.squares.setAttribute("aria-description", markings.join(", "));
    if (!markings.length && !this.drawing) return;
    const { drawMarkings } = await import("./markings.js");
    if (this.wanted !== markings) return;
    this.drawing ??= s("svg", { class: "markings", "aria-hidden": "true" });
    if (!this.drawing.isConnected) this.squares.append(this.drawing);
    drawMarkings(this.drawing, this.size, markings);
  }

  /** Puts the keyboard on the board. */
  focus() {
    this.places[this.at]?.button.focus();
  }

  /** Puts the keyboard on the first square that may be chosen, for those who use one; others see no frame for nothing. */
  welcome() {
    if (document.documentElement.dataset.input !== "keys") return;
    const [first] = [...this.legal.keys()].map((square) => indexOf(square, this.size)).sort((a, b) => a - b);
    this.#rove(first ?? this.at);
    this.focus();
  }

  /**
   * @param {{disc: HTMLElement | null, color: string, button: HTMLElement, text: HTMLElement}} place
   * @param {number} index
   * @param {string} color
   * @param {boolean} ghost
   * @param {string | null} last
   */
  #disc(place, index, color, ghost, last) {
    place.disc?.classList.toggle("ghost", ghost);
    if (color === place.color) return;
    if (color === "-") {
      place.disc?.remove();
      place.disc = null;
    } else if (place.disc) {
      const origin = last === null ? index : indexOf(last, this.size);
      const away = Math.max(Math.abs((index % this.size) - (origin % this.size)), Math.abs(Math.floor(index / this.size) - Math.floor(origin / this.size)));
      place.disc.style.setProperty("--wait", `${settings.motion ? away * STAGGER : 0}ms`);
      place.disc.classList.toggle("white", color === "O");
    } else {
      const isNew = this.cells.length === this.places.length;
      place.disc = h(
        "span",
        { class: `disc${color === "O" ? " white" : ""}${isNew ? " new" : ""}${ghost ? " ghost" : ""}` },
        h("span", { class: "faces" }, h("span", { class: "face b" }), h("span", { class: "face w" })),
      );
      place.button.insertBefore(place.disc, place.text);
    }
    place.color = color;
  }

  /**
   * @param {HTMLElement} button
   * @param {string} square
   * @param {string} cell
   * @param {Legal | undefined} legal
   * @param {boolean} last
   * @param {string[]} also what else stands there
   */
  #name(button, square, cell, legal, last, also) {
    const what = legal ? t("square.legal", { n: legal.flips.length }) : t(cell === "X" ? "square.black" : cell === "O" ? "square.white" : "square.empty");
    const label = [square, what, last ? t("square.last") : "", ...also].filter(Boolean).join(", ");
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
  }

  /** @param {number} size */
  #build(size) {
    this.size = size;
    this.cells = "";
    this.at = 0;
    this.element.style.setProperty("--n", String(size));
    const line = [...Array(size).keys()];
    this.columns.replaceChildren(...line.map((i) => h("span", null, String.fromCharCode(97 + i))));
    this.rows.replaceChildren(...line.map((i) => h("span", null, String(i + 1))));
    this.places = [];
    this.squares.replaceChildren(
      ...line.map((row) => {
        const squares = line.map((column) => {
          const text = h("span", { class: "text", "aria-hidden": "true" });
          const badge = h("span", { class: "badge", "aria-hidden": "true" });
          const parts = [h("span", { class: "shade" }), text, h("span", { class: "dot" }), h("span", { class: "spot" }), badge];
          const button = this.on.bare
            ? h("span", { class: "square" }, parts)
            : h("button", { class: "square", type: "button", tabindex: row === 0 && column === 0 ? "0" : "-1", "data-square": nameOf(column, row) }, parts);
          this.places.push({ button, disc: null, color: "-", text, badge });
          return h(
            "div",
            {
              class: isPoint(column, size) && isPoint(row, size) ? "place point" : "place",
              "data-name": nameOf(column, row),
              role: this.on.bare ? null : "gridcell",
            },
            button,
          );
        });
        return h("div", { class: "line", role: this.on.bare ? null : "row" }, squares);
      }),
    );
  }

  /** @param {Event} event */
  #squareOf(event) {
    const button = event.target instanceof Element ? event.target.closest("button.square") : null;
    return button instanceof HTMLElement ? (button.dataset.square ?? null) : null;
  }

  /** @param {Event} event */
  #click(event) {
    const tapped = this.#squareOf(event);
    const square = tapped && !this.free && settings.confirm === "auto" && this.#isTiny(event) ? this.#aimed(tapped) : tapped;
    if (!square) return;
    if (this.legal.has(square) && this.#asksTwice(square)) this.#choose(square);
    else if (this.free || this.legal.has(square)) this.on.onplay?.(square);
    else this.on.onwrong?.(square);
  }

  /** Whether it was a finger, on squares that are smaller. @param {Event} event */
  #isTiny(event) {
    const finger = event instanceof PointerEvent && event.pointerType === "touch";
    return finger && (this.places[0]?.button.getBoundingClientRect().width ?? FINGERTIP) < FINGERTIP;
  }

  /** The square that a finger means: null when it aims, the square itself when it has aimed before. @param {string} tapped */
  #aimed(tapped) {
    const place = (/** @type {string} */ square) => [square.charCodeAt(0) - 97, Number(square.slice(1))];
    const [column, row] = place(tapped);
    const far = (/** @type {string} */ square) => Math.hypot(place(square)[0] - column, place(square)[1] - row);
    const nearest = [...this.legal.keys()].sort((one, other) => far(one) - far(other))[0];
    if (!nearest || far(nearest) > REACH) return tapped;
    const again = nearest === this.aim;
    if (this.aim) this.places[indexOf(this.aim, this.size)]?.button.classList.remove("aim");
    this.aim = again ? null : nearest;
    if (again) return nearest;
    this.places[indexOf(nearest, this.size)]?.button.classList.add("aim");
    toast(t("tap.again", { square: nearest }));
    return null;
  }

  /** Whether a move has to be chosen before it is played, because the user wants that. @param {string} square */
  #asksTwice(square) {
    return settings.confirm === "on" && this.chosen !== square;
  }

  /** @param {string} square */
  #choose(square) {
    this.chosen = square;
    for (const { button } of this.places) button.classList.toggle("planned", button.dataset.square === square);
    announce(t("square.again", { square }));
  }

  /** @param {Event} event */
  #focus(event) {
    const square = this.#squareOf(event);
    if (square) this.#rove(indexOf(square, this.size));
  }

  /** @param {number} index */
  #rove(index) {
    this.places[this.at]?.button.setAttribute("tabindex", "-1");
    this.at = index;
    this.places[index]?.button.setAttribute("tabindex", "0");
  }

  /** Arrows, Home, End, Page keys; a letter and a number for a square; `.` and `,` for the next legal one. @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey && event.key !== "Home" && event.key !== "End") return;
    if (event.altKey || event.metaKey) return;
    const n = this.size;
    let column = this.at % n;
    let row = Math.floor(this.at / n);
    const key = event.key;
    if (this.on.onkey?.(event, nameOf(column, row))) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    // On a board that is seen from the other side, left is where the letters grow.
    const away = settings.turned ? -1 : 1;
    const within = (/** @type {number} */ line) => Math.max(0, Math.min(n - 1, line));
    if (key === "ArrowLeft") column = within(column - away);
    else if (key === "ArrowRight") column = within(column + away);
    else if (key === "ArrowUp") row = within(row - away);
    else if (key === "ArrowDown") row = within(row + away);
    else if (key === "Home") [column, row] = [0, event.ctrlKey ? 0 : row];
    else if (key === "End") [column, row] = [n - 1, event.ctrlKey ? n - 1 : row];
    else if (key === "PageUp") row = 0;
    else if (key === "PageDown") row = n - 1;
    else if (key === "." || key === ",") {
      const places = [...this.legal.keys()].map((square) => indexOf(square, n)).sort((a, b) => a - b);
      const next = key === "." ? (places.find((i) => i > this.at) ?? places[0]) : (places.findLast((i) => i < this.at) ?? places.at(-1));
      if (next === undefined) return;
      [column, row] = [next % n, Math.floor(next / n)];
    } else if (/^[a-z]$/i.test(key)) {
      const wanted = key.toLowerCase().charCodeAt(0) - 97;
      if (wanted >= n) return;
      column = wanted;
      this.typed = "";
    } else if (/^[0-9]$/.test(key)) {
      const now = performance.now();
      const longer = Number(now - this.typedAt < TYPING ? this.typed + key : key);
      const wanted = longer <= n ? longer : Number(key);
      this.typed = String(wanted);
      this.typedAt = now;
      if (wanted < 1 || wanted > n) return;
      row = wanted - 1;
    } else return;
    event.preventDefault();
    event.stopPropagation();
    this.#rove(row * n + column);
    this.focus();
  }
}
