/** One game: playing it, or watching it. */

/** @import {Analysis, Catalogue, Color, Game, Sight, Thought} from "../types.js" */
import * as api from "../api.js";
import { announce, knock, toast } from "../announce.js";
import { Board, indexOf } from "../board.js";
import { field, fill, fold, h, setText } from "../dom.js";
import { t } from "../i18n.js";
import { lineState } from "../line.js";
import { judges, overlayPanel, overlayState } from "../overlays.js";
import { permalink } from "../permalink.js";
import { playerName } from "../player-picker.js";
import { sharePanel } from "../share.js";
import { ScoreCard } from "../score-card.js";
import { change, onSettings, settings } from "../settings.js";
import { thinkingPlace } from "../thinking.js";

/** @type {import("../main.js").ViewMaker} */
export default async function gameView(place, { id }) {
  let first;
  try {
    first = await api.game(id);
  } catch (error) {
    const unknown = error instanceof api.Refused && error.status === 404;
    place.append(h("div", { class: "page" }, h("p", { class: "empty" }, unknown ? t("game.unknown") : String(error)), h("a", { class: "button", href: "#/" }, t("game.new"))));
    return { title: t("nav.play") };
  }
  const table = new Table(place, id, first, await api.players());
  return { close: () => table.close(), title: table.title() };
}

/** The names of both sides as they are shown. @param {Game} game @returns {Record<Color, string>} */
export function names(game) {
  /** @param {Color} color */
  const name = (color) => {
    const { name: given, player, kind } = game.players[color];
    if (kind === "computer") return given && given !== player ? given : playerName(player ?? "");
    return given || t(color);
  };
  return { black: name("black"), white: name("white") };
}

class Table {
  /**
   * @param {HTMLElement} place
   * @param {string} id
   * @param {Sight} sight
   * @param {Catalogue} catalogue
   */
  constructor(place, id, sight, catalogue) {
    this.id = id;
    this.sight = sight;
    this.skew = sight.now - Date.now();
    /** @type {Thought | null} */
    this.thought = null;
    /** @type {string[] | null} */
    this.line = null;
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {import("../overlays.js").Chosen} */
    this.chosen = { overlay: "none", evaluate: false, judge: judges(catalogue)[0][0] };
    this.message = "";
    this.sure = false;
    this.linked = true;
    this.board = new Board({ onplay: (square) => this.play(square), onwrong: () => this.wrong() });
    this.score = new ScoreCard();
    this.status = h("div", { class: "status card" });
    this.actions = h("div", { class: "actions" });
    this.moves = h("div", { class: "moves" });
    this.seat = h("div", { class: "stack" });
    this.thinking = h("div");
    this.showThought = thinkingPlace(this.thinking, (line) => {
      this.line = line;
      this.drawBoard();
    });
    const { mode } = sight.game;
    this.sharing = mode === "link" ? fold("share", t("game.share"), sight.game.status === "open", sharePanel(id)) : fold("watchlink", t("game.watchlink"), false, sharePanel(id, true));
    const fair = mode !== "link" || sight.you.seats.length === 0;
    this.heading = h("h1", { class: "visually-hidden" }, this.title());
    place.append(h("div", { class: "table game" },
      this.heading,
      h("div", { class: "board-place" }, this.board.element),
      this.score.element, this.status,
      h("div", { class: "side" },
        this.actions, this.seat,
        mode === "link" && sight.game.status === "open" ? this.sharing : null,
        fold("moves", t("game.moves"), true, this.moves),
        mode === "computer" || mode === "watch" ? fold("thinking", t("think.title"), mode === "watch", this.thinking) : null,
        fair ? fold("overlays", t("over.title"), false, overlayPanel(this.chosen, { evaluations: true, catalogue, onchange: () => this.look() })) : null,
        mode === "link" && sight.game.status === "open" ? null : this.sharing)));
    this.wire = api.live(id, { message: (message) => this.hear(message), linked: (linked) => this.link(linked) });
    this.unlisten = onSettings(() => this.draw());
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.draw();
    if (sight.you.seats.length) this.board.focus();
  }

  close() {
    this.wire.close();
    this.score.close();
    this.unlisten();
    document.removeEventListener("keydown", this.keys);
  }

  get game() {
    return this.sight.game;
  }

  title() {
    const { black, white } = names(this.game);
    return `${black} – ${white}`;
  }

  /** @param {string} what */
  may(what) {
    return this.sight.you.may.includes(what);
  }

  /** @param {any} message */
  hear(message) {
    if (message.type === "game") this.take(message);
    else if (message.type === "thinking") {
      this.thought = message;
      this.showThought(this.thought);
    }
  }

  /** @param {boolean} linked */
  link(linked) {
    this.linked = linked;
    this.drawStatus();
  }

  /** Takes news of the game. @param {Sight} sight */
  take(sight) {
    const before = this.sight;
    if (sight.game.id !== this.id || sight.game.version < before.game.version) return;
    this.sight = sight;
    this.skew = sight.now - Date.now();
    if (sight.game.version !== before.game.version) {
      this.message = "";
      this.analysis = null;
      this.tell(before.game);
      void this.look();
    }
    this.draw();
  }

  /** Says what happened since. @param {Game} before */
  tell(before) {
    const { game } = this;
    const who = names(game);
    if (game.last && (game.last.ply !== before.last?.ply || game.last.square !== before.last.square)) {
      knock(game.last.color === "black" ? 300 : 380);
      announce(t("game.played", { name: who[game.last.color], move: game.last.square, n: game.last.flips.length }));
      for (const color of game.passes) announce(t("game.pass", { name: who[color] }));
    }
    if (game.result && !before.result) {
      announce(this.ending().join(". "));
      announce(this.counts());
    } else if (game.turn && game.turn !== before.turn) announce(t("game.turn", { name: who[game.turn] }));
    if (game.undo_offer && !before.undo_offer && this.may("answer_undo")) announce(t("game.undooffer", { name: who[game.undo_offer.by] }));
    if (game.status === "playing" && before.status === "open") this.sharing.open = false;
  }

  /** @param {string} square */
  async play(square) {
    const { game } = this;
    const legal = game.legal.find((move) => move.square === square);
    if (!legal || !game.turn || !this.may("move")) return;
    const disc = game.turn === "black" ? "X" : "O";
    const cells = [...game.cells];
    for (const turned of [square, ...legal.flips]) cells[indexOf(turned, game.size)] = disc;
    this.message = "";
    // Shown at once; the server's answer follows.
    this.board.show({ size: game.size, cells: cells.join(""), last: square, turned: legal.flips });
    await this.act("moves", { move: square, ply: game.ply + 1 });
  }

  wrong() {
    if (!this.may("move") || this.game.status !== "playing") return;
    this.message = t("game.wrong");
    announce(this.message);
    this.drawStatus();
  }

  /**
   * @param {string} what
   * @param {object} [body]
   */
  async act(what, body) {
    this.sure = false;
    try {
      const sight = await api.act(this.id, what, body);
      if (sight.game.id !== this.id) location.hash = `#/game/${sight.game.id}`;
      else this.take(sight);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      this.draw();
    }
  }

  async sit() {
    await this.act("join", { name: settings.name.trim() || undefined });
    this.wire.hello();
    this.board.focus();
  }

  /** Asks for what the overlays need. */
  async look() {
    const { game, chosen } = this;
    if ((chosen.overlay === "none" && !chosen.evaluate) || game.status === "open") {
      this.analysis = null;
      this.drawBoard();
      return;
    }
    const { version } = game;
    try {
      const analysis = await api.analyse({
        position: `${game.start} ${game.start_turn === "black" ? "X" : "O"}`, moves: game.moves.map(({ move }) => move),
        overlays: chosen.overlay !== "none", player: chosen.evaluate && game.status === "playing" ? chosen.judge : null, time_ms: 1000,
      });
      if (version === this.game.version) this.analysis = analysis;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.drawBoard();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!(event.ctrlKey || event.metaKey) || (event.target instanceof HTMLElement && event.target.matches("input, textarea"))) return;
    const key = event.key.toLowerCase();
    const what = key === "z" && !event.shiftKey ? "undo" : key === "y" || key === "z" ? "redo" : null;
    if (!what || !this.may(what)) return;
    event.preventDefault();
    void this.act(what);
  }

  draw() {
    const { game } = this;
    const who = names(game);
    /** @param {Color} color */
    const note = (color) => {
      const seat = game.players[color];
      if (seat.kind === "computer") return seat.player && playerName(seat.player) !== who[color] ? playerName(seat.player) : t("game.computer");
      if (!seat.taken) return t("lobby.free");
      if (this.sight.you.seats.length === 1 && this.sight.you.seats[0] === color) return t("game.you");
      return seat.connected || game.mode !== "link" ? "" : t("game.away");
    };
    this.score.show({
      black: { name: who.black, note: note("black") }, white: { name: who.white, note: note("white") },
      counts: game.counts, turn: game.status === "playing" ? game.turn : null, clock: game.clock, skew: this.skew,
    });
    setText(this.heading, this.title());
    this.drawBoard();
    this.drawStatus();
    this.drawActions();
    this.drawSeat();
    this.drawMoves();
    this.showThought(this.thought);
  }

  drawBoard() {
    const { game } = this;
    const mine = this.may("move");
    const lined = this.line && this.thought ? lineState(this.line, this.thought.color) : {};
    this.board.show({
      size: game.size, cells: game.cells, legal: mine ? game.legal : [],
      shown: mine || this.sight.you.seats.length === 0 ? game.legal : [],
      last: game.last?.square ?? null, turned: game.last?.flips ?? [], ...overlayState(this.analysis, this.chosen), ...lined,
    });
  }

  /** What is said at the end, most important first. */
  ending() {
    const { game } = this;
    const { result } = game;
    if (!result) return [];
    if (result.ending === "aborted") return [t("game.aborted")];
    const who = names(game);
    const how = result.ending === "resigned" ? ` ${t("game.resigned")}` : result.ending === "timeout" ? ` ${t("game.timeout")}` : "";
    const said = [`${t("game.over")} ${result.winner ? t("game.won", { name: who[result.winner] }) + how : t("game.nobody")}`];
    if (game.mode === "computer" && this.sight.you.seats.length === 1) {
      said.push(!result.winner ? t("game.tie") : this.sight.you.seats.includes(result.winner) ? t("game.beat") : t("game.lost"));
    }
    return said;
  }

  counts() {
    const who = names(this.game);
    return t("game.counts", { p1: who.black, n: this.game.counts.black, p2: who.white, m: this.game.counts.white });
  }

  drawStatus() {
    const { game } = this;
    const who = names(game);
    const lines = [];
    if (!this.linked) lines.push(h("p", { class: "error" }, t("game.offline")));
    if (game.result) {
      const [head, ...rest] = this.ending();
      lines.push(h("p", { class: "headline" }, head), h("p", { class: "tally" }, this.counts()), ...rest.map((text) => h("p", null, text)));
      lines.push(this.afterwards());
    } else if (game.status === "open") lines.push(h("p", { class: "headline" }, t("game.waiting")));
    else if (game.turn) {
      for (const color of game.passes) lines.push(h("p", { class: "pass" }, t("game.pass", { name: who[color] })));
      lines.push(h("p", { class: "headline" }, game.paused ? `${t("game.paused")} · ` : "",
        game.thinking ? h("span", { class: "thinking" }, t("game.thinking", { name: who[game.turn] })) : t("game.turn", { name: who[game.turn] })));
      lines.push(h("p", { class: this.message ? "error" : "tally" }, this.message || this.counts()));
      if (this.sight.you.seats.length === 0) lines.push(h("p", { class: "hint" }, t("game.watching"), game.watchers > 1 ? ` · ${t("game.watchers", { n: game.watchers })}` : ""));
    }
    const offer = game.undo_offer;
    if (offer && this.may("answer_undo")) {
      lines.push(h("div", { class: "row offer" }, h("span", { class: "grow" }, t("game.undooffer", { name: who[offer.by] })),
        h("button", { type: "button", class: "primary", onclick: () => this.act("undo/answer", { accept: true }) }, t("game.accept")),
        h("button", { type: "button", onclick: () => this.act("undo/answer", { accept: false }) }, t("game.decline"))));
    } else if (offer) lines.push(h("p", { class: "hint" }, t("game.undoasked")));
    redraw(this.status, lines);
  }

  /** Buttons after the end. */
  afterwards() {
    const { game } = this;
    const who = names(game);
    const review = permalink({ size: game.size, start: game.start, startTurn: game.start_turn, objective: game.variant.objective, moves: game.moves.map(({ move }) => move), ply: game.ply, names: who });
    const next = game.rematch?.game;
    const asked = game.rematch?.offered_by;
    const byMe = asked && this.sight.you.seats.includes(asked);
    if (next && !api.tokens.of(next)) {
      const token = api.tokens.of(this.id);
      if (token && this.sight.you.seats.length) api.tokens.keep(next, token);
    }
    return h("div", { class: "stack" },
      asked && !next && !byMe ? h("p", null, t("game.rematchoffer", { name: who[asked] })) : null,
      h("div", { class: "row" },
        next ? h("a", { class: "button primary", href: `#/game/${next}` }, t("game.torematch")) : null,
        this.may("rematch") ? h("button", { type: "button", class: "primary", onclick: () => this.act("rematch") }, t("game.rematch")) : null,
        byMe && !next ? h("span", { class: "hint" }, t("game.rematchasked")) : null,
        h("a", { class: "button", href: `${review}&review=1` }, t("game.review")),
        h("a", { class: "button quiet", href: "#/" }, t("game.new"))));
  }

  drawActions() {
    const { game } = this;
    /** @param {string} text @param {string} what @param {object} [body] */
    const button = (text, what, body) => h("button", { type: "button", disabled: !this.may(what), onclick: () => this.act(what, body) }, text);
    const seated = this.sight.you.seats.length > 0;
    const computers = game.mode === "watch" || game.mode === "computer";
    const over = game.status === "over";
    redraw(this.actions, [
      seated && !over ? button(game.mode === "link" ? t("game.askundo") : t("game.undo"), "undo") : null,
      seated && !over && game.mode !== "link" ? button(t("game.redo"), "redo") : null,
      computers && this.sight.you.host && !over ? button(game.paused ? t("game.resume") : t("game.pausebutton"), "pause", { paused: !game.paused }) : null,
      computers && this.sight.you.host && !over && (game.paused || game.mode === "watch") ? button(t("game.step"), "step") : null,
      this.may("close") ? button(t("game.close"), "close") : null,
      seated && game.status === "playing" && !this.sure ? h("button", { type: "button", class: "quiet", disabled: !this.may("resign"), onclick: () => this.ask() }, t("game.resign")) : null,
      this.sure ? h("span", { class: "row offer" }, t("game.resignsure"),
        h("button", { type: "button", class: "primary", onclick: () => this.act("resign") }, t("game.yes")),
        h("button", { type: "button", onclick: () => this.ask(false) }, t("game.no"))) : null,
    ]);
  }

  ask(sure = true) {
    this.sure = sure;
    this.drawActions();
  }

  drawSeat() {
    const free = /** @type {Color[]} */ (["black", "white"]).find((color) => !this.game.players[color].taken);
    const open = this.may("join") && free;
    if (!open) {
      redraw(this.seat, []);
      return;
    }
    if (this.seat.childElementCount) return;
    fill(this.seat, h("form", { class: "card stack", onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.sit();
    } },
    field({ label: t("game.yourname"), value: settings.name, maxlength: 40, autocomplete: "nickname", onchange: (name) => change({ name }) }),
    h("button", { class: "primary" }, t("game.sit", { color: t(free) }))));
  }

  drawMoves() {
    const { game } = this;
    if (!game.moves.length) {
      redraw(this.moves, [h("p", { class: "hint" }, t("game.nomoves"))]);
      return;
    }
    const list = h("ol", { class: "move-list" }, game.moves.map((move, index) =>
      h("li", { class: `${move.color}${index === game.moves.length - 1 ? " now" : ""}` },
        h("span", { class: "ply" }, move.ply), h("span", { class: `chip ${move.color}`, "aria-hidden": "true" }),
        h("span", { class: "mono" }, move.move === "pass" ? t("game.passmove") : move.move))));
    redraw(this.moves, [list]);
    list.scrollTop = list.scrollHeight;
  }
}

/**
 * Replaces what is shown only where it differs, so that buttons keep the keyboard.
 * @param {HTMLElement} place
 * @param {import("../dom.js").Child[]} children
 */
function redraw(place, children) {
  const made = h("div");
  fill(made, children);
  if (made.innerHTML === place.innerHTML && !made.querySelector("button")) return;
  const focused = place.contains(document.activeElement) ? document.activeElement?.textContent : null;
  place.replaceChildren(...made.childNodes);
  if (focused) [...place.querySelectorAll("button")].find((button) => button.textContent === focused && !button.disabled)?.focus();
}
