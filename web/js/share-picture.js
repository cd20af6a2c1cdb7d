/** A picture of a game that is over, to be shared: the board with the numbers of the moves, the result, and a code that leads to the review. */

/** @import {Color, Game} from "./types.js" */
import * as api from "./api.js";
import { s } from "./dom.js";
import { names } from "./game-status.js";
import { t } from "./i18n.js";
import { placeOf } from "./played-moves.js";
import { page } from "./route.js";

const WIDTH = 540;
const MARGIN = 20;
const INK = "#26221c";
const PAPER = "#f6f2ea";
const FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif";
/** Characters of a line of the sentence, more or less: an East Asian one is as wide as two others. */
const LINE = 58;

/**
 * @param {Game} game
 * @param {string} sentence
 * @param {string} review the address of the review, from # on
 * @returns {Promise<Blob>} an SVG
 */
export async function sharePicture(game, sentence, review) {
  const [{ blob }, { encodeQR }] = await Promise.all([api.exportPlace({ ...placeOf(game), format: "svg", numbers: true }), import("../vendor/qr/index.js")]);
  // As a picture inside the picture: its styles are for itself.
  const drawn = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await blob.text())}`;
  const who = names(game);
  const lines = folded(sentence);
  const below = MARGIN + 76 + WIDTH;
  const code = encodeQR(`${page()}${review}`, "raw", { ecc: "low", border: 1 });
  const codeSide = 150;
  const height = below + codeSide + MARGIN;
  /** @param {Color} color @param {number} y */
  const side = (color, y) => [
    s("circle", { cx: MARGIN + 12, cy: y - 7, r: 11, fill: color === "black" ? "#171614" : "#ffffff", stroke: "#171614" }),
    s("text", { x: MARGIN + 34, y, "font-size": 22, "font-weight": game.result?.winner === color ? 700 : 400, fill: INK }, short(who[color])),
    s("text", { x: WIDTH - MARGIN, y, "font-size": 24, "font-weight": 700, "text-anchor": "end", fill: INK }, game.counts[color]),
  ];
  const svg = s(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, "font-family": FONT },
    s("rect", { width: WIDTH, height, fill: PAPER }),
    side("black", MARGIN + 18),
    side("white", MARGIN + 50),
    s("image", { href: drawn, x: MARGIN, y: 84, width: WIDTH - 2 * MARGIN, height: WIDTH - 2 * MARGIN }),
    lines.map((line, index) => s("text", { x: MARGIN, y: below + 18 + index * 22, "font-size": 15, fill: INK }, line)),
    s("text", { x: MARGIN, y: height - MARGIN, "font-size": 14, fill: "#655d50" }, `Emilia · ${t("after.scan")}`),
    s(
      "svg",
      {
        x: WIDTH - MARGIN - codeSide,
        y: below,
        width: codeSide,
        height: codeSide,
        viewBox: `0 0 ${code.length} ${code.length}`,
        "shape-rendering": "crispEdges",
      },
      s("rect", { width: code.length, height: code.length, fill: "#ffffff" }),
      s("path", { d: code.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("") }),
    ),
  );
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

/** @param {string} name */
const short = (name) => (name.length > 32 ? `${name.slice(0, 31)}…` : name);

/** How wide a character is. @param {string} character */
const wide = (character) => (/[\u2e80-\uffff]/.test(character) ? 2 : 1);

/** A sentence in lines that fit beside the code. @param {string} sentence */
function folded(sentence) {
  const room = Math.floor(LINE * 0.72);
  const lines = [""];
  let used = 0;
  // Where there are blanks lines end at one of them, elsewhere between any two characters.
  for (const word of sentence.match(/[\u2e80-\uffff]|[^\s\u2e80-\uffff]+\s*|\s+/g) ?? []) {
    const width = [...word].reduce((sum, character) => sum + wide(character), 0);
    if (used + width > room && used > 0) {
      lines.push("");
      used = 0;
    }
    lines[lines.length - 1] += word;
    used += width;
  }
  return lines.slice(0, 6);
}
