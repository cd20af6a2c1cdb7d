/** The games of this browser: those whose seats it has the secrets of. Nobody needs an account for that. */

/** @import {Color, MyGame} from "./types.js" */
import * as api from "./api.js";
import { t } from "./i18n.js";
import { permalink } from "./permalink.js";
import { givenName, playerName } from "./player-picker.js";

/** Games that are asked about at once. */
const AT_ONCE = 200;

/** Every game of this browser, the latest first; what there is no more is forgotten. @returns {Promise<MyGame[]>} */
export async function myGames() {
  const seats = api.tokens.games().map((id) => ({ id, token: api.tokens.of(id) }));
  /** @type {MyGame[]} */
  const games = [];
  for (let at = 0; at < seats.length; at += AT_ONCE) {
    const found = await api.mine(seats.slice(at, at + AT_ONCE));
    for (const id of found.gone) api.tokens.forget(id);
    games.push(...found.games);
  }
  return games.sort((one, other) => other.created - one.created);
}

/** How a side is called. @param {MyGame} game @param {Color} color */
export function nameIn(game, color) {
  const { kind, name, player, taken } = game.seats[color];
  if (!taken) return t("lobby.free");
  if (kind === "computer") return name && name !== player ? name : playerName(player ?? "");
  return givenName(name, color) || t(color);
}

/** Whom one plays against; both names where one plays both sides or none. @param {MyGame} game */
export function opponentIn(game) {
  if (game.you.length !== 1) return `${nameIn(game, "black")} – ${nameIn(game, "white")}`;
  return nameIn(game, game.you[0] === "black" ? "white" : "black");
}

/** Whether the game waits for this browser. @param {MyGame} game */
export const waits = (game) => game.may.includes("move");

/** How it ended, as the player sees it. @param {MyGame} game */
export function resultOf({ result, you, counts }) {
  if (!result) return "";
  if (result.ending === "aborted") return t("game.aborted");
  const score = result.ending === "counted" ? ` ${counts.black} – ${counts.white}` : "";
  if (!result.winner) return t("mine.draw") + score;
  if (you.length !== 1) return t(result.winner === "black" ? "mine.black" : "mine.white") + score;
  return t(you.includes(result.winner) ? "mine.won" : "mine.lost") + score;
}

/** The address of its review. @param {MyGame} game */
export const reviewLink = (game) =>
  permalink({
    size: game.size,
    start: game.start,
    startTurn: game.start_turn,
    objective: game.variant.objective,
    moves: game.transcript.match(/[a-z]\d+/g) ?? [],
    ply: null,
    names: { black: givenName(game.black, "black") && nameIn(game, "black"), white: givenName(game.white, "white") && nameIn(game, "white") },
  });

/** All of them in one file. @param {MyGame[]} games @param {string} format */
export async function exported(games, format) {
  const files = [];
  for (const { id } of games) files.push(await (await api.gameFile(id, format)).text());
  return new Blob([files.map((file) => file.trimEnd()).join("\n\n"), "\n"], { type: "text/plain" });
}
