/** Texts in the user's language. `i18n/en.js` has all of them; the others have the same keys, which the types check. */

import en from "../i18n/en.js";

/** @typedef {keyof typeof en} Key */

/** @type {Record<string, string>} language names as their speakers write them */
export const LANGUAGES = { en: "English", zh: "简体中文", ja: "日本語" };

/** @type {Record<Key, string>} */
let messages = en;

/**
 * Loads a language: the wanted one, else the browser's, else English.
 * @param {string} wanted
 */
export async function load(wanted) {
  const asked = [wanted, ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  const language = asked.find((tag) => tag in LANGUAGES) ?? "en";
  messages = language === "en" ? en : (await import(`../i18n/${language}.js`)).default;
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
}

/**
 * A text with its gaps filled: `t("turn", {name: "Ann"})`. Where a word depends on a number both are there: `{n} {n|disc|discs}`.
 * @param {Key} key
 * @param {Record<string, string | number>} [gaps]
 */
export const t = (key, gaps = {}) => fillGaps(messages[key], gaps);

/** @param {string} text @param {Record<string, string | number>} gaps */
export function fillGaps(text, gaps) {
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (all, name, one, other) => {
    if (other === undefined) return String(gaps[name] ?? all);
    return String(gaps[name]) === "1" ? one : other;
  });
}

/**
 * What something of the catalogue is called in the user's language; as it is if nobody has translated it.
 * @param {"player" | "preset" | "setting" | "eval" | "part"} what
 * @param {string} name
 */
export const term = (what, name) => /** @type {Record<string, string>} */ (messages)[`${what}.${name}`] ?? name;

/** A number as the language writes it. @param {number} value */
export const number = (value) => value.toLocaleString(document.documentElement.lang);

/** A large number in short: 1.2M. @param {number} value */
export const compact = (value) => new Intl.NumberFormat(document.documentElement.lang, { notation: "compact", maximumFractionDigits: 1 }).format(value);
