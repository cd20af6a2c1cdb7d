/** Numbers of moves as every book has them: discs are counted, passes are not. */

/** How many discs were placed until a ply. @param {{move: string | null}[]} moves @param {number} ply */
export const placedUntil = (moves, ply) => moves.slice(0, ply).filter(({ move }) => move !== "pass").length;

/** The squares of a line with their numbers in it. @param {string[]} line @returns {Record<string, string>} */
export const numbered = (line) => Object.fromEntries(line.filter((move) => move !== "pass" && move !== "--").map((move, index) => [move, String(index + 1)]));
