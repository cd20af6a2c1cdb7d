/** The settings, in a dialog. Every change shows at once. */

import { toast } from "./announce.js";
import { alone } from "./api.js";
import { fill, h, select, tick } from "./dom.js";
import { LANGUAGES, t } from "./i18n.js";
import { change, settings } from "./settings.js";

/** The browser asks the user before anything may be shown outside the page. @param {boolean} wanted */
async function setNotify(wanted) {
  const allowed = wanted && (await Notification.requestPermission()) === "granted";
  change({ notify: allowed });
  if (wanted && !allowed) toast(t("set.notify.refused"));
}

/** Opens the dialog. */
export function openSettings() {
  const engine = h("div", null);
  const dialog = h(
    "dialog",
    { "aria-labelledby": "settings-title" },
    h(
      "form",
      { method: "dialog", class: "stack" },
      h("h2", { id: "settings-title" }, t("set.title")),
      h(
        "div",
        { class: "pair" },
        select({
          label: t("set.theme"),
          value: settings.theme,
          options: [
            ["", t("set.theme.auto")],
            ["light", t("set.theme.light")],
            ["dark", t("set.theme.dark")],
            ["contrast", t("set.theme.contrast")],
          ],
          onchange: (theme) => change({ theme: /** @type {typeof settings.theme} */ (theme) }),
        }),
        select({
          label: t("set.board"),
          value: settings.board,
          options: [
            ["felt", t("set.board.felt")],
            ["wood", t("set.board.wood")],
            ["slate", t("set.board.slate")],
            ["safe", t("set.board.safe")],
          ],
          onchange: (board) => change({ board: /** @type {typeof settings.board} */ (board) }),
        }),
      ),
      h(
        "div",
        { class: "pair" },
        select({
          label: t("set.coordinates"),
          value: settings.coordinates,
          options: [
            ["edge", t("set.coordinates.edge")],
            ["inside", t("set.coordinates.inside")],
            ["off", t("set.coordinates.off")],
          ],
          onchange: (coordinates) => change({ coordinates: /** @type {typeof settings.coordinates} */ (coordinates) }),
        }),
        select({
          label: t("set.confirm"),
          value: settings.confirm,
          options: [
            ["auto", t("set.confirm.auto")],
            ["on", t("set.confirm.on")],
            ["off", t("set.confirm.off")],
          ],
          onchange: (confirm) => change({ confirm: /** @type {typeof settings.confirm} */ (confirm) }),
        }),
      ),
      select({
        label: t("set.language"),
        value: settings.language,
        options: [["", t("set.language.auto")], ...Object.entries(LANGUAGES)],
        onchange: (language) => {
          dialog.close();
          change({ language });
        },
      }),
      h(
        "div",
        null,
        tick({ label: t("set.hints"), checked: settings.hints, onchange: (hints) => change({ hints }) }),
        tick({ label: t("set.flips"), checked: settings.flips, onchange: (flips) => change({ flips }) }),
        tick({ label: t("set.motion"), checked: settings.motion, onchange: (motion) => change({ motion }) }),
        tick({ label: t("set.numbers"), checked: settings.numbers, onchange: (numbers) => change({ numbers }) }),
        tick({ label: t("set.turned"), checked: settings.turned, onchange: (turned) => change({ turned }) }),
        tick({ label: t("set.sound"), checked: settings.sound === true, onchange: (sound) => change({ sound }) }),
        "Notification" in globalThis ? tick({ label: t("set.notify"), checked: settings.notify, onchange: (notify) => void setNotify(notify) }) : null,
      ),
      h("p", { class: "hint" }, t("set.keys")),
      engine,
      h("button", { class: "primary" }, t("set.close")),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  if (alone) void describeEngine(dialog, engine);
  document.body.append(dialog);
  dialog.showModal();
}

/** What searches in this browser. @param {HTMLDialogElement} dialog @param {HTMLElement} place */
async function describeEngine(dialog, place) {
  const { line, stop } = (await import("./offline.js")).engineLine();
  fill(place, line);
  dialog.addEventListener("close", stop);
}
