/** What people played in the position that is shown, how it ended, and the games. */

/** @import {Databases, Explored, ExploredMove, OpeningsFilter, Place, Tally} from "./types.js" */
import { announce } from "./announce.js";
import * as api from "./api.js";
import { field, freshId, h, redraw, select } from "./dom.js";
import { number, t } from "./i18n.js";
import { keep, recall } from "./kept.js";
import { openingName } from "./opening-name.js";
import { permalink } from "./permalink.js";

/** Games shown at first and with every further click. */
const GAMES = 8;
/** How long one stays at a position before the engine is asked, and how long it may think, in milliseconds. */
const PAUSE = 400;
const TIME = 300;

export class OpeningsPanel {
  /** @param {{preview: (line: string[] | null) => void, play: (square: string) => void}} on */
  constructor(on) {
    this.on = on;
    this.element = h("div", { class: "stack openings" });
    /** @type {Databases | null} */
    this.databases = null;
    this.database = recall("emilia.openings") ?? "tournaments";
    /** @type {OpeningsFilter} */
    this.filter = {};
    /** @type {Place | null} */
    this.place = null;
    /** @type {Explored | null} */
    this.found = null;
    this.games = GAMES;
    /** What went wrong. */
    this.problem = "";
    this.hanging = new AbortController();
    this.filters = this.#filters();
    this.list = h("div", { class: "stack" });
    this.head = h("div", { class: "stack" });
    this.element.append(this.head, this.filters, this.list);
  }

  close() {
    this.hanging.abort();
  }

  /** Shows another position, or nothing where there is nothing to know. @param {Place} place @param {boolean} known whether it is the usual game on the usual board */
  async show(place, known) {
    const same = this.place !== null && JSON.stringify(place) === JSON.stringify(this.place);
    this.place = known ? place : null;
    if (!known) {
      this.hanging.abort();
      this.found = null;
      redraw(this.head, [h("p", { class: "hint" }, t("open.other"))]);
      this.filters.hidden = true;
      redraw(this.list, []);
      return;
    }
    if (same) return;
    this.games = GAMES;
    await this.#ask();
  }

  /** Asks about the position: first what was played, then what it is worth. */
  async #ask() {
    this.hanging.abort();
    const hanging = new AbortController();
    this.hanging = hanging;
    const { place, games } = this;
    if (!place) return;
    this.element.setAttribute("aria-busy", "true");
    try {
      this.databases ??= await api.databases();
      const chosen = this.databases.databases.find(({ name }) => name === this.database) ?? this.databases.databases[0];
      this.database = chosen.name;
      const wanted = { ...place, database: chosen.name, ...(chosen.summary ? {} : this.filter), games };
      const found = await api.openings(wanted, hanging.signal);
      if (hanging.signal.aborted) return;
      const values = new Map(this.found && this.found.key === keyOf(place) ? this.found.moves.map(({ move, value }) => [move, value]) : []);
      for (const move of found.moves) move.value ??= values.get(move.move) ?? null;
      found.key = keyOf(place);
      this.#take(found);
      if (!found.moves.length || found.moves.every(({ value }) => value)) return;
      await pause(PAUSE, hanging.signal);
      // Nobody looks at what is folded away.
      if (!this.element.checkVisibility()) return;
      const valued = await api.openings({ ...wanted, evaluate: true, time_ms: TIME }, hanging.signal);
      if (hanging.signal.aborted) return;
      valued.key = keyOf(place);
      this.#take(valued);
    } catch (error) {
      if (hanging.signal.aborted) return;
      this.problem = /** @type {Error} */ (error).message;
      this.element.removeAttribute("aria-busy");
      this.draw();
    }
  }

  /** @param {Explored} found */
  #take(found) {
    const focused = document.activeElement instanceof HTMLElement && this.list.contains(document.activeElement) ? document.activeElement : null;
    const walked = focused !== null && this.found?.key !== found.key;
    this.problem = "";
    this.found = found;
    this.element.removeAttribute("aria-busy");
    this.draw();
    // Who walks by keyboard goes on with the first of the next moves, and stays where values are filled in.
    if (walked) {
      this.list.querySelector("button")?.focus();
      announce(this.#lead(found));
    } else if (focused && !focused.isConnected) {
      /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-move="${focused.dataset.move}"]`))?.focus();
    }
  }

  draw() {
    const { found, databases } = this;
    if (!found || !databases) {
      redraw(this.list, [h("p", { class: this.problem ? "error small" : "hint" }, this.problem || "…")]);
      return;
    }
    const options = databases.databases.map(({ name, games }) => /** @type {[string, string]} */ ([name, `${databaseName(name)} (${number(games)})`]));
    const choose = (/** @type {string} */ name) => {
      this.database = name;
      keep("emilia.openings", name);
      void this.#ask();
    };
    redraw(this.head, [
      options.length > 1 ? select({ id: "openings-database", label: t("open.database"), value: this.database, options, onchange: choose }) : null,
    ]);
    this.filters.hidden = found.summary;
    redraw(this.list, [
      this.problem ? h("p", { class: "error small" }, this.problem) : null,
      h("p", { class: found.total.games ? "small" : "small never" }, this.#lead(found)),
      found.moves.length ? this.#moves(found) : null,
      found.ended.games && found.moves.length ? h("p", { class: "hint" }, t("open.ended", { n: number(found.ended.games) })) : null,
      ...this.#gameList(found),
    ]);
  }

  /** @param {Explored} found */
  #lead({ total }) {
    if (!total.games) return t("open.never");
    return t(total.games === 1 ? "open.one" : "open.many", { n: number(total.games), years: years(total) });
  }

  /** @param {Explored} found */
  #moves(found) {
    const { turn } = found;
    // What is true of all values is said once.
    const sources = new Set(found.moves.map(source));
    const said = sources.size === 1 ? [...sources][0] : "";
    const rows = found.moves.map((move) => {
      const show = () => this.on.preview([move.move]);
      const hide = () => this.on.preview(null);
      const name = openingName(move.opening);
      return h(
        "li",
        null,
        h(
          "button",
          {
            type: "button",
            class: "quiet opening-move",
            "aria-label": spoken(move, found.total.games),
            "data-move": move.move,
            onmouseenter: show,
            onmouseleave: hide,
            onfocus: show,
            onblur: hide,
            onclick: () => this.on.play(move.move),
          },
          h("span", { class: `chip ${turn}` }),
          h("strong", { class: "mono" }, move.move === "pass" ? t("game.passmove") : move.move),
          h("span", { class: "played" }, move.tally.games ? number(move.tally.games) : "–"),
          bar(move.tally),
          h("span", { class: "average" }, signed(move.tally.average)),
          h("span", { class: `worth ${move.value?.solved ? "solved" : ""}` }, move.value ? signed(move.value.discs) : ""),
          h("span", { class: "source hint" }, [name, said ? "" : source(move)].filter(Boolean).join(" · ")),
        ),
      );
    });
    return h(
      "div",
      null,
      h(
        "div",
        { class: "opening-head hint", "aria-hidden": "true" },
        h("span", null, t("open.move")),
        h("span", { class: "played" }, t("open.games")),
        h("span", null, t("open.results")),
        h("span", { class: "average", title: t("open.averagelong") }, t("open.average")),
        h("span", { class: "worth", title: t("open.valuelong") }, t("open.value")),
      ),
      h("ol", { class: "opening-moves", "aria-label": t("open.moves"), onkeydown: (/** @type {KeyboardEvent} */ event) => walk(event) }, rows),
      said ? h("p", { class: "hint said" }, `${t("open.value")}: ${said}`) : null,
    );
  }

  /** @param {Explored} found */
  #gameList(found) {
    const credit = found.credit ?? "";
    if (found.summary && api.alone) return [h("p", { class: "hint" }, t("open.summaryalone", { credit }))];
    if (found.summary) return [h("p", { class: "hint" }, t("open.summary", { credit, command: "emilia games import DIR" }))];
    if (!found.games.length) return [];
    const links = found.games.map((game) => {
      const link = permalink({
        size: 8,
        start: null,
        startTurn: "black",
        objective: "most",
        moves: game.moves.match(/../g) ?? [],
        ply: game.ply,
        names: { black: game.black, white: game.white },
      });
      return h(
        "li",
        null,
        h(
          "a",
          { href: link, class: "opening-game" },
          h("span", { class: "year" }, game.year ?? ""),
          h(
            "span",
            { class: "players" },
            h("b", { class: game.winner === "black" ? "won" : "" }, game.black || "?"),
            " – ",
            h("b", { class: game.winner === "white" ? "won" : "" }, game.white || "?"),
          ),
          h("span", { class: "result" }, game.result ?? ""),
          h("span", { class: "event hint" }, [game.event, game.next].filter(Boolean).join(" · ")),
        ),
      );
    });
    const more = found.total.games > found.games.length && found.games.length === this.games && this.games + GAMES <= 100;
    return [
      h("p", { class: "list-title", "aria-hidden": "true" }, t("open.gamelist")),
      h("ol", { class: "opening-games", "aria-label": t("open.gamelist") }, links),
      more
        ? h(
            "button",
            {
              type: "button",
              class: "quiet small",
              onclick: () => {
                this.games += GAMES;
                void this.#ask();
              },
            },
            t("open.more"),
          )
        : null,
    ];
  }

  /** Which games are counted. */
  #filters() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let waiting;
    const later = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void this.#ask(), 250);
    };
    const text = (/** @type {"player" | "event"} */ name) => (/** @type {string} */ value) => {
      this.filter[name] = value.trim() || undefined;
      // A colour is that of a player.
      if (name === "player" && !this.filter.player) this.filter.color = undefined;
      later();
    };
    const year = (/** @type {"from" | "to"} */ name) => (/** @type {string} */ value) => {
      this.filter[name] = /^\d{4}$/.test(value) ? Number(value) : undefined;
      later();
    };
    const either = /** @type {[string, string][]} */ ([
      ["", t("open.any")],
      ["black", t("black")],
      ["white", t("white")],
    ]);
    const color = select({
      label: t("open.color"),
      value: "",
      options: either,
      onchange: (value) => {
        this.filter.color = this.filter.player && value ? /** @type {"black" | "white"} */ (value) : undefined;
        later();
      },
    });
    const result = select({
      label: t("open.result"),
      value: "",
      options: [
        ["", t("open.any")],
        ["black", t("open.blackwins")],
        ["white", t("open.whitewins")],
        ["draw", t("open.draw")],
      ],
      onchange: (value) => {
        this.filter.result = value || undefined;
        later();
      },
    });
    const years = (/** @type {"from" | "to"} */ name, /** @type {string} */ label) =>
      field({ label, inputmode: "numeric", maxlength: 4, size: 5, onchange: year(name) });
    const id = freshId();
    return h(
      "details",
      { class: "filters", hidden: true },
      h("summary", { id }, t("open.filter")),
      h(
        "div",
        { class: "grid-fields", role: "group", "aria-labelledby": id },
        field({ label: t("open.player"), maxlength: 100, onchange: text("player") }),
        color,
        field({ label: t("open.event"), maxlength: 100, onchange: text("event") }),
        result,
        years("from", t("open.from")),
        years("to", t("open.to")),
      ),
    );
  }
}

/** What tells one position from another. @param {Place} place */
const keyOf = (place) => JSON.stringify(place);

/** @param {number} time @param {AbortSignal} signal */
const pause = (time, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });

/** What a database is called; those that users named keep their names. @param {string} name */
function databaseName(name) {
  if (name === "tournaments") return t("open.db.tournaments");
  if (name === "my-games") return t("open.db.my-games");
  return name === "self-play" ? t("open.db.self-play") : name;
}

/** The first and last year. @param {Tally} tally */
function years({ first_year, last_year }) {
  if (!first_year) return "";
  return first_year === last_year ? `, ${first_year}` : `, ${first_year}–${last_year}`;
}

/** @param {number | null | undefined} discs */
const signed = (discs) => {
  if (discs === null || discs === undefined) return "";
  // The sign of what is shown: -0.04 is 0.0.
  const tenths = Math.round(discs * 10);
  return `${tenths > 0 ? "+" : tenths < 0 ? "−" : ""}${(Math.abs(tenths) / 10).toFixed(1)}`;
};

/** @param {number} part @param {number} whole */
const percent = (part, whole) => Math.round((part * 100) / Math.max(whole, 1));

/** The share of won, drawn and lost games. @param {Tally} tally */
function bar({ games, wins, draws, losses }) {
  if (!games) return h("span", { class: "shares" });
  const part = (/** @type {string} */ kind, /** @type {number} */ count) =>
    count ? h("span", { class: kind, "--share": String(count) }, percent(count, games) >= 20 ? `${percent(count, games)}%` : "") : null;
  return h("span", { class: "shares" }, part("win", wins), part("draw", draws), part("loss", losses), part("unknown", games - wins - draws - losses));
}

/** How a value is known. @param {ExploredMove} move */
function source({ value }) {
  if (!value) return "";
  if (value.solved) return t("open.solved");
  if (value.source === "book") return t("open.book", { n: value.depth });
  return value.confidence && value.confidence < 100 ? t("open.sure", { n: value.depth, percent: value.confidence }) : t("ana.depth", { n: value.depth });
}

/** A whole row in words. @param {ExploredMove} move @param {number} all */
function spoken(move, all) {
  const { games, wins, draws, losses, average } = move.tally;
  const name = openingName(move.opening);
  return [
    move.move === "pass" ? t("game.passmove") : move.move,
    name,
    games ? t("open.spoken", { n: number(games), share: percent(games, all) }) : t("open.unplayed"),
    games ? t("open.spokenshares", { won: percent(wins, games), drawn: percent(draws, games), lost: percent(losses, games) }) : "",
    games && average !== null ? t("open.spokenaverage", { n: signed(average) }) : "",
    move.value ? `${t("open.spokenvalue", { n: signed(move.value.discs) })} (${source(move)})` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Up and down the list of moves. @param {KeyboardEvent} event */
function walk(event) {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const list = event.currentTarget;
  if (!step || !(list instanceof HTMLElement)) return;
  const buttons = [...list.querySelectorAll("button")];
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
  buttons[Math.min(Math.max(at + step, 0), buttons.length - 1)]?.focus();
  event.preventDefault();
}
