/** What people at one table have besides the game: ready-made greetings, more time, and the score of the games they played in a row. */

/** @import {Color, Game, GreetingWord, Sight} from "./types.js" */
import { toast } from "./announce.js";
import { h } from "./dom.js";
import { names } from "./game-status.js";
import { number, t } from "./i18n.js";

const BEFORE = /** @type {const} */ (["hello", "good_luck", "one_moment"]);
const AFTER = /** @type {const} */ (["well_played", "thanks", "goodbye"]);

/** @param {Sight} sight @param {(what: string, body?: object) => void} act */
export function companyPanel({ game, you }, act) {
  const may = (/** @type {string} */ what) => you.may.includes(what);
  const words = /** @type {readonly GreetingWord[]} */ (game.status === "over" || game.ply > 40 ? AFTER : BEFORE);
  return [
    seriesLine(game),
    may("answer_time") && game.time_offer
      ? h(
          "div",
          { class: "row offer" },
          h("span", { class: "grow" }, t("time.offer", { name: names(game)[game.time_offer] })),
          h("button", { type: "button", class: "primary", onclick: () => act("time/answer", { accept: true }) }, t("time.give")),
          h("button", { type: "button", onclick: () => act("time/answer", { accept: false }) }, t("game.decline")),
        )
      : null,
    may("greet") || may("ask_time")
      ? h(
          "div",
          { class: "row greetings", role: "group", "aria-label": t("greet.title") },
          may("greet") ? words.map((word) => h("button", { type: "button", class: "small", onclick: () => act("greet", { word }) }, t(`greet.${word}`))) : null,
          may("ask_time") ? h("button", { type: "button", class: "small", onclick: () => act("time") }, t("time.ask")) : null,
        )
      : null,
    game.time_offer && you.seats.includes(game.time_offer) ? h("p", { class: "hint" }, t("time.asked")) : null,
  ];
}

/** How the same two have fared. @param {Game} game */
function seriesLine(game) {
  if (!game.series || game.mode === "watch") return null;
  const who = names(game);
  const { black, white, games } = game.series;
  return h("p", { class: "series" }, t("series.score", { p1: who.black, n: number(black), m: number(white), p2: who.white, games }));
}

/** Tells what the other side has said or given since. @param {Sight} sight @param {Game} before */
export function tellCompany({ game, you }, before) {
  const who = names(game);
  for (const color of /** @type {Color[]} */ (["black", "white"])) {
    const said = game.greetings[color];
    if (said && said.number !== before.greetings[color]?.number && !you.seats.includes(color)) {
      toast(t("greet.said", { name: who[color], what: t(`greet.${said.word}`) }));
    }
  }
  const asked = before.time_offer;
  if (!asked || game.time_offer || game.result || !game.clock || !before.clock) return;
  const given = game.clock[`${asked}_ms`] > before.clock[`${asked}_ms`];
  if (you.seats.includes(asked)) toast(t(given ? "time.given" : "time.declined"));
}
