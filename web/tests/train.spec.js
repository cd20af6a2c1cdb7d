/** Training: the opening trainer, cards that come back, the profile. */

import { readFile } from "node:fs/promises";
import { expect, test, told } from "./page.js";

/** @import {Page} from "@playwright/test" */

/** Begins with an opening of this name. @param {Page} page @param {string} name @param {"Black" | "White"} color */
async function begin(page, name, color) {
  await page.goto("/#/train/openings");
  await page.getByLabel("Name or moves").fill(name);
  await page.getByRole("radio", { name: color, exact: true }).check({ force: true });
  await page.getByRole("button", { name: "Begin" }).click();
}

/** @param {Page} page @param {string} square */
const tap = (page, square) => page.locator(`[data-square=${square}]`).click();

const status = (/** @type {Page} */ page) => page.locator(".status");

test("an opening is walked by mouse, a mistake is told at once and becomes a card", async ({ page }) => {
  await begin(page, "tiger", "Black");
  await expect(page.getByLabel("Openings", { exact: true })).toHaveValue("f5d6c3d3c4");
  await expect(status(page)).toContainText("Your move");
  await tap(page, "f5");
  await expect(page.locator(".square.last")).toHaveAttribute("data-square", "d6");
  await expect(status(page)).toContainText("f5: right.");
  await tap(page, "c3");
  await expect(page.locator(".square.last")).toHaveAttribute("data-square", "d3");
  await tap(page, "e3");
  await expect(status(page)).toContainText("e3 leaves the repertoire: c4 was expected. It loses");
  await expect(page.locator("[data-square=c4] .text")).toHaveText("★");
  await expect(page.locator(".disc")).toHaveCount(8);
  await tap(page, "c4");
  await expect(status(page)).toContainText("beyond the line");
  await expect(page.locator(".deck li")).toHaveCount(2);
  await page.getByRole("button", { name: "Show me" }).click();
  await expect(status(page)).toContainText("Play it to go on");
  await page.locator(".square.best").first().click();
  await expect(status(page)).toContainText(": right");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(status(page)).toContainText("Learn an opening by heart");
  await page.reload();
  await expect(page.locator(".deck li")).toHaveCount(3);
});

test("the engine speaks of a position once its answer is known", { tag: "@page" }, async ({ page }) => {
  await begin(page, "tiger", "Black");
  await expect(status(page)).toContainText("Your move");
  const engine = page.locator("details", { has: page.locator(".engine") });
  await engine.locator("summary").click();
  await engine.getByRole("button", { name: "Engine", exact: true }).click();
  await expect(page.locator(".engine-lines li")).toHaveCount(0);
  await tap(page, "f5");
  await expect(status(page)).toContainText("f5: right.");
  await expect(page.locator(".engine-lines li")).toHaveCount(0);
  await page.getByRole("button", { name: "Show me" }).click();
  await expect(page.locator(".engine-lines li").first()).toBeVisible();
  await expect(page.locator(".square.ring")).not.toHaveCount(0);
});

test("the other side begins, and everything can be done with the keyboard", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#/train/openings");
  const search = page.getByLabel("Name or moves");
  await search.focus();
  await page.keyboard.type("f5d6c3d3c4");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator(".square.last")).toHaveAttribute("data-square", "f5");
  await expect(page.locator(".square:focus")).toHaveCount(1);
  await page.keyboard.type("d6");
  await page.keyboard.press("Enter");
  await expect(page.locator(".square.last")).toHaveAttribute("data-square", "c3");
  await expect(page.locator("#announcer")).toContainText("d6: right. The other side plays c3.");
});

test("what is due is asked until it is known, and a profile goes out and in as one file", async ({ page }) => {
  const { token } = JSON.parse(await told(page, "/api/profiles", { name: "Ann" }));
  const cards = [
    { moves: "f5d6c3d3", answers: ["c4"], note: "Tiger" },
    { moves: "f5d6", answers: ["c3"] },
  ];
  await told(page, "/api/profile/cards", { kind: "opening", cards }, token);
  await page.goto(`/#/train/openings?profile=${token}`);
  // The secret does not stay in the address.
  await expect(page).toHaveURL(/#\/train\/openings$/);
  await expect(status(page)).toContainText("Cards due now: 2");
  await status(page).getByRole("button", { name: "Ask me what is due" }).click();
  await expect(status(page)).toContainText("Black to move: what do you play?");
  await expect(status(page)).toContainText("Tiger · cards left: 2");
  await tap(page, "c5");
  await expect(status(page)).toContainText("c5 is wrong. Play c4 to go on.");
  await tap(page, "c4");
  await expect(status(page)).toContainText("cards left: 1");
  await tap(page, "c3");
  await expect(status(page)).toContainText("c3: right. It comes back in 10 minutes.");
  await expect(page.locator("#toasts")).toContainText("All asked: 1 right, 1 missed.");

  await page.locator("summary", { hasText: "My profile" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ann");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as a file" }).click()]);
  const file = await readFile(await saved.path(), "utf8");
  expect(JSON.parse(file)).toMatchObject({ format: "emilia-profile", version: 2, name: "Ann" });
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Delete my profile" }).click();
  await expect(page.locator(".deck li")).toHaveCount(0);
  expect(JSON.parse(await told(page, "/api/profile", undefined, token)).error.code).toBe("unknown_profile");
  await page.locator("input[type=file]").setInputFiles({ name: "good.json", mimeType: "application/json", buffer: Buffer.from(file) });
  await expect(page.locator(".deck li")).toHaveCount(2);
});

test("a file that is no profile is refused with a sentence", { tag: "@page" }, async ({ browser }) => {
  const page = await browser.newPage();
  await page.goto("/#/train/openings");
  await page.locator("summary", { hasText: "My profile" }).click();
  await page.locator("input[type=file]").setInputFiles({ name: "bad.json", mimeType: "application/json", buffer: Buffer.from('{"format": "pgn"') });
  await expect(page.locator("#toasts")).toContainText("this is no profile of Emilia");
  await page.getByLabel("Name or moves").fill("no such opening");
  await expect(page.getByRole("alert")).toContainText("No opening is called “no such opening”");
});

test("the lines that must be known are a tree that can be walked, by mouse and by keyboard", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#/train/openings");
  await page.locator("summary", { hasText: "How much must I know" }).click();
  await page.getByRole("button", { name: "From the first move" }).click();
  await expect(page.locator(".lines .headline")).toContainText(/Lines: \d/);
  const first = page.locator(".lines .branch").first();
  await first.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".board .disc")).toHaveCount(5);
  const replies = first.locator("li");
  await expect(replies.first()).toContainText("lines:");
  await replies.locator(".known").first().click();
  await expect(page.locator(".board .disc")).toHaveCount(6);
  await expect(page.locator(".square.last")).toHaveCount(1);
});
