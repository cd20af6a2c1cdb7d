/** The buttons of a game under way: take back, hint, pause, resign. */

/** @import {Sight} from "./types.js" */
import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @param {Sight} sight
 * @param {boolean} sure whether resigning was asked about
 * @param {{act: (what: string, body?: object) => void, ask: (sure: boolean) => void, hint: () => void, hinted: boolean}} on `hinted`: whether a square
 * was hinted at, and the line is next
 */
export function gameActions({ game, you }, sure, on) {
  const may = (/** @type {string} */ what) => you.may.includes(what);
  /** @param {string} text @param {string} what @param {object} [body] */
  const button = (text, what, body) => h("button", { type: "button", disabled: !may(what), onclick: () => on.act(what, body) }, text);
  const going = game.status !== "over";
  const seated = you.seats.length > 0 && going;
  const holds = (game.mode === "watch" || game.mode === "computer") && you.host && going;
  return [
    seated ? button(game.mode === "link" ? t("game.askundo") : t("game.undo"), "undo") : null,
    seated && game.mode !== "link" ? button(t("game.redo"), "redo") : null,
    seated && game.mode !== "link"
      ? h("button", { type: "button", id: "hint", disabled: !may("move"), onclick: () => on.hint() }, t(on.hinted ? "hint.more" : "hint.button"))
      : null,
    holds ? button(game.paused ? t("game.resume") : t("game.pausebutton"), "pause", { paused: !game.paused }) : null,
    holds && (game.paused || game.mode === "watch") ? button(t("game.step"), "step") : null,
    may("close") ? button(t("game.close"), "close") : null,
    seated && game.status === "playing" && !sure
      ? h("button", { type: "button", class: "quiet", disabled: !may("resign"), onclick: () => on.ask(true) }, t("game.resign"))
      : null,
    sure
      ? h(
          "span",
          { class: "row offer" },
          t("game.resignsure"),
          h("button", { type: "button", class: "primary", onclick: () => on.act("resign") }, t("game.yes")),
          h("button", { type: "button", onclick: () => on.ask(false) }, t("game.no")),
        )
      : null,
  ];
}
