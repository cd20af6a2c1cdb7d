/** Choosing a computer player: a level, a named player, or one built from a kind and its settings. */

/** @import {Catalogue, Color} from "./types.js" */
import { field, fill, freshId, h, select } from "./dom.js";
import { t, term } from "./i18n.js";

const LEVELS = /** @type {const} */ (["beginner", "casual", "club", "expert", "master"]);

const PEOPLE = /** @type {const} */ (["mia", "tom", "ana", "luc", "nadia", "omar", "ines", "viktor", "hana", "emilia"]);

/** The people of the catalogue, weakest first, with their ratings; Emilia herself, who has none, comes last. @param {Catalogue} catalogue */
export function people({ presets }) {
  const known = presets.map(({ name, stands_for }) => ({ name, rating: Number(/^human:rating=(\d+)/.exec(stands_for)?.[1] ?? 0) }));
  return [...known.filter(({ rating }) => rating > 0), { name: "emilia", rating: 0 }];
}

/** The name of a person or a level in the user's language; other names are as they are. @param {string} player */
export function playerName(player) {
  const person = PEOPLE.find((name) => name === player);
  if (person) return t(`person.${person}`);
  const level = LEVELS.find((name) => name === player);
  if (level) return t(`level.${level}`);
  return /^\d+$/.test(player) ? t("level.number", { n: player }) : player;
}

/** What a player is like, in the user's language where it is a person or a level. @param {{name: string, summary: string}} player */
export function playerSummary({ name, summary }) {
  const person = PEOPLE.find((known) => known === name);
  if (person) return t(`person.${person}.about`);
  const level = LEVELS.find((known) => known === name);
  return level ? t(`level.${level}.about`) : translated("preset", name, translated("player", name, summary));
}

/** A text of the catalogue in the user's language, if there is one. @param {"player" | "preset"} what @param {string} name @param {string} given */
function translated(what, name, given) {
  const known = term(what, name);
  return known === name ? given : known;
}

/** What the server calls people who gave no name. */
const NAMELESS = { black: "Black", white: "White" };

/** The name that a person gave, if any. @param {string | null} given @param {Color} color */
export const givenName = (given, color) => (given && given !== NAMELESS[color] ? given : "");

/** The opponent of somebody who has not chosen: the weakest person. @param {Catalogue} catalogue */
export const usualPlayer = (catalogue) => people(catalogue)[0].name;

/** Whether there is such a player, as far as its name tells. @param {Catalogue} catalogue @param {string} player */
export const isKnown = ({ levels, kinds, presets }, player) => [...levels, ...kinds, ...presets].some(({ name }) => name === player.split(":")[0]);

/**
 * @param {Catalogue} catalogue
 * @param {{label: string, value: string, onchange: (player: string) => void, levels?: boolean}} wanted
 */
export function playerPicker(catalogue, { label, value, onchange, levels = true }) {
  const kindName = value.split(":")[0];
  const built = value.includes(":");
  const id = freshId();
  const list = h(
    "select",
    { id, onchange: () => pick(list.value) },
    h(
      "optgroup",
      { label: t("picker.people") },
      people(catalogue)
        .filter(({ rating }) => rating > 0)
        .map(({ name, rating }) => h("option", { value: name, title: playerSummary({ name, summary: "" }) }, `${playerName(name)} · ${rating}`)),
    ),
    levels &&
      h(
        "optgroup",
        { label: t("picker.levels") },
        catalogue.levels.map((level) => h("option", { value: level.name, title: playerSummary(level) }, `${playerName(level.name)} · ${level.rating}`)),
      ),
    h(
      "optgroup",
      { label: t("picker.presets") },
      catalogue.presets
        .filter(({ name }) => !people(catalogue).some((person) => person.name === name))
        .filter(({ name }) => !levels || !catalogue.levels.some((level) => level.name === name))
        .map(({ name, summary }) => h("option", { value: name, title: summary }, `${name} · ${translated("preset", name, summary)}`)),
    ),
    h(
      "optgroup",
      { label: t("picker.kinds") },
      catalogue.kinds.map(({ name, summary }) => h("option", { value: name, title: summary }, translated("player", name, `${name} · ${summary}`))),
    ),
  );
  list.value = built ? kindName : value;
  const summary = h("p", { class: "hint" });
  const details = h("div", { class: "pair" });
  /** @type {Record<string, string>} */
  let chosen = built
    ? Object.fromEntries(
        value
          .slice(value.indexOf(":") + 1)
          .split(",")
          .map((pair) => /** @type {[string, string]} */ (pair.split("=", 2))),
      )
    : {};

  /** @param {string} name */
  const pick = (name) => {
    chosen = {};
    describe(name);
    onchange(name);
  };
  /** @param {string} name */
  const spell = (name) => {
    const parts = Object.entries(chosen)
      .filter(([, v]) => v.trim() !== "")
      .map(([k, v]) => `${k}=${v.trim()}`);
    onchange(parts.length ? `${name}:${parts.join(",")}` : name);
  };
  /** @param {string} name */
  const describe = (name) => {
    const kind = catalogue.kinds.find((known) => known.name === name);
    const known = kind ?? catalogue.levels.find((level) => level.name === name) ?? catalogue.presets.find((preset) => preset.name === name);
    fill(summary, known ? playerSummary(known) : "");
    fill(
      details,
      (kind?.settings ?? []).map((setting) => {
        const change = (/** @type {string} */ text) => {
          if (text === "") delete chosen[setting.name];
          else chosen[setting.name] = text;
          spell(name);
        };
        if (setting.name === "eval") {
          return select({
            label: term("setting", "eval"),
            value: chosen.eval ?? setting.default ?? "",
            options: catalogue.evaluators.map(({ name }) => [name, term("eval", name)]),
            onchange: change,
          });
        }
        return field({
          label: term("setting", setting.name),
          value: chosen[setting.name] ?? "",
          placeholder: setting.default ?? t("picker.unset"),
          title: `${setting.about}: ${setting.expects}`,
          onchange: change,
        });
      }),
    );
  };
  describe(list.value);
  return h("div", { class: "stack picker" }, h("div", { class: "field" }, h("label", { for: id }, label), list), summary, details);
}
