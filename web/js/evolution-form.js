/** What an evolution can be told: the options of `emilia evolve`. */

import { field, fill, fold, h, select } from "./dom.js";
import { t } from "./i18n.js";

/** Searches that play the games, the quickest first. */
const SEARCHES = ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3", "alphabeta:depth=4", "beam:depth=6,width=3", "beam:depth=10,width=3"];

/** Options that are numbers, as the published algorithm has them. */
const NUMBERS = {
  population: 14,
  generations: 12,
  games: 2,
  opening: 6,
  seed: 0,
  parents: 2,
  offspring: 2,
  elite: 0,
  mutation_rate: 0.67,
  step: 300,
  draw: 0.5,
};

/** @typedef {keyof typeof NUMBERS} NumberName */

/** @param {{size: number, query: URLSearchParams, onchange: () => void}} usual what the address says goes before what is usual */
export function evolutionForm(usual) {
  const terms = {
    method: "genetic",
    search: SEARCHES[0],
    size: usual.size,
    selection: "fittest",
    crossover: "one-point",
    mutation: "redraw",
    scale: "log",
    opponents: "",
    start: "",
    ...NUMBERS,
  };
  const plain = { ...terms };
  for (const [name, before] of Object.entries(terms)) {
    const given = usual.query.get(name);
    if (given === null) continue;
    const number = Number(given);
    if (typeof before === "number" ? Number.isFinite(number) : true) Object.assign(terms, { [name]: typeof before === "number" ? number : given });
  }
  const place = h("div", { class: "stack", onchange: usual.onchange });
  /** @param {NumberName} name @param {number} min @param {number} max @param {number | "any"} [step] */
  const numeric = (name, min, max, step = 1) =>
    field({
      label: t(`evo.${name}`),
      value: String(terms[name]),
      type: "number",
      min,
      max,
      step,
      onchange: (text) => (terms[name] = Math.min(max, Math.max(min, Number(text) || 0))),
    });
  /** @param {"selection" | "crossover" | "mutation" | "scale"} name @param {string[]} values */
  const choice = (name, values) =>
    select({ label: t(`evo.${name}`), value: terms[name], options: values.map((value) => [value, value]), onchange: (value) => (terms[name] = value) });
  /** @param {"opponents" | "start"} name @param {string} placeholder */
  const text = (name, placeholder) => field({ label: t(`evo.${name}`), value: terms[name], placeholder, onchange: (value) => (terms[name] = value.trim()) });

  function draw() {
    const genetic = terms.method === "genetic";
    fill(
      place,
      h(
        "div",
        { class: "stack" },
        select({
          label: t("evo.method"),
          value: terms.method,
          options: [
            ["genetic", t("evo.genetic")],
            ["cma-es", "CMA-ES"],
          ],
          onchange: (method) => {
            terms.method = method;
            draw();
          },
        }),
        select({ label: t("evo.search"), value: terms.search, options: SEARCHES.map((name) => [name, name]), onchange: (search) => (terms.search = search) }),
      ),
      h(
        "div",
        { class: "pair" },
        select({
          label: t("start.size"),
          value: String(terms.size),
          options: [4, 6, 8, 10].map((n) => [String(n), `${n} × ${n}`]),
          onchange: (size) => (terms.size = Number(size)),
        }),
        numeric("population", 2, 100),
        numeric("generations", 1, 200),
        numeric("seed", 0, Number.MAX_SAFE_INTEGER),
      ),
      fold(
        "evo-more",
        t("evo.more"),
        false,
        h(
          "div",
          { class: "pair" },
          numeric("games", 1, 100),
          numeric("opening", 0, 20),
          numeric("draw", 0, 1, 0.1),
          genetic
            ? [
                numeric("parents", 2, 100),
                numeric("offspring", 1, 100),
                numeric("elite", 0, 99),
                numeric("mutation_rate", 0, 1, 0.01),
                choice("selection", ["fittest", "tournament:2", "tournament:3", "tournament:5"]),
                choice("crossover", ["one-point", "uniform"]),
                choice("mutation", ["redraw", "gaussian:40", "gaussian:80", "gaussian:160"]),
              ].flat()
            : [numeric("step", 1, 1000), choice("scale", ["log", "linear"])],
        ),
        text("opponents", "default"),
        text("start", "8/85/56/18/0/100"),
      ),
    );
  }
  draw();
  return {
    element: place,
    /** What differs from what is usual, for an address. */
    address: () =>
      new URLSearchParams(
        Object.entries(terms).flatMap(([name, value]) => (value === plain[/** @type {keyof typeof plain} */ (name)] ? [] : [[name, String(value)]])),
      ),
    /** What the server is asked for. */
    terms: () => {
      const { method, search, size, population, generations, seed, games, opening, draw: worth } = terms;
      const common = {
        method,
        search,
        size,
        population,
        generations,
        seed,
        games,
        opening,
        draw: worth,
        opponents: terms.opponents.split(/[\s,;]+/).filter(Boolean),
        ...(terms.start ? { start: terms.start } : {}),
      };
      if (method !== "genetic") return { ...common, step: terms.step, scale: terms.scale };
      const { selection, parents, offspring, crossover, mutation, mutation_rate, elite } = terms;
      return { ...common, selection, parents, offspring, crossover, mutation, mutation_rate, elite };
    },
  };
}
