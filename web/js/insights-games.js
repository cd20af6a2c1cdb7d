/** Games for a picture of somebody's play, from wherever they come: files, a folder, pasted text, what was played here. */

/** @import {GamesFound, LeftOut, PlayedGames, ToldGame} from "./types.js" */
import { json } from "./api.js";
import { t } from "./i18n.js";
import { givenName } from "./player-picker.js";

/** How many files are read at most; folders of photographs are not what is meant. */
const MOST_FILES = 2000;

export class InsightsGames {
  /** @type {ToldGame[]} */
  games = [];
  /** @type {LeftOut} */
  leftOut = { other_sizes: 0, fewest: 0, without_moves: 0, twice: 0 };
  /** @type {string[]} what could not be read, a sentence each */
  problems = [];
  /** @type {Set<string>} what tells each game from the others */
  #known = new Set();

  /** Reads files one after the other; in a folder there may be anything. @param {{name: string, content: Blob | string}[]} files @param {() => void} changed */
  async read(files, changed) {
    for (const { name, content } of files.slice(0, MOST_FILES)) {
      try {
        this.#take(await json(`/api/insights/games?name=${encodeURIComponent(name)}`, { raw: content }), name);
      } catch (error) {
        this.problems.push(`${name}: ${/** @type {Error} */ (error).message}`);
      }
      changed();
    }
    if (files.length > MOST_FILES) this.problems.push(t("ins.manyfiles", { n: MOST_FILES }));
  }

  /** Takes the games that were played here and are over. */
  async played() {
    /** @type {PlayedGames} */
    const { games } = await json("/api/insights/played");
    for (const { created, people, ...game } of games) {
      const named = { ...game, date: new Date(created).toISOString().slice(0, 10) };
      // Whoever plays a computer is the one who asks; two people on one screen are told apart by their sides.
      const [color, other] = people;
      if (!other && !givenName(named[color], color)) named[color] = t("ins.me");
      this.#add(named);
    }
    return games.length;
  }

  /** @param {GamesFound} found @param {string} name */
  #take({ games, left_out, problems }, name) {
    // Moves without names have sides all the same.
    for (const game of games) this.#add(game.black || game.white ? game : { ...game, black: t("black"), white: t("white") });
    for (const kind of /** @type {(keyof LeftOut)[]} */ (Object.keys(left_out))) this.leftOut[kind] += left_out[kind];
    for (const { game, message } of problems) this.problems.push(`${name}, ${game}: ${message}`);
  }

  /** @param {ToldGame} game */
  #add(game) {
    const key = [game.black, game.white, game.moves].join("|").toLowerCase();
    if (this.#known.has(key)) this.leftOut.twice += 1;
    else this.games.push(game);
    this.#known.add(key);
  }

  /** Who played, those of most games first. @returns {[string, number][]} */
  names() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { black, white } of this.games) for (const name of new Set([black, white])) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].sort(([one, a], [other, b]) => b - a || one.localeCompare(other));
  }

  /** The games in which a name like this one plays; the engine says whom it means. @param {string} name */
  of(name) {
    const exact = this.games.filter(({ black, white }) => black === name || white === name);
    return exact.length ? exact : this.games;
  }
}
