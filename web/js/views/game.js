/** One game: playing it, or watching it. */

/** @import {Analysis, Color, Game, Hint, Legal, Sight, Thought} from "../types.js" */
import { announce, toast } from "../announce.js";
import * as api from "../api.js";
import { atOnce } from "../at-once.js";
import { Board, indexOf } from "../board.js";
import { companyPanel, tellCompany } from "../company.js";
import { field, fill, fold, h, redraw, setText } from "../dom.js";
import { EnginePanel } from "../engine-panel.js";
import { gameActions } from "../game-actions.js";
import { clockText, counts, ending, names, passText, reviewAddress, seatNote, statusLines, wrongText } from "../game-status.js";
import { hintSentence } from "../hint.js";
import { t } from "../i18n.js";
import { lineState } from "../line.js";
import { numbered, placedUntil } from "../move-number.js";
import { overlayPanel, overlayState } from "../overlays.js";
import { placeOf, playedMoves } from "../played-moves.js";
import { ScoreCard } from "../score-card.js";
import { change, onSettings, settings } from "../settings.js";
import { sharePanel } from "../share.js";
import { endSound, hurrySound, knock, passSound } from "../sound.js";
import { thinkingPlace } from "../thinking.js";
import { notify, titleOf } from "../your-turn.js";

/** @type {import("../route.js").ViewMaker} */
export default async function gameView(place, { id }) {
  let first;
  try {
    first = await api.game(id);
  } catch (error) {
    if (!(error instanceof api.Refused && error.status === 404)) throw error;
    place.append(h("div", { class: "page" }, h("p", { class: "empty" }, t("game.unknown")), h("a", { class: "button", href: "#/" }, t("game.new"))));
    return { title: t("nav.play") };
  }
  const table = new Table(place, id, first);
  return { opened: () => table.opened(), close: () => table.close(), title: table.title() };
}

class Table {
  /**
   * @param {HTMLElement} place
   * @param {string} id
   * @param {Sight} sight
   */
  constructor(place, id, sight) {
    this.id = id;
    this.sight = sight;
    this.skew = sight.now - Date.now();
    /** @type {Thought | null} */
    this.thought = null;
    /** @type {Partial<import("../board.js").BoardState>} a line that somebody points at */
    this.line = {};
    /** @type {Analysis | null} */
    this.analysis = null;
    /** @type {import("../overlays.js").Chosen} */
    this.chosen = { overlay: "none" };
    /** @type {import("../played-moves.js").Lookback | null} */
    this.back = null;
    /** @type {Legal | null} the move that the server has not answered yet */
    this.moving = null;
    /** @type {{square: string, ply: number} | null} the move that could not be sent yet */
    this.unsent = null;
    this.message = "";
    /** @type {string | null} a square to be played as soon as it is one's turn */
    this.premove = null;
    /** @type {{hint: Hint, line: boolean} | null} what was hinted at, and whether its line is shown too */
    this.hint = null;
    this.sure = false;
    this.closed = false;
    this.linked = true;
    this.board = new Board({ onplay: (square) => this.play(square), onwrong: (square) => this.wrong(square) });
    this.score = new ScoreCard((color) => this.sight.you.seats.includes(color) && hurrySound());
    this.said = h("div");
    /** @type {import("../after-game.js").AfterGame | null} what there is to say when the game is over */
    this.after = null;
    this.afterPlace = h("div");
    this.status = h("div", { class: "status card" }, this.said, this.afterPlace);
    this.actions = h("div", { class: "actions" });
    this.company = h("div", { class: "stack" });
    this.sound = h("div");
    this.moves = h("div", { class: "moves" });
    this.seat = h("div", { class: "stack" });
    this.thinking = h("div");
    this.showThought = thinkingPlace(this.thinking, (line) => {
      this.preview(line, this.thought?.color ?? null);
    });
    this.engine = new EnginePanel({
      draw: () => this.drawBoard(),
      preview: (line) => this.preview(line, this.back ? this.back.position.turn : this.game.turn),
      play: (square) => void this.play(square),
    });
    this.board.element.append(this.engine.bar.element);
    const { mode } = sight.game;
    this.sharing =
      mode === "link"
        ? fold("share", t("game.share"), sight.game.status === "open", sharePanel(id))
        : api.alone
          ? h("p", { class: "hint" }, t("alone.kept"))
          : fold("watchlink", t("game.watchlink"), false, sharePanel(id, true));
    /** What one may not have while one plays against a person who has not. */
    this.advice = h(
      "div",
      { class: "stack" },
      fold("game-engine", t("ana.engine"), false, this.engine.button, this.engine.element),
      fold(
        "overlays",
        t("over.title"),
        false,
        overlayPanel(this.chosen, () => this.look()),
      ),
    );
    this.heading = h("h1", { class: "visually-hidden" }, this.title());
    place.append(
      h(
        "div",
        { class: "table game" },
        this.heading,
        h("div", { class: "board-place" }, this.board.element),
        this.score.element,
        this.status,
        h(
          "div",
          { class: "side" },
          this.actions,
          this.company,
          this.sound,
          this.seat,
          mode === "link" && sight.game.status === "open" ? this.sharing : null,
          fold("moves", t("game.moves"), true, this.moves),
          mode === "computer" || mode === "watch" ? fold("thinking", t("think.title"), true, this.thinking) : null,
          this.advice,
          mode === "link" && sight.game.status === "open" ? null : this.sharing,
        ),
      ),
    );
    this.wire = api.live(id, { message: (message) => this.hear(message), linked: (linked) => this.link(linked) });
    this.unlisten = onSettings(() => this.draw());
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.keepSeat();
    this.draw();
  }

  opened() {
    this.retitle();
    this.drawMoves();
    if (this.sight.you.seats.length) this.board.welcome();
  }

  close() {
    this.closed = true;
    this.wire.close();
    this.score.close();
    this.engine.close();
    this.after?.close();
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
      this.drawThought();
    } else if (message.error?.code === "engine") {
      this.message = message.error.message;
      announce(this.message);
      this.drawStatus();
    }
  }

  /** @param {boolean} linked */
  link(linked) {
    this.linked = linked;
    this.drawStatus();
    if (linked && this.unsent) void this.send(this.unsent);
  }

  /** Sends a move; while the server is away it waits. @param {{square: string, ply: number}} move */
  async send(move) {
    this.unsent = null;
    try {
      const sight = await api.act(this.id, "moves", { move: move.square, ply: move.ply });
      this.moving = null;
      this.take(sight);
    } catch (error) {
      if (api.isAway(error)) {
        this.unsent = move;
        announce(t("game.unsent", { move: move.square }));
        this.drawStatus();
        return;
      }
      this.moving = null;
      await this.settle(move, /** @type {Error} */ (error));
      this.draw();
    }
  }

  /** What became of a move that the server did not take: perhaps it had come before the wire broke. @param {{square: string, ply: number}} move @param {Error} error */
  async settle({ square, ply }, error) {
    const stale = error instanceof api.Refused && error.code === "stale";
    const sight = stale ? await api.game(this.id).catch(() => null) : null;
    if (sight) this.take(sight);
    if (!stale) toast(error.message);
    else if (this.game.moves[ply - 1]?.move !== square) toast(t("game.lostmove", { move: square }));
  }

  /** Takes news of the game. @param {Sight} sight */
  take(sight) {
    const before = this.sight;
    if (sight.game.id !== this.id || sight.game.version < before.game.version) return;
    this.sight = sight;
    this.skew = sight.now - Date.now();
    if (sight.game.version !== before.game.version) {
      this.message = "";
      if (!this.unsent) this.moving = null;
      this.hint = null;
      this.analysis = null;
      if (sight.game.ply !== before.game.ply) this.back = null;
      this.tell(before.game);
      void this.look();
    }
    this.draw();
  }

  /** A rematch is another game with the same tokens: who sits here sits there. @returns {boolean} whether there is one for us */
  keepSeat() {
    const next = this.game.rematch?.game;
    const token = api.tokens.of(this.id);
    if (!next || !token || !this.sight.you.seats.length) return false;
    if (!api.tokens.of(next)) api.tokens.keep(next, token);
    return true;
  }

  /** Says what happened since. @param {Game} before */
  tell(before) {
    const { game } = this;
    const who = names(game);
    if (game.last && (game.last.ply !== before.last?.ply || game.last.square !== before.last.square)) {
      knock(game.last.color === "black" ? 300 : 380);
      if (game.passes.length) passSound();
      announce(t("game.played", { name: who[game.last.color], move: game.last.square, n: game.last.flips.length }));
      for (const color of game.passes) announce(passText(this.sight, color));
    }
    if (game.result && !before.result) {
      endSound();
      announce(ending(this.sight).join(". "));
      announce(counts(game));
    } else if (game.turn && game.turn !== before.turn) announce(t("game.turn", { name: who[game.turn] }));
    tellCompany(this.sight, before);
    if (this.may("move") && game.turn !== before.turn) void this.yourTurn();
    if (game.undo_offer && !before.undo_offer && this.may("answer_undo")) announce(t("game.undooffer", { name: who[game.undo_offer.by] }));
    const offer = before.undo_offer;
    if (offer && !game.undo_offer && !game.result && game.ply === before.ply && this.sight.you.seats.includes(offer.by)) {
      toast(t("game.undodeclined", { name: who[offer.by === "black" ? "white" : "black"] }));
    }
    if (game.status === "playing" && before.status === "open" && this.sharing instanceof HTMLDetailsElement) this.sharing.open = false;
    if (this.keepSeat() && !before.rematch?.game) location.hash = `#/game/${game.rematch?.game}`;
  }

  /** @param {string} square */
  async play(square) {
    const { game } = this;
    const legal = game.legal.find((move) => move.square === square);
    if (!legal || this.unsent || !this.may("move")) return;
    this.message = "";
    this.moving = legal;
    this.sure = false;
    this.drawBoard();
    await this.send({ square, ply: game.ply + 1 });
  }

  /** It is the user's turn: what was planned is played if it is legal. */
  async yourTurn() {
    const { premove, game } = this;
    this.premove = null;
    if (premove && game.legal.some(({ square }) => square === premove)) {
      await this.play(premove);
      return;
    }
    if (premove) toast(t("game.premoveoff", { square: premove }));
    if (game.last) notify(this.id, t("game.played", { name: names(game)[game.last.color], move: game.last.square, n: game.last.flips.length }));
  }

  /** Plans a move for when one's turn comes, where the clock runs; the same square again forgets it. @param {string} square @returns {boolean} whether that is possible */
  plan(square) {
    const { game, sight } = this;
    const waits = game.clock && game.status === "playing" && sight.you.seats.length === 1 && !this.may("move") && !this.back;
    if (!waits || game.cells[indexOf(square, game.size)] !== "-") return false;
    this.premove = this.premove === square ? null : square;
    announce(this.premove ? t("game.premove", { square }) : t("game.premoveoff", { square }));
    this.drawBoard();
    return true;
  }

  /** @param {string} square */
  wrong(square) {
    if (this.plan(square)) return;
    if (this.back || !this.may("move") || this.game.status !== "playing") return;
    this.message = wrongText(this.game);
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
      this.moving = null;
      if (sight.game.id !== this.id) location.hash = `#/game/${sight.game.id}`;
      else this.take(sight);
    } catch (error) {
      this.moving = null;
      toast(/** @type {Error} */ (error).message);
      this.draw();
    }
  }

  async sit() {
    await this.act("join", { name: settings.name.trim() || undefined });
    this.wire.hello();
    this.board.welcome();
  }

  /** Shows the position after so many moves; after the last one, the game itself. @param {number} ply */
  async lookBack(ply) {
    const { game } = this;
    const wanted = Math.max(0, Math.min(ply, game.ply));
    try {
      this.back = wanted === game.ply ? null : { ply: wanted, position: (await api.analyse(placeOf(game, wanted))).position };
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.lookOn();
    this.drawBoard();
    this.drawMoves();
  }

  /** A square and a reason; asked again, the line. */
  async askHint() {
    const { game } = this;
    if (this.hint) this.hint = { hint: this.hint.hint, line: true };
    else {
      try {
        const hint = await api.hint(placeOf(game));
        if (game.version !== this.game.version || this.closed) return;
        this.hint = { hint, line: false };
      } catch (error) {
        toast(/** @type {Error} */ (error).message);
        return;
      }
    }
    this.drawBoard();
    this.drawStatus();
    this.drawActions();
  }

  /** What was hinted at, on the board. @returns {Partial<import("../board.js").BoardState>} */
  hinted() {
    if (!this.hint) return {};
    const { hint, line } = this.hint;
    return { ring: hint.move, ...(line ? lineState(hint.line, this.game.turn ?? "black") : {}) };
  }

  /** Asks for what the overlays need. */
  async look() {
    const { game, chosen } = this;
    if (chosen.overlay === "none" || game.status === "open") {
      this.analysis = null;
      this.drawBoard();
      return;
    }
    const { version } = game;
    try {
      const analysis = await api.analyse({ ...placeOf(game), overlays: true });
      if (version === this.game.version) this.analysis = analysis;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.drawBoard();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if ((event.key === "[" || event.key === "]") && !(event.target instanceof HTMLElement && event.target.matches("input, textarea"))) {
      void this.lookBack((this.back?.ply ?? this.game.ply) + (event.key === "[" ? -1 : 1));
      return;
    }
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
    void this.conclude();
    this.score.show({
      black: { name: who.black, note: seatNote(this.sight, "black") },
      white: { name: who.white, note: seatNote(this.sight, "white") },
      counts: game.counts,
      turn: game.status === "playing" ? game.turn : null,
      clock: game.clock,
      skew: this.skew,
    });
    setText(this.heading, this.title());
    this.lookOn();
    this.drawBoard();
    this.drawStatus();
    this.drawActions();
    this.drawSeat();
    this.drawMoves();
    this.drawThought();
    this.drawCompany();
    this.retitle();
  }

  /** In the title of the page, whose turn it is. */
  retitle() {
    titleOf(this.title(), this.may("move") && this.sight.you.seats.length === 1);
  }

  drawCompany() {
    redraw(
      this.company,
      companyPanel(this.sight, (what, body) => void this.act(what, body)),
    );
    // Asked once, when there is something to hear.
    const offered = settings.sound === null && this.sight.you.seats.length > 0 && this.game.ply > 1;
    redraw(this.sound, [
      offered
        ? h(
            "div",
            { class: "row offer", role: "group", "aria-label": t("sound.title") },
            h("span", { class: "grow" }, t("sound.offer")),
            h("button", { type: "button", onclick: () => change({ sound: true }) }, t("sound.yes")),
            h("button", { type: "button", class: "quiet", onclick: () => change({ sound: false }) }, t("sound.no")),
          )
        : null,
    ]);
  }

  /** Whether advice would be unfair: a game against another person goes on. */
  get plain() {
    return this.game.mode === "link" && this.game.status !== "over" && this.sight.you.seats.length > 0;
  }

  /** What there is to say once the game is over: to those who played it, and to the host of two computers. */
  async conclude() {
    const { game, sight } = this;
    const wanted = game.result && game.result.ending !== "aborted" && game.moves.length > 0 && (sight.you.seats.length > 0 || sight.you.host);
    if (this.after && !wanted) {
      this.after.close();
      this.after = null;
      fill(this.afterPlace);
    }
    if (this.after || !wanted) return;
    const { AfterGame } = await import("../after-game.js");
    if (this.after || this.closed || game.version !== this.game.version) return;
    this.after = new AfterGame(game, reviewAddress(game));
    fill(this.afterPlace, this.after.element);
  }

  /** The engine looks at what is shown. */
  lookOn() {
    const { game, back } = this;
    this.advice.hidden = this.plain;
    const over = back ? back.position.status !== "to_place" : game.status !== "playing";
    this.engine.look(this.plain || over ? null : placeOf(game, back?.ply ?? game.ply));
  }

  drawThought() {
    this.showThought(this.thought, placedUntil(this.game.moves, (this.thought?.ply ?? 1) - 1) + 1);
  }

  drawBoard() {
    const { game } = this;
    if (this.back) {
      const { size, cells, last } = this.back.position;
      this.board.show({ size, cells, last: last?.square ?? null, turned: last?.flips ?? [], ...this.written(this.back.ply), ...this.line });
      return;
    }
    if (this.moving) {
      this.board.show(atOnce(game, this.moving));
      return;
    }
    const mine = this.may("move");
    this.board.show({
      size: game.size,
      cells: game.cells,
      legal: mine ? game.legal : [],
      shown: mine || this.sight.you.seats.length === 0 ? game.legal : [],
      last: game.last?.square ?? null,
      turned: game.last?.flips ?? [],
      planned: this.premove,
      ...overlayState(this.analysis, this.chosen),
      ...this.written(game.ply),
      ...this.hinted(),
      ...this.line,
    });
  }

  /** What the engine writes on the board, and the numbers of the moves until then. @param {number} ply @returns {Partial<import("../board.js").BoardState>} */
  written(ply) {
    const { texts, ...rest } = this.engine.state();
    return { ...rest, texts: { ...(settings.numbers ? numbered(this.game.moves.slice(0, ply).map(({ move }) => move)) : {}), ...texts } };
  }

  /** Shows a line that somebody points at, or none. @param {string[] | null} line @param {Color | null} turn whose move it begins with */
  preview(line, turn) {
    this.line = line && turn ? lineState(line, turn) : {};
    this.drawBoard();
  }

  drawStatus() {
    redraw(
      this.said,
      statusLines(this.sight, {
        linked: this.linked,
        unsent: this.unsent?.square,
        message: this.message,
        hint: this.hint ? hintSentence(this.hint.hint, this.game.turn ?? "black", this.hint.line) : "",
        act: (what, body) => void this.act(what, body),
      }),
    );
  }

  drawActions() {
    redraw(
      this.actions,
      gameActions(this.sight, this.sure, {
        act: (what, body) => void this.act(what, body),
        ask: (sure) => this.ask(sure),
        hint: () => void this.askHint(),
        hinted: this.hint !== null && !this.hint.line,
      }),
    );
  }

  /** @param {boolean} sure */
  ask(sure) {
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
    fill(
      this.seat,
      h(
        "form",
        {
          class: "card stack",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.sit();
          },
        },
        h("p", null, t("game.invites", { name: names(this.game)[free === "black" ? "white" : "black"], color: t(free) })),
        h("p", { class: "hint" }, `${this.game.size} × ${this.game.size} · ${clockText(this.game.clock)}`),
        field({ label: t("game.yourname"), value: settings.name, maxlength: 40, autocomplete: "nickname", onchange: (name) => change({ name }) }),
        h("button", { class: "primary" }, t("game.sit", { color: t(free) })),
      ),
    );
  }

  drawMoves() {
    redraw(
      this.moves,
      playedMoves(this.game, this.back, (ply) => void this.lookBack(ply)),
    );
    const list = this.moves.querySelector(".move-list");
    if (list && !this.back) list.scrollTop = list.scrollHeight;
  }
}
