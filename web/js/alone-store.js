/** Where games are when there is no server: in this browser. Where it keeps nothing they last as long as the page. */

import { unkept } from "./kept.js";

/** @typedef {{id: string, version: number, game: string, since: number}} Kept a game as the engine writes it, and the moment it was kept */

const NAME = "emilia";
const GAMES = "games";

/** @type {Map<string, Kept>} games that the browser does not keep */
const held = new Map();

/** @type {Promise<IDBDatabase | null> | undefined} */
let opened;

/** @returns {Promise<IDBDatabase | null>} */
function open() {
  opened ??= new Promise((resolve) => {
    /** @param {unknown} error */
    const failed = (error) => {
      unkept(error);
      resolve(null);
    };
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(GAMES, { keyPath: "id" });
      request.onerror = () => failed(request.error);
      request.onblocked = () => failed(new Error("blocked"));
      request.onsuccess = () => {
        // A later version of the page in another tab may want to change how games are kept.
        request.result.onversionchange = () => {
          request.result.close();
          opened = undefined;
        };
        resolve(request.result);
      };
    } catch (error) {
      failed(error);
    }
  });
  return opened;
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(games: IDBObjectStore, done: (value: T) => void) => void} work
 * @returns {Promise<T | undefined>} nothing where the browser keeps nothing
 */
async function within(mode, work) {
  const database = await open();
  if (!database) return undefined;
  return new Promise((resolve) => {
    /** @type {T | undefined} */
    let value;
    try {
      const transaction = database.transaction(GAMES, mode);
      transaction.oncomplete = () => resolve(value);
      transaction.onabort = () => {
        unkept(transaction.error);
        resolve(undefined);
      };
      work(transaction.objectStore(GAMES), (done) => {
        value = done;
      });
    } catch (error) {
      unkept(error);
      resolve(undefined);
    }
  });
}

/** @param {string} id @returns {Promise<Kept | undefined>} */
export async function find(id) {
  const own = held.get(id);
  return (
    own ??
    (await within("readonly", (games, done) => {
      const request = games.get(id);
      request.onsuccess = () => done(request.result);
    }))
  );
}

/** Forgets a game. @param {string} id */
export async function remove(id) {
  held.delete(id);
  await within("readwrite", (games, done) => {
    games.delete(id).onsuccess = () => done(true);
  });
}

/** @returns {Promise<Kept[]>} */
export async function all() {
  /** @type {Kept[] | undefined} */
  const kept = await within("readonly", (games, done) => {
    const request = games.getAll();
    request.onsuccess = () => done(request.result);
  });
  return [...(kept ?? []).filter(({ id }) => !held.has(id)), ...held.values()];
}

/**
 * Keeps a game, unless it has changed meanwhile: two tabs may play at the same table.
 * @param {Kept} game
 * @param {number} before the version that it was changed from; 0 for a new game
 * @returns {Promise<boolean>}
 */
export async function keep(game, before) {
  if (!held.has(game.id)) {
    /** @type {boolean | undefined} */
    const kept = await within("readwrite", (games, done) => {
      const known = games.get(game.id);
      known.onsuccess = () => {
        const fits = (known.result?.version ?? 0) === before;
        done(fits);
        try {
          if (fits) games.put(game);
        } catch (error) {
          unkept(error);
          games.transaction.abort();
        }
      };
    });
    if (kept !== undefined) return kept;
  }
  if ((held.get(game.id)?.version ?? before) !== before) return false;
  held.set(game.id, game);
  return true;
}
