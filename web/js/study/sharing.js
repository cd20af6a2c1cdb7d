/** Taking a study away: a link to it or with it inside, a file, a board for other pages. */

/** @import {StudyText} from "./study.js" */
import * as api from "../api.js";
import { page } from "../route.js";

/** Characters of a link that holds a whole study; beyond that messengers cut it. */
export const LONGEST_LINK = 8000;

/** The address of a study, a chapter, or a node. @param {string} id @param {number} [chapter] from 0 @param {string[]} [moves] */
export function studyAddress(id, chapter, moves = []) {
  const path = moves.filter((move) => move !== "pass").join("");
  return `#/study/${id}${chapter === undefined ? "" : `/${chapter + 1}${path ? `/${path}` : ""}`}`;
}

/** The study as one file of SGF. @param {StudyText} study @returns {Promise<string>} */
export const sgfOf = async (study) => (await api.ask("/api/studies/file", { body: study })).text();

/** A link that holds all of it, if it is short enough. @param {StudyText} study @returns {Promise<string | null>} */
export async function wholeLink(study) {
  const bytes = new Blob([await sgfOf(study)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const small = new Uint8Array(await new Response(bytes).arrayBuffer());
  if (small.length > LONGEST_LINK) return null;
  const text = btoa(String.fromCharCode(...small))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const link = `${page()}#/study?sgf=${text}`;
  return link.length > LONGEST_LINK ? null : link;
}

/** The file that such a link holds. @param {string} text @returns {Promise<string>} */
export function linkedFile(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

/**
 * What a file in any format holds, as chapters.
 * @param {string | Blob} file
 * @param {string} [name]
 * @returns {Promise<{format: string, left_out: number, problems: {game: number, message: string}[], study: StudyText}>}
 */
export const readFile = (file, name) => api.json(`/api/studies/read${name ? `?name=${encodeURIComponent(name)}` : ""}`, { raw: file });

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll(`"`, "&quot;").replaceAll("<", "&lt;").replaceAll("\n", "&#10;");

/** A chapter as a board for any page. @param {string} record @returns {Promise<string>} */
export async function embedCode(record) {
  const { blob } = await api.exportPlace({ text: record, format: "sgf" });
  const sgf = escaped((await blob.text()).trim());
  return `<script type="module" src="${page()}embed/emilia-board.js"></script><emilia-board interactive sgf="${sgf}"></emilia-board>`;
}
