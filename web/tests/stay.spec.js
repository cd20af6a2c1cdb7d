/** A place to stay: the engine that deepens, hints, one's own games, what is said after a game, and small comforts. */

import { readFile } from "node:fs/promises";
import { accessible, ask, expect, sitDown, test, told, transcript } from "./page.js";

/** @import {Page} from "@playwright/test" */

/** How deep the engine is. @param {Page} page */
const depth = async (page) => Number(/depth (\d+)/.exec((await page.locator(".effort").textContent()) ?? "")?.[1] ?? 0);

test("the engine deepens while one looks on, and goes on from what it knows", async ({ page }) => {
  await page.goto("/#t=f5d6c3d3c4f4");
  await page.getByRole("button", { name: "Engine", exact: true }).click();
  await expect(page.locator(".engine-lines li")).toHaveCount(5);
  const first = await depth(page);
  await expect.poll(() => depth(page), { timeout: 60_000 }).toBeGreaterThan(Math.max(first, 5));
  await expect(page.locator(".effort")).toContainText(/\d s · .* nodes a second/);
  const best = (await page.locator(".engine-lines .moves-ahead").first().textContent())?.split(" ")[0];
  await expect(page.locator(".square.ring")).toHaveAttribute("data-square", best ?? "");
  await expect(page.getByRole("meter", { name: "Chances of Black" })).toHaveAttribute("aria-valuetext", /Black \d+ %, draw \d+ %, White \d+ %/);

  // Stopped, it stays where it is; after a step back and forth it is as deep as before at once.
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByRole("button", { name: "Go on", exact: true })).toBeVisible();
  // While it rests: what it finds takes both cores from who looks at the page.
  await accessible(page);
  const reached = await depth(page);
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await expect(page.locator(".engine-lines li")).toHaveCount(5);
  await page.getByRole("button", { name: "Forward", exact: true }).click();
  expect(await depth(page)).toBeGreaterThanOrEqual(reached);

  const panel = page.locator("details", { has: page.locator(".engine") });
  await panel.getByLabel("Moves shown").selectOption("1");
  await expect(page.locator(".engine-lines li")).toHaveCount(1);
  await panel.getByLabel("Judged by").selectOption({ value: "minimax:depth=4" });
  await expect(page.locator(".engine-lines li").first()).toBeVisible();
  await expect(page.getByRole("meter")).toHaveCount(0);
  await panel.getByLabel("Judged by").selectOption({ value: "emilia" });

  // On every board: a small one is solved, and then there is nothing left to do.
  await page.goto("about:blank");
  await page.goto("/#t=&n=4");
  await page.getByRole("button", { name: "Engine", exact: true }).click();
  await expect(page.locator(".effort")).toContainText("exact");
  await expect(page.locator(".chances-words")).toHaveText("If nobody errs: Black 0 %, draw 0 %, White 100 %.");
  await expect(page.locator("#engine-run")).toHaveCount(0);
});

test("a hint is one square and one reason, then the line; the engine looks at games too", async ({ page }) => {
  await sitDown(page, { mode: "computer", white: { player: "greedy" }, moves: "f5d6c3d3c4" });
  await expect(page.locator(".square.legal").first()).toBeVisible();
  await page.getByRole("button", { name: "Hint", exact: true }).click();
  const advice = page.locator(".advice");
  await expect(advice).toHaveText(/^[a-h][1-8]: .+\.$/, { timeout: 30_000 });
  const square = (await advice.textContent())?.slice(0, 2) ?? "";
  await expect(page.locator(".square.ring")).toHaveAttribute("data-square", square);
  await page.getByRole("button", { name: "Show the line" }).click();
  await expect(advice).toContainText(`The line: ${square}`);
  await expect(page.locator(`[data-square=${square}] .text`)).toHaveText("1");
  await page.locator(`[data-square=${square}]`).click();
  await expect(advice).toHaveCount(0);

  await page.getByText("Engine", { exact: true }).first().click();
  await page.getByRole("button", { name: "Engine", exact: true }).click();
  await expect(page.locator(".engine-lines li").first()).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(".square.ring")).toHaveCount(1);
  await expect(page.getByRole("meter")).toBeVisible();
});

test("my games are listed, gone on with, downloaded and deleted", async ({ page }) => {
  const id = await sitDown(page, { mode: "computer", white: { player: "greedy", name: "Rival" }, moves: "f5d6" });
  await page.goto("/#/");
  await page.getByRole("link", { name: "Go on against Rival" }).click();
  await expect(page).toHaveURL(new RegExp(id));
  await page.goto("/#/");
  await page.getByRole("link", { name: /^All my games/ }).click();
  const row = page.locator(".my-games li", { hasText: "Rival" });
  await expect(row).toContainText("Your move");
  await accessible(page);
  await row.getByRole("link", { name: "Go on", exact: true }).click();
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.locator(".status")).toContainText("by resignation");

  await page.goto("/#/mine");
  await expect(row).toContainText("Lost");
  await expect(row.getByRole("link", { name: "Review" })).toHaveAttribute("href", /t=f5d6.*review=1/);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all" }).click();
  const file = await readFile(await (await saving).path(), "utf8");
  expect(file).toContain('[White "Rival"]');
  await row.getByRole("button", { name: "Delete" }).click();
  await row.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.locator(".page")).toContainText("No games yet.");
  expect(JSON.parse(await told(page, `/api/games/${id}`).catch(() => '{"error":{"code":"unknown_game"}}')).error.code).toBe("unknown_game");
});

test("after a game one sentence says where it turned, and there is a picture", { tag: "@page" }, async ({ page }) => {
  const moves = (await transcript(page, 6)).match(/../g) ?? [];
  const last = moves.at(-1) ?? "";
  await sitDown(page, { mode: "local", size: 6, moves: moves.slice(0, -1).join(""), black: { name: "Ann" }, white: { name: "Bob" } });
  await page.locator(`[data-square=${last}]`).click();
  await expect(page.locator(".turning")).toHaveText(
    /(The game turned with \d+\. [a-f][1-6]: before it .*, after it .*\.|was ahead from|Nobody got away|It ended before)/,
    { timeout: 60_000 },
  );
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Picture to share" }).click();
  const picture = await readFile(await (await saving).path());
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect(picture.readUInt32BE(16)).toBe(1080);
  // What was found out once is not looked for again.
  const sentence = (await page.locator(".turning").textContent()) ?? "";
  await page.reload();
  await expect(page.locator(".turning")).toHaveText(sentence);
});

test("the board can be turned, numbered and written on, and sound is offered once", { tag: "@page" }, async ({ page }) => {
  await sitDown(page, { mode: "local", moves: "f5d6c3" });
  await expect(page.getByRole("group", { name: "Sound" })).toBeVisible();
  await page.getByRole("button", { name: "Without" }).click();
  await expect(page.getByRole("group", { name: "Sound" })).toHaveCount(0);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Numbers of the moves on the discs").check();
  await page.getByLabel("Board from the other side").check();
  await page.getByLabel("Coordinates").selectOption("On the squares");
  await page.getByLabel("Confirm moves").selectOption("Always");
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.locator("[data-square=c3] .text")).toHaveText("3");
  /** @param {string} square */
  const at = async (square) => (await page.locator(`[data-square=${square}]`).boundingBox()) ?? { x: 0, y: 0 };
  const [a1, h8] = [await at("a1"), await at("h8")];
  expect(a1.x > h8.x && a1.y > h8.y).toBe(true);
  await page.locator("[data-square=e5]").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator("[data-square=f5]")).toBeFocused();
  // Once chooses, twice plays.
  const legal = page.locator(".square.legal").first();
  const square = await legal.getAttribute("data-square");
  await legal.click();
  await expect(page.locator(".square.planned")).toHaveAttribute("data-square", square ?? "");
  await expect(page.locator(".move-list li")).toHaveCount(3);
  await page.locator(".square.planned").click();
  await expect(page.locator(".move-list li")).toHaveCount(4);
  await page.reload();
  await expect(page.getByRole("group", { name: "Sound" })).toHaveCount(0);
});

test("two people greet, plan moves, get more time, and their score goes on", { tag: "@server" }, async ({ page, browser }) => {
  const id = await sitDown(page, { mode: "link", size: 4, clock: { main_ms: 300_000 }, black: { name: "Ann" } });
  const other = await (await browser.newContext()).newPage();
  await other.goto(`/#/game/${id}`);
  await other.getByLabel("Your name").fill("Bob");
  await other.getByRole("button", { name: "Sit down as White" }).click();
  await expect(page).toHaveTitle(/Your move/);
  await other.getByRole("button", { name: "Hello" }).click();
  await expect(page.locator(".toast", { hasText: "Bob: Hello" })).toBeVisible();

  // Bob plans his reply; it is made when Ann has moved.
  const reply = other.locator("[data-square=a1]");
  await reply.click({ force: true });
  await expect(other.locator(".square.planned")).toHaveAttribute("data-square", "a1");
  await reply.click({ force: true });
  await expect(other.locator(".square.planned")).toHaveCount(0);
  const first = await page.locator(".square.legal").first().getAttribute("data-square");
  const replies = JSON.parse(await told(page, "/api/analyse", { size: 4, moves: first })).position.legal;
  await other.locator(`[data-square=${replies[0].square}]`).click({ force: true });
  await page.locator(`[data-square=${first}]`).click();
  await expect.poll(async () => (await ask(page, id)).moves.length).toBeGreaterThanOrEqual(2);
  expect((await ask(page, id)).moves[1].move).toBe(replies[0].square);

  await page.getByRole("button", { name: "More time" }).click();
  await other.getByRole("button", { name: "Give it" }).click();
  await expect(page.locator(".toast", { hasText: "You got a minute more." })).toBeVisible();
  expect((await ask(page, id)).clock.black_ms).toBeGreaterThan(300_000);

  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(page.locator(".series")).toHaveText("Ann 0 – 1 Bob (games: 1)");
  await page.getByRole("button", { name: "Rematch" }).click();
  await other.getByRole("button", { name: "Rematch" }).click();
  await expect(page).not.toHaveURL(new RegExp(`#/game/${id}`));
  await expect(page.locator(".series")).toHaveText("Bob 1 – 0 Ann (games: 1)");
  await other.context().close();
});

test("what a file draws on the board is shown with its move, and its words", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#/analysis");
  await expect(page.locator(".square.legal")).toHaveCount(4);
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
  }, "(;GM[2]CR[d3][f5];B[f5]TR[f6]LB[d6:A]AR[f5:d6]C[White has three replies];W[d6])");
  await expect(page.locator(".markings circle")).toHaveCount(2);
  await page.getByRole("button", { name: "Forward", exact: true }).click();
  await expect(page.locator(".markings circle")).toHaveCount(0);
  await expect(page.locator(".markings .label")).toHaveText("A");
  await expect(page.locator(".markings .arrow .head")).toHaveCount(1);
  await expect(page.locator(".status")).toContainText("White has three replies");
  await expect(page.getByRole("grid")).toHaveAttribute("aria-description", "TR f6, LB d6 A, AR f5 d6");
  await page.getByRole("button", { name: "Forward", exact: true }).click();
  await expect(page.locator(".markings > *")).toHaveCount(0);
});
