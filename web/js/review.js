/** One-click review: every move of a game judged, as the server finds out. */

/** @import {Catalogue, Color, Judged, Place, ReviewSummary} from "./types.js" */
import { announce, toast } from "./announce.js";
import * as api from "./api.js";
import { h, redraw } from "./dom.js";
import { t } from "./i18n.js";
import { judgePicker, judges } from "./overlays.js";
import * as learner from "./profile.js";
import { playedLike } from "./strength.js";
import { keepReviewed } from "./verdicts-kept.js";

/** Time for each move on average, in milliseconds. */
const TIME = 300;
const KINDS = /** @type {const} */ ([
  ["best", ""],
  ["good", ""],
  ["inaccuracy", "?!"],
  ["mistake", "?"],
  ["blunder", "??"],
]);

export class Review {
  /**
   * @param {{place: () => Place, onmove: (judged: Judged) => void, onchange: () => void, jump: (ply: number) => void, number: (ply: number) => number,
   *   judged: () => Judged[], retry: (color: Color) => void, lessons: (color: Color) => object[], size: () => number, catalogue: Catalogue}} on
   */
  constructor(on) {
    this.on = on;
    this.judge = judges(on.catalogue)[0][0];
    /** @type {AbortController | null} */
    this.hanging = null;
    this.done = 0;
    this.plies = 0;
    /** @type {Record<Color, number[]>} what each side's moves lost where it had a choice */
    this.losses = { black: [], white: [] };
    /** @type {Partial<Record<Color, boolean>>} whose mistakes are in the deck */
    this.kept = {};
    /** @type {ReviewSummary | null} */
    this.summary = null;
    /** @type {Record<string, number> | null} */
    this.thresholds = null;
    this.element = h("div", { class: "stack" });
    this.draw();
  }

  /** Reviews the game that is shown. */
  async run() {
    this.clear();
    const hanging = new AbortController();
    this.hanging = hanging;
    this.draw();
    try {
      for await (const news of api.lines("/api/review", { ...this.on.place(), player: this.judge, time_ms: TIME }, hanging.signal)) {
        if (news.type === "start") [this.plies, this.thresholds] = [news.plies, news.thresholds];
        else if (news.type === "move") {
          this.done = news.ply;
          if (!news.forced) this.losses[/** @type {Color} */ (news.color)].push(news.loss);
          this.on.onmove(news);
        } else if (news.type === "summary") {
          this.summary = news;
          this.#remember(news);
        } else if (news.type === "error") toast(news.error.message);
        this.draw();
        this.on.onchange();
      }
      if (this.summary) announce(this.#accuracy());
    } catch (error) {
      if (!(error instanceof DOMException)) toast(/** @type {Error} */ (error).message);
    }
    if (this.hanging === hanging) this.hanging = null;
    this.draw();
  }

  /** So that the list of one's games can say how well one played. @param {ReviewSummary} summary */
  #remember({ accuracy }) {
    const moves = /** @type {string[]} */ (this.on.place().moves ?? []).filter((move) => move !== "pass");
    keepReviewed(this.on.size(), moves.join(""), { accuracy });
  }

  stop() {
    this.hanging?.abort();
    this.hanging = null;
  }

  clear() {
    this.stop();
    Object.assign(this, { done: 0, plies: 0, summary: null, thresholds: null, losses: { black: [], white: [] }, kept: {} });
    this.draw();
  }

  #accuracy() {
    const { summary } = this;
    /** @param {Color} color */
    const one = (color) => `${t(color)} ${summary?.accuracy[color]?.toFixed(1) ?? "–"}`;
    return `${t("ana.accuracy")}: ${one("black")}, ${one("white")}`;
  }

  /** How well a side played, to stand beside its name; nothing before the whole game is judged. @param {Color} color */
  note(color) {
    const accuracy = this.summary?.accuracy[color] ?? null;
    return accuracy === null ? "" : `${t("ana.accuracy")} ${accuracy.toFixed(1)}%`;
  }

  draw() {
    const { summary, thresholds } = this;
    const busy = this.hanging !== null;
    redraw(this.element, [
      h("p", { class: "hint" }, t("ana.reviewlead")),
      h(
        "div",
        { class: "row" },
        busy
          ? h("button", { type: "button", onclick: () => this.stop() }, t("ana.reviewstop"))
          : h("button", { type: "button", class: "primary", id: "review", onclick: () => this.run() }, t("ana.reviewgo")),
        this.plies ? h("span", { class: "hint", role: "status" }, t("ana.reviewed", { n: this.on.number(this.done), all: this.on.number(this.plies) })) : null,
      ),
      this.plies && busy ? h("progress", { max: this.plies, value: this.done, "aria-label": t("ana.review") }) : null,
      summary && this.#table(summary),
      summary?.turning_points.length
        ? h(
            "div",
            { class: "row" },
            h("span", { class: "hint" }, t("ana.turning")),
            summary.turning_points.map(({ ply, move, loss }) =>
              h("button", { type: "button", onclick: () => this.on.jump(ply) }, `${this.on.number(ply)}. ${move} −${loss.toFixed(0)}`),
            ),
          )
        : null,
      this.retryButtons(),
      thresholds && h("p", { class: "hint" }, t("ana.thresholds", thresholds)),
      busy ? null : judgePicker(this.on.catalogue, this.judge, (judge) => (this.judge = judge)),
    ]);
  }

  /** To try again what went wrong, now or when it is due, once that is known. */
  retryButtons() {
    if (!this.summary) return null;
    const colors = /** @type {Color[]} */ (["black", "white"]);
    return h(
      "div",
      { class: "row" },
      colors.map((color) =>
        h(
          "button",
          { type: "button", onclick: () => this.on.retry(color) },
          h("span", { class: `chip ${color}`, "aria-hidden": "true" }),
          t("ana.retryof", { color: t(color) }),
        ),
      ),
      colors.map((color) => this.#keepButton(color)),
    );
  }

  /** @param {Color} color */
  #keepButton(color) {
    const cards = this.on.lessons(color);
    if (!cards.length || this.kept[color]) return null;
    return h(
      "button",
      { type: "button", onclick: () => void this.#keep(color) },
      h("span", { class: `chip ${color}`, "aria-hidden": "true" }),
      t("mist.add", { color: t(color), n: cards.length }),
    );
  }

  /** Puts mistakes into the deck. @param {Color} color */
  async #keep(color) {
    try {
      const { added } = await learner.addMistakes(this.on.lessons(color));
      this.kept[color] = true;
      toast(t("mist.added", { n: added }));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.draw();
    this.on.onchange();
  }

  /** The rating of people who lose as much, with its uncertainty: only on 8×8, where there are people to compare with. */
  #likeness() {
    if (this.on.size() !== 8) return null;
    const likeness = /** @type {Color[]} */ (["black", "white"]).map((color) => playedLike(this.losses[color]));
    if (likeness.every((one) => one === null)) return null;
    return h(
      "tr",
      null,
      h("th", null, t("ana.playedlike")),
      likeness.map((one) => h("td", { class: "number" }, one ? `${one.rating} ± ${one.deviation}` : "–")),
    );
  }

  /** @param {ReviewSummary} summary */
  #table({ accuracy }) {
    // Counted here, because the engine may have looked deeper at a move since.
    const count = (/** @type {Color} */ color, /** @type {string} */ kind) =>
      this.on.judged().filter((judged) => judged.color === color && !judged.forced && judged.judgement === kind).length;
    /** @param {Color} color */
    const head = (color) => h("th", { class: "number" }, h("span", { class: `chip ${color}`, role: "img", "aria-label": t(color) }));
    return h(
      "table",
      { class: "small" },
      h("thead", null, h("tr", null, h("td"), head("black"), head("white"))),
      h(
        "tbody",
        null,
        h(
          "tr",
          { class: "strong" },
          h("th", null, t("ana.accuracy")),
          /** @type {Color[]} */ (["black", "white"]).map((color) =>
            h("td", { class: "number" }, accuracy[color] === null ? "–" : `${accuracy[color].toFixed(1)}%`),
          ),
        ),
        this.#likeness(),
        KINDS.map(([kind, mark]) =>
          h(
            "tr",
            null,
            h("th", null, t(`ana.judged.${kind}`), " ", h("strong", { class: kind }, mark)),
            /** @type {Color[]} */ (["black", "white"]).map((color) => h("td", { class: "number" }, count(color, kind))),
          ),
        ),
      ),
    );
  }
}
