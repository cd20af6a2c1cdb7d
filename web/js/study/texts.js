/** The texts of studies, which are fetched with them and not by everybody who only plays. */

import en from "../../i18n/study-en.js";
import { fillGaps } from "../i18n.js";

/** @typedef {keyof typeof en} StudyKey */

/** @type {Record<StudyKey, string>} */
let messages = en;

/** Loads them in the language of the page. */
export async function loadTexts() {
  const language = document.documentElement.lang.slice(0, 2);
  messages = language === "zh" || language === "ja" ? (await import(`../../i18n/study-${language}.js`)).default : en;
}

/** A text with its gaps filled. @param {StudyKey} key @param {Record<string, string | number>} [gaps] */
export const say = (key, gaps = {}) => fillGaps(messages[key], gaps);
