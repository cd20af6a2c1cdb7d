/** The games on this server, or in this browser. */

/** @import {Listed} from "../types.js" */
import { toast } from "../announce.js";
import * as api from "../api.js";
import { download, fill, h, tick } from "../dom.js";
import { t } from "../i18n.js";
import { givenName, playerName } from "../player-picker.js";

/** How often the list is asked for, in milliseconds. */
const REFRESH = 1000;

/** @type {import("../route.js").ViewMaker} */
export default async function lobby(place) {
  const list = h("div", { class: "card scroll-x lobby-list", tabindex: "0", role: "region", "aria-label": t(api.alone ? "alone.games" : "lobby.title") });
  const trouble = h("div", { role: "status" });
  let ended = false;
  let shown = "";
  const refresh = async () => {
    try {
      const [now, over] = await Promise.all([api.lobby(), ended ? api.lobby("over") : { games: [] }]);
      const games = [...now.games, ...over.games];
      const news = JSON.stringify(games);
      if (news !== shown) fill(list, table(games));
      shown = news;
      fill(trouble);
    } catch (error) {
      // The games that were there are still worth looking at.
      const { message } = /** @type {Error} */ (error);
      if (trouble.textContent !== message) fill(trouble, h("p", { class: "error" }, message));
    }
  };
  place.append(
    h(
      "div",
      { class: "page" },
      h("header", null, h("h1", null, t(api.alone ? "alone.games" : "lobby.title")), h("a", { class: "button primary", href: "#/" }, t("lobby.new"))),
      api.alone && h("p", { class: "hint" }, t("alone.lobby")),
      trouble,
      list,
      tick({
        label: t("lobby.ended"),
        checked: false,
        onchange: (on) => {
          ended = on;
          void refresh();
        },
      }),
      api.alone && filing(refresh),
    ),
  );
  await refresh();
  // Alone, nobody else begins games.
  const timer = api.alone ? undefined : setInterval(() => document.hidden || refresh(), REFRESH);
  return { close: () => clearInterval(timer), title: t("nav.lobby") };
}

/** Everything as one file, and back. @param {() => Promise<void>} changed */
function filing(changed) {
  /** @param {() => Promise<void>} work */
  const attempt = (work) => work().catch((/** @type {Error} */ error) => toast(error.message));
  const save = async () => download(await (await import("../alone-file.js")).written(), "emilia-games.json");
  const open = async () => {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    const { games, profiles } = await (await import("../alone-file.js")).taken(file);
    toast(t("alone.opened", { games, profiles }));
    await changed();
  };
  const hidden = { class: "visually-hidden", tabindex: "-1", "aria-label": t("alone.open") };
  const input = h("input", { type: "file", accept: ".json,application/json", ...hidden, onchange: () => attempt(open) });
  return h(
    "div",
    { class: "row" },
    h("button", { type: "button", onclick: () => attempt(save) }, t("alone.save")),
    h("button", { type: "button", onclick: () => input.click() }, t("alone.open")),
    input,
  );
}

/** @param {Listed[]} games */
function table(games) {
  if (!games.length) return h("p", { class: "empty" }, t("lobby.empty"));
  return h(
    "table",
    null,
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", null, t("lobby.players")),
        h("th", { class: "roomy" }, t("lobby.board")),
        h("th", null, t("lobby.state")),
        h("th", { class: "number roomy" }, t("lobby.score")),
        h("th", null, h("span", { class: "visually-hidden" }, t("lobby.watch"))),
      ),
    ),
    h("tbody", null, games.map(row)),
  );
}

/** @param {Listed} game */
function row(game) {
  const mine = api.tokens.of(game.id) !== null;
  const open = game.status === "open" && !mine;
  const action = mine ? t("lobby.mine") : open ? t("lobby.sit") : t("lobby.watch");
  /** @param {"black" | "white"} color */
  const name = (color) => [
    h("span", { class: `chip ${color}`, role: "img", "aria-label": t(color) }),
    " ",
    game.free.includes(color) ? h("em", { class: "muted" }, t("lobby.free")) : playerName(givenName(game[color], color)) || t(color),
  ];
  return h(
    "tr",
    null,
    h("td", null, h("div", { class: "nowrap" }, name("black")), h("div", { class: "nowrap" }, name("white"))),
    h(
      "td",
      { class: "nowrap roomy" },
      `${game.size} × ${game.size}`,
      game.variant.objective === "fewest" ? h("div", { class: "hint" }, t("start.fewest")) : null,
    ),
    h(
      "td",
      { class: "nowrap" },
      game.status === "open"
        ? t("lobby.open")
        : game.status === "over"
          ? t("lobby.over")
          : t("lobby.playing", { n: game.counts.black + game.counts.white - 3 }),
      h("div", { class: "hint cramped" }, `${game.size} × ${game.size}`),
      game.watchers > 0 ? h("div", { class: "hint" }, t("game.watchers", { n: game.watchers })) : null,
    ),
    h("td", { class: "number nowrap roomy" }, `${game.counts.black} – ${game.counts.white}`),
    h("td", { class: "number" }, h("a", { class: open ? "button primary" : "button", href: `#/game/${game.id}` }, action)),
  );
}
