/** Who plays, how many discs they have, whose turn it is, how much time is left. */

/** @import {Clock, Color, Counts} from "./types.js" */
import { h, setText } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {{name: string, note: string}} Side
 * @typedef {{black: Side, white: Side, counts: Counts, turn: Color | null, clock: Clock | null, skew: number}} ScoreState
 */

/** Less than so much time is little, in milliseconds. */
const LOW = 20_000;

export class ScoreCard {
  /** @param {(color: Color) => void} [onlow] called once when a running clock has little time left */
  constructor(onlow = () => {}) {
    this.onlow = onlow;
    /** @type {Record<Color, boolean>} whether that was said */
    this.low = { black: false, white: false };
    /** @param {Color} color */
    const side = (color) => {
      const name = h("span", { class: "name" });
      const note = h("span", { class: "note" });
      const clock = h("span", { class: "clock", role: "timer", "aria-live": "off" });
      const count = h("span", { class: "count" });
      const element = h(
        "div",
        { class: `player ${color}` },
        h("span", { class: `chip ${color}`, role: "img", "aria-label": t(color) }),
        h("span", { class: "who" }, name, note),
        clock,
        count,
      );
      return { element, name, note, clock, count };
    };
    this.sides = { black: side("black"), white: side("white") };
    this.bar = h("div", { class: "balance", "aria-hidden": "true" }, h("span", null));
    this.element = h("div", { class: "score" }, this.sides.black.element, this.sides.white.element, this.bar);
    /** @type {ScoreState | null} */
    this.state = null;
    /** @type {ReturnType<typeof setInterval> | undefined} while a clock runs */
    this.timer = undefined;
  }

  /** @param {ScoreState} state */
  show(state) {
    this.state = state;
    for (const color of /** @type {Color[]} */ (["black", "white"])) {
      const side = this.sides[color];
      setText(side.name, state[color].name);
      setText(side.note, state[color].note);
      setText(side.count, String(state.counts[color]));
      side.count.setAttribute("aria-label", t("game.discs", { n: state.counts[color] }));
      side.count.setAttribute("role", "img");
      side.element.classList.toggle("turn", state.turn === color);
    }
    const all = state.counts.black + state.counts.white;
    this.bar.style.setProperty("--share", `${all ? (100 * state.counts.black) / all : 50}%`);
    this.tick();
    const runs = Boolean(state.clock?.running);
    if (runs) this.timer ??= setInterval(() => this.tick(), 200);
    else this.close();
  }

  /** Brings the clocks up to now. */
  tick() {
    const clock = this.state?.clock;
    for (const color of /** @type {Color[]} */ (["black", "white"])) {
      const shown = this.sides[color].clock;
      shown.hidden = !clock;
      if (!clock || !this.state) continue;
      const used = clock.running === color && clock.running_since !== null ? Date.now() + this.state.skew - clock.running_since : 0;
      const left = Math.max(0, clock[`${color}_ms`] - Math.max(0, used));
      setText(shown, clockText(left));
      const low = left < LOW;
      shown.classList.toggle("low", low);
      if (low && !this.low[color] && clock.running === color) this.onlow(color);
      this.low[color] = low;
    }
  }

  close() {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** @param {number} ms */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const [h0, m, s0] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(m).padStart(h0 ? 2 : 1, "0")}:${String(s0).padStart(2, "0")}`;
  if (h0) return `${h0}:${tail}`;
  return ms < 10_000 ? `${tail}.${Math.floor((ms % 1000) / 100)}` : tail;
}
