/** Sounds: a disc, a pass, the end, little time. None before the user has said that there may be some. */

import { settings } from "./settings.js";

/** @type {AudioContext | undefined} */
let audio;

/**
 * A short tone like a knock on wood.
 * @param {number} pitch in hertz
 * @param {number} [after] in seconds
 * @param {number} [length] in seconds
 */
function tone(pitch, after = 0, length = 0.09) {
  if (settings.sound !== true) return;
  audio ??= new AudioContext();
  const sound = audio.createOscillator();
  const volume = audio.createGain();
  const now = audio.currentTime + after;
  sound.frequency.setValueAtTime(pitch, now);
  sound.frequency.exponentialRampToValueAtTime(pitch / 2, now + length);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + length);
  sound.connect(volume).connect(audio.destination);
  sound.start(now);
  sound.stop(now + length + 0.01);
}

/** A disc is placed. @param {number} [pitch] in hertz */
export const knock = (pitch = 320) => tone(pitch);

/** Somebody has to pass. */
export const passSound = () => tone(180, 0, 0.25);

/** The game is over. */
export const endSound = () => [523, 659, 784].forEach((pitch, index) => void tone(pitch, index * 0.16, 0.3));

/** Little time is left. */
export const hurrySound = () => [880, 880].forEach((pitch, index) => void tone(pitch, index * 0.14, 0.08));
