/** All games of WTHOR files, to search, to filter and to open: only the rows in sight are drawn. */

/** @import {WthorGame} from "./types.js" */
import * as api from "./api.js";
import { field, fill, freshId, h, select, setText } from "./dom.js";
import { number, t } from "./i18n.js";

/** Pixels of a row, and rows drawn beyond those in sight. */
const ROW = 44;
const BEYOND = 6;
/** Rows of a page, for the keyboard. */
const PAGE = 8;

/** Letters as people type them, without accents. @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export class GameList {
  /** @param {(game: WthorGame) => void} open */
  constructor(open) {
    this.open = open;
    /** @type {WthorGame[]} */
    this.games = [];
    /** @type {string[]} what is searched in each of them */
    this.keys = [];
    /** @type {number[]} those that fit, by their place in the files */
    this.found = [];
    this.wanted = { text: "", from: 0, until: 9999, result: "" };
    this.total = 0;
    this.at = 0;
    this.hanging = new AbortController();
    this.id = freshId();
    this.told = h("p", { class: "hint", role: "status" });
    this.space = h("div", { class: "game-rows" });
    this.view = h(
      "div",
      {
        class: "game-list",
        tabindex: "0",
        role: "listbox",
        "aria-label": t("list.title"),
        onscroll: () => this.draw(),
        onclick: (/** @type {Event} */ event) => this.#click(event),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      },
      this.space,
    );
    const year = (/** @type {"from" | "until"} */ which, /** @type {number} */ none) =>
      field({
        label: t(which === "from" ? "open.from" : "open.to"),
        inputmode: "numeric",
        maxlength: 4,
        onchange: (text) => this.#want({ [which]: /^\d{4}$/.test(text) ? Number(text) : none }),
      });
    this.element = h(
      "div",
      { class: "stack" },
      field({ label: t("list.search"), type: "search", onchange: (text) => this.#want({ text: plain(text.trim()) }) }),
      h(
        "div",
        { class: "grid-fields" },
        year("from", 0),
        year("until", 9999),
        select({
          label: t("open.result"),
          value: "",
          options: [
            ["", t("open.any")],
            ["black", t("open.blackwins")],
            ["white", t("open.whitewins")],
            ["draw", t("open.draw")],
          ],
          onchange: (result) => this.#want({ result }),
        }),
      ),
      this.told,
      this.view,
    );
  }

  /** Reads files; the first game is opened as soon as it is there. @param {Blob[]} files */
  async read(files) {
    this.hanging = new AbortController();
    for await (const news of api.wthorGames(files, this.hanging.signal)) {
      if (news.type === "start") this.total = news.total;
      else {
        const first = this.games.length === 0;
        for (const game of news.games) this.#add({ ...game, size: news.size });
        if (first) this.open(this.games[0]);
        this.draw();
      }
    }
    this.draw();
  }

  close() {
    this.hanging.abort();
  }

  /** @param {WthorGame} game */
  #add(game) {
    this.keys.push(plain(`${game.black} ${game.white} ${game.event}`));
    this.games.push(game);
    if (this.#fits(this.games.length - 1)) this.found.push(this.games.length - 1);
  }

  /** @param {number} index */
  #fits(index) {
    const { text, from, until, result } = this.wanted;
    const { year, score, size } = this.games[index];
    const winner = 2 * score === size ** 2 ? "draw" : 2 * score > size ** 2 ? "black" : "white";
    return this.keys[index].includes(text) && year >= from && year <= until && (result === "" || result === winner);
  }

  /** @param {Partial<GameList["wanted"]>} news */
  #want(news) {
    Object.assign(this.wanted, news);
    this.found = [...this.games.keys()].filter((index) => this.#fits(index));
    this.at = 0;
    this.view.scrollTop = 0;
    this.draw();
  }

  /** Draws the rows in sight. */
  draw() {
    const { games, found, total } = this;
    const reading = games.length < total;
    const gaps = { n: number(reading ? games.length : found.length), all: number(total) };
    setText(this.told, reading ? t("list.reading", gaps) : t("list.found", gaps));
    this.space.style.height = `${found.length * ROW}px`;
    const first = Math.max(0, Math.floor(this.view.scrollTop / ROW) - BEYOND);
    const rows = found.slice(first, first + Math.ceil(this.view.clientHeight / ROW) + 2 * BEYOND);
    this.view.setAttribute("aria-activedescendant", found.length ? `${this.id}-${this.at}` : "");
    fill(
      this.space,
      rows.map((index, offset) => this.#row(games[index], first + offset)),
    );
    if (!found.length && !reading) fill(this.space, h("p", { class: "hint" }, t("list.none")));
  }

  /** @param {WthorGame} game @param {number} place */
  #row({ black, white, event, year, score, size }, place) {
    const name = (/** @type {string} */ given, /** @type {boolean} */ won) => h(won ? "b" : "span", null, given || t("list.unknown"));
    return h(
      "div",
      {
        id: `${this.id}-${place}`,
        class: "game-row",
        role: "option",
        "aria-selected": String(place === this.at),
        "aria-setsize": this.found.length,
        "aria-posinset": place + 1,
        "data-place": place,
        "--top": `${place * ROW}px`,
      },
      h("span", { class: "who" }, name(black, 2 * score > size ** 2), " – ", name(white, 2 * score < size ** 2)),
      h("span", { class: "result" }, `${score}–${size ** 2 - score}`),
      h("span", { class: "hint event" }, [event, year || ""].filter(Boolean).join(" · ")),
    );
  }

  /** @param {Event} event */
  #click(event) {
    const row = event.target instanceof Element ? event.target.closest(".game-row") : null;
    if (row instanceof HTMLElement) this.#choose(Number(row.dataset.place), true);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1, PageUp: -PAGE, PageDown: PAGE, Home: -Infinity, End: Infinity });
    const step = steps[event.key];
    if (step !== undefined) this.#choose(this.at + step, false);
    else if (event.key === "Enter" || event.key === " ") this.#choose(this.at, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} place @param {boolean} open */
  #choose(place, open) {
    this.at = Math.max(0, Math.min(place, this.found.length - 1));
    const top = this.at * ROW;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    else if (top + ROW > this.view.scrollTop + this.view.clientHeight) this.view.scrollTop = top + ROW - this.view.clientHeight;
    this.draw();
    const game = this.games[this.found[this.at]];
    if (open && game) this.open(game);
  }
}

/** A game of the list as a record that every route takes. @param {WthorGame} game */
export function recordOf({ black, white, event, year, score, size, moves }) {
  const tags = Object.entries({ Event: event, Date: year ? String(year) : "", Black: black, White: white }).filter(([, value]) => value);
  return JSON.stringify({
    format: "emilia-game",
    version: 1,
    size,
    tags,
    result: { margin: 2 * score - size ** 2 },
    moves: moves.match(/[a-z]\d{1,2}/g) ?? [],
  });
}

/** Whether these files hold WTHOR games or the names that go with them, as far as their names tell. @param {File[]} files */
export const isWthor = (files) => files.length > 0 && files.every(({ name }) => /\.(wtb|wtd|jou|trn)$/i.test(name));
