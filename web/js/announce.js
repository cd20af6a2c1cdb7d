/** Saying things: to screen readers, and in passing notes. */

import { h } from "./dom.js";

/** Says a sentence to screen readers, once. @param {string} text */
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region) return;
  region.append(h("p", null, text));
  while (region.childElementCount > 4) region.firstElementChild?.remove();
}

/** Shows a note for a few seconds, and says it. @param {string} text */
export function toast(text) {
  const place = document.getElementById("toasts");
  // Somebody who tries again while the same is said knows it.
  if ([...(place?.children ?? [])].some((shown) => shown.textContent === text)) return;
  const note = h("div", { class: "toast" }, text);
  place?.append(note);
  announce(text);
  setTimeout(() => note.remove(), 4000);
}
