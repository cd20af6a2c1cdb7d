/** How it looks and how it can be used: every view, themes, widths, weight, speed. */

import { accessible, expect, sitDown, test, told, transcript } from "./page.js";

/** @type {Record<string, (page: import("@playwright/test").Page) => Promise<void>>} */
const VIEWS = {
  start: async (page) => {
    await page.goto("/");
    await page.getByText("Opponent, names, board, clock").click();
    await expect(page.locator(".square.legal")).toHaveCount(4);
  },
  game: async (page) => {
    await sitDown(page, {
      mode: "computer",
      black: { name: "Ann" },
      white: { player: "alphabeta:depth=1,eval=static", name: "Bot" },
      clock: { main_ms: 300_000, increment_ms: 0 },
    });
    await page.locator(".square.legal").first().click();
    await expect(page.locator(".move-list li")).toHaveCount(2);
    for (const name of ["On the board", "Link for watchers"]) await page.locator("summary", { hasText: name }).click();
  },
  lobby: async (page) => {
    await told(page, "/api/games", { mode: "link", black: { name: "Ann" } });
    await page.goto("/#/lobby");
    await expect(page.locator("tr").nth(1)).toBeVisible();
  },
  analysis: async (page) => {
    await page.goto(`/#t=${await transcript(page, 8)}&p=40&review=1`);
    await expect(page.locator(".ply-button .mark").first()).toBeVisible({ timeout: 60_000 });
    await page.getByRole("button", { name: "Engine", exact: true }).click();
    await expect(page.locator(".engine-lines")).toBeVisible();
    for (const name of ["Paste or open", "Set up a position", "On the board", "Share and export"]) await page.locator("summary", { hasText: name }).click();
  },
  study: async (page) => {
    await page.goto("/#/study");
    await page.getByRole("button", { name: "New study" }).click();
    await page.locator("[data-square=f5]").click();
    await page.getByLabel("Comment on this move").fill("Why here?");
    await page.getByRole("button", { name: "Arrow", exact: true }).click();
    for (const square of ["f5", "d6"]) await page.locator(`[data-square=${square}]`).click();
    await expect(page.locator(".markings .arrow")).toBeAttached();
    for (const name of ["Add a chapter", "Share and export"]) await page.locator("summary", { hasText: name }).click();
    await page.getByRole("button", { name: "Link with the study inside" }).click();
    await expect(page.getByLabel("Link with the study inside")).toHaveValue(/sgf=/);
    await expect(page.locator(".keeping")).toHaveText("Everything is kept.");
    // What has scrolled halfway under the buttons on top counts as too small.
    await page.locator(".side").evaluate((side) => side.scrollTo(0, 0));
  },
  train: async (page) => {
    await page.goto("/#/train?line=f5d6c3d3c4&color=black");
    await page.locator("[data-square=f5]").click();
    await page.locator("[data-square=c3]").click();
    await page.locator("[data-square=e3]").click();
    await expect(page.locator(".status .error")).toBeVisible();
    for (const name of ["My profile", "How much must I know"]) await page.locator("summary", { hasText: name }).click();
    await expect(page.locator(".deck li").first()).toBeVisible();
    await page.getByRole("button", { name: "From the first move" }).click();
    await page.locator(".lines .branch > summary").first().click();
    await expect(page.locator(".lines .branch li").first()).toBeVisible();
  },
  lab: async (page) => {
    await page.goto("/#/lab");
    await expect(page.locator(".tree-side .stub").first()).toBeVisible();
    await expect(page.locator(".judgement tfoot td")).not.toBeEmpty();
  },
  duel: async (page) => {
    await page.goto("/#/lab?show=duel");
    await expect(page.locator(".disc").first()).toBeVisible();
  },
  evolution: async (page) => {
    await page.goto("/#/lab?show=evolution");
    await page.getByLabel("Board", { exact: true }).selectOption("4");
    await page.getByLabel("Generations").fill("8");
    await page.getByRole("button", { name: "Start" }).click();
    await expect(page.getByText("All 8 generations done", { exact: true })).toBeVisible();
    await page.locator("summary", { hasText: "More parameters" }).click();
  },
};

for (const [name, open] of Object.entries(VIEWS)) {
  // One visit for both: what takes long is to open a view.
  test(`${name} fits every screen and is accessible in every theme`, async ({ page }) => {
    const usual = page.viewportSize() ?? { width: 1280, height: 800 };
    for (const [width, height] of [
      [320, 640],
      [360, 740],
      [820, 1180],
      [1920, 1080],
    ]) {
      await page.setViewportSize({ width, height });
      if (width === 320) await open(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wide, `${width}×${height}`).toBe(0);
      if (process.env.EMILIA_SHOTS) await page.screenshot({ path: `${process.env.EMILIA_SHOTS}/${name}-${width}.png` });
    }
    await page.setViewportSize(usual);
    for (const theme of ["light", "dark", "contrast"]) {
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value;
      }, theme);
      await accessible(page, theme === "light" ? "all" : "colors");
      if (process.env.EMILIA_SHOTS) await page.screenshot({ path: `${process.env.EMILIA_SHOTS}/${name}-${theme}.png` });
    }
  });
}

test("the settings are accessible, and kept", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Settings" }).click();
  await accessible(page);
  await page.getByLabel("Theme").selectOption("dark");
  await page.getByRole("dialog").getByLabel("Board", { exact: true }).selectOption("safe");
  await page.getByRole("button", { name: "Close" }).click();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("html")).toHaveAttribute("data-board", "safe");
});

test("a quick thumb on a slow phone plays its move", async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })).newPage();
  await page.goto("/");
  const square = await page.getByRole("button", { name: "d3, legal, flips 1" }).boundingBox();
  if (!square) throw new Error("d3 has no place");
  const slow = await page.context().newCDPSession(page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  // Where d3 was, whatever is shown there by now: near its upper edge, so that a board that moves is found out.
  await page.waitForTimeout(150);
  await page.touchscreen.tap(square.x + square.width / 2, square.y + square.height / 4);
  await expect(page.locator(".table.game").getByRole("button", { name: /^d3, (black|white)/ })).toBeVisible();
});

test("a phone plays a move with a thumb", async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })).newPage();
  await page.goto("/");
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await page.getByRole("button", { name: "d3, legal, flips 1" }).tap();
  await expect(page.locator(".table.game").getByRole("button", { name: /^d3, (black|white)/ })).toBeVisible();
  const board = await page.locator(".table.game .board").boundingBox();
  expect(board?.width).toBeGreaterThan(330);
  expect((board?.y ?? 0) + (board?.height ?? 0)).toBeLessThan(740);
});

test("on a phone names are whole while there is room, and small squares want a second tap", async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })).newPage();
  const names = { black: { name: "Maccheroni Alessand" }, white: { name: "Tamenori Hideshi" } };
  await sitDown(page, { mode: "local", size: 16, ...names, clock: { main_ms: 300_000, increment_ms: 0 } });
  for (const color of ["black", "white"]) {
    const cut = await page
      .locator(`.player.${color} .name`)
      .evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [scrollWidth - clientWidth, scrollHeight - clientHeight]);
    expect(cut.every((pixels) => pixels <= 1)).toBe(true);
  }
  await expect(page.locator(".player.black .clock")).toBeVisible();
  // Beside the legal square: the finger means it, aims first, and plays the second time.
  const legal = page.locator(".square.legal").first();
  const name = await legal.getAttribute("data-square");
  const box = await legal.boundingBox();
  if (!box) throw new Error("the square has no place");
  const tap = () => page.touchscreen.tap(box.x + box.width / 2, box.y - 3);
  await tap();
  await expect(page.locator(".square.aim")).toHaveAttribute("data-square", name ?? "");
  await expect(page.locator(".toast")).toHaveText(`${name}: tap once more to play there`);
  await expect(page.locator(".move-list li")).toHaveCount(0);
  await tap();
  await expect(page.locator(".move-list li")).toHaveCount(1);
  await expect(page.locator(".square.aim")).toHaveCount(0);
});

test("players, settings, evaluators and openings are called by names of the reader's language", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("emilia.settings", JSON.stringify({ language: "zh" })));
  await page.goto("/");
  await page.locator("summary").first().click();
  await page.locator(".picker select").first().selectOption("alphabeta");
  await expect(page.locator(".picker label")).toContainText(["前看步数", "估值函数", "权重", "着法顺序", "终局计分", "胜负"].map((text) => new RegExp(text)));
  await expect(page.locator(".picker option[value=kukreja]")).toHaveText("Kukreja 六项");
  const english = await page
    .locator(".picker option")
    .evaluateAll((options) => options.map((option) => option.textContent ?? "").filter((text) => /\bthe\b|\bmove/.test(text)));
  expect(english).toEqual([]);
  await page.goto("/#t=f5d6c3d3c4");
  await expect(page.locator(".status .opening")).toContainText("老虎（Tiger）");
});

for (const [width, height] of [
  [360, 740],
  [1280, 800],
]) {
  test(`the board stays where it is when a game begins, ${width}×${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto("/");
    await expect(page.getByRole("button", { name: "d3, legal, flips 1" })).toBeVisible();
    const before = await page.locator(".board").first().boundingBox();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect(page.locator(".table.game .board")).toBeVisible();
    expect(await page.locator(".table.game .board").boundingBox()).toEqual(before);
  });
}

test("the board never moves while a game goes on", async ({ page }) => {
  await sitDown(page, { mode: "computer", size: 6, black: { name: "Ann" }, white: { player: "greedy" } });
  const before = await page.locator(".board").boundingBox();
  for (let turn = 0; turn < 6; turn++) {
    await page.locator(".square.legal").first().click();
    await expect(page.locator(".thinking")).toHaveCount(0);
    await expect(page.locator(".square.legal").first()).toBeVisible();
    expect(await page.locator(".board").boundingBox()).toEqual(before);
  }
});

test("no part of a board is laid out by itself", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator(".square.legal")).toHaveCount(4);
  await expect(page.locator(".how .board")).toHaveCount(3);
  // While every square was a size container, laying out a first visit took 0.7 s instead of 0.03 s; `npm run paint` measures it.
  const containers = await page
    .locator(".board, .board *")
    .evaluateAll((elements) => elements.filter((element) => getComputedStyle(element).containerType !== "normal").length);
  expect(containers).toBe(0);
});

test("libraries come with their licences", async ({ page }) => {
  for (const [file, holder] of [
    ["qr/LICENSE-MIT", "Paul Miller"],
    ["gifenc/LICENSE.md", "Matt DesLauriers"],
  ]) {
    const answer = await page.request.get(`/vendor/${file}`);
    expect(answer.status()).toBe(200);
    expect(await answer.text()).toContain(holder);
  }
});

test("the page is light", async ({ page }) => {
  /** @type {Promise<number>[]} What comes over the wire, compressed. */
  const sizes = [];
  page.on("requestfinished", (request) => sizes.push(request.sizes().then((size) => size.responseBodySize)));
  const weight = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await page.goto("/");
  await page.locator(".square.legal").first().click();
  await expect(page.locator(".move-list li").nth(1)).toBeAttached();
  await page.waitForLoadState("networkidle");
  const game = await weight();
  expect(game).toBeGreaterThan(20_000);
  expect(game).toBeLessThan(200_000);
  const seen = { lobby: "table", analysis: "[data-square=f5]", lab: ".search-form, .lab" };
  for (const [view, part] of Object.entries(seen)) {
    await page.goto(`/#/${view}`);
    await expect(page.locator(part).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
  const all = await weight();
  expect(all).toBeGreaterThan(game);
  expect(all).toBeLessThan(300_000);
});
