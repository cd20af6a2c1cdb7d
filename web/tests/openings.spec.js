/** The opening explorer with real tournament games, on a server of its own. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { accessible, expect, test } from "./page.js";
import { binary, start } from "./server.js";

/** @import {Page} from "@playwright/test" */

const wthor = join(import.meta.dirname, "../../data/wthor");

/** The final of the World Championship 1985: Takizawa – Ghirardato, 45-19. */
const FINAL = ["f5", "f6", "e6", "f4", "c3", "d7", "f3", "d6", "g5", "g4", "e3", "h5", "e7"];

// One server for all tests of this file, with the games of 1978, 1980 and 1985.
test.describe.configure({ mode: "default" });
test.skip(!binary, "EMILIA_BINARY names no program; cargo xtask test does");

let data = "";
let address = "";
/** @type {Awaited<ReturnType<typeof start>> | undefined} */
let server;

test.beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "emilia-openings-"));
  await promisify(execFile)(binary, ["games", "import", wthor, "--data", data]);
  server = await start(0, "--data", data);
  address = server.address;
});

test.afterAll(async () => {
  server?.kill();
  await rm(data, { recursive: true, force: true });
});

const panel = (/** @type {Page} */ page) => page.locator(".openings");
const move = (/** @type {Page} */ page, /** @type {string} */ square) => panel(page).locator(`[data-move=${square}]`);
const final = (/** @type {Page} */ page) => panel(page).getByRole("link", { name: /1985 ?Takizawa Masaki – Ghirardato Paolo ?45-19 ?World Championship/ });

test("from the start to a game of a world championship by mouse", async ({ page }) => {
  await page.goto(`${address}/#/analysis`);
  await expect(panel(page)).toContainText("1,122 games reached this position, 1978–1985.");
  for (const [index, square] of FINAL.entries()) {
    await move(page, square).hover();
    await expect(page.locator(`.board [data-square=${square}] .ghost`)).toBeVisible();
    await move(page, square).click();
    await expect(page.locator(".board .disc:not(.ghost)")).toHaveCount(5 + index);
  }
  await final(page).click();
  await expect(page.locator(".player.black .name")).toHaveText("Takizawa Masaki");
  await expect(page.locator(".player.white .name")).toHaveText("Ghirardato Paolo");
  await expect(page.locator("[aria-current=step]")).toContainText("e7");
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page.locator(".status")).toContainText("The game is over: 45 - 19");
});

test("from the start to a game of a world championship by keyboard, read aloud", async ({ page }) => {
  await page.goto(`${address}/#/analysis`);
  await expect(move(page, "f5")).toBeVisible();
  await move(page, "f5").focus();
  for (const square of FINAL) {
    // The first move has the focus; the others are below it.
    await expect(panel(page).locator(".opening-moves button").first()).toBeFocused();
    // Should the list change while a key is pressed, the move may be above.
    const focused = () => move(page, square).evaluate((element) => element === document.activeElement);
    for (let pressed = 0; !(await focused()); pressed++) await page.keyboard.press(pressed % 40 < 20 ? "ArrowDown" : "ArrowUp");
    await expect(move(page, square)).toHaveAccessibleName(new RegExp(`^${square}, .*games, \\d+%, won \\d+%, drawn \\d+%, lost \\d+%, average`));
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${square}&p=`));
    await expect(panel(page)).not.toHaveAttribute("aria-busy", "true");
  }
  await expect(final(page)).toBeVisible();
  while (!(await final(page).evaluate((element) => element === document.activeElement))) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator(".player.black .name")).toHaveText("Takizawa Masaki");
});

test("games are chosen by player and year", async ({ page }) => {
  await page.goto(`${address}/#/analysis`);
  await panel(page).getByText("Choose games").click();
  await panel(page).getByLabel("Player", { exact: true }).fill("takizawa");
  await panel(page).getByLabel("From year").fill("1985");
  await expect(panel(page)).toContainText("games reached this position, 1985.");
  const all = await panel(page).locator(".opening-games .players").allTextContents();
  expect(all.every((names) => names.includes("Takizawa"))).toBe(true);
  await panel(page).getByLabel("Player", { exact: true }).fill("nobody at all");
  await expect(panel(page)).toContainText("No game reached this position.");
});

test("where nobody has been, the engine says what it thinks", async ({ page }) => {
  await page.goto(`${address}/#t=f5d6c3d3c4g5&p=6`);
  await expect(panel(page)).toContainText("No game reached this position.");
  await expect(panel(page).locator(".worth").nth(1)).toHaveText(/^[+−]?\d+\.\d$/);
  await expect(panel(page).locator(".opening-moves button").first()).toHaveAccessibleName(/value [+−]?\d+\.\d \((depth \d+|solved|book)/);
});

test("pasted games are kept and explored at once", async ({ page }) => {
  await page.goto(`${address}/#/analysis`);
  await page.getByText("Paste or open").click();
  await page.getByLabel("Game or position").fill('[Black "Ann"]\n[White "Bob"]\n\n1. f5 d6 2. c3 *');
  await page.getByRole("button", { name: "Keep in my games" }).click();
  await expect(page.getByText("1 new game kept")).toBeVisible();
  await page.goto("about:blank");
  await page.goto(`${address}/#/analysis`);
  await panel(page).getByLabel("Games of").selectOption("My games (1)");
  await expect(panel(page)).toContainText("One game reached this position.");
  await expect(panel(page).getByRole("link", { name: "Ann – Bob" })).toBeVisible();
});

test("the panel is for everybody, in every language and on a phone", async ({ page }) => {
  for (const [lang, said] of [
    ["en", "Games, the latest first"],
    ["ja", "対局（新しい順）"],
    ["zh", "对局（由新到旧）"],
  ]) {
    await page.goto(`${address}/?${lang}#t=f5d6c3&p=3`);
    await page.evaluate((chosen) => localStorage.setItem("emilia.settings", JSON.stringify({ language: chosen })), lang);
    await page.reload();
    await expect(panel(page)).toContainText(said);
  }
  await page.evaluate(() => localStorage.removeItem("emilia.settings"));
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${address}/?phone#t=f5d6c3&p=3`);
  await expect(panel(page).locator(".opening-moves button").first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await accessible(page);
});
