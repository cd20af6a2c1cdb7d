/** Saying things: to screen readers, in passing notes, and by sound. */

import { h } from "./dom.js";
import { settings } from "./settings.js";

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

/** @type {AudioContext | undefined} */
let audio;

/** A short wooden knock, if sound is on. @param {number} [pitch] in hertz */
export function knock(pitch = 320) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const now = audio.currentTime;
  tone.frequency.setValueAtTime(pitch, now);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + 0.08);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}
