/** The texts of the lab, which are fetched with it and not by everybody who only plays. */

import en from "../../i18n/lab-en.js";
import { fillGaps } from "../i18n.js";

/** @typedef {keyof typeof en} LabKey */

/** @type {Record<LabKey, string>} */
let messages = en;

/** Loads them in the language of the page. */
export async function loadTexts() {
  const language = document.documentElement.lang.slice(0, 2);
  messages = language === "zh" || language === "ja" ? (await import(`../../i18n/lab-${language}.js`)).default : en;
}

/** A text with its gaps filled. @param {LabKey} key @param {Record<string, string | number>} [gaps] */
export function say(key, gaps = {}) {
  return fillGaps(messages[key], gaps);
}
