/** What the learner has: how many cards are due, the file of all of it, another device, the end of it. */

/** @import {Profile, Card, ProfileEntry} from "./types.js" */
import { toast } from "./announce.js";
import { alone } from "./api.js";
import { download, field, h, redraw, select } from "./dom.js";
import { number, t } from "./i18n.js";
import * as learner from "./profile.js";
import { goalText } from "./puzzle-goal.js";
import { when } from "./when.js";

export class ProfilePanel {
  /** @param {{kinds: string[], empty: string, review: () => void, changed: () => void}} on the cards it shows; another profile, or none any more */
  constructor(on) {
    this.on = on;
    /** @type {Profile | null} */
    this.profile = null;
    /** @type {Card[]} */
    this.cards = [];
    /** @type {ProfileEntry[]} */
    this.others = [];
    this.deck = h("div", { class: "stack" });
    this.element = h("div", { class: "stack" });
    this.asked = 0;
  }

  /** Asks what there is, and draws. */
  async load() {
    const mine = ++this.asked;
    try {
      const [profile, cards, others] = await Promise.all([
        learner.profile(),
        Promise.all(this.on.kinds.map((kind) => learner.cards({ kind, limit: 30 }))).catch(() => []),
        learner.profiles(),
      ]);
      if (mine !== this.asked) return;
      this.profile = profile;
      this.cards = profile ? cards.flat().sort((a, b) => a.due - b.due) : [];
      this.others = others.filter(({ token, cards }) => token !== learner.secret() && cards > 0);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    this.#draw();
  }

  /** Cards that are due. */
  due() {
    return this.#deck().due;
  }

  /** All decks of these kinds as one. */
  #deck() {
    const decks = this.profile?.decks.filter(({ kind }) => this.on.kinds.includes(kind)) ?? [];
    const sum = (/** @type {"cards" | "due" | "right" | "missed"} */ what) => decks.reduce((all, deck) => all + deck[what], 0);
    const next = decks.flatMap((deck) => deck.next ?? []);
    return { cards: sum("cards"), due: sum("due"), right: sum("right"), missed: sum("missed"), next: next.length ? Math.min(...next) : null };
  }

  #draw() {
    redraw(this.deck, this.#deckLines());
    redraw(this.element, this.#profileLines());
  }

  #deckLines() {
    const deck = this.#deck();
    if (!deck.cards) return [h("p", { class: "tally" }, this.on.empty)];
    const row = (/** @type {string} */ name, /** @type {string} */ value) => h("div", null, h("dt", null, name), h("dd", null, value));
    return [
      h(
        "dl",
        { class: "figures" },
        row(t("train.allcards"), number(deck.cards)),
        row(t("train.duenow"), number(deck.due)),
        deck.next ? row(t("train.nextdue"), when(deck.next)) : null,
        row(t("train.answers"), t("train.result", { right: number(deck.right), missed: number(deck.missed) })),
      ),
      deck.due ? h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: () => this.on.review() }, t("train.review"))) : null,
      h(
        "ul",
        { class: "deck", "aria-label": t("train.cards") },
        this.cards.map((card) => this.#card(card)),
      ),
    ];
  }

  /** @param {Card} card */
  #card(card) {
    const name = cardName(card);
    return h(
      "li",
      null,
      h("span", { class: `chip ${card.position.turn}`, role: "img", "aria-label": t(card.position.turn ?? "black") }),
      h("span", { class: "name" }, name),
      h("span", { class: "tally" }, card.due <= Date.now() ? t("train.now") : when(card.due)),
      h(
        "button",
        {
          type: "button",
          class: "quiet icon",
          "aria-label": t("train.remove", { name }),
          title: t("train.remove", { name }),
          onclick: () => void this.#remove(card),
        },
        "×",
      ),
    );
  }

  /** @param {Card} card */
  async #remove(card) {
    await this.#do(() => learner.remove([card.id]));
  }

  #profileLines() {
    const name = this.profile?.name ?? "";
    const file = h("input", { type: "file", accept: "application/json,.json", class: "visually-hidden", tabindex: "-1", "aria-label": t("train.import") });
    file.addEventListener("change", () => void this.#import(file.files?.[0]));
    return [
      h("p", { class: "tally" }, t(alone ? "alone.profilelead" : "train.profilelead")),
      field({ label: t("train.name"), value: name, maxlength: 40, autocomplete: "off", onblur: (/** @type {FocusEvent} */ event) => void this.#rename(event) }),
      this.others.length
        ? select({
            label: t(alone ? "alone.others" : "train.others1"),
            value: "",
            options: [
              ["", "–"],
              ...this.others.map(
                (other) => /** @type {[string, string]} */ ([other.token, t("train.other", { name: other.name || t("train.noname"), n: number(other.cards) })]),
              ),
            ],
            onchange: (token) => token && this.#adopt(token),
          })
        : null,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => void this.#export() }, t("train.export")),
        h("button", { type: "button", onclick: () => file.click() }, t("train.import")),
        file,
        learner.secret() && !alone ? h("button", { type: "button", onclick: () => void this.#copy() }, t("train.copy")) : null,
      ),
      this.profile
        ? h("div", { class: "row" }, h("button", { type: "button", class: "quiet danger", onclick: () => void this.#delete() }, t("train.delete")))
        : null,
    ];
  }

  /** @param {FocusEvent} event */
  async #rename(event) {
    const name = /** @type {HTMLInputElement} */ (event.target).value.trim();
    if (name !== (this.profile?.name ?? "")) await this.#do(() => learner.rename(name));
  }

  /** @param {string} token */
  #adopt(token) {
    learner.adopt(token);
    this.on.changed();
  }

  async #export() {
    await this.#do(async () => download(await learner.exported(), "emilia-profile.json"));
  }

  /** @param {File | undefined} file */
  async #import(file) {
    if (!file) return;
    await this.#do(async () => {
      const { added, updated } = await learner.imported(file);
      toast(t("train.imported", { added: number(added), updated: number(updated) }));
      this.on.changed();
    });
  }

  async #copy() {
    await this.#do(async () => {
      await navigator.clipboard.writeText(learner.link());
      toast(t("train.copied"));
    });
  }

  async #delete() {
    const cards = this.profile?.decks.reduce((sum, deck) => sum + deck.cards, 0) ?? 0;
    if (cards && !confirm(t("train.sure", { n: number(cards) }))) return;
    await this.#do(() => learner.forget());
    this.on.changed();
  }

  /** Does something, says what went wrong, and shows what there is then. @param {() => Promise<unknown>} act */
  async #do(act) {
    try {
      await act();
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
    await this.load();
  }
}

/** What a card is called: its note and its moves, or what a puzzle asks for. @param {Card} card */
function cardName({ kind, note, moves }) {
  if (kind === "puzzle") return t("mist.puzzle", { goal: goalText(note) });
  return `${note ? `${note} · ` : ""}${moves || t("train.start")}`;
}
