/** Choosing a search to watch: its name is that of a player, such as `alphabeta:depth=3,eval=disc,order=looks`. */

/** @import {Catalogue} from "../types.js" */
import { fill, h, select, tick } from "../dom.js";
import { term } from "../i18n.js";
import { say } from "./texts.js";

/** What can be watched. */
export const KINDS = /** @type {const} */ (["minimax", "alphabeta", "negascout", "iterative", "beam", "mcts"]);
/** Plies that can be chosen. */
const DEEPEST = 8;
const PLAYOUTS = [10, 20, 50, 100, 200, 500, 1000, 2000];

/** @typedef {typeof KINDS[number]} Kind */
/** @typedef {Record<string, string>} Settings */

/** Takes a name apart. @param {string} name */
export function parseSearch(name) {
  const [kind, rest = ""] = name.split(":");
  const settings = Object.fromEntries(
    rest
      .split(",")
      .filter(Boolean)
      .map((pair) => pair.split("=")),
  );
  return { kind: /** @type {Kind} */ (KINDS.find((known) => known === kind) ?? "alphabeta"), settings: /** @type {Settings} */ (settings) };
}

/** The settings that a kind has, in the order of its name. @type {Record<Kind, string[]>} */
const HAS = {
  minimax: ["depth", "eval", "weights", "order", "transpositions"],
  alphabeta: ["depth", "eval", "weights", "order", "transpositions"],
  negascout: ["depth", "eval", "weights", "order", "transpositions"],
  iterative: ["depth", "eval", "weights", "order", "transpositions"],
  beam: ["depth", "width", "eval", "weights", "seed"],
  mcts: ["playouts", "seed"],
};

/** What is meant where nothing is said. @type {Settings} */
const USUAL = { depth: "3", eval: "disc", weights: "", order: "rows", transpositions: "no", width: "2", seed: "0", playouts: "50" };

/** Puts a name together. @param {Kind} kind @param {Settings} settings */
export function searchName(kind, settings) {
  const pairs = HAS[kind].flatMap((name) => {
    const value = settings[name] || USUAL[name];
    return value && (name === "depth" || name === "eval" || name === "playouts" || value !== USUAL[name] || name === "order") ? [`${name}=${value}`] : [];
  });
  // A search that deepens stops at its depth; its clock is only there for emergencies.
  return `${kind}:${kind === "iterative" ? "time=10s," : ""}${pairs.join(",")}`;
}

/** The name as a heading has room for it. @param {string} name */
export function searchTitle(name) {
  const { kind, settings } = parseSearch(name);
  const parts = [say(`kind.${kind}`)];
  if (settings.order && settings.order !== "rows") parts.push(say(settings.order === "looks" ? "order.looks" : "order.rings"));
  if (settings.transpositions === "yes") parts.push(say("transpositions"));
  return parts.join(", ");
}

/**
 * @param {Catalogue} catalogue
 * @param {{label: string, name: string, none?: boolean, onchange: (name: string | null) => void}} given `none`: it can be left out
 */
export function searchForm(catalogue, { label, name, none, onchange }) {
  const place = h("fieldset", { class: "search-form" });
  let empty = none === true && !name;
  let { kind, settings } = parseSearch(name || "minimax:depth=3");
  const tell = () => onchange(empty ? null : searchName(kind, settings));
  /** @param {string} key @param {string} text @param {[string, string][]} options */
  const choice = (key, text, options) =>
    select({
      label: text,
      value: settings[key] || USUAL[key],
      options,
      onchange: (value) => {
        settings = { ...settings, [key]: value, ...(key === "eval" ? { weights: "" } : {}) };
        tell();
      },
    });
  const counts = (/** @type {number} */ most) => /** @type {[string, string][]} */ ([...Array(most).keys()].map((n) => [String(n + 1), String(n + 1)]));
  function draw() {
    const has = HAS[kind];
    fill(
      place,
      h("legend", null, label),
      select({
        label: say("search"),
        value: empty ? "" : kind,
        options: [
          ...(none ? [/** @type {[string, string]} */ (["", say("kind.none")])] : []),
          ...KINDS.map((one) => /** @type {[string, string]} */ ([one, say(`kind.${one}`)])),
        ],
        onchange: (value) => {
          empty = value === "";
          if (!empty) kind = /** @type {Kind} */ (value);
          draw();
          tell();
        },
      }),
      empty
        ? null
        : h(
            "div",
            { class: "pair" },
            has.includes("depth") ? choice("depth", say("depth"), counts(DEEPEST)) : null,
            has.includes("width") ? choice("width", say("width"), counts(8)) : null,
            has.includes("eval")
              ? choice(
                  "eval",
                  say("evaluator"),
                  catalogue.evaluators.map((evaluator) => [evaluator.name, term("eval", evaluator.name)]),
                )
              : null,
            has.includes("order")
              ? choice("order", say("order"), [
                  ["rows", say("order.rows")],
                  ["rings", say("order.rings")],
                  ["looks", say("order.looks")],
                ])
              : null,
            has.includes("playouts")
              ? choice(
                  "playouts",
                  say("playouts"),
                  PLAYOUTS.map((n) => [String(n), String(n)]),
                )
              : null,
            has.includes("seed")
              ? choice(
                  "seed",
                  say("seed"),
                  [...Array(10).keys()].map((n) => [String(n), String(n)]),
                )
              : null,
          ),
      !empty && has.includes("transpositions")
        ? tick({
            label: say("transpositions.tick"),
            checked: settings.transpositions === "yes",
            onchange: (checked) => {
              settings = { ...settings, transpositions: checked ? "yes" : "no" };
              tell();
            },
          })
        : null,
    );
  }
  draw();
  return {
    element: place,
    /** Shows another search. @param {string} other */
    set: (other) => {
      ({ kind, settings } = parseSearch(other));
      draw();
    },
  };
}
