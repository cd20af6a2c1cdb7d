/** One search to watch: its tree, what it does at this step, what it has found. */

/** @import {Course} from "./course.js" */
import { download, fill, h, setText } from "../dom.js";
import { number } from "../i18n.js";
import { searchTitle } from "./search-form.js";
import { say } from "./texts.js";
import { treeSvg } from "./tree-svg.js";
import { TreeView } from "./tree-view.js";
import { joinSentence, nodeSentence, pathName, sentence } from "./words.js";

/** Nodes that a picture shows at most; of larger trees it shows what is seen. */
const PICTURED = 3000;

export class Pane {
  /** @param {{onchange: () => void, onactive: () => void, ongo: (step: number) => void}} on */
  constructor(on) {
    this.on = on;
    /** @type {Course | null} */
    this.course = null;
    this.step = 0;
    /** @type {Set<number>} */
    this.shut = new Set();
    /** The node or join that is looked at instead of the node of the step. @type {number | null} */
    this.picked = null;
    this.title = h("h2");
    this.nodes = h("span", { class: "node-count" });
    this.found = h("p", { class: "small muted found" });
    this.said = h("p", { class: "sentence" });
    this.view = new TreeView({
      label: say("tree"),
      onpick: (mark) => this.#pick(mark),
      ongo: (mark) => this.#goTo(mark),
      ontoggle: (node) => {
        if (!this.shut.delete(node)) this.shut.add(node);
        this.#fresh();
        this.on.onchange();
      },
    });
    /** The marks of the ways that have a button. @type {string | null} */
    this.waysShown = null;
    this.ways = h("div", { class: "row ways", role: "group", "aria-label": say("ways") });
    this.moment = h("button", { type: "button", class: "small", hidden: true, onclick: () => this.#goThere() }, say("gothere"));
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) => h("button", { type: "button", class: "quiet small", onclick: act }, text);
    this.element = h(
      "section",
      { class: "card tree-side" },
      h("header", { class: "row spread" }, this.title, this.nodes),
      this.found,
      this.said,
      this.moment,
      this.view.element,
      h(
        "div",
        { class: "row tree-tools" },
        this.ways,
        button(say("openall"), () => this.#all(false)),
        button(say("shutall"), () => this.#all(true)),
        button(say("svg"), () => this.#picture()),
      ),
    );
  }

  /** @param {Course} course @param {Set<number>} shut */
  load(course, shut) {
    this.course = course;
    this.shut = shut;
    this.picked = null;
    this.waysShown = null;
    const title = searchTitle(course.player);
    setText(this.title, title);
    this.view.element.setAttribute("aria-label", `${say("tree")}: ${title}`);
    const { report } = course;
    fill(
      this.found,
      `${say("best")}: `,
      h("strong", { class: "mono" }, report.best ?? "–"),
      ` · ${say("value")}: `,
      h("strong", null, report.score?.text ?? "–"),
      report.stopped ? h("span", { class: "error" }, ` ${say("end.stopped")}`) : null,
    );
  }

  /** The node that one looks at. */
  get node() {
    if (!this.course) return 0;
    return this.course.nodeOf(this.picked ?? this.course.lit(this.step));
  }

  /** Shows the search after so many steps. @param {number} step @param {boolean} active @param {boolean} playing */
  show(step, active, playing) {
    const { course } = this;
    if (!course) return;
    // A step begins to be looked at where it happens.
    if (step !== this.step) this.picked = null;
    this.step = step;
    setText(this.nodes, say("positions", { n: number(course.counters(step).positions) }));
    this.said.setAttribute("aria-live", active && !playing ? "polite" : "off");
    setText(this.said, this.#sentence(course));
    this.moment.hidden = this.picked === null;
    this.element.classList.toggle("active", active);
    this.#showWays(course);
    this.view.show({ course, step: Math.min(step, course.length), shut: this.shut, picked: this.picked });
  }

  close() {
    this.view.close();
  }

  /** @param {Course} course */
  #sentence(course) {
    const { picked, step } = this;
    if (picked === null) return sentence(course, step);
    return course.join(picked) ? joinSentence(course, picked, step) : nodeSentence(course, picked, step);
  }

  /** The other ways to the node one looks at, each to go to; from one of them the node too. @param {Course} course */
  #showWays(course) {
    const { node, step } = this;
    const looked = this.picked ?? node;
    const ways = course.otherWays(node, step).length ? [node, ...course.otherWays(node, step)].filter((mark) => mark !== looked) : [];
    if (this.waysShown === ways.join()) return;
    this.waysShown = ways.join();
    const button = (/** @type {number} */ mark) =>
      h("button", { type: "button", class: "quiet small mono", onclick: () => this.#goTo(mark) }, pathName(course, mark));
    fill(this.ways, ways.length ? [h("span", { class: "small muted" }, say("ways")), ...ways.map(button)] : null);
  }

  /** @param {number} mark */
  #pick(mark) {
    this.picked = mark;
    this.on.onactive();
    this.on.onchange();
  }

  /** Looks at a node or join, wherever it stands: what is shut above it opens. @param {number} mark */
  #goTo(mark) {
    const { course } = this;
    if (!course) return;
    for (let above = course.above(mark); above >= 0; above = course.parent[above]) if (this.shut.delete(above)) this.#fresh();
    this.#pick(mark);
  }

  /** The set is another one, so that the tree is laid out again. */
  #fresh() {
    this.shut = new Set(this.shut);
  }

  /** @param {boolean} shut */
  #all(shut) {
    const { course } = this;
    if (!course) return;
    const { root, end } = course.tree(this.step);
    this.shut = new Set();
    if (shut) for (let node = root; node < end; node++) if (course.ply[node] === 1 && course.branches[node].length) this.shut.add(node);
    this.on.onchange();
  }

  #goThere() {
    const { course, picked } = this;
    if (!course || picked === null) return;
    this.picked = null;
    this.on.ongo(Math.min(course.entered(picked), course.length));
  }

  #picture() {
    const { course, view } = this;
    if (!course || !view.state || !view.rows) return;
    const text = treeSvg(
      view.all(PICTURED),
      view.state,
      view.rows,
      view.current,
      `${searchTitle(course.player)}, ${say("step.of", { n: this.step, all: course.length })}`,
    );
    download(new Blob([text], { type: "image/svg+xml" }), "search-tree.svg");
  }
}
