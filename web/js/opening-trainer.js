/** The opening trainer: an opening, a colour; the other side is played, each move judged, what was missed asked again. */

/** @import {Color, Opening, Position, Training} from "./types.js" */
/** @import {BoardState} from "./board.js" */
import { announce, toast } from "./announce.js";
import { atOnce } from "./at-once.js";
import { Board } from "./board.js";
import { CardReview } from "./card-review.js";
import { fold, h, redraw } from "./dom.js";
import { EngineAside } from "./engine-aside.js";
import { number, t } from "./i18n.js";
import { LinesPanel } from "./lines-panel.js";
import { OpeningChoice } from "./opening-choice.js";
import { openingName } from "./opening-name.js";
import { usualStart } from "./permalink.js";
import * as learner from "./profile.js";
import { ProfilePanel } from "./profile-panel.js";
import { onSettings } from "./settings.js";
import { knock } from "./sound.js";
import { trainTitle } from "./train-tabs.js";

/** @typedef {{line: string, color: Color, name: string, replies: string, plies: number, seed: number}} Course */

export class OpeningTrainer {
  /**
   * @param {HTMLElement} place
   * @param {{moves: string, name: Opening}[]} openings
   */
  constructor(place, openings) {
    this.board = new Board({ onplay: (square) => void this.play(square), onwrong: () => announce(t("game.notlegal")) });
    /** @type {Course | null} the opening that is walked */
    this.course = null;
    /** @type {Training | null} where it stands */
    this.training = null;
    this.cards = new CardReview({ kinds: ["opening"], draw: () => this.draw(), answered: () => void this.profile.load(), ended: () => this.#reset() });
    /** @type {BoardState | null} a move that the server has not answered yet */
    this.pending = null;
    /** @type {{right: boolean, text: string} | null} */
    this.said = null;
    /** @type {string[]} the right moves, after a wrong one */
    this.expected = [];
    this.right = 0;
    this.missed = 0;
    this.busy = false;
    this.closed = false;
    this.status = h("div", { class: "status card" });
    this.engine = new EngineAside(this.board, () => this.#drawBoard());
    this.choice = new OpeningChoice(openings, (course) => void this.begin(course));
    /** @type {Position | null} a position of the tree of lines that is looked at */
    this.looked = null;
    this.lines = new LinesPanel({ chosen: () => this.choice.chosen(), show: (position) => this.#look(position) });
    this.profile = new ProfilePanel({ kinds: ["opening"], empty: t("train.nocards"), review: () => void this.review(), changed: () => this.#reset() });
    place.append(
      h(
        "div",
        { class: "table train" },
        h("div", { class: "board-place" }, this.board.element),
        trainTitle("openings"),
        this.status,
        h(
          "div",
          { class: "side" },
          fold("train-opening", t("train.opening"), true, this.choice.element),
          fold("train-cards", t("train.cards"), true, this.profile.deck),
          fold("train-lines", t("lines.title"), false, this.lines.element),
          this.engine.element,
          fold("train-profile", t("train.profile"), false, this.profile.element),
        ),
      ),
    );
    this.unlisten = onSettings(() => this.draw());
  }

  close() {
    this.closed = true;
    this.cards.stop();
    this.engine.close();
    this.unlisten();
  }

  /** What the address asks for: `?line=f5d6c3&color=white`. @param {URLSearchParams} query */
  async open(query) {
    await this.profile.load();
    const line = query.get("line");
    if (line !== null) this.choice.openLine(line, query.get("color") === "white" ? "white" : "black");
    else this.draw();
  }

  /** Walks an opening from its start. @param {Course} course */
  async begin(course) {
    this.#reset();
    this.course = course;
    await this.#step({});
    this.board.welcome();
  }

  /** Asks the cards that are due. */
  async review() {
    this.#reset();
    await this.cards.begin();
    this.board.welcome();
  }

  /** @param {string} square */
  async play(square) {
    const position = this.position();
    const legal = position?.legal.find((legal) => legal.square === square);
    if (!position || !legal || this.busy || this.#over()) return;
    knock();
    if (this.cards.active) await this.cards.play(square, legal);
    else if (this.course) {
      this.pending = atOnce(position, legal);
      this.draw();
      await this.#step({ move: square, record: !this.expected.length });
    }
  }

  position() {
    return this.cards.cards[0]?.position ?? this.training?.position ?? this.looked;
  }

  /** Shows a position of the tree of lines. @param {Position} position */
  #look(position) {
    this.#reset();
    this.looked = position;
    this.draw();
  }

  draw() {
    this.engine.look(this.#told() ? this.position() : null);
    this.#drawBoard();
    redraw(this.status, this.#statusLines());
  }

  /** Whether nothing is asked: the line is at its end, the right move is shown, or one only looks. */
  #told() {
    return this.cards.active ? this.cards.expected.length > 0 : this.#over() || this.expected.length > 0;
  }

  #drawBoard() {
    const position = this.position();
    const expected = this.cards.active ? this.cards.expected : this.expected;
    const marks = Object.fromEntries(expected.map((square) => [square, "★"]));
    const state = this.cards.pending ??
      this.pending ?? {
        size: position?.size ?? 8,
        cells: position?.cells ?? usualStart(8),
        legal: this.#over() ? [] : (position?.legal ?? []),
        last: position?.last?.square,
        turned: position?.last?.flips,
        texts: marks,
        best: expected,
        ...this.engine.state(),
      };
    this.board.show(state);
  }

  #over() {
    return !this.cards.active && (!this.training || this.training.done);
  }

  #statusLines() {
    const said = this.said && h("p", { class: this.said.right ? "verdict good" : "error" }, this.said.text);
    if (this.cards.active) return this.cards.lines();
    if (this.course && this.training) return [...this.#walking(), said, this.#lineButtons()];
    const due = this.profile.due();
    return [
      h("p", { class: "headline" }, t("train.welcome")),
      h("p", { class: "tally" }, due ? t("train.due", { n: number(due) }) : t("train.lead")),
      due ? h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: () => void this.review() }, t("train.review"))) : null,
    ];
  }

  #walking() {
    const { training, course } = this;
    if (!training || !course) return [];
    const name = openingName(training.opening) || course.name;
    if (training.done) {
      return [
        h("p", { class: "headline" }, t("train.done")),
        h("p", { class: "tally" }, t("train.result", { right: number(this.right), missed: number(this.missed) })),
      ];
    }
    return [
      h("p", { class: "headline" }, h("span", { class: `chip ${course.color}`, role: "img", "aria-label": t(course.color) }), " ", t("train.yours")),
      h("p", { class: "tally" }, name ? `${name} · ` : "", t(training.on_line ? "train.online" : "train.beyond")),
    ];
  }

  #lineButtons() {
    const again = (/** @type {number} */ seed) => () => this.course && void this.begin({ ...this.course, seed });
    const seed = this.course?.seed ?? 0;
    const over = this.training?.done;
    return h(
      "div",
      { class: "row" },
      over || this.expected.length ? null : h("button", { type: "button", onclick: () => void this.#show() }, t("train.show")),
      h("button", { type: "button", class: over ? "primary" : null, onclick: again(over ? seed + 1 : seed) }, t(over ? "train.others" : "train.again")),
      h("button", { type: "button", class: "quiet", onclick: () => this.#reset() }, t("train.stop")),
    );
  }

  /** One step of the line. @param {{move?: string, show?: boolean, record?: boolean}} step */
  async #step(step) {
    const { course, training } = this;
    if (!course) return;
    this.busy = true;
    try {
      const { line, color, replies, plies, seed } = course;
      const next = await learner.train({ line, color, replies, plies, seed, moves: training?.moves ?? "", ...step });
      if (this.course !== course) return;
      this.training = next;
      this.#judged(next, step.record ?? true);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    } finally {
      this.busy = false;
      this.pending = null;
      this.draw();
    }
  }

  /** @param {Training} training @param {boolean} counted */
  #judged({ verdict, replies, done }, counted) {
    const spoken = [];
    if (verdict) {
      if (counted && verdict.right) this.right += 1;
      if (counted && !verdict.right) this.missed += 1;
      this.expected = verdict.right ? [] : verdict.expected;
      this.said = { right: verdict.right, text: verdictText(verdict) };
      spoken.push(this.said.text);
    }
    if (replies.length) spoken.push(t("train.replied", { moves: replies.join(", ") }));
    if (done) spoken.push(t("train.done"));
    if (spoken.length) announce(spoken.join(" "));
    if (verdict) void this.profile.load();
  }

  /** Shows what is right here: it counts as missed. */
  async #show() {
    if (!this.expected.length) await this.#step({ show: true });
  }

  #reset() {
    this.course = null;
    this.training = null;
    this.cards.stop();
    this.looked = null;
    this.pending = null;
    this.said = null;
    this.expected = [];
    this.right = 0;
    this.missed = 0;
    this.draw();
    void this.profile.load().then(() => this.closed || this.draw());
  }
}

/** @param {NonNullable<Training["verdict"]>} verdict */
function verdictText({ right, played, expected, loss, source }) {
  if (!played) return t("train.shown", { expected: expected.join(", ") });
  if (right) return loss ? t("train.rightloss", { move: played, loss: loss.toFixed(1) }) : t("train.right", { move: played });
  const lost = loss !== null && loss > 0 ? t("train.loses", { loss: loss.toFixed(1) }) : "";
  const key = source === "line" ? "train.left1" : "train.bad";
  return [t(key, { move: played, expected: expected.join(", ") }), lost].filter(Boolean).join(" ");
}
