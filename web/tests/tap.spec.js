/** No tap is lost: a square that is shown as legal is played, however slow the machine and however quick the thumb. */

import { ask, expect, sitDown, test } from "./page.js";

/** @import {Page} from "@playwright/test" */

/** Lets what is asked of an address wait until it is let go. @param {Page} page @param {string} address @returns {Promise<() => void>} */
async function hold(page, address) {
  /** @type {() => void} */
  let letGo = () => {};
  const held = new Promise((/** @type {(value: void) => void} */ done) => (letGo = done));
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

/** A disc on d3, on the board of the game and at the server. @param {Page} page */
async function played(page) {
  await expect(page.locator(".table.game").getByRole("button", { name: /^d3, (black|white)/ })).toBeVisible();
  expect((await ask(page, new URL(page.url()).hash.split("/")[2])).moves[0].move).toBe("d3");
}

test("a square tapped while the game is being made is the first move", { tag: "@server" }, async ({ page }) => {
  const letGo = await hold(page, "**/api/games");
  await page.goto("/");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await expect(page.getByRole("button", { name: /^d3, black/ })).toBeVisible();
  letGo();
  await played(page);
});

test("a square tapped while the game is being opened is the first move", { tag: "@page" }, async ({ page }) => {
  const letGo = await hold(page, "**/views/game.js");
  await page.goto("/");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/#\/game\//);
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  letGo();
  await played(page);
});

test("a square that is being pressed while the game opens is the first move", { tag: "@page" }, async ({ page }) => {
  const letGo = await hold(page, "**/views/game.js");
  await page.goto("/");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/#\/game\//);
  await page.getByRole("button", { name: "d3, legal, flips 1" }).hover();
  await page.mouse.down();
  letGo();
  await page.waitForTimeout(500);
  await page.mouse.up();
  await played(page);
});

test("a square tapped before the wire knows who listens is played", { tag: "@server" }, async ({ page }) => {
  /** @type {(() => void) | undefined} */
  let letGo;
  await page.routeWebSocket(/\/live$/, (wire) => {
    const server = wire.connectToServer();
    wire.onMessage((message) => (letGo = () => server.send(message)));
  });
  await sitDown(page, { mode: "computer", black: { name: "Ann" }, white: { player: "greedy" } });
  // What the wire says first is said to a stranger; the page has introduced itself, and is not heard.
  await expect.poll(() => letGo).toBeDefined();
  await page.waitForTimeout(500);
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await played(page);
  letGo?.();
});

test("a button does what it says though the panel is drawn anew under the finger", { tag: "@server" }, async ({ page, browser }) => {
  const id = await sitDown(page, { mode: "local", black: { name: "Ann" }, white: { name: "Bob" } });
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await expect(page.locator(".move-list li")).toHaveCount(1);
  await page.getByRole("button", { name: "Undo" }).hover();
  await page.mouse.down();
  // Another screen opens, and everybody is told how many look on.
  const other = await (await browser.newContext()).newPage();
  await other.goto(`/#/game/${id}`);
  await expect(other.locator(".move-list li")).toHaveCount(1);
  await expect.poll(async () => (await ask(page, id)).watchers).toBe(1);
  await page.waitForTimeout(300);
  await page.mouse.up();
  await expect(page.locator(".move-list li")).toHaveCount(0);
});
