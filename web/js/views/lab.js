/** The lab: search trees side by side, duels between players, evolution. Made to be read from the back of a classroom. */

import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { duelBench } from "../duel-bench.js";
import { evolutionBench } from "../evolution-bench.js";
import { t } from "../i18n.js";
import { treeBench } from "../tree-bench.js";
import { radio } from "./start.js";

const BENCHES = /** @type {const} */ (["tree", "duel", "evolution"]);

/** @type {import("../route.js").ViewMaker} */
export default async function lab(place, { query }) {
  const catalogue = await api.players();
  const bench = h("div");
  /** @type {{close: () => void} | null} */
  let open = null;
  /** @param {typeof BENCHES[number]} which */
  const show = (which) => {
    open?.close();
    fill(bench);
    open = which === "tree" ? treeBench(bench, catalogue, query) : which === "duel" ? duelBench(bench, catalogue, query) : evolutionBench(bench);
  };
  const first = BENCHES.find((name) => name === query.get("show")) ?? "tree";
  place.append(
    h(
      "div",
      { class: "page wide" },
      h(
        "header",
        null,
        h("h1", null, t("lab.title")),
        h(
          "div",
          { class: "segments", role: "radiogroup", "aria-label": t("lab.tab") },
          BENCHES.map((name) => radio("bench", name, t(`lab.${name}`), name === first, () => show(name))),
        ),
      ),
      bench,
    ),
  );
  show(first);
  return { close: () => open?.close(), title: t("nav.lab") };
}
