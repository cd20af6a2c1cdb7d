/** On the first page: the games that wait, and the way to all of them. */

import { h, redraw } from "./dom.js";
import { t } from "./i18n.js";
import { myGames, opponentIn, waits } from "./my-games.js";

/** Games that are offered here. */
const MOST = 3;

/** @param {HTMLElement} place */
export async function continueCard(place) {
  try {
    const games = await myGames();
    const going = games
      .filter(({ status, ply, mode }) => status !== "over" && (ply > 0 || mode === "link"))
      .sort((a, b) => Number(waits(b)) - Number(waits(a)));
    if (!games.length) return;
    redraw(place, [
      h(
        "nav",
        { class: "continue", "aria-label": t("mine.title") },
        going
          .slice(0, MOST)
          .map((game) =>
            h(
              "a",
              { href: `#/game/${game.id}`, class: "button" },
              h("span", null, t("mine.goon", { name: opponentIn(game) })),
              h("span", { class: "hint" }, waits(game) ? t("mine.yourturn") : t("mine.move", { n: game.counts.black + game.counts.white - 3 })),
            ),
          ),
        h("a", { href: "#/mine", class: "all" }, t("mine.all", { n: games.length })),
      ),
    ]);
  } catch {
    // Without an answer there is nothing to go on with; the page says so when a game is begun.
  }
}
