/** My play: games from anywhere in, a picture of where somebody loses discs out. */

/** @import {LeftOut, Opening, Portrait} from "./types.js" */
/** @import {Key} from "./i18n.js" */
import { announce, toast } from "./announce.js";
import { lines } from "./api.js";
import { fill, freshId, h, redraw, select } from "./dom.js";
import { number, t } from "./i18n.js";
import { InsightsGames } from "./insights-games.js";
import { portraitPage } from "./portrait.js";
import { trainTitle } from "./train-tabs.js";

/** @typedef {{portrait: Portrait, openings: Record<string, Opening>, judge: string, remarks: string[]}} Told */

/** Names that are offered as buttons. */
const OFFERED = 6;
const LEVELS = /** @type {[string, Key][]} */ ([
  ["6", "ins.level.quick"],
  ["10", "ins.level.usual"],
  ["14", "ins.level.thorough"],
]);

/** What was given and found, so that whoever looks at an example finds it all here again. */
/** @type {{games: InsightsGames, name: string, level: string, told: Told | null}} */
const kept = { games: new InsightsGames(), name: "", level: "10", told: null };

export class InsightsView {
  /** @type {AbortController | null} */
  #running = null;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.have = h("div", { class: "stack", role: "status" });
    this.who = h("div", { class: "stack" });
    this.progress = h("div", { class: "stack" });
    this.result = h("div", { class: "stack" });
    this.names = h("datalist", { id: freshId() });
    this.name = h("input", { id: freshId(), list: this.names.id, value: kept.name, autocomplete: "off", oninput: () => this.#named(this.name.value) });
    place.append(
      h(
        "div",
        { class: "page insights" },
        h("div", { class: "train no-print" }, trainTitle("play")),
        h(
          "div",
          { class: "card stack no-print" },
          h("h1", null, t("ins.title")),
          h("p", null, t("ins.lead")),
          this.#sources(),
          this.have,
          this.who,
          this.progress,
        ),
        this.result,
      ),
    );
  }

  open() {
    this.#draw();
    if (kept.told) fill(this.result, portraitPage(kept.told));
  }

  close() {
    this.#running?.abort();
  }

  /** Ways to give games. */
  #sources() {
    const text = h("textarea", { rows: 3, spellcheck: "false", id: freshId(), placeholder: "f5d6c3d3c4…" });
    const picker = (/** @type {object} */ props) => {
      const input = h("input", {
        type: "file",
        multiple: true,
        class: "visually-hidden",
        tabindex: "-1",
        "aria-hidden": "true",
        ...props,
        onchange: () =>
          void this.#read([...(input.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, content: file }))).then(
            () => (input.value = ""),
          ),
      });
      return input;
    };
    const [files, folder] = [picker({}), picker({ webkitdirectory: true })];
    const paste = async () => {
      if (!text.value.trim()) return;
      await this.#read([{ name: t("ins.pasted"), content: text.value }]);
      text.value = "";
    };
    return h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => files.click() }, t("ins.files")),
        h("button", { type: "button", onclick: () => folder.click() }, t("ins.folder")),
        h("button", { type: "button", onclick: () => void this.#played() }, t("ins.played")),
        files,
        folder,
      ),
      h("div", { class: "field" }, h("label", { for: text.id }, t("ins.paste")), text),
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => void paste() }, t("ins.add"))),
    );
  }

  /** @param {{name: string, content: Blob | string}[]} files */
  async #read(files) {
    await kept.games.read(files, () => this.#draw());
    announce(t("ins.have", { n: number(kept.games.games.length) }));
  }

  async #played() {
    try {
      if (!(await kept.games.played())) toast(t("ins.noplayed"));
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.#draw();
    announce(t("ins.have", { n: number(kept.games.games.length) }));
  }

  /** @param {string} name */
  #named(name) {
    kept.name = name;
    this.name.value = name;
    this.#draw();
  }

  /** What was given, and who can be chosen. */
  #draw() {
    const { games, problems, leftOut } = kept.games;
    const names = kept.games.names();
    redraw(
      this.have,
      [
        games.length ? h("p", { class: "headline" }, t("ins.have", { n: number(games.length) })) : null,
        leftOutLines(leftOut).map((line) => h("p", { class: "hint" }, line)),
        problems.slice(0, 5).map((problem) => h("p", { class: "error small" }, problem)),
        problems.length > 5 ? h("p", { class: "error small" }, t("ins.moreproblems", { n: number(problems.length - 5) })) : null,
      ].flat(),
    );
    fill(
      this.names,
      names.slice(0, 500).map(([name]) => h("option", { value: name })),
    );
    if (!this.who.firstChild && names.length) this.#chooser();
    this.who.hidden = !names.length;
    const offered = names
      .slice(0, OFFERED)
      .map(([name, count]) =>
        h("button", { type: "button", "aria-pressed": String(name === kept.name), onclick: () => this.#named(name) }, `${name} (${number(count)})`),
      );
    if (this.offered) redraw(this.offered, offered);
    if (this.start) this.start.disabled = !kept.name.trim() || Boolean(this.#running);
  }

  /** Who is meant, how thoroughly, and off it goes. */
  #chooser() {
    this.offered = h("div", { class: "row" });
    this.start = h("button", { type: "button", class: "primary", onclick: () => void this.#run() }, t("ins.go"));
    const options = LEVELS.map(([level, text]) => /** @type {[string, string]} */ ([level, t(text)]));
    fill(
      this.who,
      h(
        "div",
        { class: "pair" },
        h("div", { class: "field" }, h("label", { for: this.name.id }, t("ins.name")), this.name, this.names),
        select({ label: t("ins.level"), value: kept.level, options, onchange: (level) => (kept.level = level) }),
      ),
      this.offered,
      h("div", { class: "row" }, this.start, h("button", { type: "button", class: "quiet", onclick: () => this.#clear() }, t("ins.clear"))),
    );
  }

  #clear() {
    this.#running?.abort();
    Object.assign(kept, { games: new InsightsGames(), name: "", told: null });
    this.name.value = "";
    fill(this.result);
    this.#draw();
  }

  /** Has the games judged and shows the picture. */
  async #run() {
    const running = new AbortController();
    this.#running = running;
    this.#draw();
    const name = kept.name.trim();
    const bar = h("progress", { max: 1, value: 0, "aria-label": t("ins.title") });
    const said = h("p", { class: "tally" });
    fill(this.progress, bar, h("div", { class: "row spread" }, said, h("button", { type: "button", onclick: () => running.abort() }, t("ins.stop"))));
    const began = performance.now();
    let [first, judge] = [0, ""];
    /** @type {string[]} */
    let remarks = [];
    /** @param {number} done @param {number} games */
    const show = (done, games) => {
      bar.value = games ? done / games : 1;
      const seconds = done > first ? ((performance.now() - began) / 1000 / (done - first)) * (games - done) : 0;
      said.textContent = [t("ins.progress", { done: number(done), n: number(games) }), seconds >= 1 ? t("ins.timeleft", { time: duration(seconds) }) : ""]
        .filter(Boolean)
        .join(" · ");
    };
    try {
      for await (const event of lines("/api/insights", { name, level: Number(kept.level), games: kept.games.of(name) }, running.signal)) {
        if (event.type === "start") [first, judge, remarks] = [event.done, event.judge, leftOutLines(kept.games.leftOut)];
        if (event.type === "start" || event.type === "game") show(event.done, event.games);
        if (event.type === "portrait") this.#found({ portrait: event.portrait, openings: event.openings, judge, remarks });
      }
      fill(this.progress);
    } catch (error) {
      const stopped = running.signal.aborted;
      fill(
        this.progress,
        h("p", { class: stopped ? "hint" : "error small", role: "alert" }, stopped ? t("ins.stopped") : /** @type {Error} */ (error).message),
      );
    } finally {
      this.#running = null;
      this.#draw();
    }
  }

  /** @param {Told} told */
  #found(told) {
    kept.told = told;
    fill(this.result, portraitPage(told));
    /** @type {HTMLElement | null} */ (this.result.querySelector("h1"))?.focus();
    announce(t("ins.of", { name: told.portrait.name }));
  }
}

/** What is not judged, in sentences. @param {LeftOut} leftOut */
const leftOutLines = (leftOut) => {
  const kinds = /** @type {(keyof LeftOut)[]} */ (Object.keys(leftOut)).filter((kind) => leftOut[kind]);
  return kinds.map((kind) => t(`ins.left.${kind}`, { n: number(leftOut[kind]) }));
};

/** @param {number} seconds */
const duration = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
