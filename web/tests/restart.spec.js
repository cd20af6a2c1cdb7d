/** A server that is killed in the middle of a game: the page comes back by itself, and no move is lost. */

import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { binary, start } from "./server.js";

/** A port that nobody uses. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

test("a killed and restarted server goes on with the game", async ({ page }) => {
  test.skip(!binary, "EMILIA_BINARY names no program; cargo xtask test does");
  const data = await mkdtemp(join(tmpdir(), "emilia-"));
  const port = await freePort();
  let server = await start(port, "--data", data);
  try {
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect(page.locator(".table.game")).toBeVisible();
    await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
    await expect(page.locator(".move-list li")).toHaveCount(2);
    const moves = await page.locator(".move-list li").allTextContents();
    server.kill();
    await expect(page.locator(".status")).toContainText("The connection is lost");
    // A move tried meanwhile waits, and what cannot be opened says so, in whatever language.
    const square = await page.locator(".square.legal").first().getAttribute("data-square");
    await page.locator(".square.legal").first().click();
    await expect(page.locator(".status")).toContainText(`Your move ${square} waits until the server is back.`);
    const game = page.url();
    await page.getByRole("link", { name: "Lab" }).click();
    await expect(page.locator(".toast")).toHaveText("This page cannot be opened while the server does not answer.");
    await expect(page).toHaveURL(game);
    await expect(page.locator(".table.game")).toBeVisible();
    expect(await page.locator(".move-list li").allTextContents()).toEqual(moves);
    server = await start(port, "--data", data);
    await expect(page.locator(".status")).not.toContainText("The connection is lost");
    await expect(page.locator(".move-list li").nth(3)).toBeVisible();
    await expect(page.locator(".move-list li").nth(2)).toContainText(square ?? "");
    await expect(page.locator(".status")).not.toContainText("waits until");
    await page.getByRole("link", { name: "Lab" }).click();
    await expect(page.getByRole("heading", { name: "The lab" })).toBeVisible();
  } finally {
    server.kill();
    await rm(data, { recursive: true, force: true });
  }
});

test("without a server what is loaded stays usable, and nothing is said in raw words", async ({ page }) => {
  test.skip(!binary, "EMILIA_BINARY names no program; cargo xtask test does");
  const data = await mkdtemp(join(tmpdir(), "emilia-"));
  const port = await freePort();
  const server = await start(port, "--data", data);
  const raw = /fetch|TypeError|undefined|network|server/i;
  try {
    await page.addInitScript(() => localStorage.setItem("emilia.settings", JSON.stringify({ language: "ja" })));
    await page.request.post(`http://127.0.0.1:${port}/api/games`, { data: { mode: "link", black: { name: "Zoe" } } });
    await page.goto(`http://127.0.0.1:${port}/#/lobby`);
    await expect(page.locator("tr", { hasText: "Zoe" })).toBeVisible();
    await page.goto(`http://127.0.0.1:${port}/#t=f5d6c3`);
    await expect(page.locator(".disc")).toHaveCount(7);
    await page.keyboard.press("[");
    await expect(page.locator(".disc")).toHaveCount(6);
    await expect(page.locator(".square.legal").first()).toBeVisible();
    server.kill();
    for (const [key, discs] of /** @type {[string, number][]} */ ([
      ["]", 7],
      ["[", 6],
    ])) {
      await page.keyboard.press(key);
      await expect(page.locator(".disc")).toHaveCount(discs);
    }
    await page.locator(".square.legal:not([data-square=c3])").first().click();
    await expect(page.locator(".toast")).toContainText("サーバーから返事がありません");
    await page.locator("#review").click();
    for (const said of await page.locator(".toast, .error").allTextContents()) expect(said).not.toMatch(raw);
    await page.getByRole("link", { name: "実験室" }).click();
    await expect(page.locator(".toast", { hasText: "このページは開けません" })).toBeVisible();
    await expect(page.locator(".disc").first()).toBeVisible();
    await page.getByRole("link", { name: "ロビー" }).click();
    await expect(page.locator(".page [role=status] .error")).toContainText("サーバーから返事がありません");
  } finally {
    server.kill();
    await rm(data, { recursive: true, force: true });
  }
});

test("a computer that was thinking when the server was killed goes on after the restart", async ({ page }) => {
  test.skip(!binary, "EMILIA_BINARY names no program; cargo xtask test does");
  const data = await mkdtemp(join(tmpdir(), "emilia-"));
  const port = await freePort();
  let server = await start(port, "--data", data);
  try {
    const answer = await page.request.post(`http://127.0.0.1:${port}/api/games`, {
      data: { mode: "computer", pause_ms: 0, white: { player: "iterative:time=3s,depth=60", name: "Slow" } },
    });
    const { game, token } = await answer.json();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate(([id, secret]) => localStorage.setItem(`emilia.token.${id}`, secret), [game.id, token]);
    await page.goto(`http://127.0.0.1:${port}/#/game/${game.id}`);
    await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
    await expect(page.locator(".thinking")).toContainText("Slow is thinking");
    server.kill();
    await expect(page.locator(".status")).toContainText("The connection is lost");
    server = await start(port, "--data", data);
    await expect(page.locator(".move-list li")).toHaveCount(2, { timeout: 30_000 });
    await expect(page.locator(".status")).toContainText("Black's turn to play");
  } finally {
    server.kill();
    await rm(data, { recursive: true, force: true });
  }
});
