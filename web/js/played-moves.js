/** The moves of a game under way. A click looks back at the position after one, without disturbing the game. */

/** @import {Game, Analysis} from "./types.js" */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { placedUntil } from "./move-number.js";
import { openingName } from "./opening-name.js";

/** @typedef {{ply: number, position: Analysis["position"]}} Lookback an earlier position that is shown instead */

/**
 * @param {Game} game
 * @param {Lookback | null} back
 * @param {(ply: number) => void} look
 */
export function playedMoves(game, back, look) {
  if (!game.moves.length) return [h("p", { class: "hint" }, t("game.nomoves"))];
  const now = back?.ply ?? game.moves.length;
  const opening = openingName(game.opening);
  return [
    opening ? h("p", { class: "opening" }, t("ana.opening", { name: opening })) : null,
    h(
      "ol",
      { class: "move-list" },
      game.moves.map(({ ply, color, move }) =>
        h(
          "li",
          { class: `${color}${ply === now ? " now" : ""}` },
          h(
            "button",
            { type: "button", class: "ply-button", "aria-current": ply === now ? "step" : null, onclick: () => look(ply) },
            h("span", { class: "ply" }, move === "pass" ? "" : placedUntil(game.moves, ply)),
            h("span", { class: `chip ${color}`, "aria-hidden": "true" }),
            h("span", { class: "mono" }, move === "pass" ? t("game.passmove") : move),
          ),
        ),
      ),
    ),
    back
      ? h(
          "div",
          { class: "row offer" },
          h("span", { class: "grow" }, t("game.looking", { n: placedUntil(game.moves, back.ply) })),
          h("button", { type: "button", class: "primary", onclick: () => look(game.moves.length) }, t("game.tonow")),
        )
      : null,
  ];
}

/** A place of the server's for the game after so many moves. @param {Game} game @param {number} [ply] */
export const placeOf = (game, ply) => ({
  position: `${game.start} ${game.start_turn === "black" ? "X" : "O"}`,
  moves: game.moves.map(({ move }) => move),
  objective: game.variant.objective,
  ...(ply === undefined ? {} : { ply }),
});
