/** What the signs of a tree mean. */

import { fold, h } from "../dom.js";
import { say } from "./texts.js";

export function legend() {
  /** @param {import("../dom.js").Child} sign @param {string} text */
  const entry = (sign, text) => [h("dt", null, sign), h("dd", null, text)];
  const node = (/** @type {string} */ classes, /** @type {string} */ text, /** @type {string} */ ways = "") =>
    h("span", { class: `node sample ${classes}` }, h("span", { class: "node-kind" }), text, h("span", { class: "node-ways" }, ways));
  return fold(
    "lab-legend",
    say("legend"),
    true,
    h(
      "dl",
      { class: "legend" },
      entry(node("max", ""), say("legend.max")),
      entry(node("min", ""), say("legend.min")),
      entry(node("max best-line", "d3"), say("legend.best")),
      entry(node("max lit", "d3"), say("legend.lit")),
      entry(node("min open", "3 …"), say("legend.open")),
      entry("≥ ≤", say("legend.bounds")),
      entry("α … β", say("legend.window")),
      entry(h("span", { class: "stub sample" }, "✂ c5 e6"), say("legend.cut")),
      entry(h("span", { class: "stub undrawn sample" }, "∅ c5"), say("legend.undrawn")),
      entry(h("span", { class: "join sample" }, "c4↪"), say("legend.join")),
      entry(node("max joined", "d3", "×2"), say("legend.joined")),
      entry("↻2", say("legend.searches")),
      entry(node("min scout", "> 3?"), say("legend.scout")),
      entry(node("min again", "e6"), say("legend.again")),
      entry("62%", say("legend.games")),
      entry(h("kbd", null, "← → ␣"), say("legend.keys")),
    ),
  );
}
