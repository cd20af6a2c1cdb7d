/** Training: puzzles by mouse and keyboard, refutations, the day, runs, themes; one's own mistakes come back. */

import { accessible, expect, heard, listen, test, told, transcript } from "./page.js";

/** @import {Page} from "@playwright/test" */

const status = (/** @type {Page} */ page) => page.locator(".status");

/** Opens puzzles with a profile of its own, which the test can speak for. @param {Page} page @param {string} [query] */
async function open(page, query = "") {
  const { token } = JSON.parse(await told(page, "/api/profiles", { name: "" }));
  await listen(page);
  await page.addInitScript((secret) => {
    if (location.protocol !== "about:") localStorage.setItem("emilia.profile", secret);
  }, token);
  // What follows the # alone would not load the page again.
  await page.goto(`/?open#/train${query}`);
  await expect(page.locator(".square.legal").first()).toBeVisible();
  return token;
}

/** The moves of the puzzle that the page asks last, each with how the game ends, the best first. @param {Page} page @param {string} puzzle */
async function solution(page, puzzle) {
  // Without a token nothing is counted.
  return JSON.parse(await told(page, "/api/train/puzzle/answer", { puzzle, show: true })).solution;
}

/** A puzzle about parity that one move solves, one of a run of them. @param {Page} page @returns {Promise<string>} */
async function ofParity(page) {
  for (let number = 30; ; number++) {
    const { puzzle, plays_on } = JSON.parse(await told(page, "/api/train/puzzle", { theme: "parity", run: 1, number }));
    if (!plays_on) return puzzle;
  }
}

/** Waits for the next puzzle that the page asks for. @param {Page} page @param {() => Promise<unknown>} act @returns {Promise<any>} */
const asked = (page, act) => heard(page, "/api/train/puzzle", act);

/** @param {Page} page @param {string} square */
const tap = (page, square) => page.locator(`[data-square=${square}]`).click();

test("a puzzle is solved by mouse: a wrong move is refuted on the board, the right one explained and rated", { tag: "@page" }, async ({ page }) => {
  const puzzle = await ofParity(page);
  await open(page, `?puzzle=${puzzle}`);
  const { move, scores } = await solution(page, puzzle);
  const wrong = scores.at(-1)[0];
  await tap(page, wrong);
  await expect(status(page)).toContainText(new RegExp(`${wrong} (wins|loses|draws).*discs more are possible.*White (answers|has to pass)`));
  await expect(status(page)).toContainText(/Your rating: 1,500 → 1,\d+ \(−\d+\)/);
  // The reply stands on the board, and nothing can be played but the retry.
  await expect(page.locator(".square.last")).toHaveCount(1);
  await expect(page.locator(".square.legal")).toHaveCount(0);
  await page.getByRole("button", { name: "Play it out" }).click();
  await expect(page.locator(".square .disc")).not.toHaveCount(0);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator(".square.legal")).toHaveCount(scores.length);
  await tap(page, move);
  await expect(status(page)).toContainText("Solved!");
  await expect(page.locator(".status .why")).toContainText(wrong);
  const reason = page.getByRole("button", { name: /region of \d+ empty squares?, an odd number/ });
  await reason.click();
  await expect(reason).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("[data-shade=odd]")).not.toHaveCount(0);
  await accessible(page);
  const next = await asked(page, () => page.getByRole("button", { name: "Next puzzle" }).click());
  expect(next.puzzle).not.toBe(puzzle);
  await expect(status(page)).not.toContainText("Solved!");
});

test("a puzzle is solved by keyboard alone and read aloud, and played on to the end", { tag: "@page" }, async ({ page }) => {
  await open(page);
  const { puzzle, plays_on } = await asked(page, () => page.getByLabel("Theme").selectOption("last-six"));
  expect(plays_on).toBe(true);
  await expect(status(page)).toContainText("every move counts");
  await page.locator("[data-square=a1]").focus();
  let moves = "";
  // Each question is answered by what the solver says; the page makes the replies.
  for (let asked = 0; asked < 6; asked++) {
    const legal = await page
      .locator(".square.legal")
      .evaluateAll((squares) => squares.map((square) => /** @type {HTMLElement} */ (square).dataset.square ?? ""));
    const judged = await Promise.all(
      legal.map(async (move) => {
        return { move, ...JSON.parse(await told(page, "/api/train/puzzle/answer", { puzzle, moves, move })) };
      }),
    );
    const right = judged.find(({ right }) => right);
    await page.keyboard.type(right.move);
    await page.keyboard.press("Enter");
    if (right.solved) break;
    const made = right.steps.slice(0, right.follow + 1).map((/** @type {{move: string}} */ step) => step.move);
    moves += made.filter((/** @type {string} */ move) => move !== "pass").join("");
    await expect(page.locator("#announcer")).toContainText(`${right.move}: right.`);
  }
  await expect(page.locator("#announcer")).toContainText("Solved!");
  const next = await asked(page, () => page.keyboard.press("n"));
  expect(next.puzzle).not.toBe(puzzle);
  await expect(page.locator("#announcer")).toContainText("Black to move. Find");
  await page.keyboard.press("s");
  await expect(status(page).getByRole("button", { name: "Next puzzle" })).toBeVisible();
});

test("the puzzle of the day is the same for everybody, and yesterday's is another", async ({ page }) => {
  await open(page, "?mode=daily");
  await expect(page.getByRole("radio", { name: "Puzzle of the day" })).toBeChecked();
  await expect(status(page)).toContainText("Puzzle of");
  const day = Math.floor(Date.now() / 86_400_000);
  const { position } = JSON.parse(await told(page, "/api/train/puzzle", { day }));
  await expect(page.locator(".square.legal")).toHaveCount(position.legal.length);
  const yesterday = await asked(page, () => page.getByRole("button", { name: "The day before" }).click());
  expect(yesterday.position.board).not.toBe(position.board);
  await expect(page.getByRole("button", { name: "The day after" })).toBeVisible();
});

test("a run against the clock ends when the time is up, and is kept", async ({ page }) => {
  await page.clock.install();
  await open(page);
  let { puzzle } = await asked(page, () => page.locator(".segment", { hasText: "3 minutes" }).click());
  await expect(page.getByRole("timer")).toHaveText(/^[23]:\d\d$/);
  for (const right of [true, true, false]) {
    const { scores } = await solution(page, puzzle);
    ({ puzzle } = await asked(page, () => tap(page, scores.at(right ? 0 : -1)[0])));
  }
  await expect(status(page)).toContainText("Solved: 2");
  await page.clock.fastForward("03:01");
  await expect(status(page)).toContainText("That is it. Solved: 2, missed: 1.");
  await expect(status(page)).toContainText("Your best so far!");
  await expect(page.locator(".square.legal")).toHaveCount(0);
  await page.getByRole("link", { name: "1", exact: true }).click();
  await expect(page).toHaveURL(/puzzle=/);
  await expect(page.locator(".square.legal").first()).toBeVisible();
  await expect(page.locator(".figures")).toContainText("Best in 3 minutes2");
});

test("three strikes end the other run", { tag: "@page" }, async ({ page }) => {
  await open(page);
  let { puzzle } = await asked(page, () => page.locator(".segment", { hasText: "3 strikes" }).click());
  await expect(page.getByRole("img", { name: "Mistakes left: 3" })).toBeVisible();
  for (const left of [2, 1]) {
    const { scores } = await solution(page, puzzle);
    ({ puzzle } = await asked(page, () => tap(page, scores.at(-1)[0])));
    await expect(page.getByRole("img", { name: `Mistakes left: ${left}` })).toBeVisible();
  }
  const { scores } = await solution(page, puzzle);
  await tap(page, scores.at(-1)[0]);
  await expect(status(page)).toContainText("That is it. Solved: 0, missed: 3.");
});

test("puzzles of 6×6 fit on a narrow screen, in the dark and in other languages", { tag: "@page" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page);
  await asked(page, () => page.getByRole("combobox", { name: "Board" }).selectOption("6"));
  await expect(page.locator(".square")).toHaveCount(36);
  await page.getByRole("button", { name: "Show me" }).click();
  await expect(page.getByRole("button", { name: "Next puzzle" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await accessible(page);
  for (const [language, word] of [
    ["zh", "题目"],
    ["ja", "問題"],
  ]) {
    await page.evaluate((chosen) => localStorage.setItem("emilia.settings", JSON.stringify({ language: chosen })), language);
    await page.reload();
    await expect(page.locator(".train-title a[aria-current]")).toHaveText(word);
    await expect(page.locator(".square.legal").first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});

test("mistakes of a review go into the deck by one click, and come back until they are known", async ({ page }) => {
  await open(page);
  // One who only counts discs makes mistakes, and the small board is solved early: what they cost is proven.
  await page.goto(`/?review#t=${await transcript(page, 6)}&n=6`);
  await page.locator("#review").click();
  const keep = page
    .locator(".fold")
    .getByRole("button", { name: /(Black|White): add mistakes to my deck \(\d+\)/ })
    .first();
  await expect(keep).toBeVisible({ timeout: 60_000 });
  const count = Number(/\((\d+)\)/.exec((await keep.textContent()) ?? "")?.[1]);
  await keep.click();
  await expect(page.locator("#toasts")).toContainText(`New in your deck: ${count}.`);
  await page.goto("/?deck#/train/mistakes");
  await expect(page.locator(".deck li")).toHaveCount(count);
  await expect(status(page)).toContainText(`Cards due now: ${count}`);
  await accessible(page);
  await status(page).getByRole("button", { name: "Ask me what is due" }).click();
  await expect(status(page)).toContainText(`cards left: ${count}`);
  await page.getByRole("button", { name: "Show me" }).click();
  await expect(status(page)).toContainText("Right here:");
  await page.locator(".square.best").click();
  await page
    .getByRole("button", { name: "Stop" })
    .or(page.getByRole("link", { name: "Review a game" }))
    .first()
    .waitFor();
  await page.reload();
  // What was missed is due again within minutes, and counted.
  await expect(page.locator(".figures")).toContainText("0 right, 1 missed");
});
