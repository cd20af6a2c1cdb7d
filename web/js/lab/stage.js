/** The room around an experiment: large for a projector, type larger and smaller, and a link to what is seen. */

import { announce, toast } from "../announce.js";
import { fill, h } from "../dom.js";
import { keep, recall } from "../kept.js";
import { say } from "./texts.js";

/** Sizes of the type, in percent. */
const SCALES = [70, 85, 100, 120, 145, 175, 210];
const KEY = "emilia.lab.scale";

/**
 * @param {URLSearchParams} query
 * @param {HTMLElement} host what fills the screen
 */
export function stage(query, host) {
  const asked = Number(query.get("font") ?? recall(KEY));
  let scale = SCALES.includes(asked) ? asked : 100;
  let projecting = false;
  /** What the state of the experiment is called. */
  let state = new URLSearchParams(query);
  const larger = h("button", { type: "button", class: "icon", "aria-label": say("font.larger"), title: say("font.larger"), onclick: () => size(1) }, "A+");
  const smaller = h("button", { type: "button", class: "icon", "aria-label": say("font.smaller"), title: say("font.smaller"), onclick: () => size(-1) }, "A−");
  const projector = h("button", { type: "button", "aria-pressed": "false", onclick: () => project(!projecting) });
  const copy = h("button", { type: "button", onclick: () => void copyLink() }, say("link.copy"));

  /** @param {number} by */
  function size(by) {
    scale = SCALES[Math.max(0, Math.min(SCALES.length - 1, SCALES.indexOf(scale) + by))];
    keep(KEY, String(scale));
    draw();
  }
  /** Fills the screen, for a classroom. @param {boolean} on */
  function project(on) {
    if (projecting === on) return;
    projecting = on;
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) void document.exitFullscreen();
    draw();
  }
  function draw() {
    host.style.setProperty("--lab-scale", String(scale / 100));
    host.classList.toggle("projector", projecting);
    projector.setAttribute("aria-pressed", String(projecting));
    fill(projector, say(projecting ? "projector.leave" : "projector"));
    smaller.disabled = scale === SCALES[0];
    larger.disabled = scale === SCALES.at(-1);
    name();
  }
  /** Puts the state into the address, where a slide can take it from. */
  function name() {
    const address = new URLSearchParams(state);
    for (const key of ["font", "projector"]) address.delete(key);
    if (scale !== 100) address.set("font", String(scale));
    if (projecting) address.set("projector", "1");
    // Colons and commas may stand in an address, and links are read by people.
    const text = address.toString().replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3D/g, "=");
    history.replaceState(history.state, "", `#/lab?${text}`);
  }
  async function copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      announce(say("link.copied"));
      toast(say("link.copied"));
    } catch {
      toast(location.href);
    }
  }
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") project(false);
  };
  document.addEventListener("keydown", leave);
  if (query.get("projector") === "1") projecting = true;
  draw();
  return {
    element: h("div", { class: "row lab-tools", role: "group", "aria-label": say("stage") }, projector, smaller, larger, copy),
    /** @param {URLSearchParams} address */
    tell: (address) => {
      state = address;
      name();
    },
    close: () => {
      document.removeEventListener("keydown", leave);
      if (document.fullscreenElement) void document.exitFullscreen();
    },
  };
}
