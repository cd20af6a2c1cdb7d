/** Small things that the browser keeps: settings, seats, what is folded. Where it keeps nothing they last as long as the page. */

/** @type {Map<string, string>} what the browser did not take */
const held = new Map();

/** @typedef {"full" | "forbidden"} Reason why nothing is kept */

/** @type {Set<(reason: Reason) => void>} */
const listeners = new Set();
/** @type {Reason | null} */
let told = null;

/** Tells, once, why things are not kept. @param {(reason: Reason) => void} listener */
export function onUnkept(listener) {
  listeners.add(listener);
  if (told) listener(told);
}

/** Something was not kept. @param {unknown} error */
export function unkept(error) {
  if (told) return;
  told = error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "forbidden";
  for (const listener of listeners) listener(told);
}

/**
 * Where it is forbidden, even to ask for the storage is.
 * @template T
 * @param {(storage: Storage) => T} use
 * @returns {T | null}
 */
function within(use) {
  try {
    return use(localStorage);
  } catch (error) {
    unkept(error);
    return null;
  }
}

/** @param {string} key @returns {string | null} */
export const recall = (key) => held.get(key) ?? within((storage) => storage.getItem(key));

/** @param {string} key @param {string} value */
export function keep(key, value) {
  held.set(key, value);
  within((storage) => {
    storage.setItem(key, value);
    held.delete(key);
  });
}

/** @param {string} key */
export function forget(key) {
  held.delete(key);
  within((storage) => storage.removeItem(key));
}

/** What there is that begins so. @param {string} [prefix] @returns {string[]} */
export function keys(prefix = "") {
  const kept = within((storage) => Object.keys(storage)) ?? [];
  return [...new Set([...kept, ...held.keys()])].filter((key) => key.startsWith(prefix));
}
