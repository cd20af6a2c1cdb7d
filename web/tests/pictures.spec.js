/** The pictures of the README, taken anew with `EMILIA_SHOTS=folder`. */

import { expect, sitDown, test } from "./page.js";

/** @import {Page} from "@playwright/test" */

/** World Championship 1988, Maccheroni – Aas. */
const MOVES = "f5d6c3d3c4b3c5c6b4e3b5a3a4f3f4a6a5b6d7c7d8e6c2d2c1e1f7e7f2e2f1g1f6b8b2g3d1a1h1g5g6h6g2g4c8a2h2b1a8h3h4h5g7h8h7g8a7f8e8b7";

test.skip(!process.env.EMILIA_SHOTS, "nobody asked for pictures");

/** @param {Page} page @param {string} name @param {"light" | "dark"} theme */
async function take(page, name, theme = "light") {
  await page.evaluate((value) => {
    document.documentElement.dataset.theme = value;
  }, theme);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${process.env.EMILIA_SHOTS}/${name}.png` });
}

test("a game", async ({ page }) => {
  await sitDown(page, {
    mode: "computer",
    moves: MOVES.slice(0, 40),
    black: { name: "Ann" },
    white: { player: "expert", name: "Emilia, expert" },
    clock: { main_ms: 600_000, increment_ms: 5000 },
  });
  await page.getByRole("button", { name: /^d8, legal/ }).click();
  await expect(page.locator(".move-list li")).toHaveCount(22);
  await expect(page.locator(".thinking")).toHaveCount(0);
  await take(page, "play");
});

test("a reviewed game", async ({ page }) => {
  await page.goto(`/#t=${MOVES}&p=47&x=Maccheroni&w=Aas&review=1`);
  await expect(page.locator(".player.black .note")).toContainText("%", { timeout: 60_000 });
  await expect(page.locator(".ply-button .mark").first()).toBeVisible();
  await take(page, "analysis", "dark");
});

test("the trees", async ({ page }) => {
  await page.goto("/#/lab?n=6&t=c2b2&search=alphabeta:depth=3,eval=paper&beside=minimax:depth=3,eval=paper");
  await expect(page.locator(".tree-side .stub").first()).toBeVisible();
  await page.getByRole("button", { name: "To the beginning" }).click();
  for (let cut = 0; cut < 4; cut++) await page.getByRole("button", { name: "To the next cut" }).click();
  await expect(page.locator(".sentence").first()).toContainText("need not be looked at");
  await take(page, "lab");
});

test("an evolution", async ({ page }) => {
  await page.goto("/#/lab?show=evolution");
  await page.getByLabel("Generations").fill("24");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByText("All 24 generations done", { exact: true })).toBeVisible({ timeout: 80_000 });
  await take(page, "evolution");
});
