/** The engine beside a board: what it sees, how deep, how quickly; a bar of chances; its move as a ring. */

/** @import {Analysis, Evaluation, Place} from "./types.js" */
/** @import {BoardState} from "./board.js" */
import { toast } from "./announce.js";
import * as api from "./api.js";
import { ChancesBar } from "./chances-bar.js";
import { h, redraw, select } from "./dom.js";
import { EngineWatch } from "./engine-watch.js";
import { compact, t } from "./i18n.js";
import { keep, recall } from "./kept.js";
import { short, textbookJudges } from "./overlays.js";
import { breakdownTable } from "./thinking.js";

/** Emilia herself, who goes ever deeper; everybody else is a textbook player with an opinion. */
const EMILIA = "emilia";
const LINES = ["1", "3", "5", "10", "60"];
const KEY = "emilia.engine.lines";
/** How long a textbook player may think about all moves, in milliseconds. */
const TEXTBOOK_TIME = 1000;
/** How often the time is shown anew while nothing else is, in milliseconds. */
const TICK = 500;

export class EnginePanel {
  /**
   * @param {{draw: () => void, preview: (line: string[] | null) => void, play: (square: string) => void}} on
   */
  constructor(on) {
    this.on = on;
    this.isOn = false;
    this.judge = EMILIA;
    this.lines = Number(recall(KEY) ?? 5);
    /** @type {Place | null} */
    this.place = null;
    /** @type {Analysis | null} what a textbook player thinks */
    this.opinion = null;
    this.asked = 0;
    this.began = 0;
    this.bar = new ChancesBar();
    this.watch = new EngineWatch(() => this.#news());
    this.button = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.turn(!this.isOn) }, t("ana.enginebutton"));
    this.found = h("div", { class: "stack" });
    this.element = h(
      "div",
      { class: "stack engine" },
      this.found,
      h(
        "div",
        { class: "pair" },
        select({
          label: t("eng.lines"),
          value: LINES.includes(String(this.lines)) ? String(this.lines) : "5",
          options: LINES.map((n) => [n, n === "60" ? t("eng.alllines") : n]),
          onchange: (lines) => {
            this.lines = Number(lines);
            keep(KEY, lines);
            this.#look();
          },
        }),
        select({
          label: t("over.judge"),
          value: EMILIA,
          options: [[EMILIA, t("eng.emilia")], ...textbookJudges()],
          onchange: (judge) => {
            this.judge = judge;
            this.#look();
          },
        }),
      ),
    );
    /** @type {ReturnType<typeof setInterval> | undefined} while the engine works */
    this.ticking = undefined;
    this.#draw();
  }

  close() {
    clearInterval(this.ticking);
    this.asked++;
    this.watch.close();
  }

  /** Switches the engine on or off. @param {boolean} on */
  turn(on) {
    this.isOn = on;
    this.button.setAttribute("aria-pressed", String(on));
    this.#look();
  }

  /** Shows another position; none where the engine has nothing to say. @param {Place | null} place */
  look(place) {
    if (JSON.stringify(place) === JSON.stringify(this.place)) return;
    this.place = place;
    this.#look();
  }

  #look() {
    const { place } = this;
    this.opinion = null;
    this.began = Date.now();
    const mine = ++this.asked;
    const deepens = this.isOn && this.judge === EMILIA;
    this.watch.look(deepens ? place : null, this.lines);
    this.#news();
    if (this.isOn && place && !deepens) void this.#ask(place, mine);
  }

  /** @param {Place} place @param {number} mine */
  async #ask(place, mine) {
    try {
      const opinion = await api.analyse({ ...place, player: this.judge, time_ms: TEXTBOOK_TIME });
      if (mine !== this.asked) return;
      this.opinion = opinion;
      this.#news();
    } catch (error) {
      if (mine === this.asked) toast(/** @type {Error} */ (error).message);
    }
  }

  /** The moves and what they are worth, best first. */
  get moves() {
    if (!this.isOn) return [];
    return this.opinion ? this.opinion.evaluations : (this.watch.known?.moves ?? []);
  }

  /** What it puts on the board. @returns {Partial<BoardState>} */
  state() {
    const moves = this.moves.filter(({ move, score }) => move !== "pass" && score);
    if (!moves.length) return {};
    return {
      texts: Object.fromEntries(moves.map(({ move, score }) => [move, short(score)])),
      best: moves.filter(({ score }) => score.value === moves[0].score.value).map(({ move }) => move),
      ring: moves[0].move,
    };
  }

  #news() {
    this.#draw();
    this.on.draw();
  }

  #tick() {
    if (!document.hidden) this.#draw();
  }

  #draw() {
    const { known, busy } = this.watch;
    if (busy) this.ticking ??= setInterval(() => this.#tick(), TICK);
    else {
      clearInterval(this.ticking);
      this.ticking = undefined;
    }
    const shows = this.isOn && this.place !== null;
    this.bar.show(shows && this.judge === EMILIA ? known : null);
    if (!shows) redraw(this.found, [h("p", { class: "hint" }, t(this.isOn ? "eng.nothing" : "ana.noengine"))]);
    else if (this.judge !== EMILIA) redraw(this.found, [this.#list(), this.opinion?.breakdown ? breakdownTable(this.opinion.breakdown) : null]);
    else redraw(this.found, [this.#effort(), this.#list(), this.bar.words()]);
  }

  /** How deep it is, since when and how quickly; and whether to go on. */
  #effort() {
    const { known, busy, running } = this.watch;
    const since = busy ? Date.now() - this.began : 0;
    const spent = Math.max(known?.spent ?? 0, since) / 1000;
    const figures = known?.moves.length
      ? [
          known.solved ? t("ana.exact") : t("ana.depth", { n: known.depth }),
          known.confidence && known.confidence < 100 ? `${known.confidence} %` : "",
          t("seconds", { n: spent.toFixed(spent < 10 ? 1 : 0) }),
          t("eng.speed", { n: compact(known.nps) }),
        ]
      : ["…"];
    return h(
      "div",
      { class: "row effort" },
      h("span", { class: busy ? "grow searching" : "grow" }, figures.filter(Boolean).join(" · ")),
      known?.solved
        ? null
        : h("button", { type: "button", class: "small", id: "engine-run", onclick: () => this.watch.run(!running) }, t(running ? "eng.stop" : "eng.go")),
    );
  }

  #list() {
    if (!this.moves.length) return null;
    return h(
      "ol",
      { class: "engine-lines", "aria-label": t("ana.lines") },
      this.moves.slice(0, 10).map((item) => this.#line(item)),
    );
  }

  /** @param {Pick<Evaluation, "move" | "score" | "depth" | "solved" | "line">} item */
  #line(item) {
    const show = () => this.on.preview(item.line);
    const hide = () => this.on.preview(null);
    return h(
      "li",
      null,
      h(
        "button",
        { type: "button", class: "quiet line", onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide, onclick: () => this.on.play(item.move) },
        h("strong", { class: "worth" }, item.score ? short(item.score) : ""),
        h("span", { class: "moves-ahead" }, item.line.join(" ") || item.move),
        item.solved ? h("em", null, t("ana.exact")) : h("span", { class: "hint" }, t("ana.depth", { n: item.depth })),
      ),
    );
  }
}
