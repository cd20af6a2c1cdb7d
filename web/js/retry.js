/** Retrying mistakes: the position before each of them, until a better move is found. */

/** @import {Color, Evaluation} from "./types.js" */
/** @import {TreeSpot} from "./game-tree.js" */
import { announce, toast } from "./announce.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";

export class Retry {
  /** @param {{mistakes: (color: Color) => TreeSpot[], show: (spot: TreeSpot) => void, replay: (spot: TreeSpot) => void, ended: () => void}} on */
  constructor(on) {
    this.on = on;
    /** @type {TreeSpot[]} */
    this.left = [];
    this.said = "";
  }

  get active() {
    return this.left.length > 0;
  }

  /** @param {Color} color */
  begin(color) {
    this.left = this.on.mistakes(color);
    if (!this.left.length) {
      toast(t("ana.retryend"));
      return;
    }
    this.#ask();
  }

  /** Whether this move is good enough to be played. @param {string} square @param {Evaluation[]} evaluations */
  answer(square, evaluations) {
    const judged = this.left[0].judged;
    const played = evaluations.find(({ move }) => move === judged?.move)?.score.value ?? -Infinity;
    const tried = evaluations.find(({ move }) => move === square)?.score.value ?? -Infinity;
    const right = square === judged?.best || square === evaluations[0]?.move;
    if (right || tried > played) {
      toast(t(right ? "ana.retryright" : "ana.retryalso", { move: square }));
      this.#next();
      return false;
    }
    this.said = t("ana.retrywrong", { move: square });
    announce(this.said);
    this.on.show(this.left[0]);
    return false;
  }

  panel() {
    const judged = this.left[0].judged;
    if (!judged) return [];
    return [
      h("p", { class: "headline" }, t("ana.retryask", { ply: judged.ply, color: t(judged.color), move: `${judged.move}${judged.mark}` })),
      this.said ? h("p", { class: "error" }, this.said) : null,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => this.#reveal() }, t("ana.retryshow")),
        h("button", { type: "button", onclick: () => this.#next() }, t("ana.retrynext")),
        h("button", { type: "button", class: "quiet", onclick: () => this.#end() }, t("ana.retrystop")),
      ),
    ];
  }

  #reveal() {
    const judged = this.left[0].judged;
    if (judged?.best) toast(t("ana.better", { best: judged.best, line: judged.line.join(" ") }));
    this.#next();
  }

  #next() {
    this.left = this.left.slice(1);
    if (this.active) this.#ask();
    else {
      toast(t("ana.retryend"));
      this.#end();
    }
  }

  #ask() {
    this.said = "";
    const judged = this.left[0].judged;
    if (judged) announce(t("ana.retryask", { ply: judged.ply, color: t(judged.color), move: judged.move }));
    this.on.show(this.left[0]);
  }

  #end() {
    this.left = [];
    this.on.ended();
  }
}
