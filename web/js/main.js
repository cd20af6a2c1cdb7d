/** The frame around the views: the bar, the address, the settings. */

import { announce, toast } from "./announce.js";
import { alone, Refused } from "./api.js";
import { fill, h, s } from "./dom.js";
import { load, t } from "./i18n.js";
import { onUnkept } from "./kept.js";
import { lifted } from "./press.js";
import { BAR, entry, route } from "./route.js";
import { apply, onSettings, settings } from "./settings.js";
import { openSettings } from "./settings-dialog.js";

/** @import {View, ViewName} from "./route.js" */

/** @type {View | null} */
let current = null;
let turn = 0;

/**
 * Shows the view that the address names. What was shown before stays until that view is drawn and no finger is down.
 * @param {string} [before] the address that led to what is shown
 */
async function show(before = "#/") {
  const { view, id, rest, query } = route(location.hash);
  const mine = ++turn;
  drawBar(view);
  const stage = h("div", { class: "stage" });
  /** @type {View} */
  let made;
  try {
    made = await (await entry(view).load()).default(stage, { id, rest, query });
  } catch (error) {
    if (mine !== turn) return;
    if (!(error instanceof Refused) && (await canReload())) {
      location.reload();
      return;
    }
    // A file that could not be fetched is an error of the browser's own, in its own words.
    const said = error instanceof Refused && error.code !== "unreachable" ? error.message : t("error.away");
    if (current) {
      stay(before, said);
      return;
    }
    const again = h("button", { type: "button", class: "primary", onclick: () => location.reload() }, t("error.retry"));
    fill(stage, h("div", { class: "page" }, h("p", { class: "empty error", role: "alert" }, said), again));
    made = {};
  }
  await lifted();
  if (mine !== turn) {
    made.close?.();
    return;
  }
  current?.close?.();
  current = made;
  const place = /** @type {HTMLElement} */ (document.getElementById("view"));
  fill(place, stage);
  place.dataset.view = view;
  scrollTo(0, 0);
  document.title = made.title ? `${made.title} · Emilia` : "Emilia";
  made.opened?.();
  announce(document.title);
}

const RELOADED = "emilia.reloaded";

/** Whether loading the page anew helps: browsers do not ask again for a file that they could not get once. Not twice in a row. */
async function canReload() {
  const answer = await fetch(new URL("../index.html", import.meta.url), { method: "HEAD", cache: "no-store" }).catch(() => null);
  const lately = Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < 10_000;
  if (!answer?.ok || lately) return false;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  return true;
}

/** What is shown stays, with its address, because what was asked for cannot be had. @param {string} before @param {string} said why */
function stay(before, said) {
  history.replaceState(null, "", before || "#/");
  drawBar(route(location.hash).view);
  toast(said);
}

/** @param {ViewName} view */
function drawBar(view) {
  const bar = /** @type {HTMLElement} */ (document.getElementById("bar"));
  const here = entry(view).under ?? view;
  fill(
    bar,
    h("a", { class: "skip", href: "#view", onclick: skip }, t("nav.skip")),
    h(
      "a",
      { class: "brand", href: "#/", "aria-label": "Emilia" },
      s(
        "svg",
        { viewBox: "0 0 64 64", "aria-hidden": "true" },
        s("rect", { width: 64, height: 64, rx: 13, fill: "#4f7a5b" }),
        s("circle", { cx: 22, cy: 32, r: 14, fill: "#1b1a17" }),
        s("circle", { cx: 42, cy: 32, r: 14, fill: "#fbf8f0" }),
      ),
      h("span", { class: "word" }, "Emilia"),
    ),
    h(
      "nav",
      null,
      BAR.map(({ name, address, text }) => h("a", { href: address, "aria-current": name === here ? "page" : null }, t(text))),
    ),
    h(
      "button",
      { class: "quiet icon", type: "button", "aria-label": t("nav.settings"), onclick: () => openSettings() },
      s(
        "svg",
        {
          viewBox: "0 0 24 24",
          width: 20,
          height: 20,
          fill: "none",
          stroke: "currentColor",
          "stroke-width": 1.7,
          "stroke-linecap": "round",
          "aria-hidden": "true",
        },
        s("path", { d: "M4 7h9M17 7h3M4 17h3M11 17h9" }),
        s("circle", { cx: 15, cy: 7, r: 2.2 }),
        s("circle", { cx: 9, cy: 17, r: 2.2 }),
      ),
    ),
  );
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("view")?.focus();
}

// Whether somebody uses the keyboard or points at things.
addEventListener("keydown", () => (document.documentElement.dataset.input = "keys"), true);
addEventListener("pointerdown", () => (document.documentElement.dataset.input = "pointer"), true);
apply();
await load(settings.language);
let language = settings.language;
onSettings(async () => {
  if (settings.language === language) return;
  language = settings.language;
  await load(language);
  await show();
});
onUnkept((reason) => toast(t(`${alone ? "alone" : "kept"}.${reason}`)));
addEventListener("hashchange", ({ oldURL }) => void show(new URL(oldURL).hash));
await show();
if (alone) await (await import("./offline.js")).offline();
