/** The opening explorer with the summary of tournament games that comes with the program, with a server and without. */

import { accessible, alone, expect, test } from "./page.js";

/** @import {Page} from "@playwright/test" */

const panel = (/** @type {Page} */ page) => page.locator(".openings");
const move = (/** @type {Page} */ page, /** @type {string} */ square) => panel(page).locator(`[data-move=${square}]`);

test("what people played is walked by mouse and by keyboard, and read aloud", async ({ page }) => {
  await page.goto("/#/analysis");
  await expect(panel(page)).toContainText(/\d,\d{3} games reached this position/);
  await move(page, "f5").hover();
  await expect(page.locator(".board [data-square=f5] .ghost")).toBeVisible();
  await move(page, "f5").click();
  await expect(page.locator(".board .disc:not(.ghost)")).toHaveCount(5);
  await expect(move(page, "d6")).toHaveAccessibleName(/^d6, .*games, \d+%, won \d+%, drawn \d+%, lost \d+%, average/);
  await move(page, "d6").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/f5d6&p=2/);
  await expect(panel(page)).toContainText(alone() ? /Source: .*only on a server/ : /Source: .*emilia games import/);
  await accessible(page);
});

test("where nobody has been, the engine says what it thinks", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#t=f5d6c7f4g3g6&p=6");
  await expect(panel(page)).toContainText("No game reached this position.");
  await expect(panel(page).locator(".worth").nth(1)).toHaveText(/^[+−]?\d+\.\d$/, { timeout: 30_000 });
  await expect(panel(page).locator(".opening-moves button").first()).toHaveAccessibleName(/value [+−]?\d+\.\d \((depth \d+|solved|book)/);
});
