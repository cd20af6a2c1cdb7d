/** The faces of the people one can play against, drawn from a few shapes, and Emilia's. */

import { s } from "./dom.js";

/**
 * @typedef {object} Look
 * @property {string} skin
 * @property {string} hair colour of the hair
 * @property {string} cut path of the hair
 * @property {string} shirt
 * @property {number} [round] how wide the face is, a child's wider
 * @property {boolean} [glasses]
 * @property {string} [beard] path of a beard, in the colour of the hair
 */

const SHORT = "M17 29c-1-13 6-19 15-19s16 6 15 19c-2-6-5-9-15-9s-13 3-15 9z";
const LONG = "M15 46c-3-24 2-36 17-36s20 12 17 36h-6c3-14 2-21-1-25-6 2-14 2-20 0-3 4-4 11-1 25z";
const BUN = "M32 3a6 6 0 0 1 4 10c7 2 12 8 11 17-3-6-7-9-15-9s-12 3-15 9c-1-9 4-15 11-17a6 6 0 0 1 4-10z";
const TAILS = "M17 29c-1-13 6-19 15-19s16 6 15 19c-2-6-5-9-15-9s-13 3-15 9zM16 24c-7 0-10 5-9 12 4 0 8-4 9-8zm32 0c7 0 10 5 9 12-4 0-8-4-9-8z";
const CURLS = "M16 31c-4-3-4-8 0-10-1-5 3-9 7-8 2-4 9-5 12-2 4-2 9 0 9 4 5 1 6 7 3 10 2 3 1 5 0 7-2-6-5-10-15-10s-14 3-16 9z";
const THIN = "M17 30c-1-5 0-9 2-12 0 5 0 8-2 12zm30 0c1-5 0-9-2-12 0 5 0 8 2 12z";
const BEARD = "M19 36c1 12 6 18 13 18s12-6 13-18c-3 5-8 6-13 6s-10-1-13-6z";

/** @type {Record<string, Look>} */
const LOOKS = {
  mia: { skin: "#f6cfae", hair: "#a2582a", cut: TAILS, shirt: "#e7a33b", round: 1.12 },
  tom: { skin: "#f0c39c", hair: "#d8a441", cut: SHORT, shirt: "#4d8f6b", round: 1.06 },
  ana: { skin: "#c98f63", hair: "#2f211b", cut: LONG, shirt: "#a9566b" },
  luc: { skin: "#f0c8a6", hair: "#6a4a32", cut: CURLS, shirt: "#3f6f9e", glasses: true },
  nadia: { skin: "#a56b43", hair: "#1d1715", cut: BUN, shirt: "#7c5aa0" },
  omar: { skin: "#b57b50", hair: "#221a17", cut: SHORT, shirt: "#546270", beard: BEARD },
  ines: { skin: "#e9bd97", hair: "#7b2f22", cut: LONG, shirt: "#2f6d6a", glasses: true },
  viktor: { skin: "#efc9ab", hair: "#a7a49d", cut: THIN, shirt: "#3b4a6b", beard: BEARD },
  hana: { skin: "#f1cfae", hair: "#17151a", cut: BUN, shirt: "#8f2f3b" },
};

/** The face of a person, or Emilia's: a disc that is black and white. It says nothing that its name does not. @param {string} who */
export function face(who) {
  const look = LOOKS[who];
  const picture = s("svg", { class: "face", viewBox: "0 0 64 64", "aria-hidden": "true" });
  if (!look) {
    picture.append(
      s("circle", { cx: 32, cy: 32, r: 27, fill: "#f4f1e8" }),
      s("path", { d: "M32 5a27 27 0 0 0 0 54z", fill: "#20232a" }),
      s("circle", { cx: 32, cy: 32, r: 27, fill: "none", stroke: "#6b6f78", "stroke-width": 2 }),
      s("circle", { cx: 22, cy: 29, r: 3, fill: "#f4f1e8" }),
      s("circle", { cx: 42, cy: 29, r: 3, fill: "#20232a" }),
      s("path", { d: "M22 41q10 7 20 0", fill: "none", stroke: "#8f939c", "stroke-width": 2.5, "stroke-linecap": "round" }),
    );
    return picture;
  }
  const { skin, hair, cut, shirt, round = 1, glasses, beard } = look;
  const ink = "#2a2320";
  picture.append(
    s("path", { d: "M10 64c0-10 9-15 22-15s22 5 22 15z", fill: shirt }),
    s("ellipse", { cx: 32, cy: 32, rx: 15 * round, ry: 18, fill: skin }),
    s("path", { d: cut, fill: hair, transform: `translate(32 0) scale(${round} 1) translate(-32 0)` }),
  );
  if (beard) picture.append(s("path", { d: beard, fill: hair }));
  picture.append(
    s("circle", { cx: 26, cy: 32, r: 2, fill: ink }),
    s("circle", { cx: 38, cy: 32, r: 2, fill: ink }),
    s("path", { d: "M26 41q6 5 12 0", fill: "none", stroke: beard ? skin : ink, "stroke-width": 2, "stroke-linecap": "round" }),
  );
  if (glasses) {
    picture.append(s("path", { d: "M20 32a6 5 0 1 0 12 0a6 5 0 1 0 12 0a6 5 0 1 0-12 0a6 5 0 1 0-12 0z", fill: "none", stroke: ink, "stroke-width": 1.5 }));
  }
  return picture;
}
