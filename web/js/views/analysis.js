/** The analysis board: any game or position, its variations, what each move is worth, and a review of the whole. */

/** @import {Analysis, Catalogue, Color, ImportGame, Judged, Position} from "../types.js" */
import { corrected, deepened } from "../agree.js";
import { announce, toast } from "../announce.js";
import * as api from "../api.js";
import { atOnce } from "../at-once.js";
import { Board } from "../board.js";
import { fold, h, redraw, s } from "../dom.js";
import { Editor } from "../editor.js";
import { EnginePanel } from "../engine-panel.js";
import { exportPanel } from "../export-panel.js";
import { fromOutside } from "../from-outside.js";
import { GameTree } from "../game-tree.js";
import { t } from "../i18n.js";
import { importPanel } from "../import-panel.js";
import { lessons } from "../lessons.js";
import { lineState } from "../line.js";
import { numbered } from "../move-number.js";
import { MovePanel } from "../move-panel.js";
import { OpeningsPanel } from "../openings-panel.js";
import { judges, overlayPanel, overlayState } from "../overlays.js";
import { fittingVariations, permalink, readPermalink } from "../permalink.js";
import { playerName, usualPlayer } from "../player-picker.js";
import { Retry } from "../retry.js";
import { Review } from "../review.js";
import { page } from "../route.js";
import { ScoreCard } from "../score-card.js";
import { onSettings, settings } from "../settings.js";
import { knock } from "../sound.js";
import { carry } from "../study/basket.js";
import { verdict } from "../verdict.js";
import { whyState } from "../why.js";

/** Characters of a link that every messenger takes. */
const LONGEST_LINK = 2000;

/** @type {import("../route.js").ViewMaker} */
export default async function analysisView(place, { query }) {
  const desk = new Desk(place, await api.players());
  const reviewed = await desk.open(query);
  return {
    opened: () => {
      desk.drawMoves();
      if (reviewed) desk.reviewNow();
    },
    close: () => desk.close(),
    title: t("nav.analysis"),
  };
}

/** How long the referee of a retry may think, in milliseconds. */
const REFEREE_TIME = 1000;

class Desk {
  /**
   * @param {HTMLElement} place
   * @param {Catalogue} catalogue
   */
  constructor(place, catalogue) {
    this.tree = new GameTree({ size: 8, start: null, startTurn: "black" });
    this.at = 0;
    /** The last node of the line that is reviewed. */
    this.reviewing = 0;
    this.usual = usualPlayer(catalogue);
    /** @type {Map<number, Analysis>} */
    this.known = new Map();
    /** @type {string[] | null} */
    this.line = null;
    /** @type {import("../overlays.js").Chosen} */
    this.chosen = { overlay: "none" };
    /** Who says in a retry whether another move is better too. */
    this.referee = judges(catalogue)[0][0];
    /** Whether the board shows why the move that led here is bad. */
    this.why = false;
    /** What is wrong with the address. */
    this.problem = "";
    this.asked = 0;
    this.hanging = new AbortController();
    this.board = new Board({ onplay: (square) => this.play(square), onwrong: () => announce(t("game.notlegal")) });
    this.score = new ScoreCard();
    this.status = h("div", { class: "status card" });
    this.moves = new MovePanel({ go: (id) => this.go(id), jump: (ply) => this.jump(ply) });
    this.openings = new OpeningsPanel({ preview: (line) => this.preview(line), play: (square) => this.play(square) });
    this.openingsFold = fold("ana-openings", t("open.title"), true, this.openings.element);
    this.openingsFold.addEventListener("toggle", () => this.showOpenings());
    this.engine = new EnginePanel({ draw: () => this.drawBoard(), preview: (line) => this.preview(line), play: (square) => this.play(square) });
    this.board.element.append(this.engine.bar.element);
    this.exportPlace = h("div", { class: "stack" });
    this.editor = new Editor({ board: this.board, done: (start, turn) => this.setUp(start, turn), cancel: () => this.draw() });
    this.review = new Review({
      place: () => {
        this.reviewing = this.end();
        return this.tree.place(this.reviewing);
      },
      onmove: (judged) => this.judge(judged),
      onchange: () => this.news(),
      jump: (ply) => this.go(this.reviewed()[ply - 1]?.id ?? this.at),
      judged: () => this.reviewed().flatMap(({ judged }) => judged ?? []),
      number: (ply) => this.reviewed()[ply - 1]?.number ?? ply,
      retry: (color) => this.retry.begin(color),
      lessons: (color) => lessons(this.tree, this.at, color),
      size: () => this.tree.size,
      catalogue,
    });
    this.retry = new Retry({
      mistakes: (color) => this.tree.line(this.at).filter(({ judged }) => judged?.mark && judged.color === color),
      show: (spot) => this.go(spot.parent ?? 0),
      draw: () => this.draw(),
      positions: (spot, line) => this.playedOut(spot.parent ?? 0, line),
    });
    this.engine.button.addEventListener("click", () => {
      if (this.engine.isOn) this.enginePanel.open = true;
    });
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ act) =>
      h(
        "button",
        { type: "button", class: "icon", "aria-label": label, title: label, onclick: act },
        s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, fill: "currentColor", "aria-hidden": "true" }, s("path", { d: sign })),
      );
    this.controls = h(
      "div",
      { class: "actions" },
      button(t("ana.first"), "M2 2h2v12H2zM14 2v12L5 8z", () => this.go(0)),
      button(t("ana.back"), "M12 2v12L3 8z", () => this.step(-1)),
      button(t("ana.next"), "M4 2v12l9-6z", () => this.step(1)),
      button(t("ana.last"), "M2 2v12l9-6zM12 2h2v12h-2z", () => this.toEnd()),
      h("span", { class: "grow" }),
      this.engine.button,
      h("button", { type: "button", onclick: () => this.reviewNow() }, t("ana.reviewbutton")),
    );
    this.enginePanel = fold("ana-engine", t("ana.engine"), true, this.engine.element);
    this.import = importPanel((game) => void this.load(game));
    this.importFold = fold("ana-import", t("ana.import"), false, this.import.element);
    this.reviewPanel = fold("ana-review", t("ana.review"), true, this.review.element);
    place.append(
      h(
        "div",
        { class: "table analysis" },
        h("h1", { class: "visually-hidden" }, t("ana.title")),
        h("div", { class: "board-place" }, this.board.element),
        this.score.element,
        this.status,
        h(
          "div",
          { class: "side" },
          this.controls,
          fold(
            "ana-moves",
            t("game.moves"),
            true,
            this.moves.graph,
            this.moves.list,
            h(
              "div",
              { class: "row" },
              h("button", { type: "button", class: "quiet small", onclick: () => this.delete() }, t("ana.delete")),
              h("a", { class: "button small", href: "#/study?add=1", onclick: () => carry(this.tree.record()) }, t("ana.tostudy")),
              h("a", { class: "button quiet small", href: "#/study" }, t("nav.study")),
            ),
          ),
          this.enginePanel,
          this.reviewPanel,
          this.openingsFold,
          this.importFold,
          fold(
            "ana-editor",
            t("ana.editor"),
            false,
            this.editor.panel(() => this.edit()),
          ),
          fold(
            "ana-overlays",
            t("over.title"),
            false,
            overlayPanel(this.chosen, () => this.look()),
          ),
          fold("ana-export", t("ana.export"), false, this.exportPlace),
        ),
      ),
    );
    this.unlisten = onSettings(() => this.draw());
    const [back, next] = [() => this.step(-1), () => this.step(1)];
    this.deafen = fromOutside({
      keys: { ArrowLeft: back, "[": back, ArrowRight: next, "]": next, Home: () => this.go(0), End: () => this.toEnd() },
      read: (what) => void this.read(what),
    });
  }

  close() {
    this.hanging.abort();
    this.review.stop();
    this.score.close();
    this.engine.close();
    this.openings.close();
    this.import.close();
    this.unlisten();
    this.deafen();
  }

  /** Opens what the address says. @param {URLSearchParams} query @returns {Promise<boolean>} whether it asks for a review */
  async open(query) {
    const link = readPermalink(query);
    if (link) {
      this.problem = link.wrong ?? "";
      this.tree = GameTree.linked(link);
      await this.canonical();
      const line = this.tree.line(this.tree.lines()[link.line ?? 0]?.spots[0]?.id ?? 0);
      const ply = Math.min(link.ply ?? line.length, line.length);
      this.at = line[ply - 1]?.id ?? 0;
    }
    await this.look();
    return link?.review ?? false;
  }

  /** Lets the server play the lines of a link, so that boards, colours and passes are known. */
  async canonical() {
    if (this.tree.end() === 0) return;
    try {
      const { games, problems } = await api.importFile(this.tree.record(), "game.json");
      if (!games.length) throw new Error(problems[0]?.message);
      this.tree = GameTree.imported(games[0]);
    } catch (error) {
      this.problem = t("link.illegal", { message: /** @type {Error} */ (error).message });
      this.tree = new GameTree({ size: 8, start: null, startTurn: "black" });
    }
  }

  /** @param {ImportGame} game */
  async load(game) {
    this.review.clear();
    this.problem = "";
    this.tree = GameTree.imported(game);
    this.known.clear();
    this.at = 0;
    await this.look();
    announce(t("ana.loaded", { format: "", n: 1 }));
  }

  /** @param {string} start @param {Color} turn */
  async setUp(start, turn) {
    this.review.clear();
    this.problem = "";
    this.tree = new GameTree({ size: Math.round(Math.sqrt(start.length)), start, startTurn: turn });
    this.known.clear();
    this.at = 0;
    await this.look();
  }

  edit() {
    const now = this.known.get(this.at)?.position;
    this.editor.begin(this.board.size, this.board.cells, now?.turn ?? "black");
  }

  /** Reviews the game, where one can see it. */
  reviewNow() {
    this.reviewPanel.open = true;
    this.reviewPanel.querySelector("summary")?.scrollIntoView({ block: "nearest" });
    void this.review.run();
  }

  /** The positions after each move of a line that is not part of the game. @param {number} id where it begins @param {string[]} line */
  async *playedOut(id, line) {
    const place = this.tree.place(id);
    const before = this.tree.moves(id);
    for (let moves = 1; moves <= line.length; moves++) yield (await api.analyse({ ...place, moves: [...before, ...line.slice(0, moves)] })).position;
  }

  /** @param {number} id */
  go(id) {
    this.at = id;
    this.line = null;
    this.why = false;
    this.problem = "";
    this.retry.hide();
    void this.look();
  }

  /** @param {number} by */
  step(by) {
    const spot = this.tree.spot(this.at);
    if (by < 0 && spot.parent !== null) this.go(spot.parent);
    if (by > 0 && spot.children.length) this.go(spot.children[0]);
  }

  toEnd() {
    this.go(this.end());
  }

  /** The last spot of the line that is shown. */
  end() {
    return this.tree.line(this.at).at(-1)?.id ?? 0;
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
    if (this.retry.active) {
      this.retry.answer(square, this.known.get(this.at)?.evaluations ?? []);
      return;
    }
    const after = atOnce(position, legal);
    const spot = this.tree.add(this.at, square, position.turn);
    spot.cells = after.cells;
    knock();
    announce(t("game.played", { name: t(position.turn), move: square, n: legal.flips.length }));
    this.board.show(after);
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
    const wants = { overlays: this.chosen.overlay !== "none", judged: this.retry.active };
    if (known) {
      this.agree(id);
      this.showOpenings();
    }
    if (known && (!wants.overlays || known.overlays) && (!wants.judged || known.player)) return;
    try {
      const place = this.tree.place(id);
      // What is legal comes at once; what it is worth takes a while.
      if (!known) this.learn(id, await api.analyse({ ...place, overlays: wants.overlays }, this.hanging.signal));
      if (mine === this.asked) this.draw();
      if (mine === this.asked) this.showOpenings();
      const position = this.known.get(id)?.position;
      if (position?.status === "must_pass" && mine === this.asked && !this.tree.spot(id).children.length) {
        announce(t("ana.mustpass", { color: position.turn ? t(position.turn) : "" }));
        const pass = this.tree.add(id, "pass", position.turn);
        pass.cells = position.cells;
        this.go(pass.id);
        return;
      }
      if (wants.judged || (wants.overlays && !this.known.get(id)?.overlays)) {
        this.learn(
          id,
          await api.analyse({ ...place, overlays: wants.overlays, player: wants.judged ? this.referee : null, time_ms: REFEREE_TIME }, this.hanging.signal),
        );
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
    this.agree(id);
  }

  /** Lets review and engine say the same of the moves of a node: what the deeper one says. @param {number} id */
  agree(id) {
    const analysis = this.known.get(id);
    const { thresholds } = this.review;
    // Textbook players count points, and what is asked in a retry must not change under the answer.
    if (!analysis?.player?.startsWith("emilia") || !thresholds || this.retry.active) return;
    const after = (this.tree.spots.get(id)?.children ?? []).map((child) => this.tree.spot(child));
    for (const spot of after) if (spot.judged) spot.judged = corrected(spot.judged, analysis.evaluations, thresholds) ?? spot.judged;
    const evaluations = deepened(
      analysis.evaluations,
      after.flatMap(({ judged }) => judged ?? []),
    );
    this.known.set(id, { ...analysis, evaluations });
    this.review.draw();
  }

  /** Lets the review say of the moves here what the engine says, once that has looked deeper. */
  agreeWithEngine() {
    const { thresholds } = this.review;
    const found = this.engine.watch.known?.moves ?? [];
    if (!found.length || !thresholds || this.retry.active) return;
    let changed = false;
    for (const child of this.tree.spot(this.at).children) {
      const spot = this.tree.spot(child);
      const better = spot.judged && corrected(spot.judged, found, thresholds);
      if (better) spot.judged = better;
      changed ||= Boolean(better);
    }
    if (!changed) return;
    this.review.draw();
    this.drawMoves();
  }

  /** The line that is reviewed, wherever one looks meanwhile. */
  reviewed() {
    return this.tree.spots.has(this.reviewing) ? this.tree.path(this.reviewing) : [];
  }

  /** A move of the review. @param {Judged} judged */
  judge(judged) {
    const spot = this.reviewed()[judged.ply - 1];
    if (!spot) return;
    spot.judged = judged;
    spot.color = judged.color;
    spot.cells = judged.cells;
    if (spot.parent !== null) this.agree(spot.parent);
    this.drawMoves();
    if (spot.id === this.at) this.drawBoard();
  }

  /** The review has got on. */
  news() {
    this.drawStatus();
    if (this.review.summary) this.drawBoard();
  }

  /** What was dropped or pasted, with what there is to say about it where one can see it. @param {string | File[]} what */
  async read(what) {
    this.importFold.open = true;
    await this.import.read(what);
  }

  /** A game against the computer that begins with the position shown. */
  async playOn() {
    const { size, start, startTurn, opening, objective } = this.tree;
    const begin = start ? { position: `${start} ${startTurn === "black" ? "X" : "O"}` } : { size, start: opening };
    const me = this.known.get(this.at)?.position.turn ?? "black";
    const computer = { player: this.usual, name: playerName(this.usual) };
    try {
      const { game } = await api.createGame({
        mode: "computer",
        ...begin,
        objective,
        moves: this.tree.moves(this.at),
        black: me === "black" ? {} : computer,
        white: me === "white" ? {} : computer,
      });
      location.hash = `#/game/${game.id}`;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** What people played here; asked for only where it can be seen, and not while one is to find a move. */
  showOpenings() {
    if (!this.openingsFold.open || this.retry.active || this.editor.active) return;
    const { size, objective } = this.tree;
    void this.openings.show(this.tree.place(this.at), size === 8 && objective === "most");
  }

  draw() {
    this.drawBoard();
    this.drawStatus();
    this.drawMoves();
    this.drawExport();
    this.lookOn();
  }

  /** The engine looks at what is shown, unless that is a secret or no position of a game. */
  lookOn() {
    const position = this.known.get(this.at)?.position;
    this.engine.look(position?.status !== "to_place" || this.retry.active || this.editor.active ? null : this.tree.place(this.at));
  }

  drawBoard() {
    if (this.editor.active) {
      this.editor.draw();
      return;
    }
    const spot = this.tree.spot(this.at);
    const { position: played, line } = this.retry;
    if (played && line) {
      const texts = numbered(line.slice(0, played.ply - spot.ply));
      this.board.show({ size: played.size, cells: played.cells, last: played.last?.square, turned: played.last?.flips, texts });
      this.drawScore(played, played.cells);
      return;
    }
    const analysis = this.known.get(this.at) ?? null;
    const position = analysis?.position;
    const cells = position?.cells ?? spot.cells;
    if (!cells) return;
    const hide = this.retry.active;
    const turn = position?.turn ?? "black";
    const judged = spot.judged;
    const badges = judged?.mark && spot.move && !hide ? { [spot.move]: judged.mark } : {};
    const why = this.why && !hide && judged?.why ? whyState(judged.why, judged.color) : {};
    this.board.show({
      size: position?.size ?? this.tree.size,
      cells,
      legal: position?.legal ?? [],
      last: spot.move === "pass" ? null : spot.move,
      turned: position?.last?.square === spot.move ? (position?.last?.flips ?? []) : [],
      ...overlayState(analysis, this.chosen),
      ...this.written(spot.id),
      badges,
      markings: hide ? [] : spot.markings,
      ...(this.line ? lineState(this.line, turn) : {}),
      ...why,
    });
    this.drawScore(position, cells);
  }

  /** What the engine writes on the board, and the numbers of the moves until then. @param {number} id @returns {Partial<import("../board.js").BoardState>} */
  written(id) {
    const { texts, ...rest } = this.engine.state();
    return { ...rest, texts: { ...(settings.numbers ? numbered(this.tree.moves(id)) : {}), ...texts } };
  }

  /** @param {Position | undefined} position @param {string} cells */
  drawScore(position, cells) {
    const names = this.tree.names;
    const counts = position?.counts ?? { black: cells.split("X").length - 1, white: cells.split("O").length - 1, empty: 0 };
    this.score.show({
      black: { name: names.black || t("black"), note: this.review.note("black") },
      white: { name: names.white || t("white"), note: this.review.note("white") },
      counts,
      turn: position && position.status !== "over" ? position.turn : null,
      clock: null,
      skew: 0,
    });
  }

  drawStatus() {
    const { retry, tree, at } = this;
    const over = this.known.get(at)?.position.status === "over";
    const why = { shown: this.why, show: (/** @type {boolean} */ on) => this.showWhy(on) };
    const problem = this.problem ? h("p", { class: "error", role: "alert" }, this.problem) : null;
    const lines = [problem, ...verdict(tree.spot(at), this.known.get(at), tree.names, why), over ? this.review.retryButtons() : null];
    redraw(this.status, retry.active ? retry.panel() : lines);
  }

  drawMoves() {
    this.moves.show(this.tree, this.at);
  }

  /** Shows on the board why the move that led here is bad, or the position again. @param {boolean} on */
  showWhy(on) {
    this.why = on;
    this.drawBoard();
    this.drawStatus();
  }

  /** @param {string[] | null} line */
  preview(line) {
    this.line = line;
    this.drawBoard();
  }

  drawExport() {
    const { tree, at } = this;
    const { size, start, startTurn, objective, names, opening } = tree;
    const spot = tree.spot(at);
    const linked = {
      ...{ size, start, startTurn, objective, names, ply: spot.ply },
      opening: /** @type {"standard" | "mirrored"} */ (opening === "mirrored" ? "mirrored" : "standard"),
      moves: tree.moves(tree.end()),
      variations: tree.variations(),
      line: Math.max(
        0,
        tree.lines().findIndex(({ spots }) => spots.includes(spot)),
      ),
    };
    // The address always says all that is here, so that nothing is lost on the way.
    if (tree.end() !== 0 || start) history.replaceState(null, "", permalink(linked));
    const kept = fittingVariations(linked, LONGEST_LINK);
    exportPanel(this.exportPlace, {
      link: `${page()}${permalink(linked, kept)}`,
      leftOut: linked.variations.length - kept,
      record: tree.record(),
      line: tree.place(this.end()),
      here: tree.place(at),
      trees: `#/lab?${permalink({ ...linked, moves: tree.moves(this.end()), variations: [], line: 0 }).slice(1)}`,
      again: () => this.playOn(),
    });
  }
}
