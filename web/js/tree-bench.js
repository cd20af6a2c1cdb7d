/** Minimax and alpha-beta on the same position, drawn side by side. */

/** @import {Catalogue, TreeAnswer, TreeNode} from "./types.js" */
import { announce, toast } from "./announce.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { fill, h, select } from "./dom.js";
import { GameTree } from "./game-tree.js";
import { number, t, term } from "./i18n.js";
import { lineState } from "./line.js";
import { readPermalink } from "./permalink.js";

/** Nodes drawn at most, and plies drawn. */
const DRAWN = 3000;
const DEEPEST = 5;

/**
 * @param {HTMLElement} place
 * @param {Catalogue} catalogue
 * @param {URLSearchParams} query a position as in permalinks
 */
export function treeBench(place, catalogue, query) {
  const link = readPermalink(query);
  let game = link ? GameTree.linked(link) : new GameTree({ size: 4, start: null, startTurn: "black" });
  let at = link ? (game.line(0)[(link.ply ?? link.moves.length) - 1]?.id ?? 0) : 0;
  let depth = 3;
  let evaluator = "disc";
  /** @type {import("./types.js").Analysis | null} */
  let here = null;
  let hanging = new AbortController();
  let asked = 0;

  const board = new Board({
    onplay: (square) => {
      at = game.add(at, square, here?.position.turn ?? null).id;
      void look();
    },
  });
  const sides = { minimax: h("div", { class: "card tree-side" }), alphabeta: h("div", { class: "card tree-side" }) };
  const saved = h("p", { class: "headline", role: "status" });

  /** @param {string[] | null} line */
  const preview = (line) => {
    if (!here) return;
    const { position } = here;
    board.show({
      size: position.size,
      cells: position.cells,
      legal: position.legal,
      last: position.last?.square ?? null,
      ...(line?.length ? lineState(line, position.turn ?? "black") : {}),
    });
  };

  async function look() {
    const mine = ++asked;
    hanging.abort();
    hanging = new AbortController();
    const { signal } = hanging;
    const where = game.place(at);
    try {
      const found = await api.analyse(where, signal);
      if (mine !== asked) return;
      here = found;
      preview(null);
      /** @param {string} kind */
      const ask = (kind) => api.tree({ ...where, player: `${kind}:depth=${depth},eval=${evaluator}`, nodes: DRAWN, levels: depth, time_ms: 5000 }, signal);
      const [minimax, alphabeta] = await Promise.all([ask("minimax"), ask("alphabeta")]);
      if (mine !== asked) return;
      side(sides.minimax, "Minimax", minimax);
      side(sides.alphabeta, "Alpha-beta", alphabeta);
      const share = Math.round((100 * alphabeta.report.nodes) / Math.max(1, minimax.report.nodes));
      fill(saved, t("lab.saved", { share }));
      announce(saved.textContent ?? "");
    } catch (error) {
      if (error instanceof DOMException) return;
      toast(/** @type {Error} */ (error).message);
    }
  }

  /**
   * @param {HTMLElement} where
   * @param {string} title
   * @param {TreeAnswer} answer
   */
  function side(where, title, { report, tree }) {
    const nodes = new Map(tree.nodes.map((node) => [node.id, node]));
    const root = tree.nodes[0];
    /** @type {Set<number>} */
    const best = new Set();
    let at = root;
    for (const move of tree.line) {
      const child = at?.children.map((id) => nodes.get(id)).find((node) => node?.move === move);
      if (!child) break;
      best.add(child.id);
      at = child;
    }
    const drawing = h("div", { class: "tree-drawing", tabindex: "0", role: "region", "aria-label": title }, root ? branch(root, [], nodes, best) : null);
    const all = (/** @type {boolean} */ open) => {
      for (const details of drawing.querySelectorAll("details")) details.open = open;
    };
    fill(
      where,
      h("header", { class: "row spread" }, h("h2", null, title), h("span", { class: "node-count" }, t("lab.nodes", { n: number(report.nodes) }))),
      h(
        "p",
        { class: "row spread small" },
        h(
          "span",
          null,
          `${t("lab.best")}: `,
          h("strong", { class: "mono" }, report.best ?? "–"),
          ` · ${t("lab.value")}: `,
          h("strong", null, report.score?.text ?? "–"),
        ),
        h(
          "span",
          { class: "row" },
          h("button", { type: "button", class: "quiet small", onclick: () => all(true) }, t("lab.expand")),
          h("button", { type: "button", class: "quiet small", onclick: () => all(false) }, t("lab.collapse")),
        ),
      ),
      drawing,
      report.stopped ? h("p", { class: "error" }, t("lab.stopped")) : null,
    );
  }

  /**
   * @param {TreeNode} node
   * @param {string[]} path
   * @param {Map<number, TreeNode>} nodes
   * @param {Set<number>} best
   * @returns {HTMLElement}
   */
  function branch(node, path, nodes, best) {
    const line = node.move ? [...path, node.move] : path;
    const show = () => preview(line);
    const hide = () => preview(null);
    const on = { onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide };
    const value = node.value === null ? "?" : number(Math.round(node.value * 10) / 10);
    const said = node.precision === "at least" ? t("lab.atleast", { value }) : node.precision === "at most" ? t("lab.atmost", { value }) : value;
    const sign = node.precision === "at least" ? "≥" : node.precision === "at most" ? "≤" : "";
    const kind = t(node.kind === "max" ? "lab.max" : "lab.min", { color: t(node.side) });
    const label = [
      h("span", { class: `node-kind ${node.kind}`, role: "img", "aria-label": kind, title: kind }),
      h("span", { class: "mono node-move" }, node.move ?? t("lab.root")),
      h("span", { class: "node-value", title: said }, sign + value),
      node.cut
        ? h(
            "span",
            { class: "cut", title: t("lab.cut", { move: node.cut.by_move ?? "", value, limit: node.cut.limit }) },
            "✂ ",
            `${node.cut.bound === "alpha" ? "α" : "β"} ${node.cut.limit}`,
          )
        : null,
    ];
    const inner = [
      ...node.children
        .map((id) => nodes.get(id))
        .filter((child) => child !== undefined)
        .map((child) => h("li", null, branch(child, line, nodes, best))),
      node.pruned.length
        ? h(
            "li",
            { class: "pruned", title: t("lab.pruned", { moves: node.pruned.join(" ") }) },
            h("span", { class: "visually-hidden" }, t("lab.pruned", { moves: "" })),
            node.pruned.map((move) => h("s", { class: "mono" }, move)),
          )
        : null,
      node.undrawn.length || node.unrecorded ? h("li", { class: "hint" }, t("lab.undrawn", { n: node.undrawn.length || node.unrecorded })) : null,
    ].filter((item) => item !== null);
    const classes = `node${best.has(node.id) || node.parent === null ? " best-line" : ""}${node.cut ? " was-cut" : ""}`;
    if (!inner.length) return h("div", { class: classes, ...on }, label);
    const details = h("details", { class: "branch" }, h("summary", { class: classes, ...on }, label), h("ul", null, inner));
    details.open = node.ply < 2 || best.has(node.id);
    return details;
  }

  const begin = (/** @type {number} */ size) => {
    game = new GameTree({ size, start: null, startTurn: "black" });
    at = 0;
    void look();
  };
  const projector = h(
    "button",
    { type: "button", "aria-pressed": "false", onclick: () => project(projector.getAttribute("aria-pressed") !== "true") },
    t("lab.projector"),
  );
  /** Fills the screen in large type, for a classroom. @param {boolean} on */
  const project = (on) => {
    bench.classList.toggle("projector", on);
    projector.setAttribute("aria-pressed", String(on));
    fill(projector, t(on ? "lab.noprojector" : "lab.projector"));
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) void document.exitFullscreen();
  };
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") project(false);
  };
  document.addEventListener("keydown", leave);
  const bench = h(
    "div",
    { class: "tree-bench" },
    h(
      "div",
      { class: "tree-left stack" },
      h("p", { class: "muted" }, t("lab.treelead")),
      projector,
      h("div", { class: "board-place small-board" }, board.element),
      saved,
      h("p", { class: "hint" }, t("lab.boardhint")),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              at = game.spot(at).parent ?? 0;
              void look();
            },
          },
          t("lab.back"),
        ),
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              at = 0;
              void look();
            },
          },
          t("lab.reset"),
        ),
      ),
      h(
        "div",
        { class: "pair" },
        select({
          label: t("start.size"),
          value: String(game.size),
          options: [4, 6, 8, 10].map((n) => [String(n), `${n} × ${n}`]),
          onchange: (size) => begin(Number(size)),
        }),
        select({
          label: t("lab.depth"),
          value: String(depth),
          options: [...Array(DEEPEST).keys()].map((i) => [String(i + 1), String(i + 1)]),
          onchange: (value) => {
            depth = Number(value);
            void look();
          },
        }),
        select({
          label: t("lab.evaluator"),
          value: evaluator,
          options: catalogue.evaluators.map(({ name }) => [name, term("eval", name)]),
          onchange: (value) => {
            evaluator = value;
            void look();
          },
        }),
      ),
    ),
    sides.minimax,
    sides.alphabeta,
  );
  place.append(bench);
  void look();
  return {
    close: () => {
      hanging.abort();
      document.removeEventListener("keydown", leave);
      if (document.fullscreenElement) void document.exitFullscreen();
    },
  };
}
