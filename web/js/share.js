/** A link to copy, and the same as a QR code. */

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { qrCode } from "./qr.js";
import { gameLink } from "./route.js";

/**
 * @param {string} id
 * @param {boolean} [watchers] whether it is only to watch
 */
export function sharePanel(id, watchers = false) {
  const link = gameLink(id);
  return h("div", { class: "stack" }, watchers ? null : h("p", { class: "hint" }, t("game.sharetext")), copyField(watchers ? t("game.watchlink") : t("game.share"), link), qrCode(link, t("game.qr")));
}

/**
 * A text to copy.
 * @param {string} label
 * @param {string} text
 */
export function copyField(label, text) {
  const input = h("input", { readonly: true, value: text, "aria-label": label, class: "grow mono small", onfocus: () => input.select() });
  const button = h("button", { type: "button", onclick: async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      document.execCommand("copy");
    }
    button.textContent = t("game.copied");
    setTimeout(() => (button.textContent = t("game.copy")), 1500);
  } }, t("game.copy"));
  return h("div", { class: "row copy" }, input, button);
}
