/** Curves over the generations, as a drawing that a screen reader can read and a projector can show. */

import { fill, h, s } from "./dom.js";
import { number, t } from "./i18n.js";

/** Units across: fewer where there is little room, so that the writing stays readable. */
const wide = () => (matchMedia("(max-width: 560px)").matches ? 340 : 480);
const HEIGHT = 230;
const LEFT = 40;
const RIGHT = 104;
const TOP = 12;
const BOTTOM = 30;
/** Least distance of two names at the ends of curves. */
const LINE = 15;

/**
 * @typedef {{name: string, values: number[], color: number, strong?: boolean}} Curve
 * @typedef {{title: string, curves: Curve[], most: number, count: number}} ChartState `count`: places along the axis
 */

/** A chart that can be shown again and again. */
export class Chart {
  constructor() {
    this.svg = s("svg", { class: "chart", role: "img" });
    this.element = h("figure", { class: "chart-figure" }, this.svg);
  }

  /** @param {ChartState} state */
  show({ title, curves, most, count }) {
    const places = Math.max(count, 2);
    const width = wide();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const x = (/** @type {number} */ at) => LEFT + ((width - LEFT - RIGHT) * at) / (places - 1);
    const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * Math.min(value, most)) / (most || 1);
    const known = curves.filter(({ values }) => values.length);
    fill(
      this.svg,
      steps(most, 4).flatMap((value) => [
        s("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
        s("text", { class: "scale", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value)),
      ]),
      steps(places, 8)
        .filter((value) => value >= 1 && Number.isInteger(value))
        .map((value) => s("text", { class: "scale", x: x(value - 1), y: HEIGHT - 10, "text-anchor": "middle" }, value)),
      known.flatMap(({ values, color, strong }) =>
        [
          s("path", {
            class: `curve c${color}${strong ? " strong" : ""}`,
            d: `M${values.map((value, at) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join(" L")}`,
          }),
          values.length <= 40
            ? values.map((value, at) =>
                s(
                  "circle",
                  { class: `point c${color}`, cx: x(at), cy: y(value), r: strong ? 3.6 : 2.4 },
                  s("title", null, `${at + 1}: ${number(Math.round(value * 100) / 100)}`),
                ),
              )
            : [],
        ].flat(),
      ),
      this.#names(known, y, width - RIGHT + 8),
    );
    const said = known.map(({ name, values }) => `${name} ${values.map((value) => Math.round(value * 10) / 10).join(" ")}`);
    this.svg.setAttribute("aria-label", `${title}. ${said.join("; ") || t("evo.none")}`);
  }

  /** The name of a curve stands at its end; those that would overlap move apart. @param {Curve[]} curves @param {(value: number) => number} y @param {number} x */
  #names(curves, y, x) {
    let above = TOP - LINE;
    const ends = curves.map(({ name, values, color }) => ({ name, color, value: values.at(-1) ?? 0 })).sort((a, b) => b.value - a.value);
    const placed = ends.map((end) => {
      above = Math.max(y(end.value) + 4, above + LINE);
      return { ...end, at: above };
    });
    const over = Math.max(0, above - (HEIGHT - BOTTOM + 8));
    return placed.map(({ name, color, value, at }) =>
      s("text", { class: `curve-name c${color}`, x, y: at - over }, `${name} ${number(Math.round(value * 10) / 10)}`),
    );
  }
}

/** Round numbers from 0 up to this one, about so many. @param {number} most @param {number} count */
function steps(most, count) {
  const rough = Math.max(most / count, 1e-6);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return [...Array(Math.floor(most / step + 1e-9) + 1).keys()].map((at) => Math.round(at * step * 1000) / 1000);
}
