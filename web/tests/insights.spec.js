/** A picture of somebody's play: games from files and text in, figures, charts and mistakes out, on both back ends. */

import { accessible, expect, sitDown, test } from "./page.js";

/** @import {Page} from "@playwright/test" */

const pgn = (/** @type {string} */ black, /** @type {string} */ white, /** @type {string} */ date, /** @type {string} */ moves) =>
  `[Black "${black}"]\n[White "${white}"]\n[Date "${date}"]\n\n${moves} *\n\n`;

/** Ann throws a corner away in the first game. */
const GAMES = pgn("Ann", "Bob", "2020.05.01", "1. e6 f6 2. f5 d6 3. g7 h8") + pgn("Carl", "Ann", "2021.06.02", "1. f5 f6 2. e6 f4 3. e3 c5 4. c4 e7 5. g4 d3");

/** @param {Page} page */
const result = (page) => page.locator(".portrait");

/** Opens the view and gives games as text. @param {Page} page @param {string} [text] */
async function give(page, text = GAMES) {
  await page.goto("/#/train/play");
  await page.getByLabel("Or paste games").fill(text);
  await page.getByRole("button", { name: "Add" }).click();
}

test("pasted games become a picture whose examples open on the board, and it is still there on the way back", { tag: "@page" }, async ({ page }) => {
  await give(page);
  await expect(page.locator(".insights .headline", { hasText: "Games: 2" })).toBeVisible();
  // The player of most games is offered first.
  await page.getByRole("button", { name: "Ann (2)" }).click();
  await page.getByLabel("How thoroughly").selectOption("6");
  await page.getByRole("button", { name: "Show the picture" }).click();
  await expect(page.getByRole("heading", { name: "The play of Ann" })).toBeFocused({ timeout: 60_000 });
  await expect(result(page).locator(".tiles")).toContainText(/2\s*games/);
  await expect(result(page).getByRole("img", { name: /^Discs lost a move, by stage of the game\. 1–12: Ann/ })).toBeVisible();
  await expect(result(page).getByRole("row", { name: /^Black 1/ })).toBeVisible();
  await expect(result(page)).toContainText("2020");
  await expect(result(page).getByRole("heading", { name: /^Only deep search shows it/ })).toBeVisible();
  const example = result(page).getByRole("link", { name: /Ann – Bob, 2020.05.01: 5\. g7/ });
  await expect(result(page)).toContainText(/Only deep search shows it: g7 /);
  await accessible(page);
  await example.first().click();
  await expect(page.locator(".table.analysis .square")).toHaveCount(64);
  await expect(page.locator(".square.last[data-square=g7]")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "The play of Ann" })).toBeVisible();
});

test("what was judged is not judged again, and what is left out is said", async ({ page }) => {
  await give(page, `${GAMES}${GAMES}`);
  await expect(page.locator(".insights .headline", { hasText: "Games: 2" })).toBeVisible();
  await expect(page.getByText("Counted once though there twice: 2")).toBeVisible();
  const judge = async () => {
    await page.getByRole("button", { name: "Carl (1)" }).click();
    await page.getByLabel("How thoroughly").selectOption("6");
    await page.getByRole("button", { name: "Show the picture" }).click();
    await expect(page.getByRole("heading", { name: "The play of Carl" })).toBeVisible({ timeout: 60_000 });
    return result(page).locator(".tiles, table, li").allTextContents();
  };
  const first = await judge();
  await page.reload();
  await give(page);
  expect(await judge()).toEqual(first);
});

test("games played here are offered, and moves without names have sides", async ({ page }) => {
  const id = await sitDown(page, { mode: "computer", white: { player: "random:seed=1" } });
  await page.locator(".table.game .square.legal").first().click();
  await expect(page.locator(".move-list li")).toHaveCount(2);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await expect(page.getByRole("button", { name: "Resign" })).toHaveCount(0);
  await page.goto(`/?${id}#/train/play`);
  await page.getByRole("button", { name: "Games played here" }).click();
  await expect(page.getByRole("button", { name: /^Me \(\d+\)$/ })).toBeVisible();
  await page.getByLabel("Or paste games").fill("f5d6c3d3c4");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByRole("button", { name: "Black (1)" })).toBeVisible();
});

test("the picture fits a narrow screen and prints without what is around it", { tag: "@page" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await give(page);
  // By the keyboard alone.
  await page.getByLabel("Player").fill("carl");
  await page.getByRole("button", { name: "Show the picture" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "The play of Carl" })).toBeFocused({ timeout: 60_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Show the picture" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "The play of Carl" })).toBeVisible();
});
