/** What an opening is called in the user's language. */

/** @import {Opening} from "./types.js" */

/** @param {Opening | null | undefined} opening @returns {string} empty if it has no name */
export function openingName(opening) {
  if (!opening) return "";
  const { lang } = document.documentElement;
  if (lang === "ja") return opening.ja || opening.en;
  // Few lines have a name of their own in Chinese; players use the English ones for the others.
  if (lang.startsWith("zh") && opening.zh) return opening.en ? `${opening.zh}（${opening.en}）` : opening.zh;
  return opening.en;
}
