/** Two players against each other, game after game, with a running score. */

/** @import {Catalogue, Color, Counts} from "./types.js" */
import { announce, toast } from "./announce.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { field, fill, h, select } from "./dom.js";
import { t } from "./i18n.js";
import { permalink } from "./permalink.js";
import { isKnown, playerName, playerPicker, usualPlayer } from "./player-picker.js";
import { ScoreCard } from "./score-card.js";
import { startOptions } from "./start-options.js";

/** @typedef {{game: number, black: "first" | "second", winner: "first" | "second" | null, counts: Counts, transcript: string}} Finished */

const SIZES = [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26];

/**
 * @param {HTMLElement} place
 * @param {Catalogue} catalogue
 * @param {URLSearchParams} query may name the players, the size and the other terms, and say that it is to begin
 * @param {(address: URLSearchParams) => void} tell what the state is called now
 */
export function duelBench(place, catalogue, query, tell) {
  const terms = { first: "s4-judge", second: "s4-myjudge", size: 6, games: 10, opening_plies: 2, seed: 1, start: "standard" };
  if (!isKnown(catalogue, terms.first)) Object.assign(terms, { first: "greedy", second: usualPlayer(catalogue) });
  for (const who of /** @type {const} */ (["first", "second"])) terms[who] = query.get(who) ?? terms[who];
  if (SIZES.includes(Number(query.get("size")))) terms.size = Number(query.get("size"));
  for (const key of /** @type {const} */ (["games", "opening_plies", "seed"])) if (/^\d{1,9}$/.test(query.get(key) ?? "")) terms[key] = Number(query.get(key));
  if (startOptions(terms.size).some(([start]) => start === query.get("start"))) terms.start = query.get("start") ?? terms.start;
  /** Puts the terms into the address: the same seed plays the same games. */
  const tellTerms = () => tell(new URLSearchParams(Object.entries(terms).map(([key, value]) => [key, String(value)])));
  const board = new Board({ bare: true });
  const score = new ScoreCard();
  const standing = h("p", { class: "headline", role: "status" });
  const bar = h("div", { class: "duel-bar", "aria-hidden": "true" }, h("span", { class: "won" }), h("span", { class: "drawn" }));
  const list = h("ol", { class: "duel-games", tabindex: "0", "aria-label": t("lab.games") });
  const button = h("button", { type: "button", class: "primary", onclick: () => (hanging ? stop() : run()) }, t("lab.start"));
  /** @type {AbortController | null} */
  let hanging = null;

  const name = (/** @type {"first" | "second"} */ who) => playerName(terms[who]);
  const stop = () => {
    hanging?.abort();
    hanging = null;
    fill(button, t("lab.start"));
  };
  /** @param {{wins: number, draws: number, losses: number}} now */
  const tally = ({ wins, draws, losses }) => {
    const all = Math.max(1, wins + draws + losses);
    fill(standing, `${name("first")}: ${t("lab.standing", { wins, draws, losses })}`);
    bar.style.setProperty("--won", `${(100 * wins) / all}%`);
    bar.style.setProperty("--drawn", `${(100 * draws) / all}%`);
  };
  /** @param {Finished} game */
  const finished = (game) => {
    const { black, white } = game.counts;
    const result = game.winner ? t("lab.result", { winner: name(game.winner), black, white }) : t("lab.draw1", { black, white });
    const moves = game.transcript.match(/[a-z]\d{1,2}/g) ?? [];
    const names = { black: name(game.black), white: name(game.black === "first" ? "second" : "first") };
    const link = permalink({
      size: terms.size,
      start: null,
      startTurn: "black",
      objective: "most",
      opening: terms.start === "mirrored" ? "mirrored" : "standard",
      moves,
      ply: moves.length,
      names,
    });
    list.prepend(h("li", null, h("span", null, `${t("lab.game", { n: game.game })}: ${result}`), " ", h("a", { href: link }, t("lab.look"))));
  };

  async function run() {
    const mine = new AbortController();
    hanging = mine;
    fill(button, t("lab.stop"));
    fill(list);
    tally({ wins: 0, draws: 0, losses: 0 });
    try {
      for await (const news of api.lines(
        "/api/duels",
        { ...terms, opening_plies: terms.start === "balanced" ? 0 : terms.opening_plies, board: true },
        mine.signal,
      )) {
        if (news.type === "position") {
          board.show({ size: terms.size, cells: news.cells, last: news.move === "pass" ? null : news.move });
          const other = news.black === "first" ? "second" : "first";
          score.show({
            black: { name: name(news.black), note: "" },
            white: { name: name(other), note: "" },
            counts: news.counts,
            turn: /** @type {Color} */ (news.color),
            clock: null,
            skew: 0,
          });
        } else if (news.type === "game") {
          finished(news);
          tally(news.standing);
        } else if (news.type === "end") {
          tally(news.standing);
          announce(standing.textContent ?? "");
        } else if (news.type === "error") toast(news.error.message);
      }
    } catch (error) {
      if (!(error instanceof DOMException)) toast(/** @type {Error} */ (error).message);
    }
    if (hanging === mine) stop();
  }

  const whole = (/** @type {"games" | "opening_plies" | "seed"} */ key) => (/** @type {string} */ value) => {
    terms[key] = Math.max(0, Math.floor(Number(value)) || 0);
    tellTerms();
  };
  const blank = () => {
    api.analyse({ size: terms.size, moves: "" }).then(
      ({ position }) => {
        // A duel that has begun meanwhile shows its own boards.
        if (hanging || list.childElementCount) return;
        board.show({ size: position.size, cells: position.cells });
        score.show({
          black: { name: name("first"), note: "" },
          white: { name: name("second"), note: "" },
          counts: position.counts,
          turn: null,
          clock: null,
          skew: 0,
        });
      },
      (error) => toast(error.message),
    );
  };
  /** @param {Partial<typeof terms>} others */
  const change = (others) => {
    Object.assign(terms, others);
    tellTerms();
  };
  const openings = h("div");
  const chooseOpening = () => {
    if (terms.size !== 8 && terms.start === "balanced") terms.start = "standard";
    fill(openings, select({ label: t("start.start"), value: terms.start, options: startOptions(terms.size), onchange: (start) => change({ start }) }));
  };
  chooseOpening();
  place.append(
    h(
      "div",
      { class: "duel-bench" },
      h(
        "div",
        { class: "stack card" },
        h("p", { class: "muted" }, t("lab.duellead")),
        playerPicker(catalogue, { label: t("lab.first"), value: terms.first, onchange: (first) => change({ first }) }),
        playerPicker(catalogue, { label: t("lab.second"), value: terms.second, onchange: (second) => change({ second }) }),
        h(
          "div",
          { class: "pair" },
          select({
            label: t("start.size"),
            value: String(terms.size),
            options: SIZES.map((n) => [String(n), `${n} × ${n}`]),
            onchange: (size) => {
              change({ size: Number(size) });
              chooseOpening();
              blank();
            },
          }),
          openings,
          field({ label: t("lab.games"), value: String(terms.games), type: "number", min: 1, max: 1000, onchange: whole("games") }),
          field({ label: t("lab.openingplies"), value: String(terms.opening_plies), type: "number", min: 0, max: 20, onchange: whole("opening_plies") }),
          field({ label: t("lab.seed"), value: String(terms.seed), type: "number", min: 0, onchange: whole("seed") }),
        ),
        button,
      ),
      h("div", { class: "board-place duel-board" }, board.element),
      h("div", { class: "stack" }, score.element, h("div", { class: "card stack" }, standing, bar, list)),
    ),
  );
  blank();
  tellTerms();
  if (query.get("go") === "1") void run();
  return {
    close: () => {
      stop();
      score.close();
    },
  };
}
