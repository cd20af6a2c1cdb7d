/** What this browser's learner has, on the server or here: a profile without an account, known by its secret alone. */

/** @import {Card, Profile, ProfileEntry, PuzzleAnswered, PuzzleListing, PuzzleQuestion, Training} from "./types.js" */
import { ask, json, Refused } from "./api.js";
import { forget as drop, keep, recall } from "./kept.js";
import { page } from "./route.js";

const KEY = "emilia.profile";

/** The secret, if there is one. @returns {string | null} */
export const secret = () => recall(KEY);

/** Uses the profile of this secret from now on. @param {string} token */
export const adopt = (token) => keep(KEY, token);

/** A link that opens this profile on another device. The secret stands behind the #, which is never sent. */
export const link = () => `${page()}#/train?profile=${secret()}`;

/**
 * Does something with the profile; makes one first if this browser has none, or none that is known.
 * @template T
 * @param {(token: string) => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function owned(act) {
  const token = secret();
  if (token) {
    try {
      return await act(token);
    } catch (error) {
      if (!(error instanceof Refused && error.code === "unknown_profile")) throw error;
    }
  }
  const made = await json("/api/profiles", { body: { name: "" } });
  adopt(made.token);
  return act(made.token);
}

/** The profile, without making one. @returns {Promise<Profile | null>} */
export async function profile() {
  const token = secret();
  if (!token) return null;
  try {
    return await json("/api/profile", { token });
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown_profile") return null;
    throw error;
  }
}

/** The profiles of this machine; none on a server that is open to others. @returns {Promise<ProfileEntry[]>} */
export const profiles = async () => (await json("/api/profiles")).profiles;

/** @param {string} name @returns {Promise<Profile>} */
export const rename = (name) => owned((token) => json("/api/profile", { token, body: { name } }));

/** Deletes the profile with all it has. */
export async function forget() {
  const token = secret();
  if (token) await json("/api/profile/delete", { token, body: {} });
  drop(KEY);
}

/** @param {{kind: string, due?: boolean, limit?: number}} wanted @returns {Promise<Card[]>} */
export async function cards({ kind, due = false, limit = 50 }) {
  const token = secret();
  if (!token) return [];
  return (await json(`/api/profile/cards?kind=${kind}&due=${due}&limit=${limit}`, { token })).cards;
}

/** @param {number} card @param {string} move @param {number} took_ms @returns {Promise<{right: boolean, card: Card}>} */
export const answer = (card, move, took_ms) => owned((token) => json("/api/profile/answers", { token, body: { card, move, took_ms } }));

/** Says how well a card was known. @param {number} card @param {"again" | "hard" | "good" | "easy"} grade */
export const grade = (card, grade) => owned((token) => json("/api/profile/answers", { token, body: { card, grade } }));

/** @param {number[]} cards */
export const remove = (cards) => owned((token) => json("/api/profile/cards/remove", { token, body: { cards } }));

/** All of it as one file. @returns {Promise<Blob>} */
export const exported = () => owned(async (token) => (await ask("/api/profile/export", { token })).blob());

/** @param {Blob} file @returns {Promise<{added: number, updated: number, answers: number}>} */
export const imported = (file) => owned((token) => json("/api/profile/import", { token, raw: file }));

/** A step of the opening trainer. @param {object} step @returns {Promise<Training>} */
export const train = (step) => owned((token) => json("/api/train/opening", { token, body: step }));

/** @returns {Promise<{moves: string, name: import("./types.js").Opening}[]>} */
export const openings = async () => (await json("/api/train/openings")).openings;

/** What puzzles there are. @returns {Promise<PuzzleListing>} */
export const puzzles = () => json("/api/train/puzzles");

/** A puzzle: the next one, that of a day, one of a run. Only who answers gets a profile. @param {object} wanted @returns {Promise<PuzzleQuestion>} */
export async function puzzle(wanted) {
  const ask = (/** @type {string | null} */ token) => json("/api/train/puzzle", { token, body: wanted });
  try {
    return await ask(secret());
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown_profile") return ask(null);
    throw error;
  }
}

/** @param {object} answer @returns {Promise<PuzzleAnswered>} */
export const answerPuzzle = (answer) => owned((token) => json("/api/train/puzzle/answer", { token, body: answer }));

/** Notes a run that has ended. @param {object} run @returns {Promise<{record: boolean, best_runs: Record<string, number>}>} */
export const noteRun = (run) => owned((token) => json("/api/train/runs", { token, body: run }));

/** Puts mistakes into the deck. @param {object[]} cards @returns {Promise<{added: number}>} */
export const addMistakes = (cards) => owned((token) => json("/api/profile/cards", { token, body: { kind: "mistake", cards } }));
