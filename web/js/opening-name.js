/** What an opening is called in the user's language. */

/** @import {Opening} from "./types.js" */

/** @param {Opening | null | undefined} opening @returns {string} empty if it has no name */
export function openingName(opening) {
  if (!opening) return "";
  return document.documentElement.lang === "ja" ? opening.ja || opening.en : opening.en;
}
