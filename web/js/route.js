/** Addresses inside the page: `#/lobby`, `#/game/ID`, and permalinks such as `#t=f5d6c3&p=3`. */

/**
 * @param {string} hash
 * @returns {{view: string, id: string, query: URLSearchParams}}
 */
export function route(hash) {
  const text = hash.replace(/^#/, "");
  if (text === "" || text === "view") return { view: "play", id: "", query: new URLSearchParams() };
  if (!text.startsWith("/")) return { view: "analysis", id: "", query: new URLSearchParams(text) };
  const [path, query] = text.slice(1).split("?");
  const [view, id = ""] = path.split("/");
  const known = ["play", "lobby", "game", "analysis", "lab"].includes(view);
  return { view: known && (view !== "game" || /^[\w-]+$/.test(id)) ? view : "play", id, query: new URLSearchParams(query) };
}

/** The address of a game, to be shared. @param {string} id */
export const gameLink = (id) => `${location.origin}/#/game/${id}`;
