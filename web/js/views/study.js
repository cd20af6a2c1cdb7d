/** Studies: `#/study` lists them, `#/study/ID` is one, `#/study/ID/2/f5d6` a place in it; `#/study?sgf=…` has one inside. */

import { Refused } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { carried } from "../study/basket.js";
import { StudyDesk } from "../study/desk.js";
import { Keeper } from "../study/keeper.js";
import { StudyList } from "../study/list.js";
import { linkedFile, readFile } from "../study/sharing.js";
import { loadTexts, say } from "../study/texts.js";

/** @type {import("../route.js").ViewMaker} */
export default async function studyView(place, { id, rest, query }) {
  await loadTexts();
  try {
    if (query.get("sgf")) return await linked(place, query.get("sgf") ?? "");
    if (id) return await kept(place, id, rest, query.has("add"));
  } catch (error) {
    if (error instanceof Refused && error.code === "unreachable") throw error;
    const said = error instanceof Refused ? error.message : say("link.bad");
    place.append(
      h("div", { class: "page" }, h("p", { class: "empty error", role: "alert" }, said), h("a", { class: "button primary", href: "#/study" }, say("all"))),
    );
    return { title: t("nav.study") };
  }
  const list = new StudyList(place, query.has("add") ? carried(false) : null);
  await list.draw();
  return { title: t("nav.study"), close: () => list.close() };
}

/** A study that is only in its link. @param {HTMLElement} place @param {string} text */
async function linked(place, text) {
  const { study } = await readFile(await linkedFile(text), "study.sgf");
  const desk = new StudyDesk(place, study, null);
  return { opened: () => desk.open(0, []), close: () => desk.close(), title: study.title || t("nav.study") };
}

/** @param {HTMLElement} place @param {string} id @param {string[]} rest the chapter, and moves there @param {boolean} adding */
async function kept(place, id, rest, adding) {
  /** @type {StudyDesk | undefined} */
  let desk;
  const keeper = await Keeper.open(id, { state: () => desk?.drawState(), newer: (study) => desk?.take(study) });
  const made = new StudyDesk(place, keeper.study, keeper);
  desk = made;
  const opened = () => {
    const game = adding ? carried(true) : null;
    made.open(Number(rest[0] ?? 1) - 1 || 0, rest[1]?.match(/[a-z]\d{1,2}/g) ?? []);
    if (game) made.addChapters([game]);
  };
  return { opened, close: () => made.close(), title: keeper.study.title || t("nav.study") };
}
