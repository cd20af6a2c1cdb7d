/** All that this browser has of the site without a server, games and settings, as one file, and back. */

import { readable } from "./alone.js";
import * as store from "./alone-store.js";
import { t } from "./i18n.js";
import { keep, keys, recall } from "./kept.js";
import { change, settings } from "./settings.js";

const FORMAT = "emilia-browser";
const VERSION = 1;
/** What is kept beside the games begins so. */
const OURS = "emilia.";
const SETTINGS = "emilia.settings";

/** @typedef {{format: string, version: number, games: store.Kept[], small: Record<string, string>}} Written */

/** Why a file is not taken. Nothing has been changed then. */
class NotTaken extends Error {}

/** Everything as one file. @returns {Promise<Blob>} */
export async function written() {
  const small = Object.fromEntries(keys(OURS).map((key) => [key, recall(key) ?? ""]));
  const all = { format: FORMAT, version: VERSION, games: await store.all(), small };
  return new Blob([JSON.stringify(all)], { type: "application/json" });
}

/** Takes what is in such a file. A game that has gone further here stays as it is. @param {Blob} file @returns {Promise<number>} games of the file */
export async function taken(file) {
  const { games, small } = checked(await file.text());
  if ((await readable(games.map(({ game }) => game))) !== games.length) throw new NotTaken(t("alone.badgame"));
  for (const game of games) {
    const here = await store.find(game.id);
    if (!here || here.version < game.version) await store.keep(game, here?.version ?? 0);
  }
  for (const [key, value] of Object.entries(small)) if (key !== SETTINGS) keep(key, value);
  change(known(small[SETTINGS] ?? "{}"));
  return games.length;
}

/** @param {string} text @returns {Written} */
function checked(text) {
  const no = new NotTaken(t("alone.notfile"));
  /** @type {Partial<Written> | null} */
  let all;
  try {
    all = JSON.parse(text);
  } catch {
    throw no;
  }
  if (all?.format !== FORMAT || typeof all.version !== "number") throw no;
  if (all.version > VERSION) throw new NotTaken(t("alone.newerfile"));
  const { games, small } = all;
  if (!Array.isArray(games) || typeof small !== "object" || small === null) throw no;
  if (!Object.entries(small).every(([key, value]) => key.startsWith(OURS) && typeof value === "string")) throw no;
  if (!games.every(isGame)) throw no;
  return /** @type {Written} */ (all);
}

/** Whether this is a game that says of itself what the file says of it. @param {unknown} value */
function isGame(value) {
  const { id, version, game, since } = /** @type {store.Kept} */ (value ?? {});
  if (typeof game !== "string" || typeof since !== "number") return false;
  try {
    const inside = JSON.parse(game);
    return inside.id === id && inside.version === version;
  } catch {
    return false;
  }
}

/** What this version knows among the settings of a file. @param {string} text @returns {Partial<typeof settings>} */
function known(text) {
  try {
    const found = JSON.parse(text);
    const fits = (/** @type {[string, unknown]} */ [name, value]) => typeof found[name] === typeof value;
    return Object.fromEntries(
      Object.entries(settings)
        .filter(fits)
        .map(([name]) => [name, found[name]]),
    );
  } catch {
    return {};
  }
}
