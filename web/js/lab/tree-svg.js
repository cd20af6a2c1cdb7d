/** The tree as it stands, as a picture for a slide: light, with its colours inside, so that it looks the same everywhere. */

/** @import {Part, TreeState} from "./tree-view.js" */
/** @import {Rows} from "./rows.js" */
import { edgePaths } from "./edges.js";
import { joinText, nodeText, stubText } from "./node-text.js";

/** Measures in units of the picture. */
const ROW = 40;
const GAP = 20;
const NODE = 112;
/** The same where joins run between the columns, and nodes say how many lead to them. */
const GAP_WITH_JOINS = 26;
const NODE_WITH_JOINS = 130;
const JOIN = 100;
const EDGE = 16;

const STYLE = `text{font:14px system-ui,sans-serif;fill:#26221c}.w{font-size:10px;fill:#655d50}.m{font-family:ui-monospace,monospace;font-weight:600}
rect{fill:#fffdf8;stroke:#8d8271}.best rect{fill:#f3dfd3;stroke:#9c3d1f;stroke-width:2}.lit rect{stroke:#1d5fbf;stroke-width:3.5}
path{fill:none;stroke:#8d8271}.b{stroke:#9c3d1f;stroke-width:2.5}.c{stroke:#a8261c;stroke-dasharray:4 4}.j{stroke:#005a8f;stroke-width:1.5;stroke-dasharray:2 4}.j.y{stroke-dasharray:none}
.h{fill:#005a8f;stroke:none}.n{font:11px system-ui,sans-serif;fill:#005a8f}
.join rect{stroke:#005a8f;stroke-dasharray:2 3}.x{fill:#a8261c;text-decoration:line-through}`;

/** @param {string} text */
const safe = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * @param {Part[]} parts
 * @param {TreeState} state
 * @param {Rows} rows
 * @param {number} current the node or join that is lit
 * @param {string} title
 * @returns {string}
 */
export function treeSvg(parts, state, rows, current, title) {
  const { course, step } = state;
  const top = parts.length ? Math.min(...parts.map((part) => part.y)) : 0;
  const bottom = parts.length ? Math.max(...parts.map((part) => part.y)) : 0;
  const [gap, width] = course.joins.length ? [GAP_WITH_JOINS, NODE_WITH_JOINS] : [GAP, NODE];
  const x = (/** @type {number} */ column) => EDGE + column * (width + gap);
  const y = (/** @type {number} */ row) => 2 * EDGE + (row - top + 0.5) * ROW;
  const best = course.bestLine(step);
  const edges = edgePaths(parts, state, best, { rows, x, y, node: width, join: JOIN, gap, between: [top - 1, bottom + 1] });
  const right = Math.max(width, ...parts.map(({ column }) => x(column) + width)) + 3 * EDGE;
  const height = Math.max(ROW, ...parts.map((part) => y(part.y))) + ROW;
  const nodes = parts.map((part) => {
    const [left, middle] = [x(part.column), y(part.y)];
    const { mark } = part;
    if (part.stub) return `<text class="x" x="${left + 6}" y="${middle + 5}">${safe(stubText(course, mark, step).text)}</text>`;
    const lit = mark === current ? " lit" : "";
    if (course.join(mark)) return joinSvg(joinText(course, mark, step), left, middle, lit);
    const text = nodeText(course, mark, step);
    const classes = (best.has(mark) ? "best" : "") + lit;
    const triangle = course.isMax(mark) ? `M${left + 8} ${middle} l5 -9 l5 9z` : `M${left + 8} ${middle - 9} l5 9 l5 -9z`;
    return (
      `<g class="${classes}"><title>${safe(text.label)}</title><rect x="${left}" y="${middle - 17}" width="${width}" height="34" rx="6"/>` +
      `<path d="${triangle}" style="fill:#26221c;stroke:none"/><text class="m" x="${left + 23}" y="${middle - 1}">${safe(text.move)}<tspan class="n" dx="2">${safe(text.ways)}</tspan></text>` +
      `<text x="${left + width - 7}" y="${middle - 1}" text-anchor="end">${safe(text.value)}</text>` +
      `<text class="w" x="${left + width - 7}" y="${middle + 12}" text-anchor="end">${safe(text.window)}</text></g>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${right} ${height}" width="${right}" height="${height}"><title>${safe(title)}</title><style>${STYLE}</style>` +
    `<rect width="100%" height="100%" style="fill:#fff;stroke:none"/><path d="${edges.plain}"/><path class="b" d="${edges.best}"/>` +
    `<path class="c" d="${edges.cut}"/><path class="j" d="${edges.join}"/><path class="j y" d="${edges.way}"/><path class="h" d="${edges.heads}"/>${nodes.join("")}</svg>`
  );
}

/** @param {{move: string, value: string, label: string}} text @param {number} left @param {number} middle @param {string} lit */
function joinSvg(text, left, middle, lit) {
  return (
    `<g class="join${lit}"><title>${safe(text.label)}</title><rect x="${left}" y="${middle - 12}" width="${JOIN}" height="24" rx="12"/>` +
    `<text class="m" x="${left + 10}" y="${middle + 5}">${safe(text.move)}</text>` +
    `<text x="${left + JOIN - 10}" y="${middle + 5}" text-anchor="end">${safe(text.value)}</text></g>`
  );
}
