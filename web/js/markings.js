/** What is drawn on a board to explain a position: shapes, labels, arrows and lines, written as SGF has them: `TR f5`, `AR a1 c3`, `LB d3 A`. */

import { indexOf } from "./board.js";
import { fill, s } from "./dom.js";

/**
 * @param {SVGElement} place with a side of as many units as the board has squares
 * @param {number} size
 * @param {string[]} markings
 */
export function drawMarkings(place, size, markings) {
  place.setAttribute("viewBox", `0 0 ${size} ${size}`);
  fill(
    place,
    markings.flatMap((marking) => {
      const [kind, from, ...rest] = marking.split(" ");
      const one = middle(from, size);
      if (!one) return [];
      if (kind === "LB") return [s("text", { x: one.x, y: one.y + 0.13, "text-anchor": "middle", class: "label" }, rest.join(" "))];
      if (kind === "AR" || kind === "LN") {
        const two = middle(rest[0] ?? "", size);
        return two ? [line(one, two, kind === "AR")] : [];
      }
      return [shape(kind, one)];
    }),
  );
}

/** @typedef {{x: number, y: number}} Spot */

/** The middle of a square, if the board has it. @param {string} square @param {number} size @returns {Spot | null} */
function middle(square, size) {
  const column = square.charCodeAt(0) - 97;
  const row = Number(square.slice(1)) - 1;
  if (!(column >= 0 && column < size && row >= 0 && row < size)) return null;
  return { x: (indexOf(square, size) % size) + 0.5, y: row + 0.5 };
}

/** @param {string} kind @param {Spot} at */
function shape(kind, { x, y }) {
  if (kind === "CR") return s("circle", { cx: x, cy: y, r: 0.36 });
  if (kind === "SQ") return s("rect", { x: x - 0.3, y: y - 0.3, width: 0.6, height: 0.6 });
  if (kind === "TR") return s("path", { d: `M${x} ${y - 0.36}L${x + 0.34} ${y + 0.24}H${x - 0.34}Z` });
  return s("path", { d: `M${x - 0.27} ${y - 0.27}l.54 .54m0 -.54l-.54 .54` });
}

/** @param {Spot} from @param {Spot} to @param {boolean} headed */
function line(from, to, headed) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const end = { x: to.x - along.x * 0.15, y: to.y - along.y * 0.15 };
  const neck = { x: end.x - along.x * 0.32, y: end.y - along.y * 0.32 };
  const shaft = `M${from.x + along.x * 0.15} ${from.y + along.y * 0.15}L${headed ? neck.x : end.x} ${headed ? neck.y : end.y}`;
  const head = headed
    ? s("path", {
        class: "head",
        d: `M${end.x} ${end.y}L${neck.x - along.y * 0.2} ${neck.y + along.x * 0.2}L${neck.x + along.y * 0.2} ${neck.y - along.x * 0.2}Z`,
      })
    : null;
  return s("g", { class: "arrow" }, s("path", { d: shaft }), head);
}
