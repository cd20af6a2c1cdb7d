/** My games: what goes on, what has ended, and what one may do with it. */

/** @import {Color, MyGame} from "../types.js" */
import { toast } from "../announce.js";
import * as api from "../api.js";
import { download, fill, h, select } from "../dom.js";
import { t } from "../i18n.js";
import { exported, myGames, opponentIn, resultOf, reviewLink, waits } from "../my-games.js";
import { reviewed } from "../verdicts-kept.js";

/** @type {[string, string][]} formats that hold many games */
const FORMATS = [
  ["pgn", "PGN"],
  ["sgf", "SGF"],
  ["ggf", "GGF"],
];
/** Rows that are shown at first; a button shows more. */
const ROWS = 50;

/** @type {import("../route.js").ViewMaker} */
export default async function mine(place) {
  const list = h("div", { class: "stack" });
  /** @type {MyGame[]} */
  let games = [];
  let format = "pgn";
  let shown = ROWS;
  const draw = () => {
    const going = games.filter(({ status }) => status !== "over");
    const over = games.filter(({ status }) => status === "over");
    fill(
      list,
      games.length ? null : h("p", { class: "empty" }, t("mine.none")),
      going.length ? section(t("mine.going", { n: going.length }), going, true) : null,
      over.length ? section(t("mine.over", { n: over.length }), over.slice(0, shown), false) : null,
      over.length > shown ? h("button", { type: "button", onclick: () => more() }, t("mine.more", { n: over.length - shown })) : null,
      games.length ? afterwards(over) : null,
    );
  };
  const more = () => {
    shown += ROWS;
    draw();
  };
  /** @param {() => Promise<void>} work */
  const tried = async (work) => {
    try {
      await work();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    games = await myGames();
    draw();
  };
  /** @param {MyGame[]} unwanted */
  const remove = (unwanted) =>
    tried(async () => {
      // A game of two people belongs to both: it leaves this list only.
      for (const { id, may } of unwanted) {
        if (may.includes("delete")) await api.deleteGame(id);
        api.tokens.forget(id);
      }
    });
  /** @param {string} title @param {MyGame[]} rows @param {boolean} going */
  const section = (title, rows, going) =>
    h(
      "section",
      { class: "card stack" },
      h("h2", null, title),
      h(
        "ul",
        { class: "my-games" },
        rows.map((game) => row(game, going, () => void remove([game]))),
      ),
    );
  /** @param {MyGame[]} over */
  const afterwards = (over) =>
    h(
      "section",
      { class: "card stack" },
      h("p", { class: "hint" }, t(api.alone ? "mine.keptalone" : "mine.kept")),
      h(
        "div",
        { class: "row" },
        select({ label: t("ana.format"), value: format, options: FORMATS, onchange: (chosen) => (format = chosen) }),
        h("button", { type: "button", onclick: () => void tried(async () => download(await exported(games, format), `my-games.${format}`)) }, t("mine.export")),
        over.length ? sureButton(t("mine.deleteall", { n: over.length }), () => void remove(over)) : null,
      ),
    );
  try {
    games = await myGames();
    draw();
  } catch (error) {
    fill(list, h("p", { class: "empty error" }, /** @type {Error} */ (error).message));
  }
  place.append(
    h(
      "div",
      { class: "page" },
      h(
        "header",
        null,
        h("h1", null, t("mine.title")),
        h(
          "div",
          { class: "row" },
          h("a", { class: "button", href: "#/study" }, t("nav.study")),
          h("a", { class: "button primary", href: "#/" }, t("lobby.new")),
        ),
      ),
      list,
    ),
  );
  return { title: t("mine.title") };
}

/** @param {MyGame} game @param {boolean} going @param {() => void} remove */
function row(game, going, remove) {
  const color = game.you.length === 1 ? game.you[0] : null;
  return h(
    "li",
    { class: waits(game) ? "waits" : null },
    color
      ? h("span", { class: `chip ${color}`, role: "img", "aria-label": t("mine.as", { color: t(color) }) })
      : h("span", { class: "chip both", "aria-hidden": "true" }),
    h(
      "div",
      { class: "what" },
      h("a", { href: `#/game/${game.id}`, class: "opponent" }, opponentIn(game)),
      h("span", { class: "hint" }, [moment(game.created), `${game.size} × ${game.size}`, accuracy(game, color)].filter(Boolean).join(" · ")),
    ),
    h("span", { class: `result ${outcome(game)}` }, going ? (waits(game) ? t("mine.yourturn") : t("mine.move", { n: discs(game) })) : resultOf(game)),
    h(
      "div",
      { class: "row" },
      going
        ? h("a", { class: waits(game) ? "button primary" : "button", href: `#/game/${game.id}` }, t("mine.continue"))
        : h("a", { class: "button", href: `${reviewLink(game)}&review=1` }, t("ana.reviewbutton")),
      h("button", { type: "button", onclick: () => void save(game), "aria-label": t("mine.save", { name: opponentIn(game) }) }, t("ana.download")),
      sureButton(t("mine.delete"), remove),
    ),
  );
}

/** @param {MyGame} game */
const discs = ({ counts }) => counts.black + counts.white - 3;

/** @param {MyGame} game */
function outcome({ result, you }) {
  if (!result || you.length !== 1 || result.ending === "aborted") return "";
  return !result.winner ? "drawn" : you.includes(result.winner) ? "won" : "lost";
}

/** How well one played, if the game was reviewed. @param {MyGame} game @param {Color | null} color */
function accuracy({ size, transcript }, color) {
  const found = color && reviewed(size, transcript)?.accuracy[color];
  return typeof found === "number" ? `${t("ana.accuracy")} ${found.toFixed(1)}%` : "";
}

/** @param {number} at */
const moment = (at) => new Date(at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

/** @param {MyGame} game */
async function save(game) {
  try {
    download(await (await api.gameFile(game.id, "pgn")).blob(), `${moment(game.created).replace(/[^\d]+/g, "-")}.pgn`);
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

/** A button that asks once more before it does what cannot be undone. @param {string} text @param {() => void} act */
function sureButton(text, act) {
  const place = h("span", { class: "row" });
  const ask = () => {
    const yes = h("button", { type: "button", class: "danger", onclick: act }, t("mine.sure"));
    fill(place, yes, h("button", { type: "button", class: "quiet", onclick: idle }, t("game.no")));
    yes.focus();
  };
  const idle = () => fill(place, h("button", { type: "button", class: "quiet", onclick: ask }, text));
  idle();
  return place;
}
