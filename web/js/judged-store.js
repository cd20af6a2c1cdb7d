/** Games that were judged for a picture of somebody's play, kept in this browser so that nothing is judged twice. */

const NAME = "emilia-judged";
const GAMES = "games";
/** Lines that the engine writes for us begin so. */
const KEEP = '{"type":"keep"';

/** @type {Promise<IDBDatabase | null> | undefined} */
let opened;

/** @returns {Promise<IDBDatabase | null>} nothing where the browser keeps nothing: then every game is judged anew */
const open = () =>
  (opened ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(GAMES, { keyPath: "key" });
      request.onerror = () => resolve(null);
      request.onsuccess = () => resolve(request.result);
    } catch {
      resolve(null);
    }
  }));

/** Every game that is kept, as the engine wrote it. @returns {Promise<string[]>} */
export async function all() {
  const database = await open();
  if (!database) return [];
  return new Promise((resolve) => {
    const request = database.transaction(GAMES).objectStore(GAMES).getAll();
    request.onsuccess = () => resolve(request.result.map(({ game }) => game));
    request.onerror = () => resolve([]);
  });
}

/** Keeps a game, if the line is one. @param {string} line */
export function taken(line) {
  if (!line.startsWith(KEEP)) return false;
  const { game } = JSON.parse(line);
  void open().then((database) =>
    database
      ?.transaction(GAMES, "readwrite")
      .objectStore(GAMES)
      .put({ key: game.key, game: JSON.stringify(game) }),
  );
  return true;
}
