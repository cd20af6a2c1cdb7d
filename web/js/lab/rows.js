/** Where the nodes of a tree go: a column for each ply, a row for each leaf. What is shut takes one row. */

/** @import {Course} from "./course.js" */

/**
 * @typedef {object} Rows
 * @property {Int32Array} marks the nodes and joins in the order of their rows, parents before children; below 0: what node ~n leaves out
 * @property {Int32Array} first the row of each of them
 * @property {Int32Array} last the last row of what is below it
 * @property {number} count rows in all
 * @property {number} columns
 * @property {Map<number, number[]>} held the joins that lead to what a shut node holds
 * @property {(mark: number) => number} place where in `marks` a node or a join stands; below 0: nowhere
 */

/**
 * @param {Course} course
 * @param {number} root
 * @param {number} end the node after the last one of the tree
 * @param {Set<number>} shut
 * @returns {Rows}
 */
export function layRows(course, root, end, shut) {
  const most = 2 * (end - root) + course.joins.length + 1;
  const marks = new Int32Array(most);
  const first = new Int32Array(most);
  const last = new Int32Array(most);
  const places = new Int32Array(Math.max(0, end - root)).fill(-1);
  const joined = new Int32Array(course.joins.length).fill(-1);
  const all = course.nodes;
  let size = 0;
  let row = 0;
  let columns = 1;
  // A node is put twice on the stack: to open it, and to close it (below 0: its place).
  const stack = new Int32Array(most + 1);
  let height = 0;
  if (root < end) stack[height++] = root;
  while (height) {
    const top = stack[--height];
    if (top < 0) {
      const node = marks[~top];
      if (course.leavesOut.has(node)) {
        marks[size] = ~node;
        first[size] = last[size] = row++;
        size++;
      }
      last[~top] = row - 1;
      continue;
    }
    const at = size++;
    marks[at] = top;
    first[at] = last[at] = row;
    // What is below a node that is joined stands where the node does.
    if (top >= all) {
      joined[top - all] = at;
      columns = Math.max(columns, course.column(top) + 1);
      row++;
      continue;
    }
    places[top - root] = at;
    columns = Math.max(columns, course.ply[top] + 1);
    const branches = course.branches[top];
    if (!branches.length || shut.has(top)) {
      row++;
      continue;
    }
    stack[height++] = ~at;
    for (let branch = branches.length - 1; branch >= 0; branch--) stack[height++] = branches[branch];
  }
  const place = (/** @type {number} */ mark) => (mark >= all ? joined[mark - all] : places[mark - root]) ?? -1;
  const held = shut.size ? heldJoins(course, place) : new Map();
  return { marks: marks.subarray(0, size), first: first.subarray(0, size), last: last.subarray(0, size), count: row, columns, held, place };
}

/** Which joins end at a shut node, because it holds the node that they lead to. @param {Course} course @param {Rows["place"]} place */
function heldJoins(course, place) {
  /** @type {Rows["held"]} */
  const held = new Map();
  course.joins.forEach(({ node }, way) => {
    if (place(course.nodes + way) < 0 || place(node) >= 0) return;
    let holder = node;
    while (holder >= 0 && place(holder) < 0) holder = course.parent[holder];
    const joins = held.get(holder);
    if (joins) joins.push(course.nodes + way);
    else held.set(holder, [course.nodes + way]);
  });
  return held;
}

/** What can be seen between two rows, and the nodes above that hold it. @param {Rows} rows @param {Course} course @param {number} from @param {number} to */
export function seen(rows, course, from, to) {
  const { marks, first } = rows;
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (first[middle] < from) low = middle + 1;
    else high = middle;
  }
  /** @type {number[]} */
  const places = [];
  const holder = low < marks.length ? marks[low] : undefined;
  let above = holder === undefined ? -1 : holder < 0 ? ~holder : course.above(holder);
  for (; above >= 0; above = course.parent[above]) {
    const place = rows.place(above);
    if (place < 0) break;
    if (first[place] < from) places.unshift(place);
  }
  for (let at = low; at < marks.length && first[at] <= to; at++) places.push(at);
  return places;
}
