/** A game on its way from the analysis board into a study. */

/** @import {GameRecord} from "../game-tree.js" */

const KEY = "emilia.study.adding";

/** @type {string | null} where the browser keeps nothing */
let held = null;

/** Puts a game in. @param {string} record */
export function carry(record) {
  held = record;
  try {
    sessionStorage.setItem(KEY, record);
  } catch {
    // It is carried as long as the page lasts.
  }
}

/** What is carried, and whether it is put down by that. @param {boolean} down @returns {GameRecord | null} */
export function carried(down) {
  let record = held;
  try {
    record = sessionStorage.getItem(KEY) ?? held;
    if (down) sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
  if (down) held = null;
  return record ? JSON.parse(record) : null;
}
