/** What reviews found out about games, kept in this browser: the accuracy of both sides and where the game turned. */

/** @import {Color} from "./types.js" */
import { keep, recall } from "./kept.js";

/**
 * @typedef {{ply: number, number: number, move: string, color: Color, before: number, after: number, loss: number, best: string | null}} Turning
 * a move with Black's prospects in discs before and after it
 * @typedef {{accuracy: Record<Color, number | null>, turning?: {kind: "turned" | "ahead" | "even" | "open", winner: Color | null, since: number, move: Turning | null}}} Kept
 */

const KEY = "emilia.reviewed";
/** Games that are remembered. */
const MOST = 500;

/** @returns {Record<string, Kept>} */
function all() {
  try {
    return JSON.parse(recall(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** A game is known by its moves. @param {number} size @param {string} transcript the moves without passes */
const nameOf = (size, transcript) => `${size}:${transcript}`;

/** @param {number} size @param {string} transcript @returns {Kept | null} */
export const reviewed = (size, transcript) => all()[nameOf(size, transcript)] ?? null;

/** @param {number} size @param {string} transcript @param {Kept} found */
export function keepReviewed(size, transcript, found) {
  const { [nameOf(size, transcript)]: before, ...others } = all();
  const kept = Object.entries(others).slice(1 - MOST);
  keep(KEY, JSON.stringify({ ...Object.fromEntries(kept), [nameOf(size, transcript)]: { ...before, ...found } }));
}
