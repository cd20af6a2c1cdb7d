/** Whose turn it is, where one cannot see the board: in the title of the page, and as a notification of the system. */

import { t } from "./i18n.js";
import { settings } from "./settings.js";

/**
 * @param {string} title what the page is called otherwise
 * @param {boolean} mine whether it is the user's turn
 */
export function titleOf(title, mine) {
  document.title = mine ? `● ${t("mine.yourturn")} · ${title}` : `${title} · Emilia`;
}

/** Says that the other side has moved, to whoever looks elsewhere and wants to be told. @param {string} game its id @param {string} what */
export function notify(game, what) {
  if (!settings.notify || !document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  const note = new Notification(t("mine.yourturn"), { body: what, tag: game, icon: "icon-192.png" });
  note.onclick = () => {
    focus();
    note.close();
  };
}
