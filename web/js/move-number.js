/** Numbers of moves as every book has them: discs are counted, passes are not. */

/** How many discs were placed until a ply. @param {{move: string | null}[]} moves @param {number} ply */
export const placedUntil = (moves, ply) => moves.slice(0, ply).filter(({ move }) => move !== "pass").length;
