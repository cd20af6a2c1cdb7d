/** Searches to watch step by step, one alone or two side by side. What is shown is a function of their steps and a number. */

/** @import {Analysis, Catalogue} from "./types.js" */
import { announce, toast } from "./announce.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { fill, fold, h, select, setText, tick } from "./dom.js";
import { GameTree } from "./game-tree.js";
import { CounterChart } from "./lab/counters.js";
import { Course } from "./lab/course.js";
import { Judgement } from "./lab/judgement.js";
import { legend } from "./lab/legend.js";
import { Pane } from "./lab/pane.js";
import { question } from "./lab/questions.js";
import { parseSearch, searchForm, searchName, searchTitle } from "./lab/search-form.js";
import { say } from "./lab/texts.js";
import { Transport } from "./lab/transport.js";
import { pathName, waysNamed } from "./lab/words.js";
import { permalink, readPermalink } from "./permalink.js";

/** Steps of a search at most, and how long it may take. */
const MOST_STEPS = 300_000;
const LONGEST = 8000;
/** How long the hand must rest on a slider before the trees are searched anew, in milliseconds. */
const REST = 120;
/** Shut nodes that a link names. */
const LINKED = 30;
const SIZES = [4, 6, 8, 10];

const USUAL = { search: "alphabeta:depth=3,eval=disc,order=rows", beside: "minimax:depth=3,eval=disc,order=rows" };

/**
 * @param {HTMLElement} place
 * @param {Catalogue} catalogue
 * @param {URLSearchParams} query a position as in permalinks, the searches, the step and what else there is to see
 * @param {(address: URLSearchParams) => void} tell what the state is called now
 */
export function treeBench(place, catalogue, query, tell) {
  const link = readPermalink(query);
  let game = link ? GameTree.linked(link) : new GameTree({ size: 4, start: null, startTurn: "black" });
  let at = link ? (game.line(0)[(link.ply ?? link.moves.length) - 1]?.id ?? 0) : 0;
  /** @type {[string, string | null]} */
  const names = [query.get("search") || USUAL.search, query.has("search") ? query.get("beside") || null : USUAL.beside];
  /** What a link asks for, until it is shown. */
  const wanted = { step: number(query.get("step")), node: number(query.get("node")), shut: [ids(query.get("shut")), ids(query.get("shut2"))] };
  let active = query.get("look") === "beside" && names[1] ? 1 : 0;
  let asking = query.get("ask") === "1";
  /** @type {Set<number>} */
  let answered = new Set();
  /** The step that the question on the page is about. */
  let posed = -1;
  const score = { right: 0, all: 0 };
  /** @type {Analysis | null} */
  let here = null;
  let hanging = new AbortController();
  let judging = new AbortController();
  let asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;

  const board = new Board({
    onplay: (square) => {
      at = game.add(at, square, here?.position.turn ?? null).id;
      restart();
    },
  });
  const caption = h("p", { class: "caption", "aria-live": "off" });
  const saved = h("p", { class: "headline", role: "status" });
  const asks = h("div", { class: "question", role: "group", "aria-label": say("question"), hidden: true });
  /** @param {number} side */
  const pane = (side) =>
    new Pane({
      onchange: () => draw(),
      onactive: () => {
        active = side;
      },
      ongo: (step) => transport.go(step),
    });
  const panes = /** @type {const} */ ([pane(0), pane(1)]);
  const counters = new CounterChart((step) => transport.go(step));
  const judgement = new Judgement(catalogue, { onweights: (weights) => reweigh(weights), onpart: () => drawBoard() });
  const transport = new Transport({
    speed: Number(query.get("speed") ?? 2),
    onstep: () => draw(),
    onplay: () => draw(),
    nextCut: (from) => panes[active].course?.next(from, "ac") ?? from,
    mayGo: (step) => mayGo(step),
  });

  const sides = () => panes.filter((one, side) => one.course && names[side] !== null);

  /** Whether nothing has to be answered before the next step. @param {number} step */
  function mayGo(step) {
    const { course } = panes[0];
    if (!asking || !course || answered.has(step)) return true;
    const next = question(course, step);
    if (!next) return true;
    pose(step, next);
    return false;
  }

  /** @param {number} step @param {import("./lab/questions.js").Question} next */
  function pose(step, next) {
    const verdict = h("p", { role: "status" });
    const go = h("button", { type: "button", class: "primary", hidden: true, onclick: () => goOn(step) }, say("ask.on"));
    const buttons = next.choices.map((choice, index) => h("button", { type: "button", onclick: () => judge(index) }, choice));
    /** @param {number | null} index */
    const judge = (index) => {
      score.all++;
      if (index === next.right) score.right++;
      buttons.forEach((button, which) => {
        button.disabled = true;
        button.classList.toggle("right", which === next.right);
        button.classList.toggle("wrong", which === index && which !== next.right);
      });
      const how = index === null ? "ask.shown" : index === next.right ? "ask.right" : "ask.wrong";
      setText(verdict, `${say(how, { answer: next.choices[next.right] })} ${say("ask.score", score)}`);
      show.hidden = true;
      go.hidden = false;
      go.focus();
    };
    const show = h("button", { type: "button", class: "quiet", onclick: () => judge(null) }, say("ask.show"));
    posed = step;
    asks.hidden = false;
    fill(asks, h("p", { class: "headline" }, next.text), h("div", { class: "row" }, buttons, show, go), verdict);
    announce(next.text);
    buttons[0]?.focus();
  }

  /** @param {number} step */
  function goOn(step) {
    answered.add(step);
    asks.hidden = true;
    transport.forward(step + 1);
    transport.next.focus();
  }

  /** Everything that depends on the step. */
  function draw() {
    const { step, playing } = transport;
    if (posed !== step) asks.hidden = true;
    panes.forEach((one, side) => {
      one.element.hidden = names[side] === null;
      if (names[side] !== null) one.show(step, side === active, playing);
    });
    counters.show(
      sides().map((one) => ({ name: one.title.textContent ?? "", course: /** @type {Course} */ (one.course) })),
      step,
    );
    drawBoard();
    if (!playing) {
      void takeApart();
      tell(address());
    }
  }

  function drawBoard() {
    const { course, node, step } = panes[active];
    if (!course) return;
    const isRoot = node === course.tree(step).root;
    const { texts, shades } = judgement.onBoard();
    board.show({ ...course.board(node), legal: isRoot ? (here?.position.legal ?? []) : [], texts, shades });
    const ways = waysNamed(course, node, step);
    const path = pathName(course, node);
    setText(caption, isRoot ? say("board.root") : ways ? say("board.ways", { path, ways }) : say("board.node", { path }));
  }

  /** Lets the evaluator judge the position one looks at. */
  async function takeApart() {
    judging.abort();
    judging = new AbortController();
    const { course, node } = panes[active];
    const { kind, settings } = parseSearch(names[active] ?? names[0]);
    if (!course || kind === "mcts") return judgement.show(null);
    const evaluator = settings.eval ?? "kukreja";
    judgement.load(evaluator, settings.weights ?? "");
    const where = game.place(at);
    try {
      const moves = [.../** @type {string[]} */ (where.moves ?? []), ...course.line(node)];
      judgement.show(await api.evaluate({ ...where, moves, player: `alphabeta:eval=${evaluator}` }, judging.signal));
      drawBoard();
    } catch (error) {
      if (!(error instanceof DOMException)) toast(/** @type {Error} */ (error).message);
    }
  }

  /** Another position or search: everything from its end. */
  function restart() {
    wanted.step = null;
    wanted.shut = [new Set(), new Set()];
    void look();
  }

  /** Searches anew and shows the step that is wanted. */
  async function look() {
    const mine = ++asked;
    hanging.abort();
    hanging = new AbortController();
    const { signal } = hanging;
    const where = game.place(at);
    transport.pause();
    try {
      const ask = (/** @type {string | null} */ player) =>
        player === null ? null : api.steps({ ...where, player, steps: MOST_STEPS, time_ms: LONGEST }, signal);
      const [found, ...answers] = await Promise.all([api.analyse(where, signal), ask(names[0]), ask(names[1])]);
      if (mine !== asked) return;
      here = found;
      answers.forEach((answer, side) => {
        if (answer) panes[side].load(new Course(answer), wanted.shut[side]);
      });
      if (names[active] === null) active = 0;
      answered = new Set();
      const length = Math.max(...sides().map((one) => one.course?.length ?? 0));
      transport.load(length, wanted.step ?? length);
      panes[active].step = transport.step;
      panes[active].picked = wanted.node !== null && wanted.node < (panes[active].course?.marks ?? 0) ? wanted.node : null;
      wanted.node = null;
      compare();
      draw();
    } catch (error) {
      if (error instanceof DOMException) return;
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** How much work one saves the other, in a sentence. */
  function compare() {
    const [one, other] = panes.map(({ course }) => course);
    if (!one || !other || names[1] === null) return fill(saved);
    const positions = (/** @type {Course} */ course) => course.counters(course.length).positions;
    const percent = Math.round((100 * positions(one)) / Math.max(1, positions(other)));
    const same = one.report.score?.value === other.report.score?.value;
    const gaps = { one: searchTitle(one.player), other: searchTitle(other.player), share: percent };
    fill(saved, say(same ? "compare.same" : "compare.other", gaps));
  }

  /** Weights from the sliders: the trees that use them follow. @param {string} weights */
  function reweigh(weights) {
    const evaluator = parseSearch(names[active] ?? names[0]).settings.eval;
    [0, 1].forEach((side) => {
      const name = names[side];
      if (name === null) return;
      const { kind, settings } = parseSearch(name);
      if (settings.eval === evaluator) names[side] = searchName(kind, { ...settings, weights });
    });
    clearTimeout(rest);
    rest = setTimeout(() => {
      wanted.step = transport.step >= transport.length ? null : transport.step;
      wanted.shut = panes.map(({ shut }) => shut);
      void look();
    }, REST);
  }

  /** What this state is called. */
  function address() {
    const { size, start, startTurn, objective } = game;
    const opening = game.opening === "mirrored" ? "mirrored" : "standard";
    const where = permalink({ size, start, startTurn, objective, opening, moves: game.moves(at), ply: null });
    const state = new URLSearchParams(where.slice(1));
    state.set("search", names[0]);
    if (names[1] !== null) state.set("beside", names[1]);
    if (transport.step < transport.length) state.set("step", String(transport.step));
    if (panes[active].picked !== null) state.set("node", String(panes[active].picked));
    if (active === 1) state.set("look", "beside");
    if (asking) state.set("ask", "1");
    if (transport.speed !== 2) state.set("speed", String(transport.speed));
    panes.forEach(({ shut }, side) => {
      if (shut.size && shut.size <= LINKED) state.set(side ? "shut2" : "shut", [...shut].join("."));
    });
    return state;
  }

  /** @param {0 | 1} side */
  const chooser = (side) =>
    searchForm(catalogue, {
      label: say(side ? "second" : "first"),
      name: names[side] ?? "",
      none: side === 1,
      onchange: (name) => {
        if (side === 1) names[1] = name;
        else names[0] = name ?? names[0];
        restart();
      },
    }).element;
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      (event.target instanceof Element && event.target.closest("input, select, textarea, button, .board, [role=tree]"))
    )
      return;
    if (event.key === "ArrowRight") transport.forward(transport.step + 1);
    else if (event.key === "ArrowLeft") transport.go(transport.step - 1);
    else if (event.key === "Home") transport.go(0);
    else if (event.key === "End") transport.go(transport.length);
    else if (event.key === " ") transport.toggle();
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", keys);
  const bench = h(
    "div",
    { class: "tree-bench" },
    h(
      "div",
      { class: "tree-left stack" },
      h("div", { class: "board-place small-board" }, board.element),
      caption,
      fold("lab-judgement", say("judge.title"), true, judgement.element),
      fold("lab-searches", say("searches"), true, chooser(0), chooser(1)),
      fold(
        "lab-position",
        say("position"),
        true,
        h("p", { class: "hint" }, say("position.hint")),
        select({
          label: say("size"),
          value: String(game.size),
          options: [...new Set([...SIZES, game.size])].map((n) => [String(n), `${n} × ${n}`]),
          onchange: (size) => {
            game = new GameTree({ size: Number(size), start: null, startTurn: "black" });
            at = 0;
            restart();
          },
        }),
        h(
          "div",
          { class: "row" },
          moveButton(say("position.back"), () => game.spot(at).parent ?? 0),
          moveButton(say("position.start"), () => 0),
        ),
      ),
    ),
    h(
      "div",
      { class: "tree-right stack" },
      h("div", { class: "card stack controls" }, transport.element, h("div", { class: "row spread" }, saved, askTick()), asks),
      h("div", { class: "tree-panes" }, panes[0].element, panes[1].element),
      h("div", { class: "card stack" }, h("h2", null, say("counters")), counters.element),
      legend(),
    ),
  );
  /** @param {string} text @param {() => number} to */
  function moveButton(text, to) {
    return h(
      "button",
      {
        type: "button",
        onclick: () => {
          at = to();
          restart();
        },
      },
      text,
    );
  }
  function askTick() {
    return tick({
      label: say("ask.tick"),
      checked: asking,
      onchange: (checked) => {
        asking = checked;
        answered = new Set();
        asks.hidden = true;
        if (checked && transport.step >= transport.length) transport.go(0);
        else draw();
      },
    });
  }
  place.append(bench);
  void look();
  return {
    close: () => {
      hanging.abort();
      judging.abort();
      transport.pause();
      clearTimeout(rest);
      for (const one of panes) one.close();
      document.removeEventListener("keydown", keys);
    },
  };
}

/** @param {string | null} text */
const number = (text) => (text !== null && /^\d{1,7}$/.test(text) ? Number(text) : null);

/** @param {string | null} text */
const ids = (text) =>
  new Set(
    (text ?? "")
      .split(".")
      .filter((part) => /^\d{1,7}$/.test(part))
      .map(Number),
  );
