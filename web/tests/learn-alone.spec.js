/** Learning on the site without a server: what is learned stays in the browser, and nothing of it is lost. */

import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { SITE } from "./host.js";
import { watch } from "./page.js";
import { test } from "./site.js";

/** @import {Page} from "@playwright/test" */

test.skip(!SITE, "EMILIA_SITE names no folder; cargo xtask web does");

const PUZZLES = "engine/weights/puzzles.txt.gz";

/** Cards about the first moves of an opening. */
const CARDS = [
  { moves: "f5d6", answers: ["c3"] },
  { moves: "f5d6c3d3", answers: ["c4"] },
  { moves: "f5f6", answers: ["e6"] },
];

/** Puts cards into the profile of this browser. @param {Page} page @param {object[]} cards @returns {Promise<number[]>} their numbers */
const addCards = (page, cards) =>
  page.evaluate(async (cards) => {
    const learner = await import(new URL("js/profile.js", document.baseURI).href);
    const api = await import(new URL("js/api.js", document.baseURI).href);
    const added = await learner.owned((/** @type {string} */ token) => api.json("/api/profile/cards", { token, body: { kind: "opening", cards } }));
    return added.cards.map((/** @type {{id: number}} */ { id }) => id);
  }, cards);

/** @param {Page} page */
const deck = (page) => page.locator(".deck li");

test("puzzles come when they are asked for, and what is learned is there without a network", async ({ page, context, site }) => {
  const seen = watch(page);
  await page.goto(site.address);
  await expect(page.locator(".square.legal").first()).toBeVisible();
  expect(site.served.has(PUZZLES)).toBe(false);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto(`${site.address}#/train`);
  await expect(page.locator(".square.legal").first()).toBeVisible();
  await page.getByRole("button", { name: "Show me" }).click();
  await expect(page.locator(".status")).toContainText(/Your rating: 1,500 → 1,\d+/);
  await context.setOffline(true);
  await page.goto(`${site.address}?again#/train/mistakes`);
  await expect(deck(page)).toHaveCount(1);
  await page.goto(`${site.address}#/train`);
  await expect(page.locator(".figures")).toContainText(/1,[0-4]\d\d/);
  await page.getByRole("button", { name: "Show me" }).click();
  await expect(page.getByRole("button", { name: "Next puzzle" })).toBeVisible();
  expect(seen.filter((line) => !line.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("two tabs learn by the same profile, and no answer is lost", async ({ page, context, site }) => {
  await page.goto(`${site.address}#/train/openings`);
  const cards = await addCards(page, CARDS);
  const other = await context.newPage();
  await other.goto(`${site.address}#/train/openings`);
  await expect(deck(other)).toHaveCount(3);
  const answers = (/** @type {Page} */ tab, /** @type {number} */ times) =>
    tab.evaluate(
      async ([cards, times]) => {
        const learner = await import(new URL("js/profile.js", document.baseURI).href);
        for (let time = 0; time < times; time++) await Promise.all(cards.map((card) => learner.grade(card, time % 2 ? "good" : "again")));
      },
      /** @type {[number[], number]} */ ([cards, times]),
    );
  await Promise.all([answers(page, 4), answers(other, 4)]);
  await page.reload();
  await expect(page.locator(".figures")).toContainText("12 right, 12 missed");
});

test("a full storage is told, and what is learned lasts as long as the page", async ({ page, site }) => {
  await page.goto(`${site.address}#/train/openings`);
  await addCards(page, CARDS.slice(0, 1));
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("no room", "QuotaExceededError");
    };
  });
  await addCards(page, CARDS);
  await expect(page.locator("#announcer")).toContainText("The browser's storage is full. What is new lasts until the page is closed");
  await page.goto(`${site.address}#/lobby`);
  await page.goto(`${site.address}#/train/openings`);
  await expect(deck(page)).toHaveCount(3);
  // What was kept before is not harmed.
  await page.reload();
  await expect(deck(page)).toHaveCount(1);
});

test("a damaged file of puzzles is named, and the rest of the training goes on", async ({ browser, site }) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    const whole = await site.file(PUZZLES);
    site.instead.set(PUZZLES, whole.subarray(0, whole.length / 2));
    await page.goto(`${site.address}#/train`);
    await expect(page.getByRole("alert")).toContainText("puzzles.txt.gz is damaged");
    await page.goto(`${site.address}#/train/openings`);
    await expect(page.getByLabel("Name or moves")).toBeVisible();
    site.instead.clear();
    await page.goto(`${site.address}#/train`);
    await expect(page.locator(".square.legal").first()).toBeVisible();
  } finally {
    await context.close();
  }
});

test("profiles go into the file of everything, and from there into another browser", async ({ page, browser, site }) => {
  await page.goto(`${site.address}#/train/openings`);
  const [first] = await addCards(page, CARDS.slice(0, 2));
  const save = async () => {
    await page.goto(`${site.address}#/lobby`);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save everything as a file" }).click()]);
    return readFile(await file.path());
  };
  const before = await save();
  const context = await browser.newContext();
  try {
    const other = await context.newPage();
    await other.goto(`${site.address}#/lobby`);
    const open = (/** @type {Buffer} */ buffer) => other.locator("input[type=file]").setInputFiles({ name: "all.json", mimeType: "application/json", buffer });
    const said = other.locator("#announcer p").last();
    const written = JSON.parse(before.toString());
    const [learner] = written.learners;
    const broken = { ...learner, learner: learner.learner.replace("f5d6c3d3", "f5f5") };
    await open(Buffer.from(JSON.stringify({ ...written, learners: [broken] })));
    await expect(said).toContainText("Nothing was changed: a profile of this file cannot be read.");
    await open(Buffer.from(JSON.stringify({ ...written, learners: [{ ...learner, id: "other" }] })));
    await expect(said).toContainText("Nothing was changed: this is no file with the games of a browser.");
    await open(before);
    await expect(said).toHaveText("0 games, 1 profile and the settings were taken from the file.");
    await other.goto(`${site.address}#/train/openings`);
    await expect(deck(other)).toHaveCount(2);
    // Both go on learning, and the file brings together what both know.
    await addCards(other, CARDS);
    await page.evaluate(async (card) => (await import(new URL("js/profile.js", document.baseURI).href)).grade(card, "again"), first);
    await other.goto(`${site.address}#/lobby`);
    const after = await save();
    // What is said already is not said again.
    await expect(other.locator("#toasts")).toBeEmpty();
    await open(after);
    await expect(said).toHaveText("0 games, 1 profile and the settings were taken from the file.");
    await other.goto(`${site.address}#/train/openings`);
    await expect(deck(other)).toHaveCount(3);
    await expect(other.locator(".figures")).toContainText("0 right, 1 missed");
  } finally {
    await context.close();
  }
});

test("several profiles are in one browser, and one is deleted by one click", async ({ page, site }) => {
  await page.goto(`${site.address}#/train/openings`);
  await addCards(page, CARDS);
  await page.locator("summary", { hasText: "My profile" }).click();
  await expect(page.getByText("your cards are kept in this browser and nowhere else")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy the link for another device" })).toHaveCount(0);
  await page.evaluate(() => localStorage.removeItem("emilia.profile"));
  await page.reload();
  await addCards(page, CARDS.slice(0, 1));
  await page.reload();
  await page.getByLabel("Another profile in this browser").selectOption({ label: "without a name, cards: 3" });
  await expect(deck(page)).toHaveCount(3);
  page.once("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Delete my profile" }).click();
  await expect(deck(page)).toHaveCount(0);
  await expect(page.getByLabel("Another profile in this browser").locator("option")).toHaveCount(2);
});
