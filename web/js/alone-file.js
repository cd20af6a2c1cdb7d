/** All that this browser has of the site without a server, games, profiles and settings, as one file, and back. */

/** @import {KeptGame, KeptLearner} from "./alone-store.js" */
import { ask, readable, readableLearners } from "./alone.js";
import { gameStore, learnerStore } from "./alone-store.js";
import { kept as studies } from "./alone-studies.js";
import { t } from "./i18n.js";
import { keep, keys, recall } from "./kept.js";
import { change, settings } from "./settings.js";

const FORMAT = "emilia-browser";
/** The second has profiles besides. */
const VERSION = 2;
/** What is kept beside the games begins so. */
const OURS = "emilia.";
const SETTINGS = "emilia.settings";

/** @typedef {import("./alone-studies.js").Kept} KeptStudy */
/** @typedef {{format: string, version: number, games: KeptGame[], learners?: KeptLearner[], studies?: KeptStudy[], small: Record<string, string>}} Written */

/** Why a file is not taken. Nothing has been changed then. */
class NotTaken extends Error {}

/** Everything as one file. @returns {Promise<Blob>} */
export async function written() {
  const small = Object.fromEntries(keys(OURS).map((key) => [key, recall(key) ?? ""]));
  const all = { format: FORMAT, version: VERSION, games: await gameStore.all(), learners: await learnerStore.all(), studies: await studies.all(), small };
  return new Blob([JSON.stringify(all)], { type: "application/json" });
}

/**
 * Takes what is in such a file. A game or study that has gone further here stays as it is; a profile that is here, too, learns what the file knows.
 * @param {Blob} file
 * @returns {Promise<{games: number, profiles: number}>} what the file has
 */
export async function taken(file) {
  const { games, learners = [], studies: others = [], small } = checked(await file.text());
  if ((await readable(games.map(({ game }) => game))) !== games.length) throw new NotTaken(t("alone.badgame"));
  if ((await readableLearners(learners.map(({ learner }) => learner))) !== learners.length) throw new NotTaken(t("alone.badprofile"));
  for (const game of games) {
    const here = await gameStore.find(game.id);
    if (!here || here.version < game.version) await gameStore.keep(game, here?.version ?? 0);
  }
  for (const learner of learners) if (!(await learnerStore.keep(learner, 0))) await learned(learner);
  for (const study of others) {
    const here = await studies.find(study.id);
    if (!here || here.version < study.version) await studies.keep(study, here?.version ?? 0);
  }
  for (const [key, value] of Object.entries(small)) if (key !== SETTINGS) keep(key, value);
  change(known(small[SETTINGS] ?? "{}"));
  return { games: games.length, profiles: learners.length };
}

/** Puts what a profile of a file knows into the same profile here. @param {KeptLearner} learner */
async function learned({ id, learner }) {
  const { profile } = JSON.parse(learner);
  await ask("/api/profile/import", { token: id, raw: JSON.stringify(profile) });
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
  if (all.learners !== undefined && !(Array.isArray(all.learners) && all.learners.every(isLearner))) throw no;
  if (all.studies !== undefined && !(Array.isArray(all.studies) && all.studies.every(isStudy))) throw no;
  return /** @type {Written} */ (all);
}

/** Whether this is a game that says of itself what the file says of it. @param {unknown} value */
function isGame(value) {
  const { id, version, game, since } = /** @type {KeptGame} */ (value ?? {});
  if (typeof game !== "string" || typeof since !== "number") return false;
  try {
    const inside = JSON.parse(game);
    return inside.id === id && inside.version === version;
  } catch {
    return false;
  }
}

/** Whether this is a profile of the secret that the file says. @param {unknown} value */
function isLearner(value) {
  const { id, version, learner } = /** @type {KeptLearner} */ (value ?? {});
  if (typeof learner !== "string" || typeof version !== "number") return false;
  try {
    return JSON.parse(learner).token === id;
  } catch {
    return false;
  }
}

/** Whether this is a study that says of itself what the file says of it. @param {unknown} value */
function isStudy(value) {
  const { id, version, study } = /** @type {KeptStudy} */ (value ?? {});
  if (typeof study !== "string") return false;
  try {
    const inside = JSON.parse(study);
    return inside.id === id && inside.version === version && Array.isArray(inside.study?.chapters);
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
