/** The course of a game: discs for Black after each move, as a drawing to click on. */

/** @import {TreeSpot} from "./game-tree.js" */
/** @import {Judged} from "./types.js" */
import { fill, s } from "./dom.js";
import { t } from "./i18n.js";

const WIDTH = 400;
const HEIGHT = 110;

/**
 * @param {SVGElement} svg
 * @param {{points: Judged[], line: TreeSpot[], now: number, limit: number, onpick: (ply: number) => void}} state
 */
export function drawGraph(svg, { points, line: moves, now, limit, onpick }) {
  const plies = moves.length;
  const number = (/** @type {Judged} */ { ply }) => moves[ply - 1]?.number ?? ply;
  const most = Math.max(8, Math.min(limit, ...[Math.max(0, ...points.map(({ discs }) => Math.abs(discs)))]));
  const x = (/** @type {number} */ ply) => (plies ? (ply / plies) * WIDTH : 0);
  const y = (/** @type {number} */ discs) => HEIGHT / 2 - (Math.max(-most, Math.min(most, discs)) / most) * (HEIGHT / 2 - 6);
  const line = [[0, 0], ...points.map(({ ply, discs }) => [ply, discs])].map(([ply, discs]) => `${x(ply).toFixed(1)} ${y(discs).toFixed(1)}`);
  const end = x(points.at(-1)?.ply ?? 0).toFixed(1);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  fill(
    svg,
    s("rect", { class: "above", x: 0, y: 0, width: WIDTH, height: HEIGHT / 2 }),
    s("rect", { class: "below", x: 0, y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }),
    s("path", { class: "area", d: `M0 ${HEIGHT / 2} L${line.join(" L")} L${end} ${HEIGHT / 2} Z` }),
    s("line", { class: "zero", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    s("path", { class: "course", d: `M${line.join(" L")}` }),
    points
      .filter(({ mark }) => mark)
      .map((point) =>
        s(
          "circle",
          { class: `dot ${point.judgement}`, cx: x(point.ply), cy: y(point.discs), r: point.judgement === "blunder" ? 4.5 : 3.2 },
          s("title", null, `${number(point)}. ${point.move}${point.mark}`),
        ),
      ),
    s("line", { class: "now", x1: x(now), x2: x(now), y1: 0, y2: HEIGHT }),
    s("text", { x: 4, y: 12 }, `+${most}`),
    s("text", { x: 4, y: HEIGHT - 4 }, `−${most}`),
  );
  svg.setAttribute("aria-label", `${t("ana.graph")}: ${points.map((point) => `${number(point)} ${Math.round(point.discs)}`).join(", ")}`);
  svg.onclick = (event) => {
    const box = svg.getBoundingClientRect();
    onpick(Math.max(0, Math.min(plies, Math.round(((event.clientX - box.left) / box.width) * plies))));
  };
}
