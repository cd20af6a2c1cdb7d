/** Where the nodes of a tree go: a column for each ply, a row for each leaf. What is shut takes one row. */

/** @import {Course} from "./course.js" */

/**
 * @typedef {object} Rows
 * @property {Int32Array} nodes the nodes in the order of their rows, parents before children; below 0: what node ~n leaves out
 * @property {Int32Array} first the row of each of them
 * @property {Int32Array} last the last row of what is below it
 * @property {number} count rows in all
 * @property {number} columns
 * @property {(node: number) => number} place where in `nodes` a node stands; below 0: nowhere
 */

/**
 * @param {Course} course
 * @param {number} root
 * @param {number} end the node after the last one of the tree
 * @param {Set<number>} shut
 * @returns {Rows}
 */
export function layRows(course, root, end, shut) {
  const most = 2 * (end - root) + 1;
  const nodes = new Int32Array(most);
  const first = new Int32Array(most);
  const last = new Int32Array(most);
  const places = new Int32Array(Math.max(0, end - root)).fill(-1);
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
      const node = nodes[~top];
      if (course.cutAt.has(node) || course.drawnAt.has(node)) {
        nodes[size] = ~node;
        first[size] = last[size] = row++;
        size++;
      }
      last[~top] = row - 1;
      continue;
    }
    const at = size++;
    nodes[at] = top;
    first[at] = last[at] = row;
    places[top - root] = at;
    columns = Math.max(columns, course.ply[top] + 1);
    const children = course.children[top];
    if (!children.length || shut.has(top)) {
      row++;
      continue;
    }
    stack[height++] = ~at;
    for (let child = children.length - 1; child >= 0; child--) stack[height++] = children[child];
  }
  const place = (/** @type {number} */ node) => places[node - root] ?? -1;
  return { nodes: nodes.subarray(0, size), first: first.subarray(0, size), last: last.subarray(0, size), count: row, columns, place };
}

/** What can be seen between two rows, and the nodes above that hold it. @param {Rows} rows @param {Course} course @param {number} from @param {number} to */
export function seen(rows, course, from, to) {
  const { nodes, first } = rows;
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (first[middle] < from) low = middle + 1;
    else high = middle;
  }
  /** @type {number[]} */
  const places = [];
  const holder = low < nodes.length ? nodes[low] : undefined;
  let above = holder === undefined ? -1 : holder < 0 ? ~holder : course.parent[holder];
  for (; above >= 0; above = course.parent[above]) {
    const place = rows.place(above);
    if (place < 0) break;
    if (first[place] < from) places.unshift(place);
  }
  for (let at = low; at < nodes.length && first[at] <= to; at++) places.push(at);
  return places;
}
