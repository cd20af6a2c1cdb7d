/** Puzzles: positions with one right move. A wrong one is answered on the board, a right one is explained by what can be counted. */

/** @import {Color, Position, PuzzleAnswered, PuzzleListing, PuzzleQuestion, PuzzleReason} from "./types.js" */
/** @import {BoardState} from "./board.js" */
/** @import {Key} from "./i18n.js" */
/** @import {Mode} from "./puzzle-choice.js" */
import { announce, toast } from "./announce.js";
import { atOnce } from "./at-once.js";
import { Board } from "./board.js";
import { fold, h, redraw, setText } from "./dom.js";
import { EngineAside } from "./engine-aside.js";
import { number, t } from "./i18n.js";
import { permalink, usualStart } from "./permalink.js";
import * as learner from "./profile.js";
import { ProfilePanel } from "./profile-panel.js";
import { MODES, PuzzleChoice } from "./puzzle-choice.js";
import { goalText } from "./puzzle-goal.js";
import { Run } from "./puzzle-run.js";
import { reasonText, rightText, wrongText } from "./puzzle-texts.js";
import { onSettings } from "./settings.js";
import { knock } from "./sound.js";
import { trainTitle } from "./train-tabs.js";
import { whySentence } from "./why.js";

/** How long each move of a line that is played out stays before the next, in milliseconds. */
const PACE = 700;
/** How often the clock of a run is looked at, in milliseconds. */
const TICK = 200;
const DAY = 86_400_000;

const today = () => Math.floor(Date.now() / DAY);

export class PuzzleTrainer {
  /** @param {HTMLElement} place @param {PuzzleListing} listing */
  constructor(place, listing) {
    this.board = new Board({ onplay: (square) => void this.play(square), onwrong: () => announce(t("game.notlegal")) });
    /** @type {PuzzleQuestion | null} */
    this.question = null;
    /** @type {string} the moves of both sides so far */
    this.moves = "";
    /** @type {Position | null} what is on the board, and what was there when the last move was asked for */
    this.position = null;
    /** @type {Position | null} */
    this.before = null;
    /** @type {BoardState | null} a move that the server has not answered yet */
    this.pending = null;
    /** @type {PuzzleAnswered | null} what came of the last move */
    this.answered = null;
    /** @type {"ask" | "wrong" | "told"} */
    this.stage = "ask";
    /** @type {string | null} the first wrong move, which the right one is compared with */
    this.tried = null;
    /** @type {number | null} which reason is shown on the board */
    this.reason = null;
    /** @type {PuzzleAnswered["change"]} how the rating changed by this puzzle */
    this.change = null;
    /** @type {Run | null} */
    this.run = null;
    this.day = today();
    /** @type {object | null} the line that is played out */
    this.playing = null;
    this.busy = false;
    this.asked = 0;
    this.clock = h("span", { class: "run-clock", role: "timer" });
    this.status = h("div", { class: "status card" });
    this.figures = h("dl", { class: "figures" });
    this.choice = new PuzzleChoice(listing, (mode) => void this.begin(mode));
    this.profile = new ProfilePanel({ kinds: [], empty: "", review: () => undefined, changed: () => void this.begin(this.choice.mode) });
    this.engine = new EngineAside(this.board, () => this.#drawBoard());
    this.table = h(
      "div",
      { class: "table train puzzles", onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
      h("div", { class: "board-place" }, this.board.element),
      trainTitle("puzzles"),
      this.status,
      h(
        "div",
        { class: "side" },
        fold("train-puzzles", t("puz.which"), true, this.choice.element),
        fold("train-rating", t("puz.rating"), true, this.figures),
        this.engine.element,
        fold("train-profile", t("train.profile"), false, this.profile.element),
      ),
    );
    place.append(this.table);
    this.unlisten = onSettings(() => this.draw());
    this.ticking = setInterval(() => this.#tick(), TICK);
  }

  close() {
    this.asked += 1;
    this.playing = null;
    this.run = null;
    clearInterval(this.ticking);
    this.engine.close();
    this.unlisten();
  }

  /** What the address asks for: `?mode=daily`, `?puzzle=NAME`. @param {URLSearchParams} query */
  async open(query) {
    void this.profile.load();
    const name = query.get("puzzle");
    const mode = MODES.find((mode) => mode === query.get("mode")) ?? "rated";
    this.choice.show(mode);
    if (name) await this.#ask({ puzzle: name });
    else await this.begin(mode);
  }

  /** @param {Mode} mode */
  async begin(mode) {
    this.day = today();
    this.run = mode === "clock" || mode === "strikes" ? new Run(mode, Math.floor(Math.random() * 2 ** 31)) : null;
    await this.next();
  }

  /** The next puzzle. */
  async next() {
    const { selection, mode } = this.choice;
    if (this.run) await this.#ask({ ...selection, run: this.run.seed, number: this.run.number });
    else await this.#ask(mode === "daily" ? { day: this.day } : selection);
    this.board.welcome();
  }

  /** @param {object} wanted */
  async #ask(wanted) {
    const mine = ++this.asked;
    this.playing = null;
    try {
      const question = await learner.puzzle(wanted);
      if (mine !== this.asked) return;
      Object.assign(this, {
        question,
        moves: "",
        position: question.position,
        before: question.position,
        pending: null,
        answered: null,
        stage: "ask",
        tried: null,
        reason: null,
        change: null,
      });
      announce(this.#task(question));
    } catch (error) {
      if (mine !== this.asked) return;
      if (this.run) void this.#endRun();
      else toast(/** @type {Error} */ (error).message);
    }
    this.draw();
  }

  /** @param {PuzzleQuestion} question */
  #task({ goal, position }) {
    return `${t("puz.tomove", { color: t(position.turn ?? "black") })} ${goalText(goal)}`;
  }

  /** @param {string} square */
  async play(square) {
    const { question } = this;
    const here = this.position;
    const legal = here?.legal.find((legal) => legal.square === square);
    if (!question || !here || !legal || this.busy || this.stage !== "ask" || this.run?.over) return;
    knock();
    this.pending = atOnce(here, legal);
    this.draw();
    await this.#judge({ puzzle: question.puzzle, moves: this.moves, move: square, tried: this.tried ?? undefined, rated: !this.run });
  }

  /** @param {object} request */
  async #judge(request) {
    const mine = this.asked;
    this.busy = true;
    try {
      const answered = await learner.answerPuzzle(request);
      if (mine !== this.asked) return;
      this.answered = answered;
      this.change ??= answered.change;
      if (this.run) await this.#judgedInRun(this.run, answered);
      else this.#judged(answered);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    } finally {
      this.busy = false;
      this.pending = null;
      this.draw();
    }
  }

  /** @param {PuzzleAnswered} answered */
  #judged(answered) {
    const { steps, solution, follow, right } = answered;
    const solver = this.question?.position.turn ?? "black";
    if (solution) {
      this.stage = "told";
      this.position = steps[0].position;
      announce([answered.solved ? t("puz.solved") : "", rightText(solution)].join(" "));
    } else if (right) {
      // On with the next question: the reply, and whatever leaves no choice.
      const made = steps.slice(0, follow + 1);
      this.moves += made
        .map(({ move }) => move)
        .filter((move) => move !== "pass")
        .join("");
      this.position = made[made.length - 1].position;
      this.before = this.position;
      announce(
        t("puz.goon", {
          move: steps[0].move,
          moves: made
            .slice(1)
            .map(({ move }) => move)
            .join(", "),
        }),
      );
    } else {
      this.stage = "wrong";
      this.tried ??= steps[0].move;
      this.position = (steps[1] ?? steps[0]).position;
      announce(wrongText(answered, solver));
    }
  }

  /** @param {Run} run @param {PuzzleAnswered} answered */
  async #judgedInRun(run, { right }) {
    if (run.over || !this.question) return;
    run.answered(this.question.puzzle, right);
    announce(t(right ? "puz.rightshort" : "puz.wrongshort"));
    if (run.ended) await this.#endRun();
    else await this.next();
  }

  async #endRun() {
    const { run } = this;
    if (!run || run.over) return;
    run.over = true;
    try {
      const { record, best_runs } = await learner.noteRun({ kind: run.kind, solved: run.solved, missed: run.missed.length });
      run.record = record;
      run.best = best_runs[run.kind] ?? run.solved;
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    announce(t("puz.runover", { solved: number(run.solved), missed: number(run.missed.length) }));
    this.draw();
  }

  /** Looks at the clock of a run. */
  #tick() {
    const { run } = this;
    if (!run || run.over || run.kind !== "clock") return;
    setText(this.clock, run.left);
    if (run.ended) void this.#endRun();
  }

  /** The same position again, after a wrong move. */
  #retry() {
    this.playing = null;
    Object.assign(this, { position: this.before, answered: null, stage: "ask", reason: null });
    if (this.question) announce(this.#task(this.question));
    this.draw();
    this.board.welcome();
  }

  async #show() {
    if (!this.question || this.busy) return;
    this.playing = null;
    await this.#judge({ puzzle: this.question.puzzle, show: true, tried: this.tried ?? undefined });
  }

  /** Plays the proven line out on the board, to the end of the game. */
  async #playOut() {
    const { answered } = this;
    if (!answered) return;
    const mine = {};
    this.playing = mine;
    this.reason = null;
    for (const { position } of answered.steps) {
      this.position = position;
      this.draw();
      await new Promise((rested) => setTimeout(rested, PACE));
      if (this.playing !== mine) return;
    }
    this.playing = null;
    this.draw();
  }

  /** N for the next, R to try again, S to be shown: while the keyboard is in this view. @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
    const key = event.key.toLowerCase();
    if (key === "n" && this.stage === "told" && !this.run) void this.next();
    else if (key === "r" && this.stage === "wrong") this.#retry();
    else if (key === "s" && this.stage !== "told" && !this.run) void this.#show();
    else return;
    event.preventDefault();
  }

  draw() {
    this.engine.look(this.stage === "told" ? this.position : null);
    this.#drawBoard();
    this.#drawRest();
  }

  #drawBoard() {
    const shown = this.position;
    const open = this.stage === "ask" && !this.run?.over;
    this.board.show(
      this.pending ?? {
        size: shown?.size ?? 8,
        cells: shown?.cells ?? usualStart(8),
        legal: open ? (shown?.legal ?? []) : [],
        last: shown?.last?.square,
        turned: shown?.last?.flips,
        badges: this.#badges(),
        shades: this.#shades(),
        ...this.engine.state(),
      },
    );
  }

  #drawRest() {
    redraw(this.status, this.#statusLines());
    redraw(this.figures, this.#figureLines());
    this.#tick();
  }

  /** Marks the move that was judged. @returns {Record<string, string>} */
  #badges() {
    if (this.stage === "ask" || !this.answered) return {};
    return { [this.answered.steps[0].move]: this.stage === "told" ? "✓" : "?" };
  }

  /** The squares of the reason that is shown. @returns {Record<string, string>} */
  #shades() {
    const reason = this.answered?.solution?.reasons[this.reason ?? -1];
    return Object.fromEntries((reason?.squares ?? []).map((square) => [square, reason?.kind === "parity" ? "odd" : "own"]));
  }

  #statusLines() {
    const { question, run } = this;
    if (!question) return [];
    if (run?.over) return this.#runOver(run);
    if (run) return this.#running(run, question);
    if (this.stage === "told") return this.#told(question);
    return this.#asking(question);
  }

  /** @param {PuzzleQuestion} question */
  #head({ goal, position, day, plays_on }) {
    return [
      day === null ? null : h("p", { class: "tally small" }, t("puz.dayof", { day: dayName(day) })),
      h("p", { class: "headline" }, h("span", { class: `chip ${position.turn}`, role: "img", "aria-label": t(position.turn ?? "black") }), " ", goalText(goal)),
      plays_on && this.stage === "ask" && !this.run ? h("p", { class: "tally" }, t("puz.toend")) : null,
    ];
  }

  /** @param {PuzzleQuestion} question */
  #asking(question) {
    const { answered, stage } = this;
    const solver = question.position.turn ?? "black";
    const wrong = stage === "wrong" && answered;
    const on = stage === "ask" && answered?.right;
    return [
      ...this.#head(question),
      wrong ? h("p", { class: "error" }, wrongText(answered, solver)) : null,
      on ? h("p", { class: "verdict good" }, t("puz.rightshort")) : null,
      this.#changeLine(),
      h(
        "div",
        { class: "row" },
        wrong ? button("primary", t("puz.retry"), () => this.#retry()) : null,
        wrong ? button("", t("puz.playout"), () => void this.#playOut()) : null,
        button(wrong ? "" : "quiet", t("train.show"), () => void this.#show()),
        this.#days(),
      ),
    ];
  }

  /** @param {PuzzleQuestion} question */
  #told(question) {
    const { answered } = this;
    const solution = answered?.solution;
    if (!solution) return [];
    const solver = question.position.turn ?? "black";
    return [
      ...this.#head(question),
      h("p", { class: answered.solved ? "verdict good" : "" }, answered.solved ? `${t("puz.solved")} ` : "", rightText(solution)),
      this.#changeLine(),
      solution.why && this.tried
        ? h("p", { class: "why" }, h("strong", null, this.tried), ": ", whySentence(solution.why, { move: this.tried, best: solution.move, color: solver }))
        : null,
      solution.reasons.length ? this.#why(solution.reasons, solution.move, solver) : h("p", { class: "tally" }, t("puz.why.none")),
      h(
        "p",
        { class: "tally small" },
        [
          t("puz.rated", { n: number(Math.round(solution.rating.rating)) }),
          ...solution.themes.map((theme) => t(/** @type {Key} */ (`puz.theme.${theme}`))),
        ].join(" · "),
      ),
      h(
        "div",
        { class: "row" },
        this.choice.mode === "daily" && question.day !== null ? null : button("primary", t("puz.nextone"), () => void this.next()),
        button("", t("puz.playout"), () => void this.#playOut()),
        this.#days(),
        h("a", { class: "button quiet", href: analysisLink(question.position) }, t("puz.analyse")),
      ),
    ];
  }

  /** Each reason can be shown on the board. @param {PuzzleReason[]} reasons @param {string} move @param {Color} solver */
  #why(reasons, move, solver) {
    const show = (/** @type {number} */ at) => () => {
      this.playing = null;
      this.reason = this.reason === at ? null : at;
      this.position = this.answered?.steps[0].position ?? null;
      this.draw();
    };
    return h(
      "ul",
      { class: "reasons", "aria-label": t("puz.why") },
      reasons.map((reason, at) =>
        h(
          "li",
          null,
          reason.squares.length
            ? h("button", { type: "button", class: "quiet", "aria-pressed": String(this.reason === at), onclick: show(at) }, reasonText(reason, move, solver))
            : reasonText(reason, move, solver),
        ),
      ),
    );
  }

  #changeLine() {
    const { change } = this;
    if (!change) return null;
    const [before, after] = [change.before.rating, change.after.rating].map(Math.round);
    const by = after - before;
    return h("p", { class: "tally" }, t("puz.change", { before: number(before), after: number(after), by: by < 0 ? `−${-by}` : `+${by}` }));
  }

  /** The puzzles of other days. */
  #days() {
    if (this.question?.day == null || this.choice.mode !== "daily") return null;
    const go = (/** @type {number} */ by) => () => {
      this.day += by;
      void this.next();
    };
    return h("span", { class: "row" }, button("quiet", t("puz.before"), go(-1)), this.day < today() ? button("quiet", t("puz.after"), go(1)) : null);
  }

  /** @param {Run} run @param {PuzzleQuestion} question */
  #running(run, question) {
    setText(this.clock, run.left);
    const left =
      run.kind === "clock" ? this.clock : h("span", { class: "run-clock", role: "img", "aria-label": t("puz.strikesleft", { n: run.lives }) }, run.left);
    return [
      h("p", { class: "row spread run-head" }, left, h("span", { class: "run-score" }, t("puz.runscore", { n: number(run.solved) }))),
      ...this.#head(question),
      h(
        "div",
        { class: "row" },
        button("quiet", t("train.stop"), () => void this.#endRun()),
      ),
    ];
  }

  /** @param {Run} run */
  #runOver(run) {
    return [
      h("p", { class: "headline" }, t("puz.runover", { solved: number(run.solved), missed: number(run.missed.length) })),
      h("p", { class: "tally" }, run.record && run.solved ? t("puz.record") : t("puz.best", { n: number(run.best) })),
      run.missed.length
        ? h(
            "p",
            { class: "row" },
            h("span", { class: "tally" }, t("puz.missed")),
            run.missed.map((name, at) => h("a", { class: "button", href: `#/train?puzzle=${name}` }, number(at + 1))),
          )
        : null,
      h(
        "div",
        { class: "row" },
        button("primary", t("puz.again"), () => void this.begin(this.choice.mode)),
      ),
    ];
  }

  #figureLines() {
    const { question } = this;
    if (!question) return [];
    const { rating, deviation, games } = this.change?.after ?? question.rating;
    const row = (/** @type {string} */ name, /** @type {string} */ value) => h("div", null, h("dt", null, name), h("dd", null, value));
    const best = (/** @type {"clock" | "strikes"} */ kind) =>
      question.best_runs[kind] ? row(t(`puz.bestof.${kind}`), number(question.best_runs[kind])) : null;
    return [
      row(t("puz.myrating"), `${number(Math.round(rating))} ± ${number(Math.round(2 * deviation))}`),
      row(t("puz.answered"), number(games)),
      best("clock"),
      best("strikes"),
    ];
  }
}

/** @param {string} kind @param {string} text @param {() => void} onclick */
const button = (kind, text, onclick) => h("button", { type: "button", class: kind || null, onclick }, text);

/** @param {number} day counted from 1970 */
const dayName = (day) => new Date(day * DAY).toLocaleDateString(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });

/** @param {Position} position */
const analysisLink = ({ size, cells, turn }) => permalink({ size, start: cells, startTurn: turn ?? "black", objective: "most", moves: [], ply: null });
