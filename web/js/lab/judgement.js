/** How an evaluator judges the position one looks at: component by component, on the board, with sliders for its weights. */

/** @import {Catalogue, Color, EvaluationAnswer} from "../types.js" */
import { fill, h, setText } from "../dom.js";
import { number, t } from "../i18n.js";
import { say } from "./texts.js";

/** Sliders go this many times beyond the usual weight. */
const BEYOND = 4;

/** @typedef {{texts: Record<string, string>, shades: Record<string, string>}} OnBoard what a component writes on the squares */

export class Judgement {
  /**
   * @param {Catalogue} catalogue
   * @param {{onweights: (weights: string) => void, onpart: () => void}} on what is to be done when a weight, or what is shown, is another
   */
  constructor(catalogue, on) {
    this.catalogue = catalogue;
    this.on = on;
    this.table = h("table", { class: "judgement" });
    this.headline = h("p", { class: "small" });
    this.element = h("div", { class: "stack" }, this.headline, h("div", { class: "scroll-x" }, this.table), h("p", { class: "hint" }, say("judge.hint")));
    /** @type {EvaluationAnswer | null} */
    this.answer = null;
    /** The component that is shown on the board. @type {string | null} */
    this.part = null;
    /** Weights that were set, by name. @type {Map<string, number>} */
    this.weights = new Map();
    this.evaluator = "";
    /** @type {Map<string, {value: HTMLElement, contribution: HTMLElement, own: HTMLElement, opponent: HTMLElement, weight: HTMLElement}>} */
    this.rows = new Map();
    this.total = h("td", { class: "number" });
  }

  /** @param {string} evaluator @param {string} weights with slashes between; empty for the usual ones */
  load(evaluator, weights) {
    const known = this.catalogue.evaluators.find(({ name }) => name === evaluator)?.weights ?? [];
    const given = weights.split("/").map(Number);
    const set = given.length === known.length && known.length > 0;
    this.weights = new Map(known.map(({ name, usual }, at) => [name, set ? given[at] : usual]));
    if (this.evaluator !== evaluator) this.rows.clear();
    this.evaluator = evaluator;
  }

  /** What the evaluator said with its usual weights, where no component is left out. @param {EvaluationAnswer | null} answer */
  show(answer) {
    this.answer = answer;
    if (!answer) {
      fill(this.table);
      this.rows.clear();
      setText(this.headline, say("judge.none"));
      return;
    }
    const names = answer.breakdown.components.map(({ name }) => name);
    if (names.join() !== [...this.rows.keys()].join()) this.#build(names);
    if (this.part && !names.includes(this.part)) this.part = null;
    this.#numbers();
  }

  /** What the chosen component counts on the board, for Black and for White. @returns {OnBoard} */
  onBoard() {
    const squares = (this.part && this.answer?.squares[this.part]) || {};
    const texts = Object.fromEntries(Object.entries(squares).map(([square, points]) => [square, signedNumber(points)]));
    const shades = Object.fromEntries(Object.entries(squares).map(([square, points]) => [square, points > 0 ? "own" : "other"]));
    return { texts, shades };
  }

  /** @param {string[]} names */
  #build(names) {
    this.rows.clear();
    fill(
      this.table,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, say("judge.part")),
          h("th", { scope: "col", class: "number" }, say("judge.own")),
          h("th", { scope: "col", class: "number" }, say("judge.other")),
          h("th", { scope: "col", class: "number" }, say("judge.value")),
          h("th", { scope: "col" }, say("judge.weight")),
          h("th", { scope: "col", class: "number" }, say("judge.counts")),
        ),
      ),
      h(
        "tbody",
        null,
        names.map((name) => this.#row(name)),
      ),
      h("tfoot", null, h("tr", null, h("th", { scope: "row", colspan: 5 }, say("judge.total")), this.total)),
    );
  }

  /** @param {string} name */
  #row(name) {
    const cell = () => h("td", { class: "number" });
    const row = { own: cell(), opponent: cell(), value: cell(), contribution: cell(), weight: h("span", { class: "weight" }) };
    this.rows.set(name, row);
    const usual = this.catalogue.evaluators.find((one) => one.name === this.evaluator)?.weights.find((one) => one.name === name)?.usual;
    const text = partName(name);
    /** @type {HTMLInputElement | null} */
    const slider =
      usual === undefined
        ? null
        : h("input", {
            type: "range",
            min: -Math.max(usual, 10),
            max: Math.max(usual * BEYOND, 10),
            step: 1,
            value: this.weights.get(name) ?? usual,
            "aria-label": say("judge.slider", { name: text }),
            oninput: () => this.#slide(name, Number(slider?.value)),
          });
    const show = h(
      "button",
      { type: "button", class: "quiet small part", "aria-pressed": String(this.part === name), "data-part": name, onclick: () => this.#pick(name) },
      text,
    );
    return h(
      "tr",
      null,
      h("th", { scope: "row" }, show),
      row.own,
      row.opponent,
      row.value,
      h("td", null, h("div", { class: "weigh" }, slider, row.weight)),
      row.contribution,
    );
  }

  /** @param {string} name */
  #pick(name) {
    this.part = this.part === name ? null : name;
    for (const button of this.table.querySelectorAll("button.part"))
      button.setAttribute("aria-pressed", String(button instanceof HTMLElement && button.dataset.part === this.part));
    this.on.onpart();
  }

  /** @param {string} name @param {number} weight */
  #slide(name, weight) {
    this.weights.set(name, weight);
    this.#numbers();
    this.on.onweights([...this.weights.values()].join("/"));
  }

  /** The effect of the weights, at once. */
  #numbers() {
    const { answer } = this;
    if (!answer) return;
    let total = 0;
    for (const component of answer.breakdown.components) {
      const row = this.rows.get(component.name);
      const weight = this.weights.get(component.name) ?? component.weight;
      const contribution = component.value * weight;
      total += contribution;
      if (!row) continue;
      setText(row.own, short(component.own));
      setText(row.opponent, short(component.opponent));
      setText(row.value, short(component.value));
      setText(row.weight, short(weight));
      setText(row.contribution, signedNumber(contribution));
    }
    setText(this.total, signedNumber(total));
    setText(this.headline, say("judge.for", { color: t(/** @type {Color} */ (answer.breakdown.for)), evaluator: this.evaluator, total: signedNumber(total) }));
  }
}

/** @param {number} value */
const short = (value) => number(Math.round(value * 10) / 10).replace("-", "−");

/** @param {number} value */
const signedNumber = (value) => (value > 0 ? `+${short(value)}` : short(value));

/** What a component is called. @param {string} name */
function partName(name) {
  const known = /** @type {const} */ ([
    "discs",
    "parity",
    "mobility",
    "corners",
    "stability",
    "closeness",
    "frontier",
    "squares",
    "backing",
    "x-squares",
    "ideal",
  ]);
  const key = known.find((one) => one === name);
  return key ? say(`part.${key}`) : name;
}
