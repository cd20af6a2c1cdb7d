/** A study on the board: its chapters, their moves, comments and drawings. */

/** @import {Analysis, Color} from "../types.js" */
/** @import {StudyText} from "./study.js" */
import { announce, toast } from "../announce.js";
import * as api from "../api.js";
import { atOnce } from "../at-once.js";
import { Board } from "../board.js";
import { download, field, fill, fold, h, redraw, s, select } from "../dom.js";
import { Editor } from "../editor.js";
import { EnginePanel } from "../engine-panel.js";
import { fromOutside } from "../from-outside.js";
import { t } from "../i18n.js";
import { lineState } from "../line.js";
import { numbered } from "../move-number.js";
import { MovePanel } from "../move-panel.js";
import { usualStart } from "../permalink.js";
import { page } from "../route.js";
import { ScoreCard } from "../score-card.js";
import { onSettings, settings } from "../settings.js";
import { copyField } from "../share.js";
import { knock } from "../sound.js";
import { ChapterPanel } from "./chapters.js";
import { create } from "./keeper.js";
import { Pen } from "./pen.js";
import { embedCode, readFile, sgfOf, studyAddress, wholeLink } from "./sharing.js";
import { Chapter, emptyGame, LONGEST_TITLE, MOST_CHAPTERS, Study } from "./study.js";
import { say } from "./texts.js";

/** @typedef {import("./keeper.js").Keeper} Keeper */

/** Formats that hold a chapter with its variations or its moves. @type {[string, string][]} */
const FORMATS = [
  ["sgf", "SGF"],
  ["pgn", "PGN"],
  ["json", "JSON"],
  ["ggf", "GGF"],
  ["transcript", "f5d6c3…"],
];

export class StudyDesk {
  /** @param {HTMLElement} place @param {StudyText} text @param {Keeper | null} keeper none for a study that is only in a link */
  constructor(place, text, keeper) {
    this.study = new Study(text);
    this.keeper = keeper;
    this.at = { chapter: 0, node: 0 };
    /** @type {Map<string, Analysis>} what is known of positions, by how they are asked for */
    this.known = new Map();
    /** @type {string[] | null} */
    this.line = null;
    this.asked = 0;
    this.hanging = new AbortController();
    this.format = "sgf";
    this.board = new Board({
      onplay: (square) => this.tap(square),
      onwrong: () => announce(t("game.notlegal")),
      onkey: (event, square) => this.pen.key(event, square),
    });
    this.pen = new Pen({
      board: this.board,
      markings: () => this.spot.markings ?? [],
      change: (markings) =>
        this.edit("draw", () => {
          this.spot.markings = markings;
        }),
      draw: () => this.drawBoard(),
      may: () => this.may && !this.editor.active,
    });
    this.editor = new Editor({ board: this.board, done: (start, turn) => this.addSetUp(start, turn), cancel: () => this.draw() });
    this.editorPlace = h(
      "div",
      { class: "card stack", hidden: true },
      this.editor.panel(() => {}),
    );
    this.score = new ScoreCard();
    this.head = h("div", { class: "stack head" });
    this.state = h("div", { class: "stack keeping" });
    this.words = h("div", { class: "stack words" });
    this.status = h("div", { class: "status card" }, this.head, this.state, this.words);
    this.moves = new MovePanel({ go: (id) => this.go(id), jump: (ply) => this.go(this.tree.line(this.at.node)[ply - 1]?.id ?? 0) });
    this.moveTools = h("div", { class: "row" });
    this.engine = new EnginePanel({ draw: () => this.drawBoard(), preview: (line) => this.preview(line), play: (square) => this.play(square) });
    this.board.element.append(this.engine.bar.element);
    this.chapters = new ChapterPanel({
      open: (chapter) => this.open(chapter, []),
      rename: (title) => this.edit(`chapter ${this.at.chapter}`, () => this.chapter.rename(title)),
      move: (by) => this.moveChapter(by),
      remove: () => this.removeChapter(),
      add: (size) => this.addChapters([emptyGame({ size, title: say("chapter.nameless", { n: this.study.chapters.length + 1 }) })]),
      setUp: () => this.setUp(),
      read: (what) => this.readChapters(what),
    });
    this.sharePlace = h("div", { class: "stack" });
    this.shareFold = fold("study-share", say("share"), false, this.sharePlace);
    this.enginePanel = fold("study-engine", t("ana.engine"), false, this.engine.element);
    this.undoButton = h("button", { type: "button", onclick: () => this.undo() }, say("undo"));
    this.layOut(place);
    this.unlisten = onSettings(() => this.draw());
    const [back, next] = [() => this.step(-1), () => this.step(1)];
    this.deafen = fromOutside({
      keys: { ArrowLeft: back, "[": back, ArrowRight: next, "]": next, Home: () => this.go(0), End: () => this.toEnd() },
      read: (what) => void this.dropped(what),
    });
    this.undoKey = (/** @type {KeyboardEvent} */ event) => {
      const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea");
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key !== "z" || typing) return;
      event.preventDefault();
      this.undo();
    };
    document.addEventListener("keydown", this.undoKey);
  }

  /** @param {HTMLElement} place */
  layOut(place) {
    const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {() => void} */ act) =>
      h(
        "button",
        { type: "button", class: "icon", "aria-label": label, title: label, onclick: act },
        s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, fill: "currentColor", "aria-hidden": "true" }, s("path", { d: sign })),
      );
    const controls = h(
      "div",
      { class: "actions" },
      button(t("ana.first"), "M2 2h2v12H2zM14 2v12L5 8z", () => this.go(0)),
      button(t("ana.back"), "M12 2v12L3 8z", () => this.step(-1)),
      button(t("ana.next"), "M4 2v12l9-6z", () => this.step(1)),
      button(t("ana.last"), "M2 2v12l9-6zM12 2h2v12h-2z", () => this.toEnd()),
      h("span", { class: "grow" }),
      this.may ? this.undoButton : null,
      this.engine.button,
    );
    this.engine.button.addEventListener("click", () => {
      if (this.engine.isOn) this.enginePanel.open = true;
    });
    this.shareFold.addEventListener("toggle", () => this.drawShare());
    place.append(
      h(
        "div",
        { class: "table analysis study" },
        h("h1", { class: "visually-hidden" }, say("one")),
        h("div", { class: "board-place" }, this.board.element),
        this.score.element,
        this.status,
        h(
          "div",
          { class: "side" },
          controls,
          this.editorPlace,
          this.may ? h("div", { class: "card drawing" }, this.pen.element, h("p", { class: "hint" }, say("pen.hint"))) : null,
          fold("study-moves", t("game.moves"), true, this.moves.list, this.moveTools),
          fold("study-chapters", say("chapters"), true, this.chapters.element),
          this.shareFold,
          this.enginePanel,
        ),
      ),
    );
  }

  close() {
    this.hanging.abort();
    this.score.close();
    this.engine.close();
    this.unlisten();
    this.deafen();
    document.removeEventListener("keydown", this.undoKey);
    this.keeper?.close();
  }

  /** Whether one may change it here. */
  get may() {
    return this.keeper?.yours ?? false;
  }

  get chapter() {
    return this.study.chapters[this.at.chapter];
  }

  get tree() {
    return this.chapter.tree;
  }

  get spot() {
    return this.tree.spot(this.at.node);
  }

  get isNoted() {
    return Boolean(this.spot.comment || this.spot.markings?.length);
  }

  /** What is known of the position that is shown. */
  get analysis() {
    return this.known.get(JSON.stringify(this.tree.place(this.at.node)));
  }

  /** To a chapter, and to where moves lead there. @param {number} chapter @param {string[]} moves */
  open(chapter, moves) {
    const number = Math.max(0, Math.min(chapter, this.study.chapters.length - 1));
    this.at = { chapter: number, node: this.study.chapters[number].tree.reached(moves) };
    this.arrived();
  }

  /** @param {number} id */
  go(id) {
    this.at.node = id;
    this.arrived();
  }

  arrived() {
    this.line = null;
    this.pen.from = null;
    this.study.pause();
    if (this.keeper) history.replaceState(null, "", studyAddress(this.keeper.id, this.at.chapter, this.tree.moves(this.at.node)));
    void this.look();
  }

  /** @param {number} by */
  step(by) {
    const { parent, children } = this.spot;
    if (by < 0 && parent !== null) this.go(parent);
    if (by > 0 && children.length) this.go(children[0]);
  }

  toEnd() {
    this.go(this.tree.line(this.at.node).at(-1)?.id ?? 0);
  }

  /**
   * Changes the chapter that is shown.
   * @param {string} kind
   * @param {() => void} change
   */
  edit(kind, change) {
    this.changing(`${kind} ${this.at.chapter} ${this.at.node}`, () => {
      change();
      this.chapter.changed();
    });
  }

  /** Changes the study, so that it can be taken back, and keeps it. @param {string} kind @param {() => void} change */
  changing(kind, change) {
    if (!this.may) return;
    this.study.remember({ chapter: this.at.chapter, moves: this.tree.moves(this.at.node) }, /^(comment|title|chapter) /.test(kind) ? kind : "");
    const noted = this.isNoted;
    change();
    this.keeper?.change(this.study.text);
    // Letters of a comment change nothing else that is to be seen.
    if (kind.startsWith("comment ") && noted === this.isNoted) this.undoButton.disabled = false;
    else this.drawParts();
  }

  undo() {
    const where = this.may ? this.study.undo() : null;
    if (!where) return;
    this.keeper?.change(this.study.text);
    announce(say("undone"));
    this.open(where.chapter, where.moves);
  }

  /** Somebody else has changed it. @param {StudyText} text */
  take(text) {
    const moves = this.tree.moves(this.at.node);
    this.study = new Study(text);
    toast(say("newer"));
    this.open(this.at.chapter, moves);
  }

  /** A square was chosen. @param {string} square */
  tap(square) {
    if (this.editor.active) this.editor.click(square);
    else if (this.pen.tool !== "play" && this.may) this.pen.use(square);
    else this.play(square);
  }

  /** @param {string} square */
  play(square) {
    const position = this.analysis?.position;
    const legal = position?.legal.find((move) => move.square === square);
    if (!position?.turn || !legal) return;
    const known = this.spot.children.find((child) => this.tree.spot(child).move === square);
    if (known === undefined && !this.may) {
      toast(say("readonly"));
      return;
    }
    const after = atOnce(position, legal);
    knock();
    announce(t("game.played", { name: t(position.turn), move: square, n: legal.flips.length }));
    if (known === undefined) this.edit("play", () => this.tree.add(this.at.node, square, position.turn));
    this.board.show(after);
    const next = this.spot.children.find((child) => this.tree.spot(child).move === square);
    this.go(next ?? this.at.node);
  }

  /** Asks about the position that is shown. */
  async look() {
    const mine = ++this.asked;
    this.hanging.abort();
    this.hanging = new AbortController();
    const place = this.tree.place(this.at.node);
    const key = JSON.stringify(place);
    this.draw();
    try {
      if (!this.known.has(key)) this.known.set(key, await api.analyse(place, this.hanging.signal));
      if (mine !== this.asked) return;
      this.draw();
      this.pass();
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** Who cannot move passes. */
  pass() {
    const position = this.analysis?.position;
    if (position?.status !== "must_pass" || this.spot.children.length || !this.may) return;
    announce(t("ana.mustpass", { color: position.turn ? t(position.turn) : "" }));
    this.tree.add(this.at.node, "pass", position.turn);
    this.chapter.changed();
    this.keeper?.change(this.study.text);
    this.go(this.spot.children[0]);
  }

  /** Deletes the move that is shown, with all that follows. */
  remove() {
    if (this.at.node === 0) return;
    this.edit("delete", () => {
      this.at.node = this.tree.remove(this.at.node);
    });
    this.arrived();
  }

  promote() {
    this.edit("promote", () => this.tree.promote(this.at.node));
    announce(say("promoted"));
    this.draw();
  }

  /** @param {import("../game-tree.js").GameRecord[]} records */
  addChapters(records) {
    const first = this.study.chapters.length;
    this.changing("add", () => this.study.chapters.push(...records.map((record) => new Chapter(record))));
    this.open(first, []);
    announce(say("added", { n: records.length }));
  }

  /** @param {number} by */
  moveChapter(by) {
    const to = this.at.chapter + by;
    if (to < 0 || to >= this.study.chapters.length) return;
    this.changing("reorder", () => {
      this.study.reorder(this.at.chapter, to);
      this.at.chapter = to;
    });
    this.arrived();
    announce(say("chapter.now", { n: to + 1 }));
  }

  removeChapter() {
    if (this.study.chapters.length < 2) return;
    const gone = this.at.chapter;
    const name = this.chapter.name(gone + 1, (n) => say("chapter.nameless", { n }));
    this.changing("delete chapter", () => {
      this.study.chapters.splice(gone, 1);
      this.at = { chapter: Math.min(gone, this.study.chapters.length - 1), node: 0 };
    });
    this.arrived();
    toast(say("chapter.gone", { name }));
  }

  /** Begins to set up a board for a new chapter. */
  setUp() {
    this.editorPlace.hidden = false;
    this.editor.begin(this.board.size, this.board.cells, this.analysis?.position.turn ?? "black");
    this.editorPlace.scrollIntoView({ block: "nearest" });
    this.drawParts();
  }

  /** @param {string} start @param {Color} turn */
  addSetUp(start, turn) {
    const size = Math.round(Math.sqrt(start.length));
    const title = say("chapter.nameless", { n: this.study.chapters.length + 1 });
    this.addChapters([emptyGame({ size, start: `${start} ${turn === "black" ? "X" : "O"}`, title })]);
  }

  /** Adds what a file or text holds; says what came of it. @param {string | File} what @returns {Promise<string>} */
  async readChapters(what) {
    try {
      const read = await readFile(what, typeof what === "string" ? undefined : what.name);
      const room = MOST_CHAPTERS - this.study.chapters.length;
      const records = read.study.chapters.slice(0, room);
      this.addChapters(records);
      const left = read.left_out + read.study.chapters.length - records.length;
      const problems = read.problems.slice(0, 3).map(({ game, message }) => `${game}: ${message}`);
      return [say("added", { n: records.length }), left ? say("leftout", { n: left }) : "", ...problems].filter(Boolean).join(" ");
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  /** What was dropped on the page or pasted. @param {string | File[]} what */
  async dropped(what) {
    if (!this.may) return;
    for (const one of typeof what === "string" ? [what] : what) toast(await this.readChapters(one));
  }

  /** @param {string[] | null} line */
  preview(line) {
    this.line = line;
    this.drawBoard();
  }

  draw() {
    this.drawBoard();
    this.drawParts();
    this.drawWords();
    this.engine.look(this.analysis?.position.status !== "to_place" || this.editor.active ? null : this.tree.place(this.at.node));
  }

  /** What changes with the study, but not with where one types. */
  drawParts() {
    this.editorPlace.hidden = !this.editor.active;
    this.drawHead();
    this.drawState();
    this.moves.show(this.tree, this.at.node);
    this.chapters.show(this.study, this.at.chapter, this.may);
    this.drawMoveTools();
    this.undoButton.toggleAttribute("disabled", !this.study.canUndo);
    this.drawShare();
  }

  drawMoveTools() {
    const { may, spot, tree } = this;
    const main = tree.path(spot.id).every(({ id, parent }) => tree.spot(parent ?? 0).children[0] === id);
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, /** @type {boolean} */ off) =>
      h("button", { type: "button", class: "small", disabled: off, onclick: act }, text);
    redraw(
      this.moveTools,
      may ? [button(say("promote"), () => this.promote(), main), button(t("ana.delete"), () => this.remove(), spot.id === 0), this.clearButton()] : [],
    );
  }

  clearButton() {
    return h("button", { type: "button", class: "small", disabled: !this.spot.markings?.length, onclick: () => this.pen.clear() }, say("pen.clear"));
  }

  drawBoard() {
    if (this.editor.active) {
      this.editor.draw();
      return;
    }
    const { spot, analysis, pen } = this;
    const position = analysis?.position;
    if (!position) {
      this.drawStart();
      return;
    }
    const drawing = this.may && pen.tool !== "play";
    const { texts, ...rest } = this.engine.state();
    this.board.show({
      size: position.size,
      cells: position.cells,
      // Who draws may choose every square, so that none is marked as legal.
      legal: drawing ? [] : position.legal,
      free: drawing,
      last: spot.move === "pass" ? null : spot.move,
      turned: position.last?.square === spot.move ? (position.last?.flips ?? []) : [],
      ...rest,
      texts: { ...(settings.numbers ? numbered(this.tree.moves(spot.id)) : {}), ...texts },
      planned: pen.from,
      markings: pen.shown,
      said: pen.said,
      ...(this.line ? lineState(this.line, position.turn ?? "black") : {}),
    });
    const { names } = this.tree;
    this.score.show({
      black: { name: names.black || t("black"), note: "" },
      white: { name: names.white || t("white"), note: "" },
      counts: position.counts,
      turn: position.status === "over" ? null : position.turn,
      clock: null,
      skew: 0,
    });
  }

  /** Without anybody to ask, at least how a chapter begins. */
  drawStart() {
    const { size, start, opening } = this.tree;
    const other = this.board.size !== size || this.at.node === 0;
    if (other) this.board.show({ size, cells: start ?? usualStart(size, opening === "mirrored"), markings: this.at.node === 0 ? this.pen.shown : [] });
  }

  drawHead() {
    const input = this.head.querySelector("input");
    const name = this.chapter.name(this.at.chapter + 1, (n) => say("chapter.nameless", { n }));
    const line = say("where", { n: this.at.chapter + 1, all: this.study.chapters.length, name });
    const told = this.head.querySelector(".where");
    if (this.may && input && told) {
      if (input !== document.activeElement) input.value = this.study.title;
      told.textContent = line;
      return;
    }
    const title = this.study.title || say("untitled");
    const titled = () =>
      field({
        label: say("title"),
        value: this.study.title,
        maxlength: LONGEST_TITLE,
        onchange: (text) =>
          this.changing("title ", () => {
            this.study.title = text;
          }),
      });
    fill(
      this.head,
      h("div", { class: "above" }, h("a", { href: "#/study", class: "button quiet small" }, say("all")), h("p", { class: "hint where" }, line)),
      this.may ? titled() : h("p", { class: "headline" }, title),
      this.may ? null : h("button", { type: "button", onclick: () => void this.copy() }, say("copy")),
    );
  }

  /** How the study is kept. */
  drawState() {
    const { keeper } = this;
    if (!keeper) {
      redraw(this.state, [h("p", { class: "hint" }, say("state.link"))]);
      return;
    }
    if (!keeper.yours) {
      redraw(this.state, [h("p", { class: "hint" }, say("state.readonly"))]);
      return;
    }
    const words = keeper.state === "refused" ? say("state.refused", { reason: /** @type {Error} */ (keeper.reason).message }) : say(`state.${keeper.state}`);
    const calm = keeper.state === "kept" || keeper.state === "sending";
    const button = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) =>
      h("button", { type: "button", class: "small", onclick: () => void this.tried(act) }, text);
    const both = button(say("conflict.both"), () => this.keepBoth());
    redraw(this.state, [
      h("p", { class: calm ? "hint" : "error small", role: calm ? null : "alert" }, words),
      keeper.state === "conflict"
        ? h(
            "div",
            { class: "row" },
            both,
            button(say("conflict.mine"), () => keeper.useMine()),
            button(say("conflict.theirs"), () => keeper.useTheirs()),
          )
        : null,
      keeper.state === "gone" ? h("div", { class: "row" }, both) : null,
    ]);
  }

  /** @param {() => Promise<unknown>} act */
  async tried(act) {
    try {
      await act();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  async keepBoth() {
    const id = await this.keeper?.keepBoth(say("copyof", { title: this.study.title || say("untitled") }).slice(0, LONGEST_TITLE));
    if (id) location.hash = studyAddress(id);
  }

  /** Keeps somebody's study as one's own. */
  async copy() {
    await this.tried(async () => {
      const id = await create(this.study.text);
      location.hash = studyAddress(id, this.at.chapter, this.tree.moves(this.at.node));
    });
  }

  /** The comment of the node. */
  drawWords() {
    const { comment } = this.spot;
    if (!this.may) {
      redraw(
        this.words,
        comment.split("\n").map((line) => h("p", { class: "comment" }, line)),
      );
      return;
    }
    const known = this.words.querySelector("textarea");
    if (known) {
      if (known !== document.activeElement || this.words.dataset.node !== this.nodeName) known.value = comment;
      this.words.dataset.node = this.nodeName;
      return;
    }
    const area = h("textarea", {
      rows: 3,
      "aria-label": say("comment"),
      placeholder: say("comment.hint"),
      value: comment,
      oninput: () =>
        this.edit("comment", () => {
          this.spot.comment = area.value;
        }),
      onblur: () => this.study.pause(),
    });
    this.words.dataset.node = this.nodeName;
    fill(this.words, area);
  }

  get nodeName() {
    return `${this.at.chapter} ${this.at.node}`;
  }

  drawShare() {
    if (!this.shareFold.open) return;
    const { keeper } = this;
    const made = h("div", { class: "stack", role: "status" });
    const link = (/** @type {string} */ label, /** @type {string} */ address) => [h("span", { class: "hint" }, label), copyField(label, `${page()}${address}`)];
    const here = keeper ? studyAddress(keeper.id, this.at.chapter, this.tree.moves(this.at.node)) : "";
    const button = (/** @type {string} */ text, /** @type {() => Promise<unknown>} */ act) =>
      h("button", { type: "button", onclick: () => void this.tried(act) }, text);
    const whole = async () => {
      const address = await wholeLink(this.study.text);
      fill(made, address ? copyField(say("share.whole"), address) : h("p", { class: "error small" }, say("share.toolong")));
    };
    const key = JSON.stringify([here, this.format, this.study.title, this.at.chapter]);
    if (this.sharePlace.dataset.key === key) return;
    this.sharePlace.dataset.key = key;
    fill(
      this.sharePlace,
      ...(keeper && !api.alone
        ? [h("p", { class: "hint" }, say("share.lead")), ...link(say("share.link"), studyAddress(keeper.id)), ...link(say("share.here"), here)]
        : []),
      h(
        "div",
        { class: "row" },
        button(say("share.whole"), whole),
        button(say("share.file"), async () => download(new Blob([await sgfOf(this.study.text)], { type: "text/plain" }), `${fileName(this.study.title)}.sgf`)),
        button(say("share.embed"), async () => fill(made, copyField(say("share.embed"), await embedCode(this.tree.record())))),
      ),
      h(
        "div",
        { class: "row end" },
        select({ label: t("ana.format"), value: this.format, options: FORMATS, onchange: (format) => (this.format = format) }),
        button(say("share.chapter"), async () => {
          const { blob, name } = await api.exportPlace({ text: this.tree.record(), format: this.format });
          download(blob, name.replace(/^game/, fileName(this.chapter.title)));
        }),
      ),
      made,
    );
  }
}

/** What a file is called. @param {string} title */
const fileName = (title) => title.replace(/[^\p{L}\p{N} _-]+/gu, "").trim() || "study";
