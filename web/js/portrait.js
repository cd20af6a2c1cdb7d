/** A picture of somebody's play: figures, charts, tables, and the mistakes with examples that open on the board. */

/** @import {Band, Example, Opening, Portrait, Share} from "./types.js" */
/** @import {Key} from "./i18n.js" */
import { columns } from "./columns.js";
import { h } from "./dom.js";
import { number, t } from "./i18n.js";
import { openingName } from "./opening-name.js";
import { whySentence } from "./why.js";

/** @param {number} value @param {number} [digits] */
const fixed = (value, digits = 2) => value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** @param {number} value */
const percent = (value) => `${fixed(value, 1)} %`;
/** What no move tells. */
const NOTHING = "–";

/** @param {{portrait: Portrait, openings: Record<string, Opening>, judge: string, remarks: string[]}} told */
export function portraitPage({ portrait, openings, judge, remarks }) {
  const { name, all, stages, time, band } = portrait;
  const names = stages.map((share) => share.name);
  const mine = { name, color: 1, values: stages.map(({ loss }) => loss) };
  const peers = band && { name: t("ins.peers", { band: bandName(band, portrait.bands) }), color: 6, values: band.stages };
  const part = (/** @type {Key} */ title, /** @type {(HTMLElement | null | false)[]} */ ...inside) =>
    h("section", { class: "card stack" }, h("h2", null, t(title)), inside);
  return h(
    "article",
    { class: "portrait stack" },
    h(
      "header",
      { class: "row spread" },
      h("h1", { tabindex: "-1" }, t("ins.of", { name })),
      h("button", { type: "button", class: "no-print", onclick: () => print() }, t("ins.print")),
    ),
    headFigures(portrait),
    part(
      "ins.stage",
      columns({ title: t("ins.lossbystage"), names, series: peers ? [mine, peers] : [mine] }),
      h("p", { class: "hint" }, t("ins.stagehint")),
      bandTable(portrait),
    ),
    kindsPart(portrait),
    part(
      "ins.time",
      time.length > 1
        ? columns({ title: t("ins.losstime"), names: time.map((share) => share.name), series: [{ name, color: 1, values: time.map(({ loss }) => loss) }] })
        : null,
      time.length > 1 ? null : h("p", { class: "hint" }, t("ins.onetime")),
      shareTable(t("ins.when"), time),
    ),
    part(
      "ins.color",
      shareTable(t("ins.side"), portrait.colors, (share) => t(share.name === "black" ? "black" : "white")),
    ),
    part(
      "ins.opening",
      shareTable(t("ins.openingname"), portrait.openings, (share) => openingName(openings[share.name]) || share.name),
    ),
    h(
      "footer",
      { class: "hint stack" },
      h("p", null, t("ins.how", { judge, n: number(all.moves) })),
      remarks.map((remark) => h("p", null, remark)),
    ),
  );
}

/** @param {Portrait} portrait */
function headFigures({ all, like }) {
  const figure = (/** @type {string} */ value, /** @type {Key} */ what) => h("div", { class: "card" }, h("b", null, value), h("span", null, t(what)));
  return h(
    "div",
    { class: "tiles" },
    figure(number(all.games), "ins.games"),
    figure(number(all.moves), "ins.moves"),
    figure(percent(all.accuracy), "ins.accuracy"),
    figure(fixed(all.loss), "ins.loss"),
    all.finished ? figure(`${number(all.won)} / ${number(all.finished)}`, "ins.points") : null,
    like ? figure(`${number(like.rating)} ± ${number(like.deviation)}`, "ins.like") : null,
  );
}

/** @param {Band} band @param {Band[]} bands */
function bandName({ from }, bands) {
  const next = bands.find((other) => other.from > from)?.from;
  if (!next) return t("ins.band.high", { from });
  return from ? t("ins.band.middle", { from, to: next - 1 }) : t("ins.band.low", { to: next });
}

/** Losses by stage, the player's first, then those of every band. @param {Portrait} portrait */
function bandTable({ name, stages, all, bands, band }) {
  const row = (/** @type {string} */ who, /** @type {(number | null)[]} */ losses, /** @type {boolean} */ strong) =>
    h(
      "tr",
      { class: strong ? "strong" : null },
      h("th", { scope: "row" }, who),
      losses.map((loss) => h("td", { class: "number" }, loss === null ? NOTHING : fixed(loss))),
    );
  return h(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": t("ins.lossbystage") },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("ins.players")),
          stages.map((share) => h("th", { scope: "col", class: "number" }, share.name)),
          h("th", { scope: "col", class: "number" }, t("ins.all")),
        ),
      ),
      h(
        "tbody",
        null,
        row(
          name,
          [...stages, all].map(({ loss, moves }) => (moves ? loss : null)),
          true,
        ),
        bands.map((other) => row(t("ins.peers", { band: bandName(other, bands) }), [...other.stages, other.loss], other.from === band?.from)),
      ),
    ),
  );
}

/** @param {string} first @param {Share[]} shares @param {(share: Share) => string} [named] */
function shareTable(first, shares, named = (share) => share.name) {
  const heads = [t("ins.games"), t("ins.points"), t("ins.moveshort"), t("ins.lossshort"), t("ins.accuracy"), t("ins.blunders")];
  return h(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": first },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, first),
          heads.map((head) => h("th", { scope: "col", class: "number" }, head)),
        ),
      ),
      h(
        "tbody",
        null,
        shares.map((share) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, named(share)),
            [
              number(share.games),
              share.finished ? `${number(share.won)} / ${number(share.finished)}` : NOTHING,
              number(share.moves),
              share.moves ? fixed(share.loss) : NOTHING,
              share.moves ? percent(share.accuracy) : NOTHING,
              number(share.blunders),
            ].map((value) => h("td", { class: "number" }, value)),
          ),
        ),
      ),
    ),
  );
}

/** @param {Portrait} portrait */
function kindsPart({ kinds, discs, small_losses }) {
  return h(
    "section",
    { class: "card stack" },
    h("h2", null, t("ins.kinds")),
    h("p", { class: "hint" }, t("ins.kindslead", { discs: number(Math.round(discs)), small: number(Math.round(small_losses)) })),
    kinds.map(({ kind, count, discs: lost, share, examples }) =>
      h(
        "div",
        { class: "kind stack" },
        h(
          "h3",
          null,
          t(/** @type {Key} */ (`ins.kind.${kind}`)),
          " ",
          h("span", { class: "muted" }, t("ins.kindfigures", { n: number(count), discs: number(Math.round(lost)), share: percent(100 * share) })),
        ),
        h("div", { class: "share-bar", "--share": `${(100 * share).toFixed(1)}%`, "aria-hidden": "true" }, h("span", null)),
        h(
          "ul",
          null,
          examples.map((example) => exampleLine(kind, example)),
        ),
      ),
    ),
  );
}

/** @param {string} kind @param {Example} example */
function exampleLine(kind, { game, number: disc, move, best, loss, black, sentence, facts, line, link }) {
  const told = line.length ? whySentence({ kind, facts, line, sentence, cells: "", squares: [] }, { move, best, color: black ? "black" : "white" }) : sentence;
  return h("li", null, h("a", { href: link }, t("ins.example", { game, n: disc, move })), " ", t("ins.exampleloss", { loss: fixed(loss, 0), best }), " ", told);
}
