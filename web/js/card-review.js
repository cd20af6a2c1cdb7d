/** Cards that are due, asked one after the other: each move is judged at once, what was missed comes back soon. */

/** @import {Card, Legal} from "./types.js" */
/** @import {BoardState} from "./board.js" */
import { announce, toast } from "./announce.js";
import { atOnce } from "./at-once.js";
import { h } from "./dom.js";
import { number, t } from "./i18n.js";
import * as learner from "./profile.js";
import { when } from "./when.js";

/** How long a right answer is shown before the next card comes, in milliseconds. */
const PACE = 900;

export class CardReview {
  /** @param {{kinds: string[], draw: () => void, answered: () => void, ended: () => void}} on */
  constructor(on) {
    this.on = on;
    /** @type {Card[]} the cards that are asked, the present one first */
    this.cards = [];
    /** @type {BoardState | null} an answer that is shown for a moment */
    this.pending = null;
    /** @type {{right: boolean, text: string} | null} */
    this.said = null;
    /** @type {string[]} the right moves, after a wrong one */
    this.expected = [];
    this.right = 0;
    this.missed = 0;
    this.busy = false;
    this.since = performance.now();
  }

  get active() {
    return this.cards.length > 0;
  }

  /** Asks what is due. */
  async begin() {
    this.stop();
    const due = await Promise.all(this.on.kinds.map((kind) => learner.cards({ kind, due: true, limit: 100 })));
    this.cards = due.flat().sort((a, b) => a.due - b.due);
    if (!this.cards.length) toast(t("train.nodue"));
    this.#ask();
  }

  stop() {
    Object.assign(this, { cards: [], pending: null, said: null, expected: [], right: 0, missed: 0 });
  }

  /** @param {string} square @param {Legal} legal */
  async play(square, legal) {
    const [card, ...rest] = this.cards;
    if (!card || this.busy || this.pending) return;
    if (this.expected.length) {
      // The right move after a wrong one: on with the next card.
      if (!this.expected.includes(square)) return;
      this.#next(rest, atOnce(card.position, legal));
      this.on.draw();
      return;
    }
    this.busy = true;
    try {
      const { right, card: known } = await learner.answer(card.id, square, Math.round(performance.now() - this.since));
      if (this.cards[0] !== card) return;
      const text = right ? t("train.known", { move: square, when: when(known.due) }) : t("train.wrong", { move: square, expected: known.answers.join(", ") });
      this.said = { right, text };
      announce(text);
      if (right) {
        this.right += 1;
        this.#next(rest, atOnce(card.position, legal));
      } else {
        this.missed += 1;
        this.expected = known.answers;
      }
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    } finally {
      this.busy = false;
      this.on.draw();
      this.on.answered();
    }
  }

  /** Shows the answer: it counts as missed. */
  async show() {
    const card = this.cards[0];
    try {
      await learner.grade(card.id, "again");
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      return;
    }
    if (this.cards[0] !== card) return;
    this.missed += 1;
    this.expected = card.answers;
    this.said = { right: false, text: t("train.shown", { expected: card.answers.join(", ") }) };
    announce(this.said.text);
    this.on.draw();
    this.on.answered();
  }

  /** What is asked, and what can be done. */
  lines() {
    const card = this.cards[0];
    if (!card) return [];
    return [
      h("p", { class: "headline" }, this.question(card)),
      h("p", { class: "tally" }, card.kind !== "puzzle" && card.note ? `${card.note} · ` : "", t("train.left", { n: number(this.cards.length) })),
      this.said && h("p", { class: this.said.right ? "verdict good" : "error" }, this.said.text),
      h(
        "div",
        { class: "row" },
        this.expected.length ? null : h("button", { type: "button", onclick: () => void this.show() }, t("train.show")),
        h("button", { type: "button", class: "quiet", onclick: () => this.on.ended() }, t("train.stop")),
      ),
    ];
  }

  /** @param {Card} card */
  question(card) {
    return t("train.ask", { color: t(card.position.turn ?? "black") });
  }

  #ask() {
    this.since = performance.now();
    this.said = null;
    this.expected = [];
    if (this.cards[0]) announce(this.question(this.cards[0]));
    this.on.draw();
  }

  /** Leaves an answer on the board for a moment, then asks on. @param {Card[]} rest @param {BoardState} shown */
  #next(rest, shown) {
    const mine = this.cards;
    this.pending = shown;
    setTimeout(() => {
      if (this.cards !== mine) return;
      this.pending = null;
      this.cards = rest;
      if (rest.length) this.#ask();
      else {
        toast(t("train.finished", { right: number(this.right), missed: number(this.missed) }));
        this.on.ended();
      }
    }, PACE);
  }
}
