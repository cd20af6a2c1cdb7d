/** What the user chose, kept in the browser and shown as attributes of the page. */

import { keep, recall } from "./kept.js";

/**
 * @typedef {object} Settings
 * @property {"" | "light" | "dark" | "contrast"} theme
 * @property {"felt" | "wood" | "slate" | "safe"} board
 * @property {string} language
 * @property {boolean} hints legal squares shown
 * @property {boolean} flips turned discs marked
 * @property {boolean} motion
 * @property {boolean | null} sound null as long as nobody has chosen
 * @property {boolean} notify a notification when it is one's turn and the page is out of sight
 * @property {"auto" | "on" | "off"} confirm whether a move is tapped twice: by itself where fingers play
 * @property {boolean} turned the board from the other side
 * @property {"edge" | "inside" | "off"} coordinates
 * @property {boolean} numbers moves numbered on the discs
 * @property {string} name the user's name
 */

const KEY = "emilia.settings";

/** @type {Settings} */
const usual = {
  theme: "",
  board: "felt",
  language: "",
  hints: true,
  flips: true,
  motion: true,
  sound: null,
  notify: false,
  confirm: "auto",
  turned: false,
  coordinates: "edge",
  numbers: false,
  name: "",
};

/** @type {Settings} */
export const settings = { ...usual, ...read() };

/** @returns {Partial<Settings>} */
function read() {
  try {
    return JSON.parse(recall(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** @type {Set<() => void>} */
const listeners = new Set();

/** Tells when a setting changes. @param {() => void} listener @returns {() => void} stops telling */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {Partial<Settings>} change */
export function change(change) {
  Object.assign(settings, change);
  keep(KEY, JSON.stringify(settings));
  apply();
  for (const listener of listeners) listener();
}

/** Puts the settings on the page. */
export function apply() {
  const root = document.documentElement;
  if (settings.theme) root.dataset.theme = settings.theme;
  else delete root.dataset.theme;
  root.dataset.board = settings.board;
  root.dataset.motion = settings.motion ? "on" : "off";
  root.dataset.coordinates = settings.coordinates;
  root.dataset.turned = settings.turned ? "yes" : "no";
}
