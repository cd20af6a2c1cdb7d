/** Columns side by side, as a drawing that a screen reader can read. */

import { h, s } from "./dom.js";
import { number } from "./i18n.js";

const HEIGHT = 200;
const LEFT = 36;
const TOP = 10;
const BOTTOM = 26;

/** @param {number} value */
const rounded = (value) => number(Math.round(value * 100) / 100);

/**
 * @param {{title: string, names: string[], series: {name: string, values: number[], color: number}[]}} wanted
 * @returns {HTMLElement}
 */
export function columns({ title, names, series }) {
  const width = matchMedia("(max-width: 560px)").matches ? 340 : 720;
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / most;
  const step = (width - LEFT) / Math.max(names.length, 1);
  const column = (step * 0.72) / series.length;
  const ticks = [...Array(Math.floor(most) + 1).keys()].filter((value) => most <= 6 || value % Math.ceil(most / 6) === 0);
  // Names that would run into each other are left out.
  const every = Math.ceil((names.length * 58) / (width - LEFT));
  const said = names.map((name, at) => `${name}: ${series.map(({ name: who, values }) => `${who} ${rounded(values[at] ?? 0)}`).join(", ")}`);
  const drawing = s(
    "svg",
    { class: "chart columns", role: "img", viewBox: `0 0 ${width} ${HEIGHT}`, "aria-label": `${title}. ${said.join("; ")}` },
    ticks.flatMap((value) => [
      s("line", { class: "rule", x1: LEFT, x2: width, y1: y(value), y2: y(value) }),
      s("text", { class: "scale", x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, number(value)),
    ]),
    names.flatMap((name, at) => [
      ...series.map(({ name: who, values, color }, which) =>
        s(
          "rect",
          {
            class: `column c${color}`,
            x: LEFT + step * at + step * 0.14 + column * which,
            y: y(values[at] ?? 0),
            width: column * 0.92,
            height: Math.max(0, y(0) - y(values[at] ?? 0)),
          },
          s("title", null, `${name}, ${who}: ${rounded(values[at] ?? 0)}`),
        ),
      ),
      at % every === 0 ? s("text", { class: "scale", x: LEFT + step * (at + 0.5), y: HEIGHT - 8, "text-anchor": "middle" }, name) : null,
    ]),
  );
  const legend =
    series.length > 1 &&
    h(
      "figcaption",
      { class: "legend" },
      series.map(({ name, color }) => h("span", null, h("span", { class: `swatch c${color}`, "aria-hidden": "true" }), name)),
    );
  return h("figure", { class: "chart-figure" }, drawing, legend);
}
