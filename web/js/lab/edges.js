/** The lines of a tree: from each node to those below it, to what it leaves out, and along joins to nodes that stand elsewhere. */

/** @import {Course} from "./course.js" */
/** @import {Rows} from "./rows.js" */
/** @import {Part, TreeState} from "./tree-view.js" */

/** Places between two columns where joins run side by side, so that those to one node keep together. */
const LANES = 4;
/** The nearest lane to the node, and how far the last one is from it, in shares of the gap between columns. */
const FIRST_LANE = 0.6;
const ALL_LANES = 0.3;
/** How far below the middle of a node joins arrive, in rows: what leads on from the node leaves in the middle. */
const BELOW_MIDDLE = 0.27;
/** Length and half the breadth of an arrowhead, in shares of the gap. */
const ARROW = 0.4;
const ARROW_BREADTH = 0.2;

/**
 * @typedef {object} Measures
 * @property {Rows} rows
 * @property {(column: number) => number} x where a column begins
 * @property {(row: number) => number} y the middle of a row
 * @property {number} node breadth of a node
 * @property {number} join breadth of a join
 * @property {number} gap between a node and the next column
 * @property {[number, number]} between the rows beyond which nothing is seen
 */

/**
 * The lines of the tree as paths, all of a kind in one.
 * @param {Part[]} parts
 * @param {TreeState} state
 * @param {Set<number>} best
 * @param {Measures} measures
 */
export function edgePaths(parts, state, best, measures) {
  const { course } = state;
  const { x, y, node: width } = measures;
  /** @type {Map<number, Part>} */
  const places = new Map();
  for (const part of parts) if (!part.stub) places.set(part.mark, part);
  const paths = { plain: "", best: "", cut: "", join: "", way: "", heads: "" };
  for (const part of parts) {
    const above = part.stub ? part.mark : course.above(part.mark);
    const parent = places.get(above);
    if (!parent) continue;
    const [x1, y1, x2, y2] = [x(parent.column) + width, y(parent.y), x(part.column), y(part.y)];
    const path = `M${x1} ${y1} H${(x1 + x2) / 2} V${y2} H${x2} `;
    if (part.stub) paths.cut += path;
    else if (best.has(above) && course.bestChild(above, state.step) === course.nodeOf(part.mark)) paths.best += path;
    else paths.plain += path;
  }
  const way = new Set(course.path(course.stayAt(state.step)).map(({ join }) => course.nodes + join));
  for (const mark of joinsSeen(places, state, measures.rows)) {
    const { line, head } = joinPath(mark, places, state, measures);
    paths[way.has(mark) ? "way" : "join"] += line;
    paths.heads += head;
  }
  return paths;
}

/** The joins of which one end is seen. @param {Map<number, Part>} places @param {TreeState} state @param {Rows} rows */
function joinsSeen(places, { course, step }, rows) {
  /** @type {Set<number>} */
  const marks = new Set();
  if (!course.joins.length) return marks;
  for (const mark of places.keys()) {
    if (course.join(mark)) marks.add(mark);
    else for (const way of course.otherWays(mark, step)) if (rows.place(way) >= 0) marks.add(way);
    for (const way of outermost(rows.held.get(mark) ?? [], course, step, rows)) marks.add(way);
  }
  return marks;
}

/**
 * Of the joins that lead into a shut node the first and the last of each column: the lines of those between lie on theirs.
 * @param {number[]} joins @param {Course} course @param {number} step @param {Rows} rows
 */
function outermost(joins, course, step, rows) {
  /** @type {Map<number, {first: number, last: number}>} */
  const ends = new Map();
  for (const mark of joins) {
    if (course.entered(mark) > step) continue;
    const column = course.column(mark);
    const { first, last } = ends.get(column) ?? { first: mark, last: mark };
    ends.set(column, { first: rows.place(mark) < rows.place(first) ? mark : first, last: rows.place(mark) > rows.place(last) ? mark : last });
  }
  return [...ends.values()].flatMap(({ first, last }) => [first, last]);
}

/**
 * From a join to its node, or to the shut one that holds the node.
 * @param {number} mark
 * @param {Map<number, Part>} places
 * @param {TreeState} state
 * @param {Measures} measures
 */
function joinPath(mark, places, { course }, { rows, x, y, node: width, join: joinWidth, gap, between: [from, to] }) {
  let node = course.nodeOf(mark);
  while (node >= 0 && rows.place(node) < 0) node = course.parent[node];
  if (node < 0) return { line: "", head: "" };
  const row = (/** @type {number} */ at) => Math.max(from, Math.min(to, places.get(at)?.y ?? rows.first[rows.place(at)]));
  const [begin, end] = [x(course.column(mark)) + joinWidth, x(course.ply[node]) + width];
  const lane = Math.max(begin - joinWidth + width, end) + gap * (FIRST_LANE + (ALL_LANES * ((course.ways.get(node)?.[0] ?? node) % LANES)) / LANES);
  const arrive = y(row(node) + BELOW_MIDDLE);
  const [long, half] = [gap * ARROW, gap * ARROW_BREADTH];
  return { line: `M${begin} ${y(row(mark))} H${lane} V${arrive} H${end} `, head: `M${end} ${arrive} l${long} ${-half} v${2 * half} z ` };
}
