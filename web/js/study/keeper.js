/**
 * Keeping a study while it is edited. Every change goes to this browser first and from there to the server, or to the engine that
 * stands for one. A server that is away gets it later; a study that was changed elsewhere meanwhile is never overwritten unasked.
 */

/** @import {StudyText} from "./study.js" */
import { Store } from "../alone-store.js";
import * as api from "../api.js";
import { GameTree } from "../game-tree.js";
import { forget, keep, keys, recall } from "../kept.js";

/** @typedef {{id: string, version: number, study: StudyText, unsent: boolean, changed: number}} Draft a study as this browser has it */
/** @typedef {{id: string, version: number, changed: number, yours: boolean, token?: string, study: StudyText}} Told */
/** @typedef {"kept" | "sending" | "away" | "conflict" | "gone" | "refused"} KeepState */

/** How long a change waits for the next one before it is sent, and how long until it is tried again, in milliseconds. */
const DELAY = 600;
const AGAIN = 4000;

/** Studies that are asked about at once. */
const AT_ONCE = 200;

/** Refusals that pass by themselves. */
const PASSING = new Set(["unreachable", "too_many", "not_saved", "no_memory", "too_slow"]);

const SECRET = "emilia.study.";

/** @type {Store<Draft>} */
const drafts = new Store("emilia-drafts", "studies");

/** Tells other tabs that a study has changed. */
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("emilia.studies") : null;

/** The secrets of this browser's studies. */
export const secrets = {
  /** @param {string} id */
  of: (id) => recall(SECRET + id),
  all: () => keys(SECRET).map((key) => key.slice(SECRET.length)),
};

/** A new study. @param {StudyText} study @returns {Promise<string>} its name */
export async function create(study) {
  /** @type {Told} */
  const told = await api.json("/api/studies", { body: study });
  keep(SECRET + told.id, told.token ?? "");
  return told.id;
}

/** Deletes a study for good. @param {string} id */
export async function remove(id) {
  try {
    await api.json(`/api/studies/${id}/delete`, { body: {}, token: secrets.of(id) });
  } catch (error) {
    if (!(error instanceof api.Refused && error.code === "unknown_study")) throw error;
  }
  await drafts.remove(id);
  forget(SECRET + id);
}

/** @typedef {{id: string, title: string, chapters: number, changed: number, unsent: boolean}} Listed */

/** The studies of this browser, the latest first. @returns {Promise<{studies: Listed[], away: boolean}>} */
export async function list() {
  const here = await drafts.all();
  const unsent = new Set(here.filter((draft) => draft.unsent).map(({ id }) => id));
  const claims = secrets.all().map((id) => ({ id, token: secrets.of(id) ?? "" }));
  /** @type {Listed[]} */
  const found = [];
  try {
    for (let at = 0; at < claims.length; at += AT_ONCE) {
      /** @type {{studies: Listed[], gone: string[]}} */
      const { studies, gone } = await api.json("/api/my/studies", { body: { studies: claims.slice(at, at + AT_ONCE) } });
      for (const id of gone) if (!unsent.has(id)) forget(SECRET + id);
      found.push(...studies.map((study) => ({ ...study, unsent: unsent.has(study.id) })));
    }
    return { studies: found.sort((one, other) => other.changed - one.changed), away: false };
  } catch (error) {
    if (!api.isAway(error)) throw error;
    const known = here.map(({ id, changed, study }) => ({ id, changed, title: study.title, chapters: study.chapters.length, unsent: unsent.has(id) }));
    return { studies: known.sort((one, other) => other.changed - one.changed), away: true };
  }
}

/** Whether two texts are the same study, however their games are written. @param {StudyText} one @param {StudyText} other */
const isSame = (one, other) => written(one) === written(other);

/** A study in the form in which it comes back from where it is kept. @param {StudyText} study */
function written({ title, chapters }) {
  const games = chapters.map((record) => {
    const tree = GameTree.recorded(record);
    for (const spot of tree.spots.values()) {
      spot.comment = spot.comment.trim();
      spot.markings = spot.markings?.toSorted();
    }
    return tree.toRecord();
  });
  return JSON.stringify([title.trim(), games]);
}

/** Looks after one study while it is open. */
export class Keeper {
  /** @type {KeepState} */
  state = "kept";
  /** Why it was refused. @type {unknown} */
  reason = null;
  /** @type {StudyText | null} what is not sent yet */
  #unsent = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #busy = false;
  #closed = false;

  /** @param {{id: string, version: number, study: StudyText, yours: boolean}} opened @param {{state: () => void, newer: (study: StudyText) => void}} on */
  constructor({ id, version, study, yours }, on) {
    this.id = id;
    this.version = version;
    this.study = study;
    this.yours = yours;
    this.on = on;
    this.heard = (/** @type {MessageEvent} */ { data }) => {
      if (data.id === id && data.version > this.version) void this.look();
    };
    this.seen = () => {
      if (!document.hidden) void this.look();
    };
    this.again = () => void this.#send();
    tabs?.addEventListener("message", this.heard);
    document.addEventListener("visibilitychange", this.seen);
    addEventListener("online", this.again);
  }

  /**
   * Opens a study: as the server has it, with what this browser has not sent yet.
   * @param {string} id
   * @param {{state: () => void, newer: (study: StudyText) => void}} on
   */
  static async open(id, on) {
    const draft = await drafts.find(id);
    const mine = draft?.unsent ? draft : null;
    /** @type {Told} */
    let told;
    try {
      told = await api.json(`/api/studies/${id}`, { token: secrets.of(id) });
    } catch (error) {
      const gone = error instanceof api.Refused && error.code === "unknown_study";
      if (!draft || !(api.isAway(error) || (gone && mine))) throw error;
      const keeper = new Keeper({ ...draft, yours: true }, on);
      if (mine) keeper.#unsent = mine.study;
      if (gone) keeper.#tell("gone");
      else if (mine) keeper.#later("away");
      return keeper;
    }
    // What was sent when the page was closed may have arrived.
    if (!mine || isSame(mine.study, told.study)) {
      const keeper = new Keeper(told, on);
      if (told.yours) await keeper.#note(told.study, false);
      return keeper;
    }
    const keeper = new Keeper({ ...told, version: mine.version, study: mine.study }, on);
    keeper.#unsent = mine.study;
    if (mine.version === told.version) void keeper.#send();
    else keeper.#tell("conflict");
    return keeper;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    tabs?.removeEventListener("message", this.heard);
    document.removeEventListener("visibilitychange", this.seen);
    removeEventListener("online", this.again);
    if (this.#unsent && this.state === "sending") void this.#send();
  }

  /** Something was changed. @param {StudyText} study */
  change(study) {
    this.study = study;
    this.#unsent = study;
    void this.#note(study, true);
    if (this.state === "conflict" || this.state === "gone") return;
    this.#later("sending", DELAY);
  }

  /** Asks whether somebody else has changed it. */
  async look() {
    if (this.#unsent || this.#closed) return;
    try {
      /** @type {Told} */
      const told = await api.json(`/api/studies/${this.id}`, { token: secrets.of(this.id) });
      if (this.#unsent || this.#closed || told.version <= this.version) return;
      this.#take(told);
    } catch {
      // What is shown stays; whoever changes it is told what is wrong.
    }
  }

  /** Puts this browser's text in the place of what somebody else wrote. */
  async useMine() {
    /** @type {Told} */
    const told = await api.json(`/api/studies/${this.id}`, { token: secrets.of(this.id) });
    this.version = told.version;
    await this.#send();
  }

  /** Takes what somebody else wrote, and forgets what is unsent. */
  async useTheirs() {
    /** @type {Told} */
    const told = await api.json(`/api/studies/${this.id}`, { token: secrets.of(this.id) });
    this.#unsent = null;
    this.#take(told);
    this.#tell("kept");
  }

  /** Keeps what is unsent as a study of its own. @param {string} title @returns {Promise<string>} its name */
  async keepBoth(title) {
    const id = await create({ ...this.study, title });
    if (this.state === "gone") {
      await drafts.remove(this.id);
      forget(SECRET + this.id);
    } else await this.useTheirs();
    return id;
  }

  /** @param {Told} told */
  #take(told) {
    this.version = told.version;
    this.study = told.study;
    if (this.yours) void this.#note(told.study, false);
    this.on.newer(told.study);
  }

  /** @param {StudyText} study @param {boolean} unsent */
  async #note(study, unsent) {
    await drafts.keep({ id: this.id, version: this.version, study, unsent, changed: Date.now() }, null);
  }

  /** @param {KeepState} state @param {number} [wait] */
  #later(state, wait = AGAIN) {
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.#send(), wait);
    this.#tell(state);
  }

  /** @param {KeepState} state */
  #tell(state) {
    this.state = state;
    if (!this.#closed) this.on.state();
  }

  async #send() {
    const study = this.#unsent;
    if (!study || this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#timer);
    try {
      const told = await api.json(`/api/studies/${this.id}`, { body: { version: this.version, ...study }, token: secrets.of(this.id) });
      this.version = told.version;
      tabs?.postMessage({ id: this.id, version: told.version });
      const more = this.#unsent !== study;
      if (!more) this.#unsent = null;
      await this.#note(this.study, this.#unsent !== null);
      this.#busy = false;
      if (more) this.#later("sending", DELAY);
      else this.#tell("kept");
    } catch (error) {
      this.#busy = false;
      const code = error instanceof api.Refused ? error.code : "";
      this.reason = error;
      if (PASSING.has(code)) this.#later("away");
      else if (code === "changed") await this.#compare(study);
      else this.#tell(code === "unknown_study" ? "gone" : "refused");
    }
  }

  /** Whether what is there instead is what was to be sent: a page that was closed may have sent it. @param {StudyText} study */
  async #compare(study) {
    /** @type {Told | null} */
    const told = await api.json(`/api/studies/${this.id}`).catch(() => null);
    if (!told || !isSame(told.study, study)) {
      this.#tell("conflict");
      return;
    }
    this.version = told.version;
    if (this.#unsent === study) this.#unsent = null;
    await this.#note(this.study, this.#unsent !== null);
    if (this.#unsent) this.#later("sending", DELAY);
    else this.#tell("kept");
  }
}
