/** The chapters of a study: going to one, naming it, moving it, deleting it, and adding others. */

/** @import {Study} from "./study.js" */
import { field, fill, h, redraw, select } from "../dom.js";
import { t } from "../i18n.js";
import { LONGEST_TITLE, MOST_CHAPTERS } from "./study.js";
import { say } from "./texts.js";

const SIZES = [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26];

/**
 * @typedef {object} ChapterActions
 * @property {(chapter: number) => void} open
 * @property {(title: string) => void} rename
 * @property {(by: number) => void} move
 * @property {() => void} remove
 * @property {(size: number) => void} add
 * @property {() => void} setUp
 * @property {(what: string | File) => Promise<string>} read gives what there is to say about it
 */

export class ChapterPanel {
  /** @param {ChapterActions} on */
  constructor(on) {
    this.on = on;
    this.list = h("ol", { class: "chapters", "aria-label": say("chapters") });
    this.tools = h("div", { class: "stack" });
    this.told = h("p", { class: "hint", role: "status" });
    this.adding = this.#adding();
    this.element = h("div", { class: "stack" }, this.list, this.tools);
    this.shown = "";
  }

  /** @param {Study} study @param {number} now @param {boolean} may whether one may change it */
  show(study, now, may) {
    const nameless = (/** @type {number} */ n) => say("chapter.nameless", { n });
    redraw(
      this.list,
      study.chapters.map((chapter, at) =>
        h(
          "li",
          null,
          h(
            "button",
            { type: "button", class: "quiet", "aria-current": at === now ? "true" : null, onclick: () => this.on.open(at) },
            h("span", { class: "ply" }, at + 1),
            h("span", null, chapter.name(at + 1, nameless)),
          ),
        ),
      ),
    );
    // The field one types in must not be replaced under the fingers.
    const key = JSON.stringify([may, now, study.chapters.length]);
    const input = this.tools.querySelector("input");
    if (key === this.shown && input) {
      if (input !== document.activeElement) input.value = study.chapters[now].title;
      return;
    }
    this.shown = key;
    fill(this.tools, may ? this.#tools(study, now) : null);
  }

  /** @param {Study} study @param {number} now */
  #tools(study, now) {
    const last = study.chapters.length - 1;
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, disabled = false) =>
      h("button", { type: "button", class: "small", disabled, onclick: act }, text);
    return h(
      "div",
      { class: "stack" },
      field({ label: say("chapter.title"), value: study.chapters[now].title, maxlength: LONGEST_TITLE, onchange: (title) => this.on.rename(title) }),
      h(
        "div",
        { class: "row" },
        button(say("chapter.up"), () => this.on.move(-1), now === 0),
        button(say("chapter.down"), () => this.on.move(1), now === last),
        button(say("chapter.delete"), () => this.on.remove(), last === 0),
      ),
      last + 1 < MOST_CHAPTERS ? this.adding : h("p", { class: "hint" }, say("chapter.full", { n: MOST_CHAPTERS })),
    );
  }

  #adding() {
    let size = 8;
    const text = h("textarea", { rows: 3, spellcheck: "false", "aria-label": t("ana.importtext"), placeholder: "f5d6c3d3c4…" });
    const read = async (/** @type {string | File} */ what) => fill(this.told, await this.on.read(what));
    const file = h("input", {
      type: "file",
      class: "visually-hidden",
      tabindex: "-1",
      "aria-label": t("ana.file"),
      onchange: () => {
        const [chosen] = file.files ?? [];
        if (chosen) void read(chosen);
        file.value = "";
      },
    });
    return h(
      "details",
      { class: "adding" },
      h("summary", null, say("add")),
      h(
        "div",
        { class: "stack" },
        h(
          "div",
          { class: "row end" },
          select({ label: t("start.size"), value: "8", options: SIZES.map((n) => [String(n), `${n} × ${n}`]), onchange: (chosen) => (size = Number(chosen)) }),
          h("button", { type: "button", onclick: () => this.on.add(size) }, say("add.empty")),
          h("button", { type: "button", onclick: () => this.on.setUp() }, say("add.setup")),
        ),
        h("p", { class: "hint" }, say("add.lead")),
        text,
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", onclick: () => void read(text.value) }, say("add.text")),
          h("button", { type: "button", onclick: () => file.click() }, t("ana.file")),
          file,
        ),
        this.told,
      ),
    );
  }
}
