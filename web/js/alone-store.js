/** Where games and profiles are when there is no server: in this browser. Where it keeps nothing they last as long as the page. */

import { unkept } from "./kept.js";

/** @typedef {{id: string, version: number, game: string, since: number}} KeptGame a game as the engine writes it, and the moment it was kept */
/** @typedef {{id: string, version: number, learner: string}} KeptLearner a profile as the engine writes it, by its secret */

/**
 * Things of one kind, each in a version that counts its changes.
 * @template {{id: string, version: number}} T
 */
export class Store {
  /** @type {Map<string, T>} what the browser does not keep */
  #held = new Map();
  /** @type {Promise<IDBDatabase | null> | undefined} */
  #opened;

  /** @param {string} name of the database @param {string} table in which they are */
  constructor(name, table) {
    this.name = name;
    this.table = table;
  }

  /** @returns {Promise<IDBDatabase | null>} */
  #open() {
    this.#opened ??= new Promise((resolve) => {
      /** @param {unknown} error */
      const failed = (error) => {
        unkept(error);
        resolve(null);
      };
      try {
        const request = indexedDB.open(this.name, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(this.table, { keyPath: "id" });
        request.onerror = () => failed(request.error);
        request.onblocked = () => failed(new Error("blocked"));
        request.onsuccess = () => {
          // A later version of the page in another tab may want to change how things are kept.
          request.result.onversionchange = () => {
            request.result.close();
            this.#opened = undefined;
          };
          resolve(request.result);
        };
      } catch (error) {
        failed(error);
      }
    });
    return this.#opened;
  }

  /**
   * @template V
   * @param {IDBTransactionMode} mode
   * @param {(table: IDBObjectStore, done: (value: V) => void) => void} work
   * @returns {Promise<V | undefined>} nothing where the browser keeps nothing
   */
  async #within(mode, work) {
    const database = await this.#open();
    if (!database) return undefined;
    return new Promise((resolve) => {
      /** @type {V | undefined} */
      let value;
      try {
        const transaction = database.transaction(this.table, mode);
        transaction.oncomplete = () => resolve(value);
        transaction.onabort = () => {
          unkept(transaction.error);
          resolve(undefined);
        };
        work(transaction.objectStore(this.table), (done) => {
          value = done;
        });
      } catch (error) {
        unkept(error);
        resolve(undefined);
      }
    });
  }

  /** @param {string} id @returns {Promise<T | undefined>} */
  async find(id) {
    const own = this.#held.get(id);
    return (
      own ??
      (await this.#within("readonly", (table, done) => {
        const request = table.get(id);
        request.onsuccess = () => done(request.result);
      }))
    );
  }

  /** Forgets something. @param {string} id */
  async remove(id) {
    this.#held.delete(id);
    await this.#within("readwrite", (table, done) => {
      table.delete(id).onsuccess = () => done(true);
    });
  }

  /** @returns {Promise<T[]>} */
  async all() {
    /** @type {T[] | undefined} */
    const kept = await this.#within("readonly", (table, done) => {
      const request = table.getAll();
      request.onsuccess = () => done(request.result);
    });
    return [...(kept ?? []).filter(({ id }) => !this.#held.has(id)), ...this.#held.values()];
  }

  /**
   * Keeps something, unless it has changed meanwhile: two tabs may play at the same table, or learn by the same profile.
   * @param {T} thing
   * @param {number | null} before the version that it was changed from; 0 for something new, null to keep it in any case
   * @returns {Promise<boolean>}
   */
  async keep(thing, before) {
    const { id } = thing;
    if (!this.#held.has(id)) {
      /** @type {boolean | undefined} */
      const kept = await this.#within("readwrite", (table, done) => {
        const known = table.get(id);
        known.onsuccess = () => {
          const fits = before === null || (known.result?.version ?? 0) === before;
          done(fits);
          try {
            if (fits) table.put(thing);
          } catch (error) {
            unkept(error);
            table.transaction.abort();
          }
        };
      });
      if (kept !== undefined) return kept;
    }
    if (before !== null && (this.#held.get(id)?.version ?? before) !== before) return false;
    this.#held.set(id, thing);
    return true;
  }
}

/** @type {Store<KeptGame>} */
export const gameStore = new Store("emilia", "games");

/** @type {Store<KeptLearner>} */
export const learnerStore = new Store("emilia-learners", "learners");
