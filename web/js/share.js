/** A link to copy, and the same as a QR code. */

import { h, s } from "./dom.js";
import { t } from "./i18n.js";
import { gameLink } from "./route.js";

/**
 * @param {string} id
 * @param {boolean} [watchers] whether it is only to watch
 */
export function sharePanel(id, watchers = false) {
  const link = gameLink(id);
  return h(
    "div",
    { class: "stack" },
    watchers ? null : h("p", { class: "hint" }, t("game.sharetext")),
    copyField(watchers ? t("game.watchlink") : t("game.share"), link),
    qrCode(link, t("game.qr")),
  );
}

/** The place of a QR code, drawn when it is first seen. @param {string} text @param {string} label */
function qrCode(text, label) {
  const place = s("svg", { class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges" });
  const eye = new IntersectionObserver(async (sights) => {
    if (!sights.some(({ isIntersecting }) => isIntersecting)) return;
    eye.disconnect();
    const { encodeQR } = await import("../vendor/qr/index.js");
    const rows = encodeQR(text, "raw", { ecc: "low", border: 2 });
    place.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
    place.append(s("path", { d: rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("") }));
  });
  eye.observe(place);
  return place;
}

/**
 * A text to copy.
 * @param {string} label
 * @param {string} text
 */
export function copyField(label, text) {
  const input = h("input", { readonly: true, value: text, "aria-label": label, class: "grow mono small", onfocus: () => input.select() });
  const button = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        input.select();
        try {
          await navigator.clipboard.writeText(text);
        } catch {
          document.execCommand("copy");
        }
        button.textContent = t("game.copied");
        setTimeout(() => (button.textContent = t("game.copy")), 1500);
      },
    },
    t("game.copy"),
  );
  return h("div", { class: "row copy" }, input, button);
}
