/** What is said about a game: whose turn it is, who had to pass, how it ended, what is asked. */

/** @import {Color, Game, Sight} from "./types.js" */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { permalink } from "./permalink.js";
import { givenName, playerName } from "./player-picker.js";

/** The names of both sides as they are shown. @param {Game} game @returns {Record<Color, string>} */
export function names(game) {
  /** @param {Color} color */
  const name = (color) => {
    const { name: given, player, kind } = game.players[color];
    if (kind === "computer") return given && given !== player ? given : playerName(player ?? "");
    return givenName(given, color) || t(color);
  };
  return { black: name("black"), white: name("white") };
}

/** The names that a link carries: none for people who gave none, so that each reader sees the colours in their language. @param {Game} game */
function linkNames(game) {
  const shown = names(game);
  /** @param {Color} color */
  const name = (color) => (game.players[color].kind === "computer" || givenName(game.players[color].name, color) ? shown[color] : "");
  return { black: name("black"), white: name("white") };
}

/** What stands beside a name. @param {Sight} sight @param {Color} color */
export function seatNote({ game, you }, color) {
  const seat = game.players[color];
  if (seat.kind === "computer") return seat.player && playerName(seat.player) !== names(game)[color] ? playerName(seat.player) : t("game.computer");
  if (!seat.taken) return t("lobby.free");
  if (you.seats.length === 1 && you.seats[0] === color) return t("game.you");
  return seat.connected || game.mode !== "link" ? "" : t("game.away");
}

/** How much time both have. @param {Game["clock"]} clock */
export const clockText = (clock) =>
  clock ? t("start.clockminutes", { minutes: clock.main_ms / 60_000, seconds: clock.increment_ms / 1000 }) : t("start.noclock");

/** Both counts in a sentence. @param {Game} game */
export function counts(game) {
  const who = names(game);
  return t("game.counts", { p1: who.black, n: game.counts.black, p2: who.white, m: game.counts.white });
}

/** Whether one of the earlier programs plays, whose words are kept. @param {Game} game */
const isClassic = ({ players }) => [players.black, players.white].some(({ player }) => /^s\d/.test(player ?? ""));

/** What is said at the end, most important first. @param {Sight} sight */
export function ending(sight) {
  const { game, you } = sight;
  const { result } = game;
  if (!result) return [];
  if (result.ending === "aborted") return [t("game.aborted")];
  const how = result.ending === "resigned" ? t("game.resigned") : result.ending === "timeout" ? t("game.timeout") : "";
  return isClassic(game) ? classicEnding(sight, how) : [plainEnding(game, you.seats.length === 1 ? you.seats[0] : null, how)];
}

/** The end as the earlier programs say it. @param {Sight} sight @param {string} how */
function classicEnding({ game, you }, how) {
  const winner = game.result?.winner ?? null;
  const said = [`${t("game.over")} ${winner ? [t("game.won", { name: names(game)[winner] }), how].join(" ").trim() : t("game.nobody")}`];
  if (game.mode === "computer" && you.seats.length === 1) said.push(!winner ? t("game.tie") : you.seats.includes(winner) ? t("game.beat") : t("game.lost"));
  return said;
}

/** The end in plain words, own discs first. @param {Game} game @param {Color | null} me @param {string} how if it was not by counting */
function plainEnding(game, me, how) {
  const winner = game.result?.winner ?? null;
  const first = me ?? winner ?? "black";
  const gaps = { mine: game.counts[first], theirs: game.counts[first === "black" ? "white" : "black"], name: winner ? names(game)[winner] : "", how };
  if (!winner) return t("end.draw", gaps);
  if (me) return t(winner === me ? (how ? "end.youwonby" : "end.youwon") : how ? "end.youlostby" : "end.youlost", gaps);
  return t(how ? "end.wonby" : "end.won", gaps);
}

/** What is said of a pass. @param {Sight} sight @param {Color} color */
export function passText({ game, you }, color) {
  const name = names(game)[color];
  if (isClassic(game)) return t("game.pass", { name });
  return you.seats.length === 1 && you.seats[0] === color ? t("pass.you") : t("pass.other", { name });
}

/** What is said of a square where nothing can be played. @param {Game} game */
export const wrongText = (game) => t(isClassic(game) ? "game.wrong" : "game.notlegal");

/**
 * The lines of the status panel.
 * @param {Sight} sight
 * @param {{linked: boolean, unsent?: string, message: string, hint: string, act: (what: string, body?: object) => void}} on
 */
export function statusLines(sight, { linked, unsent, message, hint, act }) {
  const { game, you } = sight;
  const who = names(game);
  const lines = [linked ? null : h("p", { class: "error" }, t("game.offline")), unsent ? h("p", { class: "hint" }, t("game.unsent", { move: unsent })) : null];
  if (game.result) {
    const [head, ...rest] = ending(sight);
    lines.push(
      h("p", { class: "headline" }, head),
      h("p", { class: "tally" }, counts(game)),
      ...rest.map((text) => h("p", null, text)),
      afterwards(sight, act),
    );
  } else if (game.status === "open") lines.push(h("p", { class: "headline" }, t("game.waiting")));
  else if (game.turn) {
    for (const color of passed(sight)) lines.push(h("p", { class: "pass" }, passText(sight, color)));
    lines.push(
      h(
        "p",
        { class: "headline" },
        game.paused ? `${t("game.paused")} · ` : "",
        game.thinking ? h("span", { class: "thinking" }, t("game.thinking", { name: who[game.turn] })) : t("game.turn", { name: who[game.turn] }),
      ),
    );
    const others = game.watchers > (you.seats.length ? 0 : 1) ? t("game.watchers", { n: game.watchers }) : "";
    // In one line with the counts: a line more would move what somebody is about to press.
    lines.push(h("p", { class: message ? "error" : "tally" }, message || [counts(game), others].filter(Boolean).join(" · ")));
    if (hint) lines.push(h("p", { class: "advice", role: "status" }, hint));
    if (you.seats.length === 0) lines.push(h("p", { class: "hint" }, t("game.watching")));
  }
  lines.push(takeBack(sight, act));
  return lines;
}

/** Who is said to have passed: whoever did just now, and you until you move again. @param {Sight} sight */
function passed({ game, you: { seats } }) {
  const last = game.moves.findLastIndex(({ color, move }) => color === seats[0] && move !== "pass");
  const mine = seats.length === 1 && game.moves.slice(last + 1).some(({ color }) => color === seats[0]);
  return new Set([...game.passes, ...(mine ? seats : [])]);
}

/** A take-back that was asked for. @param {Sight} sight @param {(what: string, body?: object) => void} act */
function takeBack({ game, you }, act) {
  const offer = game.undo_offer;
  if (!offer) return null;
  if (!you.may.includes("answer_undo")) return h("p", { class: "hint" }, t("game.undoasked"));
  return h(
    "div",
    { class: "row offer" },
    h("span", { class: "grow" }, t("game.undooffer", { name: names(game)[offer.by] })),
    h("button", { type: "button", class: "primary", onclick: () => act("undo/answer", { accept: true }) }, t("game.accept")),
    h("button", { type: "button", onclick: () => act("undo/answer", { accept: false }) }, t("game.decline")),
  );
}

/** The address of the review of a game. @param {Game} game */
export const reviewAddress = (game) =>
  permalink({
    size: game.size,
    start: game.start,
    startTurn: game.start_turn,
    objective: game.variant.objective,
    moves: game.moves.map(({ move }) => move),
    ply: game.ply,
    names: linkNames(game),
  });

/** Buttons after the end. @param {Sight} sight @param {(what: string) => void} act */
function afterwards({ game, you }, act) {
  const who = names(game);
  const next = game.rematch?.game;
  const asked = game.rematch?.offered_by;
  const byMe = asked && you.seats.includes(asked);
  return h(
    "div",
    { class: "stack" },
    asked && !next && !byMe ? h("p", null, t("game.rematchoffer", { name: who[asked] })) : null,
    h(
      "div",
      { class: "row" },
      next ? h("a", { class: "button primary", href: `#/game/${next}` }, t("game.torematch")) : null,
      you.may.includes("rematch") ? h("button", { type: "button", class: "primary", onclick: () => act("rematch") }, t("game.rematch")) : null,
      byMe && !next ? h("span", { class: "hint" }, t("game.rematchasked")) : null,
      h("a", { class: "button", href: `${reviewAddress(game)}&review=1` }, t("game.review")),
      h("a", { class: "button quiet", href: "#/" }, t("game.new")),
    ),
  );
}
