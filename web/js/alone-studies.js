/** Studies without a server: kept in this browser, looked after by the engine as a server would. */

/** @import {Answer} from "./alone.js" */
import { Store } from "./alone-store.js";

/** @typedef {{id: string, version: number, study: string}} Kept a study as the engine writes it */

/** @type {Store<Kept>} */
export const kept = new Store("emilia-studies", "studies");

/** @param {string} study @returns {Kept} */
export function entry(study) {
  const { id, version } = JSON.parse(study);
  return { id, version, study };
}

/**
 * @param {string} path
 * @param {object} request
 * @param {(request: object) => Promise<Answer>} ask the engine
 * @returns {Promise<Answer>}
 */
export async function answer(path, request, ask) {
  if (path === "/api/my/studies") return ask({ ...request, games: (await kept.all()).map(({ study }) => study) });
  const [, id] = /^\/api\/studies\/([\w-]{22})(?:\/|$)/.exec(path) ?? [];
  if (!id) {
    const made = await ask(request);
    if (made.game) await kept.keep(entry(made.game), 0);
    return made;
  }
  for (;;) {
    const found = await kept.find(id);
    const told = await ask({ ...request, game: found?.study ?? null });
    if (told.status === 200 && path.endsWith("/delete")) await kept.remove(id);
    // Another tab may have been faster; then the engine says so the next time.
    if (!told.game || (await kept.keep(entry(told.game), found?.version ?? 0))) return told;
  }
}
