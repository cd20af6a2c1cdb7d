/** The tree as it stands, as a picture for a slide: light, with its colours inside, so that it looks the same everywhere. */

/** @import {Part, TreeState} from "./tree-view.js" */
import { nodeText, stubText } from "./node-text.js";
import { edgePaths } from "./tree-view.js";

/** Measures in units of the picture. */
const ROW = 40;
const COLUMN = 132;
const NODE = 112;
const EDGE = 16;

const STYLE = `text{font:14px system-ui,sans-serif;fill:#26221c}.w{font-size:10px;fill:#655d50}.m{font-family:ui-monospace,monospace;font-weight:600}
rect{fill:#fffdf8;stroke:#8d8271}.best rect{fill:#f3dfd3;stroke:#9c3d1f;stroke-width:2}.lit rect{stroke:#1d5fbf;stroke-width:3.5}
path{fill:none;stroke:#8d8271}.b{stroke:#9c3d1f;stroke-width:2.5}.c{stroke:#a8261c;stroke-dasharray:4 4}.s{stroke:#005a8f;stroke-dasharray:2 4}
.x{fill:#a8261c;text-decoration:line-through}`;

/** @param {string} text */
const safe = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * @param {Part[]} parts
 * @param {TreeState} state
 * @param {number} current the node that is lit
 * @param {string} title
 * @returns {string}
 */
export function treeSvg(parts, state, current, title) {
  const { course, step } = state;
  const top = parts.length ? Math.min(...parts.map((part) => part.y)) : 0;
  const x = (/** @type {number} */ column) => EDGE + column * COLUMN;
  const y = (/** @type {number} */ row) => 2 * EDGE + (row - top + 0.5) * ROW;
  const best = course.bestLine(step);
  const edges = edgePaths(parts, state, best, x, y, NODE);
  const width = Math.max(NODE, ...parts.map(({ column }) => x(column) + NODE)) + 3 * EDGE;
  const height = Math.max(ROW, ...parts.map((part) => y(part.y))) + ROW;
  const nodes = parts.map((part) => {
    const [left, middle] = [x(part.column), y(part.y)];
    if (part.stub) return `<text class="x" x="${left + 6}" y="${middle + 5}">${safe(stubText(course, part.node, step).text)}</text>`;
    const text = nodeText(course, part.node, step);
    const classes = `${best.has(part.node) ? "best " : ""}${part.node === current ? "lit" : ""}`;
    const triangle = course.isMax(part.node) ? `M${left + 8} ${middle} l5 -9 l5 9z` : `M${left + 8} ${middle - 9} l5 9 l5 -9z`;
    return (
      `<g class="${classes}"><title>${safe(text.label)}</title><rect x="${left}" y="${middle - 17}" width="${NODE}" height="34" rx="6"/>` +
      `<path d="${triangle}" style="fill:#26221c;stroke:none"/><text class="m" x="${left + 23}" y="${middle - 1}">${safe(text.move)}</text>` +
      `<text x="${left + NODE - 7}" y="${middle - 1}" text-anchor="end">${safe(text.value)}</text>` +
      `<text class="w" x="${left + NODE - 7}" y="${middle + 12}" text-anchor="end">${safe(text.window)}</text></g>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${safe(title)}</title><style>${STYLE}</style>` +
    `<rect width="100%" height="100%" style="fill:#fff;stroke:none"/><path d="${edges.plain}"/><path class="b" d="${edges.best}"/>` +
    `<path class="c" d="${edges.cut}"/><path class="s" d="${edges.same}"/>${nodes.join("")}</svg>`
  );
}
