/** The lab: searches step by step, duels between players, evolution. Made to be read from the back of a classroom. */

import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { duelBench } from "../duel-bench.js";
import { evolutionBench } from "../evolution-bench.js";
import { t } from "../i18n.js";
import { stage } from "../lab/stage.js";
import { loadTexts, say } from "../lab/texts.js";
import { treeBench } from "../tree-bench.js";
import { radio } from "./start.js";

const BENCHES = /** @type {const} */ (["tree", "duel", "evolution"]);

/** @type {import("../route.js").ViewMaker} */
export default async function lab(place, { query }) {
  const [catalogue] = await Promise.all([api.players(), loadTexts()]);
  const bench = h("div");
  const room = h("div", { class: "page wide lab" });
  const around = stage(query, room);
  /** @type {{close: () => void} | null} */
  let open = null;
  /** @param {typeof BENCHES[number]} which @param {URLSearchParams} asked */
  const show = (which, asked) => {
    open?.close();
    fill(bench);
    const tell = (/** @type {URLSearchParams} */ address) => {
      if (which !== "tree") address.set("show", which);
      around.tell(address);
    };
    const make = { tree: treeBench, duel: duelBench, evolution: evolutionBench }[which];
    open = make(bench, catalogue, asked, tell);
  };
  const first = BENCHES.find((name) => name === query.get("show")) ?? "tree";
  room.append(
    h(
      "header",
      null,
      h("h1", null, t("lab.title")),
      h(
        "div",
        { class: "segments", role: "radiogroup", "aria-label": say("experiment") },
        BENCHES.map((name) => radio("bench", name, t(`lab.${name}`), name === first, () => show(name, new URLSearchParams()))),
      ),
      around.element,
    ),
    bench,
  );
  place.append(room);
  show(first, query);
  return {
    close: () => {
      open?.close();
      around.close();
    },
    title: t("nav.lab"),
  };
}
