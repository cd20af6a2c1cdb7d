/** The views of the page and their addresses. */

/** @import {Key} from "./i18n.js" */

/** @typedef {{opened?: () => void, close?: () => void, title?: string}} View what is to be done when a view is seen, and when it is left */
/** @typedef {(place: HTMLElement, args: {id: string, rest: string[], query: URLSearchParams}) => View | Promise<View>} ViewMaker */

/**
 * @typedef {object} Entry
 * @property {() => Promise<{default: ViewMaker}>} load
 * @property {string} address
 * @property {Key} [text] what the bar calls it; views without one are reached from others
 * @property {string} [under] the view of the bar that it belongs to, if it is not there itself
 * @property {RegExp} [id] what must follow in the address
 */

/** Every view, in the order of the bar. */
const VIEWS = /** @satisfies {Record<string, Entry>} */ ({
  play: { load: () => import("./views/start.js"), address: "#/", text: "nav.play" },
  game: { load: () => import("./views/game.js"), address: "#/game/", under: "play", id: /^[\w-]+$/ },
  mine: { load: () => import("./views/mine.js"), address: "#/mine", under: "play" },
  lobby: { load: () => import("./views/lobby.js"), address: "#/lobby", text: "nav.lobby" },
  analysis: { load: () => import("./views/analysis.js"), address: "#/analysis", text: "nav.analysis" },
  study: { load: () => import("./views/study.js"), address: "#/study", under: "analysis", id: /^([\w-]{22})?$/ },
  train: { load: () => import("./views/train.js"), address: "#/train", text: "nav.train" },
  lab: { load: () => import("./views/lab.js"), address: "#/lab", text: "nav.lab" },
});

/** @typedef {keyof typeof VIEWS} ViewName */

/** @param {ViewName} name @returns {Entry} */
export const entry = (name) => VIEWS[name];

/** The views of the bar: where each leads, and what it is called. */
export const BAR = Object.entries(VIEWS).flatMap(([name, view]) => ("text" in view ? [{ name, ...view }] : []));

/** @param {string} name @returns {name is ViewName} */
const isView = (name) => Object.hasOwn(VIEWS, name);

/**
 * What an address names: `#/lobby`, `#/game/ID`, or a permalink such as `#t=f5d6c3&p=3`.
 * @param {string} hash
 * @returns {{view: ViewName, id: string, rest: string[], query: URLSearchParams}} `rest` is what follows the id
 */
export function route(hash) {
  const text = hash.replace(/^#/, "");
  if (text === "" || text === "view") return { view: "play", id: "", rest: [], query: new URLSearchParams() };
  if (!text.startsWith("/")) return { view: "analysis", id: "", rest: [], query: new URLSearchParams(text) };
  const [path, query] = text.slice(1).split("?");
  const [name, id = "", ...rest] = path.split("/");
  const view = isView(name) && (entry(name).id?.test(id) ?? true) ? name : "play";
  return { view, id, rest, query: new URLSearchParams(query) };
}

/** The address of a game, to be shared. @param {string} id */
export const gameLink = (id) => `${page()}${VIEWS.game.address}${id}`;

/** The address of the page itself, which may lie in a folder of a host. */
export const page = () => new URL(".", location.href.split("#")[0]).href;
