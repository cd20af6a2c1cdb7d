/** The first page: a board and one button. Everything else is behind a fold. */

/** @import {Position, Sight} from "../types.js" */
import { toast } from "../announce.js";
import * as api from "../api.js";
import { atOnce } from "../at-once.js";
import { Board } from "../board.js";
import { field, fill, fold, h, select, tick } from "../dom.js";
import { face } from "../faces.js";
import { howToPlay } from "../how-to-play.js";
import { t } from "../i18n.js";
import { keep, keys, recall } from "../kept.js";
import { isKnown, people, playerName, playerPicker, playerSummary, usualPlayer } from "../player-picker.js";
import { change, settings } from "../settings.js";
import { startOptions } from "../start-options.js";

/**
 * @typedef {object} Terms what the user chose for a game
 * @property {"computer" | "local" | "link" | "watch"} mode
 * @property {number} size
 * @property {string} start
 * @property {string} objective
 * @property {"black" | "white" | "random"} you
 * @property {string} black
 * @property {string} white
 * @property {string} blackPlayer
 * @property {string} whitePlayer
 * @property {string} clock minutes+seconds, or nothing
 * @property {string} pause
 * @property {boolean} public
 */

const KEY = "emilia.terms";
/** @type {Terms} */
const USUAL = {
  mode: "computer",
  size: 8,
  start: "standard",
  objective: "most",
  you: "black",
  black: "",
  white: "",
  blackPlayer: "",
  whitePlayer: "",
  clock: "",
  pause: "300",
  public: true,
};
const SIZES = [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26];
const CLOCKS = ["1+2", "3+2", "5+0", "5+5", "10+0", "15+10", "30+0"];

/** @type {import("../route.js").ViewMaker} */
export default async function start(place) {
  const terms = { ...USUAL, ...remembered() };
  const board = new Board({ onplay: (square) => go(square) });
  const lead = h("p", { class: "muted" });
  const levels = h("div", { class: "levels" });
  const options = h("div", { class: "stack" });
  const button = h("button", { class: "primary big", type: "button", id: "start", onclick: () => go() }, t("start.play"));
  /** @type {Position | null} what the board shows */
  let position = null;
  let previews = 0;
  /** @type {Promise<Sight> | null} the game that was asked for */
  let made = null;
  const catalogue = await api.players();
  if (!isKnown(catalogue, terms.blackPlayer)) terms.blackPlayer = usualPlayer(catalogue);
  if (!isKnown(catalogue, terms.whitePlayer)) terms.whitePlayer = usualPlayer(catalogue);

  const remember = () => keep(KEY, JSON.stringify(terms));
  /** @param {Partial<Terms>} news */
  const set = (news) => {
    Object.assign(terms, news);
    if (!startOptions(terms.size).some(([name]) => name === terms.start)) terms.start = "standard";
    remember();
    describe();
  };
  /** @param {Partial<Terms>} news */
  const reset = (news) => {
    set(news);
    choices();
    strengths();
  };

  const opponent = () => (terms.you === "white" ? terms.blackPlayer : terms.whitePlayer);

  /** The people at hand, without opening anything. */
  function strengths() {
    const player = opponent();
    fill(
      levels,
      terms.mode === "computer" &&
        h(
          "fieldset",
          null,
          h("legend", null, t("start.player")),
          h(
            "div",
            { class: "people" },
            people(catalogue).map((person) =>
              personCard(person, person.name === player, (name) => reset(terms.you === "white" ? { blackPlayer: name } : { whitePlayer: name })),
            ),
          ),
        ),
    );
  }

  function describe() {
    const player = opponent();
    const color = t(terms.you === "white" ? "white" : terms.you === "random" ? "start.random" : "black");
    fill(
      lead,
      terms.start === "balanced" ? `${t("start.balancedlead")} ` : "",
      terms.mode === "computer"
        ? t("start.against", { color, player: playerName(player) })
        : t(api.alone && terms.mode === "link" ? "alone.link" : `start.${terms.mode}`),
    );
    void preview();
  }

  /** Shows the position the game would begin with, as the server has it. A drawn one is not known before the game is made. */
  async function preview() {
    const asked = ++previews;
    const start = terms.start === "balanced" ? "standard" : terms.start;
    const answer = await api.analyse({ size: terms.size, start, moves: "" }).catch((error) => toast(error.message));
    if (!answer) return;
    if (asked !== previews || made) return;
    position = answer.position;
    board.show({ size: position.size, cells: position.cells, legal: terms.start === "balanced" ? [] : position.legal });
  }

  function choices() {
    const people = terms.mode === "local" || terms.mode === "link";
    const computers = terms.mode === "watch" ? ["black", "white"] : terms.mode === "computer" ? [terms.you === "white" ? "black" : "white"] : [];
    fill(
      options,
      h(
        "fieldset",
        null,
        h("legend", null, t("start.mode")),
        h(
          "div",
          { class: "segments" },
          /** @type {const} */ (["computer", "local", "link", "watch"]).map((mode) =>
            radio("mode", mode, t(`mode.${mode}`), terms.mode === mode, () => reset({ mode })),
          ),
        ),
      ),
      computers.map((color) =>
        playerPicker(catalogue, {
          label: t(terms.mode === "watch" ? (color === "black" ? "start.blackplayer" : "start.whiteplayer") : "start.player"),
          value: color === "black" ? terms.blackPlayer : terms.whitePlayer,
          onchange: (player) => {
            set(color === "black" ? { blackPlayer: player } : { whitePlayer: player });
            strengths();
          },
        }),
      ),
      (terms.mode === "computer" || terms.mode === "link") &&
        h(
          "fieldset",
          null,
          h("legend", null, t("start.your")),
          h(
            "div",
            { class: "segments" },
            /** @type {const} */ (["black", "white", "random"]).map((you) =>
              radio("you", you, t(you === "random" ? "start.random" : you), terms.you === you, () =>
                reset({ you, blackPlayer: opponent(), whitePlayer: opponent() }),
              ),
            ),
          ),
        ),
      h(
        "div",
        { class: "pair" },
        terms.mode === "link" || terms.mode === "computer"
          ? field({ label: t("game.yourname"), value: settings.name, maxlength: 40, autocomplete: "nickname", onchange: (name) => change({ name }) })
          : null,
        terms.mode === "local" || terms.mode === "watch"
          ? field({ label: t("start.black"), value: terms.black, maxlength: 40, onchange: (black) => set({ black }) })
          : null,
        terms.mode === "local" || terms.mode === "watch"
          ? field({ label: t("start.white"), value: terms.white, maxlength: 40, onchange: (white) => set({ white }) })
          : null,
      ),
      h(
        "div",
        { class: "pair" },
        select({
          label: t("start.size"),
          value: String(terms.size),
          options: SIZES.map((n) => [String(n), `${n} × ${n}`]),
          onchange: (size) => reset({ size: Number(size) }),
        }),
        select({ label: t("start.start"), value: terms.start, options: startOptions(terms.size), onchange: (start) => set({ start }) }),
        select({
          label: t("start.objective"),
          value: terms.objective,
          options: [
            ["most", t("start.most")],
            ["fewest", t("start.fewest")],
          ],
          onchange: (objective) => set({ objective }),
        }),
        select({
          label: t("start.clock"),
          value: terms.clock,
          options: [
            ["", t("start.noclock")],
            ...CLOCKS.map((clock) => {
              const [minutes, seconds] = clock.split("+");
              return /** @type {[string, string]} */ ([clock, t("start.clockminutes", { minutes, seconds })]);
            }),
          ],
          onchange: (clock) => set({ clock }),
        }),
        people
          ? null
          : select({
              label: t("start.pause"),
              value: terms.pause,
              options: [
                ["0", t("milliseconds", { n: 0 })],
                ["300", t("milliseconds", { n: 300 })],
                ["1000", t("seconds", { n: 1 })],
                ["2000", t("seconds", { n: 2 })],
                ["5000", t("seconds", { n: 5 })],
              ],
              onchange: (pause) => set({ pause }),
            }),
      ),
      tick({ label: t("start.public"), checked: terms.public, onchange: (shown) => set({ public: shown }) }),
    );
  }

  /** Begins; with a square, that is the first move, also when it comes while the game is being made. @param {string} [square] */
  async function go(square) {
    const mine = terms.mode === "local" || (terms.mode === "computer" && terms.you === "black");
    const first = mine ? position?.legal.find((legal) => legal.square === square) : undefined;
    const begun = made;
    if (begun && !first) return;
    button.disabled = true;
    made ??= api.createGame(order(terms));
    if (position && first) board.show(atOnce(position, first));
    else if (position && !mine) board.show({ size: position.size, cells: position.cells });
    try {
      const { game } = await made;
      if (first) await api.act(game.id, "moves", { move: first.square, ply: 1 });
      if (!begun) location.hash = `#/game/${game.id}`;
    } catch (error) {
      made = null;
      button.disabled = false;
      describe();
      toast(t("error", { message: String(/** @type {Error} */ (error).message) }));
    }
  }

  const going = h("div");
  // Only who has played before has games to go on with.
  if (api.tokens.games().length) void import("../continue-card.js").then(({ continueCard }) => continueCard(going));

  choices();
  strengths();
  describe();
  place.append(
    h(
      "div",
      { class: "table start" },
      h("div", { class: "board-place" }, board.element),
      h("div", { class: "score welcome" }, h("h1", null, t("start.title")), h("p", { class: "muted" }, t("start.lead"))),
      h("div", { class: "status go" }, button, lead),
      h(
        "div",
        { class: "side" },
        going,
        levels,
        fold("options", t("start.more"), false, options),
        fold("how", t("how.title"), keys().length === 0, howToPlay()),
      ),
    ),
  );
  return { title: t("nav.play") };
}

/** @returns {Partial<Terms>} */
function remembered() {
  try {
    return JSON.parse(recall(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * A person to play against: face, name, rating and a sentence.
 *
 * @param {{name: string, rating: number}} person
 * @param {boolean} checked
 * @param {(name: string) => void} choose
 */
function personCard({ name, rating }, checked, choose) {
  const input = h("input", { type: "radio", name: "level", value: name, onchange: () => choose(name) });
  input.checked = checked;
  return h(
    "label",
    { class: "person" },
    input,
    face(name),
    h(
      "span",
      { class: "about" },
      h("span", { class: "who" }, h("b", null, playerName(name)), rating > 0 && h("span", { class: "muted" }, t("person.rating", { n: rating }))),
      h("span", { class: "line" }, playerSummary({ name, summary: "" })),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} label
 * @param {boolean} checked
 * @param {() => void} choose
 */
export function radio(name, value, label, checked, choose) {
  const input = h("input", { type: "radio", name, value, onchange: choose });
  input.checked = checked;
  return h("label", { class: "segment" }, input, h("span", null, label));
}

/** What the server is asked for. @param {Terms} terms */
function order(terms) {
  const [minutes, seconds] = terms.clock.split("+").map(Number);
  const you = terms.you === "random" && (terms.mode === "computer" || terms.mode === "link") ? (Math.random() < 0.5 ? "black" : "white") : terms.you;
  const mine = settings.name.trim() || undefined;
  /** @param {"black" | "white"} color */
  const seat = (color) => {
    const player = color === "black" ? terms.blackPlayer : terms.whitePlayer;
    const name = (color === "black" ? terms.black : terms.white).trim() || undefined;
    if (terms.mode === "watch") return { player, name: name ?? playerName(player) };
    if (terms.mode === "computer")
      return color === you
        ? { name: mine }
        : {
            player: terms.you === "white" ? terms.blackPlayer : terms.whitePlayer,
            name: playerName(terms.you === "white" ? terms.blackPlayer : terms.whitePlayer),
          };
    if (terms.mode === "link") return color === you ? { name: mine } : {};
    return { name };
  };
  return {
    mode: terms.mode,
    size: terms.size,
    start: terms.start,
    objective: terms.objective,
    black: seat("black"),
    white: seat("white"),
    you: terms.mode === "link" ? you : undefined,
    clock: terms.clock ? { main_ms: minutes * 60_000, increment_ms: seconds * 1000 } : undefined,
    pause_ms: Number(terms.pause),
    public: terms.public,
  };
}
