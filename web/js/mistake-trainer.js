/** My mistakes: moves of my own games, and puzzles that I missed, asked again until they are known. */

/** @import {Position} from "./types.js" */
import { announce } from "./announce.js";
import { Board } from "./board.js";
import { CardReview } from "./card-review.js";
import { fold, h, redraw } from "./dom.js";
import { EngineAside } from "./engine-aside.js";
import { number, t } from "./i18n.js";
import { usualStart } from "./permalink.js";
import { ProfilePanel } from "./profile-panel.js";
import { onSettings } from "./settings.js";
import { knock } from "./sound.js";
import { trainTitle } from "./train-tabs.js";

const KINDS = ["mistake", "puzzle"];

export class MistakeTrainer {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.board = new Board({ onplay: (square) => void this.play(square), onwrong: () => announce(t("game.notlegal")) });
    this.status = h("div", { class: "status card" });
    this.engine = new EngineAside(this.board, () => this.#drawBoard());
    this.cards = new CardReview({ kinds: KINDS, draw: () => this.draw(), answered: () => void this.profile.load(), ended: () => this.#stop() });
    this.profile = new ProfilePanel({ kinds: KINDS, empty: t("mist.none"), review: () => void this.review(), changed: () => this.#stop() });
    place.append(
      h(
        "div",
        { class: "table train" },
        h("div", { class: "board-place" }, this.board.element),
        trainTitle("mistakes"),
        this.status,
        h(
          "div",
          { class: "side" },
          fold("train-mistakes", t("mist.deck"), true, this.profile.deck),
          this.engine.element,
          fold("train-profile", t("train.profile"), false, this.profile.element),
        ),
      ),
    );
    this.unlisten = onSettings(() => this.draw());
  }

  async open() {
    await this.profile.load();
    this.draw();
  }

  close() {
    this.cards.stop();
    this.engine.close();
    this.unlisten();
  }

  async review() {
    await this.cards.begin();
    this.board.welcome();
  }

  /** @param {string} square */
  async play(square) {
    const legal = this.position()?.legal.find((legal) => legal.square === square);
    if (!legal) return;
    knock();
    await this.cards.play(square, legal);
  }

  /** @returns {Position | undefined} */
  position() {
    return this.cards.cards[0]?.position;
  }

  draw() {
    this.engine.look(this.cards.expected.length ? this.position() : null);
    this.#drawBoard();
    redraw(this.status, this.cards.active ? this.cards.lines() : this.#welcome());
  }

  #drawBoard() {
    const { expected, pending } = this.cards;
    const position = this.position();
    this.board.show(
      pending ?? {
        size: position?.size ?? 8,
        cells: position?.cells ?? usualStart(8),
        legal: position?.legal ?? [],
        texts: Object.fromEntries(expected.map((square) => [square, "★"])),
        best: expected,
        ...this.engine.state(),
      },
    );
  }

  #welcome() {
    const due = this.profile.due();
    return [
      h("p", { class: "headline" }, due ? t("train.due", { n: number(due) }) : t("mist.title")),
      h("p", { class: "tally" }, t("mist.lead")),
      h(
        "div",
        { class: "row" },
        due ? h("button", { type: "button", class: "primary", onclick: () => void this.review() }, t("train.review")) : null,
        h("a", { class: "button", href: "#/analysis" }, t("mist.review")),
      ),
    ];
  }

  #stop() {
    this.cards.stop();
    this.draw();
    void this.profile.load().then(() => this.draw());
  }
}
