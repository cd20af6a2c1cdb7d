/** What every test of the page shares: a watched browser page, and ways to make and play games. */

import { test as base, expect } from "@playwright/test";
import axe from "axe-core";

/** @import {Browser, Page} from "@playwright/test" */

/**
 * Fails a test on any console error and on any request to another host. What the test opened besides is closed after it: pages
 * that nobody looks at any more would take time from the tests that follow.
 * @param {{page: Page, browser: Browser}} given @param {() => Promise<void>} use
 */
async function watched({ page, browser }, use) {
  const seen = watch(page);
  await use();
  const others = browser.contexts().filter((context) => context !== page.context());
  await Promise.all(others.map((context) => context.close()));
  expect(seen).toEqual([]);
}

export const test = base.extend(/** @type {{watched: [typeof watched, {auto: true}]}} */ ({ watched: [watched, { auto: true }] }));

export { expect };

/** Collects what a page must not do. @param {Page} page @returns {string[]} */
export function watch(page) {
  /** @type {string[]} */
  const seen = [];
  page.on("console", (message) => {
    if (message.type() === "error") seen.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && hostname !== "127.0.0.1") seen.push(`request: ${request.url()}`);
  });
  return seen;
}

/** Whether there is no server, so that the page itself has to be asked. */
export const alone = () => base.info().project.name === "alone";

/**
 * Asks Emilia as a program would, wherever she is.
 * @param {Page} page
 * @param {string} path
 * @param {object} [body]
 * @param {string} [token] the secret of who asks
 * @returns {Promise<string>} what she answers, also if she refuses
 */
export async function told(page, path, body, token) {
  const headers = /** @type {Record<string, string>} */ (token ? { Authorization: `Bearer ${token}` } : {});
  if (!alone()) return (await (body ? page.request.post(path, { data: body, headers }) : page.request.get(path, { headers }))).text();
  if (page.url() === "about:blank") await page.goto("/");
  return page.evaluate(
    async ([path, body, token]) => {
      const api = await import(new URL("js/api.js", document.baseURI).href);
      const alone = await import(new URL("js/alone.js", document.baseURI).href);
      const answer = await (await alone.ask(path, { body, token })).text();
      const made = path === "/api/games" ? JSON.parse(answer) : {};
      if (made.token) api.tokens.keep(made.game.id, made.token);
      return answer;
    },
    /** @type {[string, object | undefined, string | undefined]} */ ([path, body, token]),
  );
}

/** Lets the page note what it is told, where there is no server whose answers could be listened to; before it is opened. @param {Page} page */
export async function listen(page) {
  if (!alone()) return;
  await page.addInitScript(() => {
    /** @type {{path: string, status: number, body: string}[]} */
    const heard = [];
    Object.assign(globalThis, { heard });
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any[]} */ ...rest) {
      this.addEventListener("message", ({ data: { id, answer } }) => {
        if (answer && id === message.id) heard.push({ path: message.request.path, ...answer });
      });
      return postMessage.call(this, message, ...rest);
    };
  });
}

/** What the page is told at this path after something is done. @param {Page} page @param {string} path @param {() => Promise<unknown>} act @returns {Promise<any>} */
export async function heard(page, path, act) {
  if (!alone()) {
    const [answer] = await Promise.all([page.waitForResponse((response) => response.url().endsWith(path) && response.ok()), act()]);
    return answer.json();
  }
  /** @param {string} wanted */
  const bodies = (wanted) =>
    /** @type {{heard: {path: string, status: number, body: string}[]}} */ (/** @type {unknown} */ (globalThis)).heard
      .filter(({ path, status }) => path === wanted && status === 200)
      .map(({ body }) => body);
  const before = (await page.evaluate(bodies, path)).length;
  await act();
  await expect.poll(async () => (await page.evaluate(bodies, path)).length, { timeout: 30_000 }).toBeGreaterThan(before);
  return JSON.parse((await page.evaluate(bodies, path))[before]);
}

/** The same for answers that are no text. @param {Page} page @param {string} path @param {object} body @returns {Promise<Buffer>} */
export async function toldFile(page, path, body) {
  if (!alone()) return (await page.request.post(path, { data: body })).body();
  if (page.url() === "about:blank") await page.goto("/");
  const bytes = await page.evaluate(
    async ([path, body]) => {
      const api = await import(new URL("js/api.js", document.baseURI).href);
      return [...new Uint8Array(await (await api.ask(path, { body })).arrayBuffer())];
    },
    /** @type {[string, object]} */ ([path, body]),
  );
  return Buffer.from(bytes);
}

/**
 * Makes a game and gives the page its seat.
 * @param {Page} page
 * @param {object} terms
 * @returns {Promise<string>} the game's id
 */
export async function sitDown(page, terms) {
  const { token, game } = JSON.parse(await told(page, "/api/games", { pause_ms: 0, public: false, ...terms }));
  await page.addInitScript(
    ([id, secret]) => {
      if (location.protocol !== "about:") localStorage.setItem(`emilia.token.${id}`, secret);
    },
    [game.id, token],
  );
  // Two addresses that differ in what follows the # alone are one page to the browser, which would not load it again.
  await page.goto(`/?${game.id}#/game/${game.id}`);
  await expect(page.locator(".table.game .square")).toHaveCount(game.size ** 2);
  return game.id;
}

/** What the server says of a game. @param {Page} page @param {string} id */
export async function ask(page, id) {
  return JSON.parse(await told(page, `/api/games/${id}`)).game;
}

/** A game that was really played, from a match between two computers. @param {Page} page @param {number} size */
export async function transcript(page, size) {
  const duel = { first: "greedy", second: "alphabeta:depth=1,eval=static", size, games: 1, opening_plies: 4, seed: 5 };
  const lines = (await told(page, "/api/duels", duel))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.find(({ type }) => type === "game").transcript;
}

const STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules that colours matter to. */
const COLORS = ["color-contrast", "link-in-text-block"];

/** No violation of WCAG 2.2 AA; the page is the same with a server and without. @param {Page} page @param {"all" | "colors"} what whether only the colours are new */
export async function accessible(page, what = "all") {
  if (alone()) return;
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`);
  const violations = await page.evaluate(
    async (runOnly) => {
      const { violations } = await /** @type {{axe: typeof import("axe-core")}} */ (/** @type {unknown} */ (globalThis)).axe.run({
        runOnly,
        resultTypes: ["violations"],
      });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join(" | ")}`);
    },
    what === "all" ? STANDARD : COLORS,
  );
  expect(violations).toEqual([]);
}
