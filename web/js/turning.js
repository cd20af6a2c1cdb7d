/** Where a game turned: the last move after which the side that won was ahead for good. */

/** @import {Color, Judged} from "./types.js" */
/** @import {Kept} from "./verdicts-kept.js" */

/** Prospects of less than so many discs are nobody's lead. */
const LEAD = 1;

/** Who is ahead. @param {number | null} discs Black's prospects @returns {Color | null} */
const ahead = (discs) => (discs === null || Math.abs(discs) < LEAD ? null : discs > 0 ? "black" : "white");

/**
 * @param {Judged[]} moves every move of the game, judged
 * @param {Color | null} winner
 * @param {(ply: number) => number} number of the move as people count it
 * @returns {NonNullable<Kept["turning"]> | null} nothing where nothing was judged
 */
export function turningOf(moves, winner, number) {
  if (!moves.length) return null;
  /** @param {Judged} judged @param {number} before */
  const told = ({ ply, color, move, discs, loss, best }, before) => ({ ply, number: number(ply), move, color, before, after: discs ?? before, loss, best });
  const before = (/** @type {number} */ index) => (index > 0 ? (moves[index - 1].discs ?? 0) : 0);
  const dearest = moves.reduce((most, judged, index) => (!judged.forced && judged.loss > (moves[most]?.loss ?? 0) ? index : most), -1);
  const dear = dearest < 0 ? null : told(moves[dearest], before(dearest));
  if (!winner) return { kind: "even", winner, since: 0, move: dear };
  // From here on the winner was ahead all the time.
  let since = moves.length;
  while (since > 0 && ahead(moves[since - 1].discs) === winner) since--;
  // Who resigned, or ran out of time, need not have been behind.
  if (since === moves.length) return { kind: "open", winner, since: 0, move: dear };
  const turn = moves[since];
  // A lead that grew by good moves alone has no turning point; the other side's dearest move is the next best thing.
  const lost = turn.color !== winner && turn.loss >= LEAD;
  if (lost) return { kind: "turned", winner, since: number(turn.ply), move: told(turn, before(since)) };
  return { kind: "ahead", winner, since: number(turn.ply), move: dear };
}
