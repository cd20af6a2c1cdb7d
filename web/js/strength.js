/** How strong somebody played, by what the moves of a game lost. */

/**
 * What people of a rating lose: the mean loss of a move halves with every 555 points. Fitted to the moves of rated people in
 * tournament games of the test years, with a choice of moves, judged by Emilia at level 10: 3.4 discs at 1350, 2.4 at 1600,
 * 2.1 at 1800, 1.4 at 2000, 1.2 at 2190 (docs/human.md).
 */
const LOSS = 3.4;
const AT = 1350;
const POINTS = 800;

/** Fewer moves than this say nothing. */
const FEWEST = 12;
const LOWEST = 600;
const HIGHEST = 2600;

/**
 * The rating of people who lose as much a move, and how far off it may be (one standard deviation); nothing where there were too
 * few moves to tell.
 *
 * @param {number[]} losses discs that each move with a choice lost
 * @returns {{rating: number, deviation: number} | null}
 */
export function playedLike(losses) {
  const count = losses.length;
  if (count < FEWEST) return null;
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / count;
  const variance = losses.reduce((sum, loss) => sum + (loss - mean) ** 2, 0) / (count - 1);
  // A game without any loss is one in which none was seen, not proof of perfection.
  const least = Math.max(mean, 1 / count);
  const rating = AT - POINTS * Math.log(least / LOSS);
  const deviation = (POINTS * Math.max(Math.sqrt(variance / count), 1 / count)) / least;
  const rounded = Math.round(Math.min(Math.max(rating, LOWEST), HIGHEST) / 10) * 10;
  return { rating: rounded, deviation: Math.round(Math.min(deviation, 800) / 10) * 10 };
}
