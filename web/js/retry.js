/** Retrying mistakes: the position before each of them, until a better move is found; then that one is played out. */

/** @import {Color, Evaluation, Position} from "./types.js" */
/** @import {TreeSpot} from "./game-tree.js" */
import { announce, toast } from "./announce.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { whySentence } from "./why.js";

/** How long each move of a line that is played out stays before the next, in milliseconds. */
const PACE = 800;

export class Retry {
  /**
   * @param {{mistakes: (color: Color) => TreeSpot[], show: (spot: TreeSpot) => void, draw: () => void,
   *   positions: (spot: TreeSpot, line: string[]) => AsyncIterable<Position>}} on
   */
  constructor(on) {
    this.on = on;
    /** @type {TreeSpot[]} */
    this.left = [];
    this.said = "";
    /** Whether an answer was wrong. */
    this.wrong = false;
    /** @type {string[] | null} the better line that is played out */
    this.line = null;
    /** @type {Position | null} how far it has come */
    this.position = null;
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

  /** What somebody tries. @param {string} square @param {Evaluation[]} evaluations */
  answer(square, evaluations) {
    const judged = this.left[0].judged;
    const played = evaluations.find(({ move }) => move === judged?.move)?.score.value ?? -Infinity;
    const tried = evaluations.find(({ move }) => move === square);
    const best = square === judged?.best;
    if (best || square === evaluations[0]?.move) this.#say(t("ana.retryright", { move: square }));
    else if (tried && tried.score.value > played) this.#say(t("ana.retryalso", { move: square }));
    else {
      this.#say(t("ana.retrywrong", { move: square }), true);
      this.on.draw();
      return;
    }
    void this.#playOut(best ? (judged?.line ?? []) : (tried?.line ?? [square]));
  }

  panel() {
    const { judged, number } = this.left[0];
    if (!judged) return [];
    return [
      h("p", { class: "headline" }, t("ana.retryask", { n: number, color: t(judged.color), move: `${judged.move}${judged.mark}` })),
      this.said ? h("p", { class: this.wrong ? "error" : "verdict good" }, this.said) : null,
      // Not before the answer is known: it names the best move.
      this.line && judged.why ? h("p", { class: "why" }, whySentence(judged.why, judged)) : null,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => this.#reveal() }, t("ana.retryshow")),
        h("button", { type: "button", class: this.line ? "primary" : null, onclick: () => this.#next() }, t("ana.retrynext")),
        h("button", { type: "button", class: "quiet", onclick: () => this.#end() }, t("ana.retrystop")),
      ),
    ];
  }

  #reveal() {
    const judged = this.left[0].judged;
    if (!judged?.best) return;
    this.#say(t("ana.better", { best: judged.best, line: judged.line.join(" ") }));
    void this.#playOut(judged.line);
  }

  /** Plays a line out on the board and leaves it there until the next mistake is asked for. @param {string[]} line */
  async #playOut(line) {
    // A line of its own, so that one who asks twice sees it once.
    const mine = [...line];
    this.line = mine;
    this.position = null;
    this.on.draw();
    try {
      for await (const position of this.on.positions(this.left[0], mine)) {
        if (this.line !== mine) return;
        this.position = position;
        this.on.draw();
        await new Promise((rested) => setTimeout(rested, PACE));
        if (this.line !== mine) return;
      }
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} said @param {boolean} wrong */
  #say(said, wrong = false) {
    this.said = said;
    this.wrong = wrong;
    announce(said);
  }

  #next() {
    this.left = this.left.slice(1);
    if (this.active) this.#ask();
    else {
      toast(t("ana.retryend"));
      this.#end();
    }
  }

  /** Shows what is asked for instead of a line. */
  hide() {
    this.line = null;
    this.position = null;
  }

  #ask() {
    this.said = "";
    const { judged, number } = this.left[0];
    if (judged) announce(t("ana.retryask", { n: number, color: t(judged.color), move: judged.move }));
    this.on.show(this.left[0]);
  }

  #end() {
    this.left = [];
    this.hide();
    this.on.draw();
  }
}
