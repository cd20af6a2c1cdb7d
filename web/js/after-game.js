/** After a game: one sentence that says where it turned, and one picture to share. */

/** @import {Game, Judged} from "./types.js" */
/** @import {Kept} from "./verdicts-kept.js" */
import { announce, toast } from "./announce.js";
import * as api from "./api.js";
import { download, h, redraw } from "./dom.js";
import { names } from "./game-status.js";
import { t } from "./i18n.js";
import { placedUntil } from "./move-number.js";
import { pngOf } from "./picture.js";
import { placeOf } from "./played-moves.js";
import { sharePicture } from "./share-picture.js";
import { turningOf } from "./turning.js";
import { keepReviewed, reviewed } from "./verdicts-kept.js";

/** Time for each move on average, in milliseconds: a glance, not a review. */
const TIME = 60;

export class AfterGame {
  /** @param {Game} game that is over @param {string} review the address of its review */
  constructor(game, review) {
    this.game = game;
    this.review = review;
    this.transcript = game.moves.flatMap(({ move }) => (move === "pass" ? [] : [move])).join("");
    this.hanging = new AbortController();
    this.element = h("div", { class: "after stack" });
    void this.#find();
  }

  close() {
    this.hanging.abort();
  }

  async #find() {
    const { game } = this;
    const kept = reviewed(game.size, this.transcript);
    if (kept?.turning) {
      this.#draw(kept.turning);
      return;
    }
    // Not before the last move has been seen.
    redraw(this.element, [h("p", { class: "hint" }, t("after.looking"))]);
    /** @type {Judged[]} */
    const moves = [];
    /** @type {Kept["accuracy"]} */
    let accuracy = { black: null, white: null };
    try {
      for await (const news of api.lines("/api/review", { ...placeOf(game), time_ms: TIME }, this.hanging.signal)) {
        if (news.type === "move") moves.push(news);
        if (news.type === "summary") accuracy = news.accuracy;
      }
    } catch {
      // Who may not ask for that, or has left, goes without the sentence; the picture needs none.
      this.#draw(null);
      return;
    }
    const turning = turningOf(moves, game.result?.winner ?? null, (ply) => placedUntil(game.moves, ply));
    if (turning) keepReviewed(game.size, this.transcript, { accuracy, turning });
    this.#draw(turning);
    if (turning) announce(this.sentence(turning));
  }

  /** @param {NonNullable<Kept["turning"]>} turning */
  sentence({ kind, winner, since, move }) {
    const who = names(this.game);
    /** @param {number} discs */
    const lead = (discs) =>
      Math.abs(discs) < 1 ? t("after.even") : t("after.lead", { name: who[discs > 0 ? "black" : "white"], n: Math.round(Math.abs(discs)) });
    if (kind === "turned" && move && winner) {
      const told = t("after.turned", { n: move.number, move: move.move, before: lead(move.before), after: lead(move.after) });
      return move.best && move.best !== move.move ? `${told} ${t("after.better", { move: move.best })}` : told;
    }
    const dear =
      move && move.loss >= 2 ? ` ${t("after.dearest", { n: move.number, move: move.move, name: who[move.color], discs: Math.round(move.loss) })}` : "";
    if (kind === "open") return t("after.open") + dear;
    if (kind === "even" || !winner) return t("after.draw") + dear;
    return t(since <= 1 ? "after.always" : "after.ahead", { name: who[winner], n: since }) + dear;
  }

  /** @param {NonNullable<Kept["turning"]> | null} turning */
  #draw(turning) {
    const sentence = turning ? this.sentence(turning) : "";
    const to = turning?.move ? this.review.replace(/([&#])p=\d+/, `$1p=${turning.move.ply}`) : null;
    redraw(this.element, [
      sentence ? h("p", { class: "turning" }, sentence, " ", to ? h("a", { href: to }, t("after.show")) : null) : null,
      h("div", { class: "row" }, h("button", { type: "button", onclick: () => void this.share(sentence) }, t("after.share"))),
    ]);
  }

  /** Hands the picture to another app where the browser can do that, and else to the user. @param {string} sentence */
  async share(sentence) {
    try {
      const picture = await pngOf(await sharePicture(this.game, sentence, this.review));
      const file = new File([picture], "othello.png", { type: "image/png" });
      if (navigator.canShare?.({ files: [file] }) && matchMedia("(pointer: coarse)").matches) await navigator.share({ files: [file] });
      else download(picture, file.name);
    } catch (error) {
      // Who thinks better of sharing has done nothing wrong.
      if (!(error instanceof DOMException && error.name === "AbortError")) toast(/** @type {Error} */ (error).message);
    }
  }
}
