/** A tree of any size to look at: only the nodes that can be seen are in the page, and those above them that hold them together. */

/** @import {Course} from "./course.js" */
/** @import {Rows} from "./rows.js" */
import { h, s, setText } from "../dom.js";
import { nodeText, stubText } from "./node-text.js";
import { layRows, seen } from "./rows.js";
import { say } from "./texts.js";

/** Height of a row and breadth of a column, in the size of the type. */
const ROW = 2.3;
const COLUMN = 6.15;
/** What a node takes of its column. */
const NODE = 5.7;
/** Rows drawn beyond what is seen, so that nothing is missing when one scrolls. */
const BEYOND = 3;

/**
 * @typedef {object} TreeState
 * @property {Course} course
 * @property {number} step
 * @property {Set<number>} shut
 * @property {number | null} picked the node that is looked at, if it is not that of the step
 * @property {boolean} [still] whether the place that is seen stays where it is
 */

/**
 * @typedef {object} Part
 * @property {number} node
 * @property {boolean} stub whether it is what the node leaves out, and not the node
 * @property {number} column
 * @property {number} y in rows
 */

let views = 0;

export class TreeView {
  /** @param {{label: string, onpick: (node: number) => void, ontoggle: (node: number) => void}} on */
  constructor(on) {
    this.on = on;
    this.id = `tree${++views}`;
    this.lines = s("path", { class: "edges" });
    this.bestLines = s("path", { class: "edges best" });
    this.cutLines = s("path", { class: "edges cut" });
    this.sameLines = s("path", { class: "edges same" });
    this.svg = s("svg", { class: "tree-edges", "aria-hidden": "true" }, this.lines, this.bestLines, this.cutLines, this.sameLines);
    this.canvas = h("div", { class: "tree-canvas", role: "presentation" }, this.svg);
    this.element = h("div", { class: "tree-scroll", tabindex: "0", role: "tree", "aria-label": on.label }, this.canvas);
    /** @type {Map<number, HTMLElement>} */
    this.drawn = new Map();
    /** @type {TreeState | null} */
    this.state = null;
    /** @type {Rows | null} */
    this.rows = null;
    this.key = "";
    this.em = 16;
    this.frame = 0;
    this.element.addEventListener("scroll", () => this.#later());
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("keydown", (event) => this.#keys(event));
    this.sizes = new ResizeObserver(() => {
      this.#measure();
      this.#later();
    });
    this.sizes.observe(this.element);
  }

  close() {
    this.sizes.disconnect();
    cancelAnimationFrame(this.frame);
  }

  /** @param {TreeState} state */
  show(state) {
    const { course, step, shut } = state;
    const tree = course.tree(step);
    const key = `${tree.root} ${tree.end} ${[...shut].join()}`;
    if (this.state?.course !== course || this.key !== key) {
      this.rows = layRows(course, tree.root, tree.end, shut);
      this.key = key;
      this.#clear();
    }
    this.state = state;
    this.#measure();
    if (!state.still) this.#follow();
    this.#draw();
  }

  /** The node that stands out: what is picked or lit, or the shut one above it. */
  get current() {
    const { state, rows } = this;
    if (!state || !rows) return 0;
    let at = state.picked ?? state.course.lit(state.step);
    while (at >= 0 && rows.place(at) < 0) at = state.course.parent[at];
    return Math.max(at, 0);
  }

  /** Every part of the tree that is there now, for a picture. @param {number} most */
  all(most) {
    const { rows, state } = this;
    if (!rows || !state) return [];
    if (rows.nodes.length > most) return this.#parts(...this.#window());
    return this.#parts(0, rows.count, 0);
  }

  #clear() {
    for (const element of this.drawn.values()) element.remove();
    this.drawn.clear();
  }

  #measure() {
    this.em = Number.parseFloat(getComputedStyle(this.element).fontSize) || 16;
    const { rows, em } = this;
    if (!rows) return;
    this.canvas.style.height = `${rows.count * ROW * em}px`;
    this.canvas.style.width = `${(rows.columns - 1) * COLUMN * em + NODE * em + 4}px`;
  }

  /** Brings the current node into sight. */
  #follow() {
    const { rows, state, element, em } = this;
    if (!rows || !state) return;
    const place = rows.place(this.current);
    if (place < 0) return;
    const top = rows.first[place] * ROW * em;
    const margin = Math.min(2 * ROW * em, element.clientHeight / 4);
    if (top < element.scrollTop + margin) element.scrollTop = top - element.clientHeight / 3;
    else if (top + 2 * ROW * em > element.scrollTop + element.clientHeight - margin) element.scrollTop = top - (2 * element.clientHeight) / 3;
    const left = state.course.ply[this.current] * COLUMN * em;
    if (left < element.scrollLeft || left + NODE * em > element.scrollLeft + element.clientWidth)
      element.scrollLeft = left + NODE * em - element.clientWidth + 8;
  }

  #later() {
    if (!this.frame)
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.#draw();
      });
  }

  /** The rows that are seen, and exactly where they begin. @returns {[number, number, number]} */
  #window() {
    const height = ROW * this.em;
    const top = Math.max(0, this.element.scrollTop / height);
    return [Math.floor(top), Math.ceil(top + this.element.clientHeight / height), top];
  }

  /** @param {number} from @param {number} to @param {number} top @returns {Part[]} */
  #parts(from, to, top) {
    const { rows, state } = this;
    if (!rows || !state) return [];
    const { course, step } = state;
    return seen(rows, course, Math.max(0, from - BEYOND), to + BEYOND).flatMap((place) => {
      const mark = rows.nodes[place];
      const stub = mark < 0;
      const node = stub ? ~mark : mark;
      if (course.entered[node] > step) return [];
      if (stub && !stubText(course, node, step).text) return [];
      // A node whose row is above what is seen stays in sight as long as something below it is.
      const y = Math.min(Math.max(rows.first[place], top), rows.last[place]);
      return [{ node, stub, column: course.ply[node] + (stub ? 1 : 0), y }];
    });
  }

  #draw() {
    const { state, rows, em } = this;
    if (!state || !rows) return;
    const parts = this.#parts(...this.#window());
    const best = state.course.bestLine(state.step);
    const used = new Set();
    for (const part of parts) {
      const key = part.stub ? ~part.node : part.node;
      used.add(key);
      let element = this.drawn.get(key);
      if (!element) {
        element = part.stub ? h("div", { class: "stub", "aria-hidden": "true", "data-node": part.node }) : this.#make(part.node);
        this.drawn.set(key, element);
        this.canvas.append(element);
      }
      element.style.transform = `translate(${part.column * COLUMN * em}px, ${part.y * ROW * em}px)`;
      if (part.stub) this.#fillStub(element, part.node);
      else this.#fillNode(element, part.node, best);
    }
    for (const [key, element] of this.drawn)
      if (!used.has(key)) {
        element.remove();
        this.drawn.delete(key);
      }
    this.#edges(parts, best);
    // A node that was scrolled out of sight is not in the page.
    if (this.drawn.has(this.current)) this.element.setAttribute("aria-activedescendant", `${this.id}n${this.current}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {number} node */
  #make(node) {
    return h(
      "div",
      { class: "node", role: "treeitem", id: `${this.id}n${node}`, "data-node": node, "aria-level": (this.state?.course.ply[node] ?? 0) + 1 },
      h("span", { class: "fold-mark", "aria-hidden": "true" }),
      h("span", { class: "node-kind" }),
      h("span", { class: "node-move mono" }),
      h("span", { class: "node-value" }),
      h("span", { class: "node-window" }),
    );
  }

  /** @param {HTMLElement} element @param {number} node @param {Set<number>} best */
  #fillNode(element, node, best) {
    const state = /** @type {TreeState} */ (this.state);
    const { course, step, shut } = state;
    const current = node === this.current;
    // While one scrolls, nothing is another but the place.
    const mark = `${step} ${shut.has(node)} ${current} ${best.has(node)}`;
    if (element.dataset.mark === mark) return;
    element.dataset.mark = mark;
    const text = nodeText(course, node, step);
    const [fold, , move, value, window] = element.children;
    const children = course.children[node].length;
    setText(fold, children ? (shut.has(node) ? "+" : "") : "");
    setText(move, text.move);
    setText(value, text.value);
    setText(window, text.window);
    const kind = course.isMax(node) ? "max" : "min";
    const name = `node ${kind}${text.classes}${best.has(node) ? " best-line" : ""}${current ? " lit" : ""}`;
    if (element.className !== name) element.className = name;
    element.setAttribute("aria-label", text.label);
    element.setAttribute("aria-selected", String(current));
    if (children) element.setAttribute("aria-expanded", String(!shut.has(node)));
  }

  /** @param {HTMLElement} element @param {number} node */
  #fillStub(element, node) {
    const { course, step } = /** @type {TreeState} */ (this.state);
    const { text, undrawn } = stubText(course, node, step);
    setText(element, text);
    element.title = say(undrawn ? "stub.undrawn" : "stub.cut", { moves: text });
    element.classList.toggle("undrawn", undrawn);
  }

  /** Lines from each node to its children, all of a kind in one path. @param {Part[]} parts @param {Set<number>} best */
  #edges(parts, best) {
    const { em } = this;
    const edges = edgePaths(
      parts,
      /** @type {TreeState} */ (this.state),
      best,
      (column) => column * COLUMN * em,
      (y) => (y + 0.5) * ROW * em,
      NODE * em,
    );
    this.lines.setAttribute("d", edges.plain);
    this.bestLines.setAttribute("d", edges.best);
    this.cutLines.setAttribute("d", edges.cut);
    this.sameLines.setAttribute("d", edges.same);
  }

  /** @param {Event} event */
  #nodeOf(event) {
    const element = event.target instanceof Element ? event.target.closest("[data-node]") : null;
    return element instanceof HTMLElement ? Number(element.dataset.node) : null;
  }

  /** @param {Event} event */
  #click(event) {
    const node = this.#nodeOf(event);
    if (node === null) return;
    if (this.state?.shut.has(node)) this.on.ontoggle(node);
    this.on.onpick(node);
  }

  /** @param {KeyboardEvent} event */
  #keys(event) {
    const { rows, state } = this;
    if (!rows || !state || event.ctrlKey || event.altKey || event.metaKey) return;
    const { course, step, shut } = state;
    const now = this.current;
    const open = !shut.has(now) && course.children[now].length > 0;
    if (event.key === "ArrowLeft" && open && now !== course.tree(step).root) this.on.ontoggle(now);
    else if (event.key === "ArrowLeft") this.on.onpick(Math.max(course.parent[now], course.tree(step).root));
    else if (event.key === "ArrowRight" && shut.has(now)) this.on.ontoggle(now);
    else if (event.key === "ArrowRight" && course.children[now].length) this.on.onpick(course.children[now][0]);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const down = event.key === "ArrowDown";
      let place = Math.max(0, rows.place(now)) + (down ? 1 : -1);
      while (place >= 0 && place < rows.nodes.length && (rows.nodes[place] < 0 || course.entered[rows.nodes[place]] > step)) place += down ? 1 : -1;
      if (place >= 0 && place < rows.nodes.length) this.on.onpick(rows.nodes[place]);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * The lines of the tree as paths.
 * @param {Part[]} parts
 * @param {TreeState} state
 * @param {Set<number>} best
 * @param {(column: number) => number} x
 * @param {(y: number) => number} y
 * @param {number} width of a node
 */
export function edgePaths(parts, { course, step }, best, x, y, width) {
  /** @type {Map<number, Part>} */
  const places = new Map(parts.filter((part) => !part.stub).map((part) => [part.node, part]));
  const paths = { plain: "", best: "", cut: "", same: "" };
  for (const part of parts) {
    const parent = places.get(part.stub ? part.node : course.parent[part.node]);
    const known = part.stub ? undefined : course.same.get(part.node);
    if (known !== undefined && course.left[part.node] <= step) {
      const other = places.get(known);
      // A position that was reached before: a bow to the node that it is the same as, or towards it.
      const [x1, y1] = [x(part.column) + width, y(part.y)];
      const y2 = other ? y(other.y) : y1 - 3 * width;
      paths.same += `M${x1} ${y1} C${x1 + 40} ${y1} ${x1 + 40} ${y2} ${x(part.column) + width} ${y2} `;
    }
    if (!parent) continue;
    const [x1, y1, x2, y2] = [x(parent.column) + width, y(parent.y), x(part.column), y(part.y)];
    const middle = (x1 + x2) / 2;
    const path = `M${x1} ${y1} H${middle} V${y2} H${x2} `;
    if (part.stub) paths.cut += path;
    else if (best.has(part.node) && best.has(parent.node)) paths.best += path;
    else paths.plain += path;
  }
  return paths;
}
