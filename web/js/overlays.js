/** What can be laid over the board: who could play where, which discs are in danger, what moves are worth. */

/** @import {Analysis, Catalogue, Color} from "./types.js" */
/** @import {BoardState} from "./board.js" */
import { fill, h, select } from "./dom.js";
import { t, term } from "./i18n.js";

/** @typedef {"none" | "mobility" | "frontier" | "stable" | "unstable" | "regions"} OverlayName */
/** @typedef {{overlay: OverlayName}} Chosen */

const NAMES = /** @type {const} */ (["none", "mobility", "frontier", "stable", "unstable", "regions"]);

/**
 * The panel to choose them.
 * @param {Chosen} chosen changed in place
 * @param {() => void} onchange
 */
export function overlayPanel(chosen, onchange) {
  const legend = h("p", { class: "hint" });
  const explain = () => fill(legend, chosen.overlay === "none" ? "" : t(`over.legend.${chosen.overlay}`));
  explain();
  return h(
    "div",
    { class: "stack" },
    select({
      label: t("over.show"),
      value: chosen.overlay,
      options: NAMES.map((name) => [name, t(`over.${name}`)]),
      onchange: (name) => {
        chosen.overlay = /** @type {OverlayName} */ (name);
        explain();
        onchange();
      },
    }),
    legend,
  );
}

/**
 * Who judges positions: the searching players.
 * @param {Catalogue} catalogue
 * @param {string} value
 * @param {(judge: string) => void} onchange
 */
export function judgePicker(catalogue, value, onchange) {
  const options = judges(catalogue).map(([name, label]) => /** @type {[string, string]} */ ([name, label]));
  return select({ label: t("over.judge"), value: options.some(([name]) => name === value) ? value : options[0][0], options, onchange });
}

/**
 * A textbook player as it is listed: what it is called before the point, its depth, its evaluator.
 * @param {string} player
 * @param {string} kind
 * @param {string} depth
 * @param {string} evaluator
 * @returns {[string, string]}
 */
const textbook = (player, kind, depth, evaluator) => [
  player,
  `${term("player", kind).split(" · ")[0]} ${depth} · ${term("eval", evaluator)}`.replace("  ", " "),
];

/** @param {Catalogue} catalogue @returns {[string, string][]} */
export function judges(catalogue) {
  const strong = catalogue.kinds.some((kind) => kind.name === "emilia")
    ? /** @type {[string, string][]} */ ([
        ["emilia:level=12", "Emilia 12"],
        ["emilia:level=6", "Emilia 6"],
        ["emilia:level=18", "Emilia 18"],
      ])
    : [];
  return [...strong, ...textbookJudges()];
}

/** Players whose opinion a textbook explains. @returns {[string, string][]} */
export function textbookJudges() {
  return [
    textbook("iterative:time=1s", "iterative", "", "kukreja"),
    textbook("alphabeta:depth=6", "alphabeta", "6", "kukreja"),
    textbook("alphabeta:depth=6,eval=disc", "alphabeta", "6", "disc"),
    textbook("alphabeta:depth=4,eval=paper", "alphabeta", "4", "paper"),
    textbook("minimax:depth=4", "minimax", "4", "kukreja"),
  ];
}

/**
 * What the chosen overlay puts on the board.
 * @param {Analysis | null} analysis
 * @param {Chosen} chosen
 * @returns {Partial<BoardState>}
 */
export function overlayState(analysis, chosen) {
  return analysis ? { shades: shades(analysis, chosen.overlay) } : {};
}

/** A score short enough for a square. @param {{value: number, text: string}} score */
export function short({ value, text }) {
  if (text.length <= 5) return text.startsWith("-") || text.startsWith("+") || value === 0 ? text : `+${text}`;
  const size = Math.abs(value);
  const digits =
    size >= 1e6
      ? `${(size / 1e6).toFixed(0)}M`
      : size >= 1000
        ? `${(size / 1000).toFixed(size >= 1e4 ? 0 : 1)}k`
        : size >= 10
          ? size.toFixed(0)
          : size.toFixed(1);
  return (value < 0 ? "−" : value > 0 ? "+" : "") + digits;
}

/**
 * @param {Analysis} analysis
 * @param {OverlayName} overlay
 * @returns {Record<string, string>}
 */
function shades({ overlays }, overlay) {
  if (!overlays || overlay === "none") return {};
  /** @type {Record<string, string>} */
  const marked = {};
  if (overlay === "regions") {
    for (const { squares, odd } of overlays.regions) for (const square of squares) marked[square] = odd ? "odd" : "even";
    return marked;
  }
  for (const color of /** @type {Color[]} */ (["black", "white"])) {
    const squares = overlay === "stable" || overlay === "unstable" ? overlays.stability[color][overlay] : overlays[overlay][color];
    for (const square of squares) marked[square] = square in marked ? "both" : color === "black" ? "own" : "other";
  }
  return marked;
}
