/** Weights evolve in games between them, and one can watch: points and genes, generation by generation. */

import { announce, toast } from "./announce.js";
import * as api from "./api.js";
import { Chart } from "./chart.js";
import { download, fill, h, setText } from "./dom.js";
import { evolutionForm } from "./evolution-form.js";
import { EvolutionRun } from "./evolution-run.js";
import { number, t } from "./i18n.js";

/** The six weights in the order of their genes. */
const GENES = /** @type {const} */ (["squares", "parity", "frontier", "corners", "closeness", "mobility"]);
/** What a gene is at most. */
const GENE_MAX = 1000;

/**
 * @param {HTMLElement} place
 * @param {unknown} _ who can play
 * @param {URLSearchParams} query may give what the form asks for, and say that it is to begin
 * @param {(address: URLSearchParams) => void} tell what the state is called now
 */
export function evolutionBench(place, _, query, tell) {
  // The same seed breeds the same weights, so that the terms are the whole state.
  const form = evolutionForm({ size: 6, query, onchange: () => tell(form.address()) });
  const points = new Chart();
  const genes = new Chart();
  const state = h("p", { class: "headline", role: "status" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("evo.progress") });
  const buttons = h("div", { class: "actions" });
  const result = h("div", { class: "stack" });
  const run = new EvolutionRun({
    onchange: () => draw(),
    onend: (error) => {
      if (error) toast(error.message);
      else announce(`${said()}. ${t("evo.fittest")}: ${run.fittest?.weights ?? ""}`);
    },
  });

  /** What is going on, in a sentence. */
  const said = () => {
    const { kept, running } = run;
    if (!kept) return running ? t("evo.starting") : t("evo.idle");
    const done = kept.history.length;
    if (kept.result) return t("evo.done", { n: done });
    return t(running ? "evo.running" : "evo.stopped", { n: Math.min(done + 1, kept.plan.generations), all: kept.plan.generations, done });
  };

  function draw() {
    const { kept, running, games, generations } = run;
    setText(state, said());
    const within = games ? games.done / Math.max(1, games.games) : 0;
    bar.value = kept ? Math.min(1, (kept.history.length + within) / (kept.plan.generations + 1)) : 0;
    if (kept?.result) bar.value = 1;
    bar.hidden = !kept && !running;
    const count = Math.max(kept ? kept.plan.generations + 1 : 7, generations.length);
    const best = (/** @type {"best" | "mean" | "worst"} */ which) => generations.map((generation) => generation[which]);
    points.show({
      title: t("evo.points"),
      most: generations.length ? Math.max(1, ...best("best")) * 1.1 : (kept?.most ?? 13),
      count,
      curves: [
        { name: t("evo.best"), values: best("best"), color: 1, strong: true },
        { name: t("evo.mean"), values: best("mean"), color: 2 },
        { name: t("evo.worst"), values: best("worst"), color: 3 },
      ],
    });
    genes.show({
      title: t("evo.genes"),
      most: GENE_MAX,
      count,
      curves: GENES.map((name, at) => ({ name: t(`evo.gene.${name}`), values: generations.map((generation) => generation.genes[at]), color: at + 1 })),
    });
    drawButtons();
    drawResult();
  }

  function drawButtons() {
    const { kept, running, unfinished } = run;
    /** @param {string} label @param {() => void} act @param {string} [kind] */
    const button = (label, act, kind = "") => h("button", { type: "button", class: kind, onclick: act }, label);
    const key = `${running} ${unfinished} ${kept !== null}`;
    if (buttons.dataset.key === key) return;
    buttons.dataset.key = key;
    const focused = buttons.contains(document.activeElement);
    fill(
      buttons,
      running
        ? button(
            t("evo.stop"),
            () => {
              run.stop();
              draw();
              announce(said());
            },
            "primary",
          )
        : null,
      !running && unfinished ? button(t("evo.resume"), () => void run.resume(), "primary") : null,
      !running && kept?.result ? button(t("evo.further"), () => void run.resume((run.kept?.plan.generations ?? 0) + 10)) : null,
      !running ? button(t(kept ? "evo.again" : "evo.begin"), () => void run.start(form.terms()), unfinished ? "" : "primary") : null,
    );
    if (focused) buttons.querySelector("button")?.focus();
  }

  function drawResult() {
    const { fittest, kept } = run;
    const key = fittest ? `${fittest.generation} ${fittest.weights}` : "";
    if (result.dataset.key === key && key) return;
    result.dataset.key = key;
    if (!fittest || !kept) {
      fill(result, h("p", { class: "muted" }, t("evo.nobody")));
      return;
    }
    const duel = new URLSearchParams({
      show: "duel",
      first: fittest.player,
      second: fittest.player.replace(/,?weights=[^,]*/, ""),
      size: String(kept.plan.size),
    });
    fill(
      result,
      h("p", { class: "hint" }, t("evo.of", { n: fittest.generation, points: number(Math.round(fittest.best * 10) / 10), most: number(kept.most) })),
      h(
        "table",
        { class: "genes" },
        h(
          "tbody",
          null,
          GENES.map((name, at) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, t(`evo.gene.${name}`)),
              h("td", { class: "gene-bar", "aria-hidden": "true" }, h("span", { class: `c${at + 1}`, "--share": `${fittest.genes[at] / (GENE_MAX / 100)}%` })),
              h("td", { class: "number" }, number(fittest.genes[at])),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "primary", onclick: () => void play() }, t("evo.play")),
        h("a", { class: "button", href: `#/lab?${duel}` }, t("evo.duel")),
        h(
          "button",
          { type: "button", onclick: () => download(new Blob([`${fittest.genes.join("\n")}\n`], { type: "text/plain" }), "evolved.txt") },
          t("evo.save"),
        ),
      ),
      h("p", { class: "hint mono wrap" }, fittest.player),
    );
  }

  /** A game against the fittest, at once. */
  async function play() {
    const { fittest, kept } = run;
    if (!fittest || !kept) return;
    try {
      const { game } = await api.createGame({
        mode: "computer",
        size: kept.plan.size,
        white: { player: fittest.player, name: t("evo.name", { n: fittest.generation }) },
      });
      location.hash = `#/game/${game.id}`;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  place.append(
    h(
      "div",
      { class: "evolution-bench" },
      h("div", { class: "stack card" }, h("p", { class: "muted" }, t("evo.lead")), form.element, buttons),
      h(
        "div",
        { class: "stack" },
        h("div", { class: "card stack" }, state, bar, h("h2", null, t("evo.points")), points.element),
        h("div", { class: "card stack" }, h("h2", null, t("evo.genes")), genes.element),
      ),
      h("div", { class: "card stack" }, h("h2", null, t("evo.fittest")), result),
    ),
  );
  draw();
  tell(form.address());
  if (query.get("go") === "1") void run.start(form.terms());
  return { close: () => run.stop() };
}
