/** The analysis board: any game or position, its variations, what each move is worth, and a review of the whole. */

/** @import {Analysis, Catalogue, Color, ImportGame, Judged} from "../types.js" */
/** @import {TreeSpot} from "../game-tree.js" */
import * as api from "../api.js";
import { announce, knock, toast } from "../announce.js";
import { Board, indexOf } from "../board.js";
import { fill, fold, h, s, tick } from "../dom.js";
import { Editor } from "../editor.js";
import { GameTree } from "../game-tree.js";
import { drawGraph } from "../graph.js";
import { t } from "../i18n.js";
import { importPanel } from "../import-panel.js";
import { lineState } from "../line.js";
import { judgePicker, judges, overlayPanel, overlayState, short } from "../overlays.js";
import { permalink, readPermalink } from "../permalink.js";
import { playerName, usualPlayer } from "../player-picker.js";
import { Retry } from "../retry.js";
import { Review } from "../review.js";
import { ScoreCard } from "../score-card.js";
import { onSettings } from "../settings.js";
import { exportPanel } from "../export-panel.js";
import { breakdownTable } from "../thinking.js";

/** @type {import("../main.js").ViewMaker} */
export default async function analysisView(place, { query }) {
  const desk = new Desk(place, await api.players());
  await desk.open(query);
  return { close: () => desk.close(), title: t("nav.analysis") };
}

class Desk {
  /**
   * @param {HTMLElement} place
   * @param {Catalogue} catalogue
   */
  constructor(place, catalogue) {
    this.tree = new GameTree({ size: 8, start: null, startTurn: "black" });
    this.at = 0;
    this.usual = usualPlayer(catalogue);
    /** @type {Map<number, Analysis>} */
    this.known = new Map();
    /** @type {string[] | null} */
    this.line = null;
    this.engine = false;
    this.time = 1000;
    /** @type {import("../overlays.js").Chosen} */
    this.chosen = { overlay: "none", evaluate: true, judge: judges(catalogue)[0][0] };
    this.asked = 0;
    this.hanging = new AbortController();
    this.board = new Board({ onplay: (square) => this.play(square), onwrong: () => announce(t("game.wrong")) });
    this.score = new ScoreCard();
    this.status = h("div", { class: "status card" });
    this.movesPlace = h("div", { class: "tree-moves", tabindex: "0", role: "region", "aria-label": t("game.moves") });
    this.linesPlace = h("div", { class: "stack" });
    this.exportPlace = h("div", { class: "stack" });
    this.graph = s("svg", { class: "graph", role: "img" });
    this.editor = new Editor({ board: this.board, done: (start, turn) => this.setUp(start, turn), cancel: () => this.draw() });
    this.review = new Review({
      place: () => ({ ...this.tree.place(this.tree.line(this.at).at(-1)?.id ?? 0) }),
      onmove: (judged) => this.judge(judged), onchange: () => this.drawStatus(),
      jump: (ply) => this.jump(ply), retry: (color) => this.retry.begin(color), catalogue,
    });
    this.retry = new Retry({
      mistakes: (color) => this.tree.line(this.at).filter(({ judged }) => judged?.mark && judged.color === color),
      show: (spot) => this.go(spot.parent ?? 0), ended: () => this.draw(), replay: (spot) => this.go(spot.id),
    });
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ act) =>
      h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: act },
        s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, fill: "currentColor", "aria-hidden": "true" }, s("path", { d: sign })));
    this.controls = h("div", { class: "actions" },
      button(t("ana.first"), "M2 2h2v12H2zM14 2v12L5 8z", () => this.go(0)), button(t("ana.back"), "M12 2v12L3 8z", () => this.step(-1)),
      button(t("ana.next"), "M4 2v12l9-6z", () => this.step(1)), button(t("ana.last"), "M2 2v12l9-6zM12 2h2v12h-2z", () => this.go(this.tree.line(this.at).at(-1)?.id ?? 0)),
      h("button", { type: "button", class: "quiet", onclick: () => this.delete() }, t("ana.delete")));
    place.append(h("div", { class: "table analysis" },
      h("h1", { class: "visually-hidden" }, t("ana.title")),
      h("div", { class: "board-place" }, this.board.element),
      this.score.element, this.status,
      h("div", { class: "side" },
        this.controls,
        fold("ana-moves", t("game.moves"), true, this.graph, this.movesPlace),
        fold("ana-engine", t("ana.engine"), true,
          tick({ label: t("ana.engineon"), checked: this.engine, onchange: (on) => this.setEngine(on) }), this.linesPlace,
          judgePicker(catalogue, this.chosen.judge, (judge) => {
            this.chosen.judge = judge;
            this.known.clear();
            void this.look();
          })),
        fold("ana-review", t("ana.review"), true, this.review.element),
        fold("ana-import", t("ana.import"), false, importPanel((game) => this.load(game))),
        fold("ana-editor", t("ana.editor"), false, this.editor.panel(() => this.edit())),
        fold("ana-overlays", t("over.title"), false, overlayPanel(this.chosen, { evaluations: false, catalogue, onchange: () => this.look() })),
        fold("ana-export", t("ana.export"), false, this.exportPlace))));
    this.unlisten = onSettings(() => this.draw());
    this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.keys);
    this.dropping = (/** @type {DragEvent} */ event) => this.drop(event);
    document.addEventListener("dragover", this.dropping);
    document.addEventListener("drop", this.dropping);
    this.pasting = (/** @type {ClipboardEvent} */ event) => this.paste(event);
    document.addEventListener("paste", this.pasting);
  }

  close() {
    this.hanging.abort();
    this.review.stop();
    this.score.close();
    this.unlisten();
    document.removeEventListener("keydown", this.keys);
    document.removeEventListener("dragover", this.dropping);
    document.removeEventListener("drop", this.dropping);
    document.removeEventListener("paste", this.pasting);
  }

  /** Opens what the address says. @param {URLSearchParams} query */
  async open(query) {
    const link = readPermalink(query);
    if (link) {
      this.tree = GameTree.linked(link);
      await this.canonical();
      const line = this.tree.line(0);
      this.at = link.ply > 0 ? (line[Math.min(link.ply, line.length) - 1]?.id ?? 0) : 0;
    }
    await this.look();
    if (link?.review) void this.review.run();
  }

  /** Lets the server play the line of a link, so that boards, colours and passes are known. */
  async canonical() {
    const line = this.tree.line(0);
    if (!line.length) return;
    try {
      const { moves } = await api.analyse(this.tree.place(line.at(-1)?.id ?? 0));
      const { size, start, startTurn, opening, objective, names } = this.tree;
      this.tree = new GameTree({ size, start, startTurn, opening, objective, names });
      let at = 0;
      for (const { move, color } of moves) at = this.tree.add(at, move, color).id;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      this.tree = new GameTree({ size: 8, start: null, startTurn: "black" });
    }
  }

  /** @param {ImportGame} game */
  async load(game) {
    this.review.clear();
    this.tree = GameTree.imported(game);
    this.known.clear();
    this.at = 0;
    await this.look();
    announce(t("ana.loaded", { format: "", n: 1 }));
  }

  /** @param {string} start @param {Color} turn */
  async setUp(start, turn) {
    this.review.clear();
    this.tree = new GameTree({ size: Math.round(Math.sqrt(start.length)), start, startTurn: turn });
    this.known.clear();
    this.at = 0;
    await this.look();
  }

  edit() {
    const now = this.known.get(this.at)?.position;
    this.editor.begin(this.board.size, this.board.cells, now?.turn ?? "black");
  }

  /** @param {boolean} on */
  setEngine(on) {
    this.engine = on;
    this.known.clear();
    void this.look();
  }

  /** @param {number} id */
  go(id) {
    this.at = id;
    this.line = null;
    void this.look();
  }

  /** @param {number} by */
  step(by) {
    const spot = this.tree.spot(this.at);
    if (by < 0 && spot.parent !== null) this.go(spot.parent);
    if (by > 0 && spot.children.length) this.go(spot.children[0]);
  }

  /** To a ply of the line that is shown. @param {number} ply */
  jump(ply) {
    this.go(ply === 0 ? 0 : (this.tree.line(this.at)[ply - 1]?.id ?? this.at));
  }

  delete() {
    if (this.at !== 0) this.go(this.tree.remove(this.at));
  }

  /** @param {string} square */
  play(square) {
    if (this.editor.active) {
      this.editor.click(square);
      return;
    }
    const position = this.known.get(this.at)?.position;
    const legal = position?.legal.find((move) => move.square === square);
    if (!position?.turn || !legal) return;
    if (this.retry.active && !this.retry.answer(square, this.known.get(this.at)?.evaluations ?? [])) return;
    const cells = [...position.cells];
    for (const turned of [square, ...legal.flips]) cells[indexOf(turned, position.size)] = position.turn === "black" ? "X" : "O";
    const spot = this.tree.add(this.at, square, position.turn);
    spot.cells = cells.join("");
    knock();
    announce(t("game.played", { name: t(position.turn), move: square, n: legal.flips.length }));
    this.board.show({ size: position.size, cells: spot.cells, last: square, turned: legal.flips });
    this.go(spot.id);
  }

  /** Asks the server about the position that is shown. */
  async look() {
    const id = this.at;
    const mine = ++this.asked;
    this.hanging.abort();
    this.hanging = new AbortController();
    this.draw();
    const known = this.known.get(id);
    const wants = { overlays: this.chosen.overlay !== "none", judged: this.engine || this.retry.active };
    if (known && (!wants.overlays || known.overlays) && (!wants.judged || known.player)) return;
    try {
      const place = this.tree.place(id);
      // What is legal comes at once; what it is worth takes a while.
      if (!known) this.learn(id, await api.analyse({ ...place, overlays: wants.overlays }, this.hanging.signal));
      if (mine === this.asked) this.draw();
      const position = this.known.get(id)?.position;
      if (position?.status === "must_pass" && mine === this.asked && !this.tree.spot(id).children.length) {
        announce(t("ana.mustpass", { color: position.turn ? t(position.turn) : "" }));
        const pass = this.tree.add(id, "pass", position.turn);
        pass.cells = position.cells;
        this.go(pass.id);
        return;
      }
      if (wants.judged || (wants.overlays && !this.known.get(id)?.overlays)) {
        this.learn(id, await api.analyse({ ...place, overlays: wants.overlays, player: wants.judged ? this.chosen.judge : null, time_ms: this.time }, this.hanging.signal));
        if (mine === this.asked) this.draw();
      }
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** @param {number} id @param {Analysis} analysis */
  learn(id, analysis) {
    this.known.set(id, analysis);
    const spot = this.tree.spots.get(id);
    if (spot) {
      spot.cells = analysis.position.cells;
      if (analysis.position.last && spot.color === null) spot.color = analysis.position.last.color;
    }
  }

  /** A move of the review. @param {Judged} judged */
  judge(judged) {
    const spot = this.tree.line(this.at)[judged.ply - 1];
    if (!spot) return;
    spot.judged = judged;
    spot.color = judged.color;
    spot.cells = judged.cells;
    this.drawMoves();
    if (spot.id === this.at) this.drawBoard();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog")) return;
    if (event.key === "ArrowLeft" || event.key === "[") this.step(-1);
    else if (event.key === "ArrowRight" || event.key === "]") this.step(1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.tree.line(this.at).at(-1)?.id ?? 0);
    else return;
    event.preventDefault();
  }

  /** @param {DragEvent} event */
  drop(event) {
    event.preventDefault();
    const file = event.type === "drop" ? event.dataTransfer?.files[0] : null;
    if (file) void this.read(file, file.name);
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    if (event.target instanceof HTMLElement && event.target.closest("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) void this.read(text);
  }

  /** @param {string | Blob} what @param {string} [name] */
  async read(what, name) {
    try {
      const { games } = await api.importFile(what, name);
      if (games[0]) await this.load(games[0]);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** A game against the computer that begins with the position shown. */
  async playOn() {
    const { size, start, startTurn, opening, objective } = this.tree;
    const begin = start ? { position: `${start} ${startTurn === "black" ? "X" : "O"}` } : { size, start: opening };
    const me = this.known.get(this.at)?.position.turn ?? "black";
    const computer = { player: this.usual, name: playerName(this.usual) };
    try {
      const { game } = await api.createGame({
        mode: "computer", ...begin, objective, moves: this.tree.moves(this.at), black: me === "black" ? {} : computer, white: me === "white" ? {} : computer,
      });
      location.hash = `#/game/${game.id}`;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  draw() {
    this.drawBoard();
    this.drawStatus();
    this.drawMoves();
    this.drawLines();
    this.drawExport();
  }

  drawBoard() {
    if (this.editor.active) {
      this.editor.draw();
      return;
    }
    const analysis = this.known.get(this.at) ?? null;
    const spot = this.tree.spot(this.at);
    const position = analysis?.position;
    const cells = position?.cells ?? spot.cells;
    if (!cells) return;
    const hide = this.retry.active;
    const turn = position?.turn ?? "black";
    const judged = spot.judged;
    const badges = judged?.mark && spot.move && !hide ? { [spot.move]: judged.mark } : {};
    this.board.show({
      size: position?.size ?? this.tree.size, cells, legal: position?.legal ?? [],
      last: spot.move === "pass" ? null : spot.move, turned: position?.last?.square === spot.move ? (position?.last?.flips ?? []) : [],
      ...overlayState(analysis, { ...this.chosen, evaluate: this.engine && !hide }), badges,
      ...(this.line ? lineState(this.line, turn) : {}),
    });
    const names = this.tree.names;
    const counts = position?.counts ?? { black: cells.split("X").length - 1, white: cells.split("O").length - 1, empty: 0 };
    this.score.show({
      black: { name: names.black || t("black"), note: "" }, white: { name: names.white || t("white"), note: "" },
      counts, turn: position?.turn ?? null, clock: null, skew: 0,
    });
  }

  drawStatus() {
    const spot = this.tree.spot(this.at);
    const analysis = this.known.get(this.at);
    const position = analysis?.position;
    const lines = [];
    if (this.retry.active) {
      fill(this.status, this.retry.panel());
      return;
    }
    if (position?.status === "over") lines.push(h("p", { class: "headline" }, t("ana.over", { black: position.counts.black, white: position.counts.white })));
    else if (position?.turn) lines.push(h("p", { class: "headline" }, t("game.turn", { name: this.tree.names[position.turn] || t(position.turn) })));
    const judged = spot.judged;
    if (judged) {
      const loss = judged.loss > 0.05 ? ` · ${t("ana.lost", { n: judged.loss.toFixed(1).replace(/\.0$/, "") })}` : "";
      const kind = /** @type {"best" | "good" | "inaccuracy" | "mistake" | "blunder" | "forced"} */ (judged.forced ? "forced" : judged.judgement);
      lines.push(h("p", { class: `verdict ${kind}` }, `${spot.ply}. ${spot.move}${judged.mark} · ${t(`ana.judged.${kind}`)}${loss}`));
      if (judged.best && judged.best !== judged.move && judged.loss > 0.05) lines.push(h("p", { class: "hint" }, t("ana.better", { best: judged.best, line: judged.line.join(" ") })));
    } else lines.push(h("p", { class: "tally" }, spot.move ? `${spot.ply}. ${spot.move === "pass" ? t("game.passmove") : spot.move}` : t("ana.start")));
    if (analysis?.opening) lines.push(h("p", { class: "hint" }, t("ana.opening", { name: analysis.opening })));
    if (spot.comment) lines.push(h("p", { class: "small" }, spot.comment));
    fill(this.status, lines);
  }

  drawMoves() {
    /** @param {TreeSpot} spot */
    const button = (spot) => h("button", {
      type: "button", class: `ply-button ${spot.judged?.judgement ?? ""}`, "aria-current": spot.id === this.at ? "step" : null, onclick: () => this.go(spot.id),
    }, h("span", { class: "ply" }, `${spot.ply}`), spot.color ? h("span", { class: `chip ${spot.color}`, role: "img", "aria-label": t(spot.color) }) : null,
    h("span", { class: "mono" }, spot.move === "pass" ? t("game.passmove") : spot.move), spot.judged?.mark ? h("strong", { class: "mark" }, spot.judged.mark) : null);
    /** @param {number} id @returns {HTMLElement} */
    const line = (id) => {
      const list = h("div", { class: "line-moves" });
      for (let at = this.tree.spot(id); ; at = this.tree.spot(at.children[0])) {
        if (at.move) list.append(button(at));
        if (!at.children.length) return list;
        for (const other of at.children.slice(1)) list.append(h("div", { class: "variation" }, line(other)));
      }
    };
    const scrolled = this.movesPlace.scrollTop;
    const focused = this.movesPlace.contains(document.activeElement) && document.activeElement !== this.movesPlace;
    fill(this.movesPlace, this.tree.spot(0).children.length ? line(0) : h("p", { class: "hint" }, t("game.nomoves")));
    this.movesPlace.scrollTop = scrolled;
    const current = this.movesPlace.querySelector("[aria-current]");
    if (current instanceof HTMLElement) {
      const [top, bottom] = [current.offsetTop - this.movesPlace.offsetTop, current.offsetTop - this.movesPlace.offsetTop + current.offsetHeight];
      if (top < this.movesPlace.scrollTop || bottom > this.movesPlace.scrollTop + this.movesPlace.clientHeight) this.movesPlace.scrollTop = top - 40;
      if (focused) current.focus();
    }
    const shown = this.tree.line(this.at);
    const points = shown.flatMap(({ judged }) => (judged ? [judged] : []));
    this.graph.toggleAttribute("hidden", points.length === 0);
    if (points.length) {
      drawGraph(this.graph, { points, plies: shown.length, now: this.tree.spot(this.at).ply, limit: this.tree.size ** 2, onpick: (ply) => this.jump(ply) });
    }
  }

  drawLines() {
    const analysis = this.known.get(this.at);
    const evaluations = this.engine && !this.retry.active ? (analysis?.evaluations ?? []) : [];
    if (!evaluations.length) {
      fill(this.linesPlace, h("p", { class: "hint" }, this.engine ? "…" : t("ana.noengine")));
      return;
    }
    const rows = evaluations.slice(0, 5).map((item) => {
      const show = () => this.preview(item.line);
      const hide = () => this.preview(null);
      return h("li", null, h("button", { type: "button", class: "quiet line", onmouseenter: show, onmouseleave: hide, onfocus: show, onblur: hide, onclick: () => this.play(item.move) },
        h("strong", { class: "worth" }, short(item.score)), h("span", null, item.line.join(" ") || item.move), item.solved ? h("em", null, t("ana.exact")) : h("span", { class: "hint" }, `d${item.depth}`)));
    });
    fill(this.linesPlace, h("ol", { class: "engine-lines", "aria-label": t("ana.lines") }, rows), analysis?.breakdown ? breakdownTable(analysis.breakdown) : null);
  }

  /** @param {string[] | null} line */
  preview(line) {
    this.line = line;
    this.drawBoard();
  }

  drawExport() {
    const end = this.tree.line(this.at).at(-1)?.id ?? 0;
    const { size, start, startTurn, objective, names, opening } = this.tree;
    const link = permalink({ size, start, startTurn, objective, names, opening: opening === "mirrored" ? "mirrored" : "standard", moves: this.tree.moves(end), ply: this.tree.spot(this.at).ply });
    // The address always says what is shown, so that it can be shared or bookmarked.
    if (end !== 0 || start) history.replaceState(null, "", link);
    exportPanel(this.exportPlace, { link: `${location.origin}/${link}`, place: this.tree.place(end), here: this.tree.place(this.at), trees: `#/lab?${link.slice(1)}`, again: () => this.playOn(), tags: { ...(names.black && { Black: names.black }), ...(names.white && { White: names.white }) } });
  }
}
