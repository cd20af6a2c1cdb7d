/** The studies of this browser: making one, opening a file as one, deleting one. */

/** @import {GameRecord} from "../game-tree.js" */
/** @import {Listed} from "./keeper.js" */
import { toast } from "../announce.js";
import * as api from "../api.js";
import { fill, h } from "../dom.js";
import { fromOutside } from "../from-outside.js";
import { t } from "../i18n.js";
import { carried } from "./basket.js";
import { create, list, remove } from "./keeper.js";
import { readFile, studyAddress } from "./sharing.js";
import { emptyGame } from "./study.js";
import { say } from "./texts.js";

export class StudyList {
  /** @param {HTMLElement} place @param {GameRecord | null} adding a game that is to become a chapter */
  constructor(place, adding) {
    this.adding = adding;
    this.rows = h("div", { class: "stack" });
    this.told = h("p", { class: "error", role: "alert" });
    place.append(
      h(
        "div",
        { class: "page" },
        h("header", null, h("h1", null, say("many")), this.#begin()),
        h("p", { class: "hint" }, say(adding ? "list.choose" : "list.lead")),
        this.told,
        h("section", { class: "card stack" }, this.rows),
        h("p", { class: "hint" }, say(api.alone ? "list.keptalone" : "list.kept")),
      ),
    );
    this.deafen = fromOutside({ keys: {}, read: (what) => void this.read(typeof what === "string" ? what : what[0]) });
  }

  close() {
    this.deafen();
  }

  /** The ways to a new study. */
  #begin() {
    const file = h("input", {
      type: "file",
      class: "visually-hidden",
      tabindex: "-1",
      "aria-label": say("list.file"),
      onchange: () => {
        const [chosen] = file.files ?? [];
        if (chosen) void this.read(chosen);
        file.value = "";
      },
    });
    return h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", onclick: () => void this.make() }, say(this.adding ? "list.addnew" : "list.new")),
      this.adding ? null : h("button", { type: "button", onclick: () => file.click() }, say("list.file")),
      file,
    );
  }

  /** Does something, and says where one can see it why it was not done. @param {() => Promise<void>} work */
  async #tried(work) {
    fill(this.told);
    try {
      await work();
    } catch (error) {
      fill(this.told, /** @type {Error} */ (error).message);
    }
  }

  draw() {
    return this.#tried(async () => {
      const { studies, away } = await list();
      const rows = studies.map((study) => this.#row(study));
      fill(
        this.rows,
        away ? h("p", { class: "error" }, say("list.away")) : null,
        rows.length ? h("ul", { class: "my-games studies" }, rows) : h("p", { class: "empty" }, say("list.none")),
      );
    });
  }

  make() {
    return this.#tried(async () => {
      const first = this.adding ?? emptyGame({ size: 8, title: say("chapter.nameless", { n: 1 }) });
      const id = await create({ title: say("new.title"), chapters: [first] });
      if (this.adding) carried(true);
      location.hash = studyAddress(id);
    });
  }

  /** Makes a study of a file or of text. @param {string | File} what */
  read(what) {
    return this.#tried(async () => {
      const { study, left_out, problems } = await readFile(what, typeof what === "string" ? undefined : what.name);
      const id = await create({ ...study, title: study.title || say("new.title") });
      if (left_out) toast(say("leftout", { n: left_out }));
      if (problems.length) toast(`${problems[0].game}: ${problems[0].message}`);
      location.hash = studyAddress(id);
    });
  }

  /** @param {Listed} study */
  #row({ id, title, chapters, changed, unsent }) {
    const when = new Date(changed).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    const name = title || say("untitled");
    const here = h("a", { class: "button primary", href: `${studyAddress(id)}?add=1`, "aria-label": say("list.addto", { name }) }, say("list.addhere"));
    return h(
      "li",
      null,
      h(
        "div",
        { class: "what" },
        h("a", { href: studyAddress(id), class: "opponent" }, name),
        h("span", { class: "hint" }, [say("list.chapters", { n: chapters }), when, unsent ? say("list.unsent") : ""].filter(Boolean).join(" · ")),
      ),
      h("div", { class: "row" }, this.adding ? here : sure(say("list.delete"), name, () => void this.#tried(() => remove(id)).then(() => this.draw()))),
    );
  }
}

/** A button that asks once more before it does what cannot be undone. @param {string} text @param {string} name @param {() => void} act */
function sure(text, name, act) {
  const place = h("span", { class: "row" });
  const ask = () => {
    const yes = h("button", { type: "button", class: "danger", onclick: act }, t("mine.sure"));
    fill(place, yes, h("button", { type: "button", class: "quiet", onclick: idle }, say("list.keep")));
    yes.focus();
  };
  const idle = () => fill(place, h("button", { type: "button", class: "quiet", "aria-label": `${text}: ${name}`, onclick: ask }, text));
  idle();
  return place;
}
