/** A study: a title and chapters, each a game with its variations; and the way back from every change. */

/** @import {GameRecord} from "../game-tree.js" */
import { GameTree } from "../game-tree.js";

/** @typedef {{title: string, chapters: GameRecord[]}} StudyText a study as it is kept and sent */

/** Chapters of a study, as the server has it. */
export const MOST_CHAPTERS = 100;
/** Letters of a title, as the server has it. */
export const LONGEST_TITLE = 120;
/** Changes that can be taken back. */
const MOST_BACK = 200;

/** The tag of a record that holds the title of a chapter. */
const TITLE = "GN";

/** One game of a study. The record is never changed but replaced, so that earlier ones can be gone back to. */
export class Chapter {
  /** @type {GameTree | null} */
  #tree = null;

  /** @param {GameRecord} record */
  constructor(record) {
    this.record = record;
  }

  get tree() {
    this.#tree ??= GameTree.recorded(this.record);
    return this.#tree;
  }

  get title() {
    return this.record.tags?.find(([name]) => name === TITLE)?.[1] ?? "";
  }

  /** What it is called: by its title, by who played, or by its number. @param {number} number @param {(number: number) => string} nameless */
  name(number, nameless) {
    const tags = Object.fromEntries(this.record.tags ?? []);
    return this.title || [tags.Black, tags.White].filter(Boolean).join(" – ") || nameless(number);
  }

  /** Takes over what was changed in the tree. */
  changed() {
    this.record = this.tree.toRecord();
  }

  /** @param {string} title */
  rename(title) {
    const { [TITLE]: _, ...tags } = this.tree.about.tags ?? {};
    this.tree.about.tags = title ? { ...tags, [TITLE]: title } : tags;
    this.changed();
  }
}

/** A chapter without moves. @param {{size: number, start?: string, title?: string}} given `start` is a board and who is to move @returns {GameRecord} */
export const emptyGame = ({ size, start, title }) => ({
  format: "emilia-game",
  version: 1,
  size,
  ...(start && { start }),
  ...(title && { tags: [[TITLE, title]] }),
  moves: [],
});

/** Where one is in a study: the chapter, and the moves that lead to the node. @typedef {{chapter: number, moves: string[]}} Where */

export class Study {
  /** @type {{title: string, chapters: Chapter[], records: GameRecord[], where: Where}[]} what it was like before each change */
  #before = [];
  /** What was changed last, to join changes that belong together. */
  #last = "";

  /** @param {StudyText} text */
  constructor(text) {
    this.title = text.title;
    this.chapters = text.chapters.map((record) => new Chapter(record));
  }

  /** @returns {StudyText} */
  get text() {
    return { title: this.title, chapters: this.chapters.map(({ record }) => record) };
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  /**
   * Remembers how things are before a change.
   * @param {Where} where
   * @param {string} [kind] changes of the same kind in a row are one, such as letters of a comment
   */
  remember(where, kind = "") {
    if (kind && kind === this.#last) return;
    this.#last = kind;
    this.#before.push({ title: this.title, chapters: [...this.chapters], records: this.chapters.map(({ record }) => record), where });
    if (this.#before.length > MOST_BACK) this.#before.shift();
  }

  /** The next change is one of its own, whatever kind it is. */
  pause() {
    this.#last = "";
  }

  /** Takes the last change back. @returns {Where | null} where it was made */
  undo() {
    const before = this.#before.pop();
    if (!before) return null;
    this.#last = "";
    this.title = before.title;
    this.chapters = before.chapters.map((chapter, at) => (chapter.record === before.records[at] ? chapter : new Chapter(before.records[at])));
    return before.where;
  }

  /** Moves a chapter one place. @param {number} from @param {number} to */
  reorder(from, to) {
    const [chapter] = this.chapters.splice(from, 1);
    this.chapters.splice(to, 0, chapter);
  }
}
