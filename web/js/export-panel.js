/** Taking a game away: a link that holds all of it, or a file. */

/** @import {Place} from "./types.js" */
import { toast } from "./announce.js";
import * as api from "./api.js";
import { indexOf } from "./board.js";
import { download, fill, h, select, tick } from "./dom.js";
import { t } from "./i18n.js";
import { pngOf } from "./picture.js";
import { copyField } from "./share.js";

/** @type {[string, string][]} */
const FORMATS = [
  ["transcript", "f5d6c3…"],
  ["ggf", "GGF"],
  ["sgf", "SGF"],
  ["pgn", "PGN"],
  ["wthor", "WTHOR"],
  ["json", "JSON"],
  ["obf", "OBF"],
  ["board", "Text"],
  ["svg", "SVG"],
  ["png", "PNG"],
  ["gif", "GIF"],
];
let format = "transcript";
let numbers = false;

/**
 * @param {HTMLElement} place
 * @param {{link: string, leftOut: number, record: string, line: Place, here: Place, trees: string, again: () => void}} what
 *   the game as a record, the line that is shown, and the position
 */
export function exportPanel(place, what) {
  const picture = format === "svg" || format === "png" || format === "board" || format === "obf";
  const save = async () => {
    try {
      if (format === "gif") {
        download(await moving(what.record), "game.gif");
        return;
      }
      const asked = format === "png" ? "svg" : format;
      const { blob, name } = await api.exportPlace({
        ...(!picture ? { text: what.record } : asked === "svg" && numbers ? what.line : what.here),
        format: asked,
        ...(asked === "svg" ? { numbers } : {}),
      });
      if (format === "png") download(await pngOf(blob), name.replace(/svg$/, "png"));
      else download(blob, name);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  };
  fill(
    place,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", onclick: what.again }, t("ana.play")),
      h("a", { class: "button", href: what.trees }, t("lab.trees")),
    ),
    h("span", { class: "hint" }, t("ana.link")),
    copyField(t("ana.link"), what.link),
    what.leftOut ? h("p", { class: "hint" }, t("ana.linkshort", { n: what.leftOut })) : null,
    h(
      "div",
      { class: "row" },
      select({
        label: t("ana.format"),
        value: format,
        options: FORMATS,
        onchange: (chosen) => {
          format = chosen;
          exportPanel(place, what);
        },
      }),
      h("button", { type: "button", onclick: save }, t("ana.download")),
    ),
    format === "svg" || format === "png" ? tick({ label: t("ana.numbers"), checked: numbers, onchange: (on) => (numbers = on) }) : null,
  );
}

/** The game as a moving picture. The server tells the boards on the way. @param {string} record */
async function moving(record) {
  const [game] = (await api.importFile(record, "game.json")).games;
  const boards = [];
  for (let node = game.nodes.find(({ parent }) => parent === null); node; ) {
    const { id, move, cells } = node;
    boards.push({ cells, last: move && move !== "pass" ? indexOf(move, game.size) : null });
    node = game.nodes.find(({ parent }) => parent === id);
  }
  const { film } = await import("./film.js");
  return film(game.size, boards);
}
