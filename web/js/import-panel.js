/** Games and positions from elsewhere: pasted text or a file, in any format the server reads. */

/** @import {ImportGame, Imported} from "./types.js" */
import * as api from "./api.js";
import { fill, h, select } from "./dom.js";
import { GameList, isWthor, recordOf } from "./game-list.js";
import { t } from "./i18n.js";

/**
 * @param {(game: ImportGame) => void} onload
 * @returns {{element: HTMLElement, read: (what: string | File[]) => Promise<void>, close: () => void}}
 */
export function importPanel(onload) {
  const text = h("textarea", { rows: 4, spellcheck: "false", "aria-label": t("ana.importtext"), placeholder: "f5d6c3d3c4…" });
  const told = h("div", { class: "stack", role: "status" });
  /** @type {[Blob, string] | null} the file that was opened last, until something is typed */
  let opened = null;
  /** @type {GameList | null} */
  let list = null;
  text.addEventListener("input", () => {
    opened = null;
  });
  /** @param {Imported} imported */
  const show = ({ format, total, games, problems }) => {
    const options = games.map((game, index) => /** @type {[string, string]} */ ([String(index), title(game, index)]));
    fill(
      told,
      h("p", { class: "hint" }, t("ana.loaded", { format, n: total })),
      games.length > 1 ? select({ label: t("ana.choose"), value: "0", options, onchange: (index) => onload(games[Number(index)]) }) : null,
      problems.slice(0, 5).map(({ message }) => h("p", { class: "error small" }, message)),
    );
    if (games[0]) onload(games[0]);
  };
  /** The games of WTHOR files, which may be many. @param {File[]} files */
  const browse = async (files) => {
    const fresh = new GameList((game) => void api.importFile(recordOf(game), "game.json").then(({ games: [first] }) => onload(first), complain));
    list = fresh;
    fill(told, fresh.element);
    await fresh.read(files);
  };
  /** @param {unknown} error */
  const complain = (error) => {
    if (!(error instanceof DOMException)) fill(told, h("p", { class: "error small" }, /** @type {Error} */ (error).message));
  };
  /** @param {string | File[]} what */
  const load = async (what) => {
    list?.close();
    list = null;
    try {
      if (typeof what === "string") show(await api.importFile(what));
      else if (isWthor(what)) await browse(what);
      else show(await api.importFile(what[0], what[0].name));
    } catch (error) {
      complain(error);
    }
  };
  /** Keeps what was pasted or opened last in the database of one's own games. */
  const keep = async () => {
    const [what, name] = opened ?? [text.value];
    try {
      const kept = await api.keepGames(what, name);
      fill(
        told,
        h("p", { class: "hint" }, t("open.kept", { n: kept.new, duplicates: kept.duplicates, left: kept.left_out })),
        kept.problems.slice(0, 5).map(({ game, message }) => h("p", { class: "error small" }, `${game}: ${message}`)),
      );
    } catch (error) {
      fill(told, h("p", { class: "error small" }, /** @type {Error} */ (error).message));
    }
  };
  const file = h("input", {
    type: "file",
    multiple: true,
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": t("ana.file"),
    onchange: () => {
      const chosen = [...(file.files ?? [])];
      if (!chosen.length) return;
      opened = [chosen[0], chosen[0].name];
      void load(chosen);
    },
  });
  const element = h(
    "div",
    { class: "stack" },
    h("p", { class: "hint" }, t("ana.importlead")),
    text,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", onclick: () => load(text.value) }, t("ana.load")),
      h("button", { type: "button", onclick: () => file.click() }, t("ana.file")),
      file,
      h("button", { type: "button", onclick: () => keep() }, t("open.keep")),
    ),
    told,
  );
  return { element, read: load, close: () => list?.close() };
}

/** @param {ImportGame} game @param {number} index */
function title({ tags, result, size }, index) {
  const names = [tags.Black, tags.White].filter(Boolean).join(" – ");
  return [`${index + 1}.`, names || `${size} × ${size}`, result].filter(Boolean).join(" ");
}
