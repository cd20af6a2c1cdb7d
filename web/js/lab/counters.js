/** What the searches have counted so far, as curves over their steps. */

/** @import {Course, Counters} from "./course.js" */
import { fill, h, s } from "../dom.js";
import { number } from "../i18n.js";
import { say } from "./texts.js";

const WIDTH = 480;
const HEIGHT = 132;
const LEFT = 46;
const BOTTOM = 20;
/** Points of a curve. */
const POINTS = 160;

/** @typedef {{name: string, course: Course}} Side */

export class CounterChart {
  /** @param {(step: number) => void} onpick */
  constructor(onpick) {
    this.svg = s("svg", { class: "chart counters", role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
    this.list = h("dl", { class: "counter-list" });
    this.element = h("div", { class: "stack" }, this.svg, this.list);
    this.length = 1;
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      onpick(Math.round((Math.max(0, Math.min(1, (x - LEFT) / (WIDTH - LEFT - 6))) || 0) * this.length));
    });
  }

  /** @param {Side[]} sides @param {number} step */
  show(sides, step) {
    this.length = Math.max(1, ...sides.map(({ course }) => course.length));
    const most = Math.max(1, ...sides.map(({ course }) => course.counters(course.length).positions));
    const x = (/** @type {number} */ at) => LEFT + ((WIDTH - LEFT - 6) * at) / this.length;
    const y = (/** @type {number} */ count) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - 8) * count) / most;
    /** @param {Course} course @param {keyof Counters} what */
    const curve = (course, what) => {
      const until = Math.min(step, course.length);
      const points = Math.max(1, Math.min(POINTS, until));
      const places = [...Array(points + 1).keys()].map((at) => Math.round((until * at) / points));
      return `M${places.map((at) => `${x(at).toFixed(1)} ${y(course.counters(at)[what]).toFixed(1)}`).join(" L")}`;
    };
    fill(
      this.svg,
      [0, most].map((count) => s("line", { class: "rule", x1: LEFT, x2: WIDTH - 6, y1: y(count), y2: y(count) })),
      [0, most].map((count) => s("text", { class: "scale", x: LEFT - 6, y: y(count) + 4, "text-anchor": "end" }, number(count))),
      s("text", { class: "scale", x: WIDTH - 6, y: HEIGHT - 4, "text-anchor": "end" }, say("count.steps", { n: number(this.length) })),
      sides.flatMap(({ course }, side) => [
        s("path", { class: `curve strong c${side + 1}`, d: curve(course, "positions") }),
        s("path", { class: `curve c${side + 1} dashed`, d: curve(course, "cuts") }),
      ]),
      s("line", { class: "now", x1: x(step), x2: x(step), y1: 8, y2: HEIGHT - BOTTOM }),
    );
    const rows = sides.map(({ name, course }, side) => ({ name, side, text: this.#said(course, step) }));
    fill(
      this.list,
      rows.flatMap(({ name, side, text }) => [h("dt", { class: `c${side + 1}` }, name), h("dd", null, text)]),
    );
    this.svg.setAttribute("aria-label", `${say("counters")}. ${rows.map(({ name, text }) => `${name}: ${text}`).join("; ")}`);
  }

  /** @param {Course} course @param {number} step */
  #said(course, step) {
    const counted = course.counters(step);
    const names = /** @type {const} */ (["positions", "joins", "leaves", "cuts", "known", "again", "games"]);
    const total = course.counters(course.length);
    const shown = names.filter((name) => (course.isMonteCarlo ? name === "positions" || name === "games" : name === "positions" || total[name] > 0));
    return shown.map((name) => say(`count.${name}`, { n: number(counted[name]) })).join(" · ");
  }
}
