/** A tree of any size to look at: only the nodes that can be seen are in the page, and those above them that hold them together. */

/** @import {Course} from "./course.js" */
/** @import {Rows} from "./rows.js" */
import { h, s, setText } from "../dom.js";
import { edgePaths } from "./edges.js";
import { joinText, nodeText, stubText } from "./node-text.js";
import { layRows, seen } from "./rows.js";
import { say } from "./texts.js";

/** Height of a row, in the size of the type. */
const ROW = 2.3;
/** Breadth of a column, and what a node and a join take of it. */
const PLAIN = { column: 6.15, node: 5.7, join: 0 };
/** The same where joins run between the columns, and nodes say how many lead to them. */
const JOINED = { column: 7.9, node: 6.6, join: 5.8 };
/** Rows drawn beyond what is seen, so that nothing is missing when one scrolls. */
const BEYOND = 3;

/**
 * @typedef {object} TreeState
 * @property {Course} course
 * @property {number} step
 * @property {Set<number>} shut
 * @property {number | null} picked the node or join that is looked at, if it is not the node of the step
 * @property {boolean} [still] whether the place that is seen stays where it is
 */

/**
 * @typedef {object} Part
 * @property {number} mark a node, or a join
 * @property {boolean} stub whether it is what the node leaves out, and not the node
 * @property {number} column
 * @property {number} y in rows
 */

let views = 0;

export class TreeView {
  /** @param {{label: string, onpick: (mark: number) => void, ontoggle: (node: number) => void, ongo: (mark: number) => void}} on */
  constructor(on) {
    this.on = on;
    this.id = `tree${++views}`;
    this.lines = s("path", { class: "edges" });
    this.bestLines = s("path", { class: "edges best" });
    this.cutLines = s("path", { class: "edges cut" });
    this.joinLines = s("path", { class: "edges join" });
    this.wayLines = s("path", { class: "edges join way" });
    this.heads = s("path", { class: "heads" });
    const lines = [this.lines, this.bestLines, this.cutLines, this.joinLines, this.wayLines, this.heads];
    this.svg = s("svg", { class: "tree-edges", "aria-hidden": "true" }, lines);
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
    this.breadth = PLAIN;
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
      this.breadth = course.joins.length ? JOINED : PLAIN;
      this.element.classList.toggle("with-joins", course.joins.length > 0);
      this.key = key;
      this.#clear();
    }
    this.state = state;
    this.#measure();
    if (!state.still) this.#follow();
    this.#draw();
  }

  /** The node or join that stands out: what is picked or lit, or the shut one above it. */
  get current() {
    const { state, rows } = this;
    if (!state || !rows) return 0;
    let at = state.picked ?? state.course.lit(state.step);
    while (at >= 0 && rows.place(at) < 0) at = state.course.above(at);
    return Math.max(at, 0);
  }

  /** Every part of the tree that is there now, for a picture. @param {number} most */
  all(most) {
    const { rows, state } = this;
    if (!rows || !state) return [];
    if (rows.marks.length > most) return this.#parts(...this.#window());
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
    this.canvas.style.width = `${(rows.columns * this.breadth.column - (this.breadth.join ? 0 : PLAIN.column - PLAIN.node)) * em + 4}px`;
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
    const left = state.course.column(this.current) * this.breadth.column * em;
    if (left < element.scrollLeft || left + this.breadth.node * em > element.scrollLeft + element.clientWidth)
      element.scrollLeft = left + this.breadth.node * em - element.clientWidth + 8;
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
      const stub = rows.marks[place] < 0;
      const mark = stub ? ~rows.marks[place] : rows.marks[place];
      if (course.entered(mark) > step) return [];
      if (stub && !stubText(course, mark, step).text) return [];
      // A node whose row is above what is seen stays in sight as long as something below it is.
      const y = Math.min(Math.max(rows.first[place], top), rows.last[place]);
      return [{ mark, stub, column: course.column(mark) + (stub ? 1 : 0), y }];
    });
  }

  #draw() {
    const { state, rows, em } = this;
    if (!state || !rows) return;
    const window = this.#window();
    const parts = this.#parts(...window);
    const { course, step } = state;
    const best = course.bestLine(step);
    const used = new Set();
    for (const { mark, stub, column, y } of parts) {
      const key = stub ? ~mark : mark;
      used.add(key);
      let element = this.drawn.get(key);
      if (!element) {
        element = stub ? h("div", { class: "stub", "aria-hidden": "true", "data-mark": mark }) : this.#make(mark);
        this.drawn.set(key, element);
        this.canvas.append(element);
      }
      element.style.transform = `translate(${column * this.breadth.column * em}px, ${y * ROW * em}px)`;
      if (stub) this.#fillStub(element, mark);
      else if (course.join(mark)) this.#fillJoin(element, mark);
      else this.#fillNode(element, mark, best);
    }
    for (const [key, element] of this.drawn)
      if (!used.has(key)) {
        element.remove();
        this.drawn.delete(key);
      }
    this.#edges(parts, best, window);
    // What was scrolled out of sight is not in the page.
    if (this.drawn.has(this.current)) this.element.setAttribute("aria-activedescendant", `${this.id}n${this.current}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  /** @param {number} mark */
  #make(mark) {
    const course = this.state?.course;
    const place = { role: "treeitem", id: `${this.id}n${mark}`, "data-mark": mark, "aria-level": (course?.column(mark) ?? 0) + 1 };
    if (course?.join(mark)) return h("div", { class: "join", ...place }, h("span", { class: "node-move mono" }), h("span", { class: "node-value" }));
    return h(
      "div",
      { class: "node", ...place },
      h("span", { class: "fold-mark", "aria-hidden": "true" }),
      h("span", { class: "node-kind" }),
      h("span", { class: "node-move mono" }),
      h("span", { class: "node-ways" }),
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
    const filled = `${step} ${shut.has(node)} ${current} ${best.has(node)}`;
    if (element.dataset.filled === filled) return;
    element.dataset.filled = filled;
    const text = nodeText(course, node, step);
    const [fold, , move, ways, value, window] = element.children;
    const children = course.branches[node].length;
    setText(fold, children ? (shut.has(node) ? "+" : "") : "");
    setText(move, text.move);
    setText(ways, text.ways);
    setText(value, text.value);
    setText(window, text.window);
    const kind = course.isMax(node) ? "max" : "min";
    const name = `node ${kind}${text.classes}${best.has(node) ? " best-line" : ""}${current ? " lit" : ""}`;
    if (element.className !== name) element.className = name;
    element.setAttribute("aria-label", text.label);
    element.setAttribute("aria-selected", String(current));
    if (children) element.setAttribute("aria-expanded", String(!shut.has(node)));
  }

  /** A way to a node that stands elsewhere. @param {HTMLElement} element @param {number} mark */
  #fillJoin(element, mark) {
    const { course, step } = /** @type {TreeState} */ (this.state);
    const current = mark === this.current;
    const filled = `${step} ${current}`;
    if (element.dataset.filled === filled) return;
    element.dataset.filled = filled;
    const text = joinText(course, mark, step);
    const [move, value] = element.children;
    setText(move, text.move);
    setText(value, text.value);
    element.className = `join${text.classes}${current ? " lit" : ""}`;
    element.setAttribute("aria-label", text.label);
    element.setAttribute("aria-selected", String(current));
  }

  /** @param {HTMLElement} element @param {number} node */
  #fillStub(element, node) {
    const { course, step } = /** @type {TreeState} */ (this.state);
    const { text, undrawn } = stubText(course, node, step);
    setText(element, text);
    element.title = say(undrawn ? "stub.undrawn" : "stub.cut", { moves: text });
    element.classList.toggle("undrawn", undrawn);
  }

  /** Lines from each node to its children, all of a kind in one path. @param {Part[]} parts @param {Set<number>} best @param {[number, number, number]} window the rows seen */
  #edges(parts, best, [from, to]) {
    const { em, rows, state } = this;
    if (!rows || !state) return;
    const edges = edgePaths(parts, state, best, {
      rows,
      x: (column) => column * this.breadth.column * em,
      y: (row) => (row + 0.5) * ROW * em,
      node: this.breadth.node * em,
      join: this.breadth.join * em,
      gap: (this.breadth.column - this.breadth.node) * em,
      between: [from - BEYOND, to + BEYOND],
    });
    this.lines.setAttribute("d", edges.plain);
    this.bestLines.setAttribute("d", edges.best);
    this.cutLines.setAttribute("d", edges.cut);
    this.joinLines.setAttribute("d", edges.join);
    this.wayLines.setAttribute("d", edges.way);
    this.heads.setAttribute("d", edges.heads);
  }

  /** @param {Event} event */
  #markOf(event) {
    const element = event.target instanceof Element ? event.target.closest("[data-mark]") : null;
    return element instanceof HTMLElement ? Number(element.dataset.mark) : null;
  }

  /** @param {Event} event */
  #click(event) {
    const mark = this.#markOf(event);
    const { state } = this;
    if (mark === null || !state) return;
    const join = state.course.join(mark);
    if (join) return this.on.ongo(join.node);
    if (state.shut.has(mark)) this.on.ontoggle(mark);
    this.on.onpick(mark);
  }

  /** @param {KeyboardEvent} event */
  #keys(event) {
    const { rows, state } = this;
    if (!rows || !state || event.ctrlKey || event.altKey || event.metaKey) return;
    const { course, step, shut } = state;
    const now = this.current;
    const join = course.join(now);
    const below = join ? [] : course.branches[now].filter((mark) => course.entered(mark) <= step);
    const { root } = course.tree(step);
    const [way] = join ? [join.node] : course.otherWays(now, step);
    if (event.key === "ArrowLeft" && below.length && !shut.has(now) && now !== root) this.on.ontoggle(now);
    else if (event.key === "ArrowLeft") this.on.onpick(Math.max(course.above(now), root));
    else if (event.key === "ArrowRight" && shut.has(now)) this.on.ontoggle(now);
    else if (event.key === "ArrowRight" && below.length) this.on.onpick(below[0]);
    else if ((event.key === "Enter" || (event.key === "ArrowRight" && join)) && way !== undefined) this.on.ongo(way);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = this.#beside(now, event.key === "ArrowDown" ? 1 : -1);
      if (next !== null) this.on.onpick(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The node or join in the next row that is there now, or in the one before. @param {number} mark @param {1 | -1} by */
  #beside(mark, by) {
    const { rows, state } = this;
    if (!rows || !state) return null;
    const { course, step } = state;
    for (let place = Math.max(0, rows.place(mark)) + by; place >= 0 && place < rows.marks.length; place += by) {
      const next = rows.marks[place];
      if (next >= 0 && course.entered(next) <= step) return next;
    }
    return null;
  }
}
