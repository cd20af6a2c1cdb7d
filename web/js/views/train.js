/** Training: puzzles, one's own mistakes, openings, where one loses discs; what was missed is asked again when it is due. */

import { alone } from "../api.js";
import { t } from "../i18n.js";
import { MistakeTrainer } from "../mistake-trainer.js";
import { OpeningTrainer } from "../opening-trainer.js";
import * as learner from "../profile.js";
import { PuzzleTrainer } from "../puzzle-trainer.js";

/** @type {import("../route.js").ViewMaker} */
export default async function train(place, { id, query }) {
  if (id === "play") {
    const { InsightsView } = await import("../insights-view.js");
    const view = new InsightsView(place);
    view.open();
    return { close: () => view.close(), title: t("ins.title") };
  }
  const token = query.get("profile");
  if (token) {
    // A browser alone has no profiles but its own.
    if (!alone || (await learner.profiles()).some((known) => known.token === token)) learner.adopt(token);
    // The secret does not stay in the address, where others could read it.
    history.replaceState(null, "", `#/train${id ? `/${id}` : ""}`);
  }
  const trainer = await trainerOf(place, query.has("line") ? "openings" : id);
  await trainer.open(query);
  return { opened: () => trainer.board.welcome(), close: () => trainer.close(), title: t("nav.train") };
}

/** @param {HTMLElement} place @param {string} kind */
async function trainerOf(place, kind) {
  if (kind === "openings") return new OpeningTrainer(place, await learner.openings());
  if (kind === "mistakes") return new MistakeTrainer(place);
  return new PuzzleTrainer(place, await learner.puzzles());
}
