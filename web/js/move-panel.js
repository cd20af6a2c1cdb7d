/** The moves of a game and its variations to click on, and the course of the game above them. */

/** @import {GameTree, TreeSpot} from "./game-tree.js" */
import { h, redraw, s } from "./dom.js";
import { drawGraph } from "./graph.js";
import { t } from "./i18n.js";

export class MovePanel {
  /** @param {{go: (id: number) => void, jump: (ply: number) => void}} on */
  constructor(on) {
    this.on = on;
    this.list = h("div", { class: "tree-moves", tabindex: "0", role: "region", "aria-label": t("game.moves") });
    this.graph = s("svg", { class: "graph", role: "img" });
  }

  /** @param {GameTree} tree @param {number} at where one is */
  show(tree, at) {
    const scrolled = this.list.scrollTop;
    const focused = this.list.contains(document.activeElement) && document.activeElement !== this.list;
    redraw(this.list, [tree.spot(0).children.length ? this.#line(tree, 0, at) : h("p", { class: "hint" }, t("ana.nomoves"))]);
    this.list.scrollTop = scrolled;
    this.#reveal(focused);
    const shown = tree.line(at);
    const points = shown.flatMap(({ judged }) => (judged ? [judged] : []));
    this.graph.toggleAttribute("hidden", points.length === 0);
    if (points.length) {
      drawGraph(this.graph, { points, line: shown, now: tree.spot(at).ply, limit: tree.size ** 2, onpick: (ply) => this.on.jump(ply) });
    }
  }

  /**
   * A line with its variations inside.
   * @param {GameTree} tree
   * @param {number} id
   * @param {number} now
   * @returns {HTMLElement}
   */
  #line(tree, id, now) {
    const list = h("div", { class: "line-moves" });
    let at = tree.spot(id);
    if (at.move) list.append(this.#button(at, now));
    while (at.children.length) {
      const [next, ...others] = at.children;
      at = tree.spot(next);
      list.append(this.#button(at, now), ...others.map((other) => h("div", { class: "variation" }, this.#line(tree, other, now))));
    }
    return list;
  }

  /** @param {TreeSpot} spot @param {number} now */
  #button(spot, now) {
    return h(
      "button",
      {
        type: "button",
        class: `ply-button ${spot.judged?.judgement ?? ""}${spot.comment || spot.markings?.length ? " noted" : ""}`,
        "data-spot": spot.id,
        "aria-current": spot.id === now ? "step" : null,
        onclick: () => this.on.go(spot.id),
      },
      h("span", { class: "ply" }, spot.move === "pass" ? "" : spot.number),
      spot.color ? h("span", { class: `chip ${spot.color}`, role: "img", "aria-label": t(spot.color) }) : null,
      h("span", { class: "mono" }, spot.move === "pass" ? t("game.passmove") : spot.move),
      spot.judged?.mark ? h("strong", { class: "mark" }, spot.judged.mark) : null,
    );
  }

  /** Scrolls to the current move. @param {boolean} focused whether the keyboard was here */
  #reveal(focused) {
    const current = this.list.querySelector("[aria-current]");
    if (!(current instanceof HTMLElement)) return;
    const top = current.offsetTop - this.list.offsetTop;
    if (top < this.list.scrollTop || top + current.offsetHeight > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = top - 40;
    if (focused) current.focus();
  }
}
