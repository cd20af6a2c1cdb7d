/** Training: what is to be learned by heart, asked again when it is due. */

import { t } from "../i18n.js";
import { OpeningTrainer } from "../opening-trainer.js";
import * as learner from "../profile.js";

/** @type {import("../route.js").ViewMaker} */
export default async function train(place, { query }) {
  const token = query.get("profile");
  if (token) {
    learner.adopt(token);
    // The secret does not stay in the address, where others could read it.
    history.replaceState(null, "", "#/train");
  }
  const trainer = new OpeningTrainer(place, await learner.openings());
  await trainer.open(query);
  return { opened: () => trainer.board.welcome(), close: () => trainer.close(), title: t("nav.train") };
}
