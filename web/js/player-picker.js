/** Choosing a computer player: a level, a named player, or one built from a kind and its settings. */

/** @import {Catalogue, Color} from "./types.js" */
import { field, fill, freshId, h, select } from "./dom.js";
import { t } from "./i18n.js";

const LEVELS = /** @type {const} */ (["beginner", "casual", "club", "expert", "master"]);

/** The name of a level in the user's language; other names are as they are. @param {string} player */
export function playerName(player) {
  const level = LEVELS.find((name) => name === player);
  if (level) return t(`level.${level}`);
  return /^\d+$/.test(player) ? t("level.number", { n: player }) : player;
}

/** What a player is like, in the user's language where it is a level. @param {{name: string, summary: string}} player */
export function playerSummary({ name, summary }) {
  const level = LEVELS.find((known) => known === name);
  return level ? t(`level.${level}.about`) : summary;
}

/** What the server calls people who gave no name. */
const NAMELESS = { black: "Black", white: "White" };

/** The name that a person gave, if any. @param {string | null} given @param {Color} color */
export const givenName = (given, color) => (given && given !== NAMELESS[color] ? given : "");

/** The level for somebody who has not chosen: the second weakest. @param {Catalogue} catalogue */
export const usualPlayer = ({ levels, kinds }) => (levels[1] ?? levels[0] ?? kinds[0]).name;

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
    levels &&
      h(
        "optgroup",
        { label: t("picker.levels") },
        catalogue.levels.map((level) => h("option", { value: level.name, title: playerSummary(level) }, playerName(level.name))),
      ),
    h(
      "optgroup",
      { label: t("picker.presets") },
      catalogue.presets
        .filter(({ name }) => !levels || !catalogue.levels.some((level) => level.name === name))
        .map(({ name, summary }) => h("option", { value: name, title: summary }, `${name} · ${summary}`)),
    ),
    h(
      "optgroup",
      { label: t("picker.kinds") },
      catalogue.kinds.map(({ name, summary }) => h("option", { value: name, title: summary }, `${name} · ${summary}`)),
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
            label: setting.name,
            value: chosen.eval ?? setting.default ?? "",
            options: catalogue.evaluators.map((evaluator) => [evaluator.name, evaluator.name]),
            onchange: change,
          });
        }
        return field({
          label: setting.name,
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
