/** Games and positions from elsewhere: pasted text or a file, in any format the server reads. */

/** @import {ImportGame, Imported} from "./types.js" */
import * as api from "./api.js";
import { fill, h, select } from "./dom.js";
import { t } from "./i18n.js";

/** @param {(game: ImportGame) => void} onload */
export function importPanel(onload) {
  const text = h("textarea", { rows: 4, spellcheck: "false", "aria-label": t("ana.importtext"), placeholder: "f5d6c3d3c4…" });
  const told = h("div", { class: "stack", role: "status" });
  /** @type {[Blob, string] | null} the file that was opened last, until something is typed */
  let opened = null;
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
  /** @param {string | Blob} what @param {string} [name] */
  const load = async (what, name) => {
    try {
      show(await api.importFile(what, name));
    } catch (error) {
      fill(told, h("p", { class: "error small" }, /** @type {Error} */ (error).message));
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
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": t("ana.file"),
    onchange: () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      opened = [chosen, chosen.name];
      void load(chosen, chosen.name);
    },
  });
  return h(
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
}

/** @param {ImportGame} game @param {number} index */
function title({ tags, result, size }, index) {
  const names = [tags.Black, tags.White].filter(Boolean).join(" – ");
  return [`${index + 1}.`, names || `${size} × ${size}`, result].filter(Boolean).join(" ");
}
