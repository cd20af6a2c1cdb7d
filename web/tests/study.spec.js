/** Understanding: analysis, review, permalinks, duels and evolution, the lobby. */

import { readFile } from "node:fs/promises";
import { corrected, deepened } from "../js/agree.js";
import { t } from "../js/i18n.js";
import { numbered } from "../js/move-number.js";
import { playedLike } from "../js/strength.js";
import { whyState } from "../js/why.js";
import { alone, expect, sitDown, test, told, transcript } from "./page.js";

/** @import {Page} from "@playwright/test" */

test("a permalink holds the whole game", { tag: "@page" }, async ({ page }) => {
  const moves = await transcript(page, 8);
  await page.goto(`/#t=${moves}&p=20&x=Ann&w=Bob`);
  await expect(page.locator("[aria-current=step]")).toContainText(moves.match(/../g)?.[19] ?? "");
  await page.getByRole("button", { name: "Forward" }).click();
  await expect(page).toHaveURL(/p=21/);
  await expect(page.locator(".disc")).toHaveCount(4 + 21);
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await expect(page.locator("[aria-current=step]")).toContainText(moves.match(/../g)?.[20] ?? "");
  await expect(page.locator(".disc")).toHaveCount(25);
  await expect(page.locator(".player.black .name")).toHaveText("Ann");
});

test("a permalink holds another board, size and side to move", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#t=&n=6&b=8O5O2X5X11O");
  await expect(page.locator(".square")).toHaveCount(36);
  await page.locator(".square.legal").first().click();
  await expect(page).toHaveURL(/t=[a-f]\d/);
  const address = page.url();
  expect(address).toContain("n=6");
  await page.goto("about:blank");
  await page.goto(address);
  await expect(page.locator("[aria-current=step]")).toHaveCount(1);
});

test("variations stay beside the game: in the address, over a reload, in files, and in a link as far as they fit", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#t=f5d6c3d3c4&x=Ann&w=Bob");
  await page.getByRole("button", { name: "To the start" }).click();
  await page.keyboard.press("]");
  await page.getByRole("button", { name: /^f6, legal/ }).click();
  await page.getByRole("button", { name: /^e6, legal/ }).click();
  await page.keyboard.press("[");
  await page.getByRole("button", { name: /^d3, legal/ }).click();
  await expect(page).toHaveURL(/#t=f5d6c3d3c4&v=0\.1\.f6e6~1\.2\.d3&l=2&p=3&x=Ann/);
  const lines = ["f5", "d6", "f6", "e6", "d3", "c3", "d3", "c4"];
  await expect(page.locator(".ply-button .mono")).toHaveText(lines);
  await page.reload();
  await expect(page.locator(".ply-button .mono")).toHaveText(lines);
  await expect(page.locator(".variation .variation [aria-current=step]")).toContainText("d3");

  await page.getByText("Share and export").click();
  for (const [format, held] of [
    ["sgf", /\(;W\[d6\];B\[c3\];W\[d3\];B\[c4\]\)\s*\(;W\[f6\]\s*\(;B\[e6\]\)\s*\(;B\[d3\]\)\)/],
    ["pgn", /1\. f5 d6 \( 1\.\.\. f6 2\. e6 \( 2\. d3 \) \) 2\. c3 d3 3\. c4/],
    ["transcript", /^f5d6c3d3c4\s*$/],
  ]) {
    await page.getByLabel("Format").selectOption(String(format));
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    expect(await readFile(await saved.path(), "utf8")).toMatch(held);
  }
  await expect(page.locator(".fold", { hasText: "Share and export" })).not.toContainText("not fit");

  // A game with every other move as a variation is more than a link can hold, but not more than the address can.
  const moves = (await transcript(page, 8)).match(/[a-h][1-8]/g) ?? [];
  const branches = [];
  for (let ply = 0; ply < moves.length; ply++) {
    const { position } = JSON.parse(await told(page, "/api/analyse", { moves: moves.slice(0, ply).join("") }));
    for (const { square } of position.legal) if (square !== moves[ply]) branches.push(`0.${ply}.${square}`);
  }
  await page.goto(`/?long#t=${moves.join("")}&v=${branches.join("~")}`);
  await expect(page.locator(".variation")).toHaveCount(branches.length);
  expect(page.url()).toContain(branches.at(-1) ?? "");
  await page.getByText("Share and export").click();
  await expect(page.locator(".fold", { hasText: "Share and export" })).toContainText(/The link holds the game; \d+ variations do not fit\./);
  const link = await page.getByLabel("Link with the whole game").inputValue();
  expect(link).toContain(`t=${moves.join("")}`);
  expect(link.length).toBeLessThan(2100);
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.locator(".ply-button").nth(moves.length)).toBeVisible();
});

test("where review and engine differ, the deeper one is believed by both", { tag: "@page" }, () => {
  const score = (/** @type {number} */ value) => ({ value, text: String(value), decided: false, for: /** @type {const} */ ("white") });
  const found = (/** @type {string} */ move, /** @type {number} */ value, /** @type {number} */ depth) =>
    /** @type {import("../js/types.js").Evaluation} */ ({
      move,
      rank: 1,
      score: score(value),
      depth,
      nodes: 1,
      time_ms: 1,
      line: [move],
      solved: false,
      stopped: false,
    });
  const judged = /** @type {import("../js/types.js").Judged} */ ({
    ...{ type: "move", ply: 2, color: "white", move: "f6", cells: "", score: score(-5), best: "d6", best_score: score(0), line: ["d6"], loss: 5 },
    ...{ judgement: "mistake", mark: "?", exact: false, depth: 10, forced: false, discs: 5, lesson: true, why: null },
  });
  const limits = { best: 0, good: 2, inaccuracy: 4, mistake: 8 };
  const deeper = [found("d6", 1, 14), found("f6", 0.5, 14), found("f4", -6, 14)];
  expect(corrected(judged, deeper, limits)).toMatchObject({ loss: 0.5, judgement: "good", mark: "", depth: 14, discs: -0.5, lesson: false });
  const shallow = [found("f6", 2, 6), found("d6", 1, 6), found("f4", -1, 6)];
  expect(corrected(judged, shallow, limits)).toBeNull();
  expect(deepened(shallow, [judged]).map(({ move, score: { value }, depth }) => [move, value, depth])).toEqual([
    ["d6", 0, 10],
    ["f4", -1, 6],
    ["f6", -5, 10],
  ]);
  expect(deepened(deeper, [judged])).toEqual(deeper);
});

test("words agree with their number, and passes of a line have none", { tag: "@page" }, () => {
  expect([t("ana.lost", { n: 1 }), t("ana.lost", { n: "2.5" }), t("game.discs", { n: 0 })]).toEqual(["loses 1 disc", "loses 2.5 discs", "0 discs"]);
  expect(numbered(["a1", "pass", "c4"])).toEqual({ a1: "1", c4: "2" });
});

test("a bad link says what is wrong with it", { tag: "@page" }, async ({ browser }) => {
  const page = await browser.newPage();
  for (const [link, wrong] of [
    ["#t=f5d6&n=7", "there is no board of 7 × 7"],
    ["#t=f5d6zz&n=8", "“zz” is no move"],
    ["#t=&n=6&b=8O5O2X5XO", "its board has 24 squares instead of 36"],
    ["#t=f5a1", "a1"],
    ["#t=f5d6&v=0.1.f6~9.1.c3", "“9.1.c3” is no variation"],
  ]) {
    await page.goto("about:blank");
    await page.goto(`/${link}`);
    await expect(page.locator(".status")).toContainText("This link is wrong: ");
    await expect(page.locator(".status")).toContainText(wrong);
  }
});

test("a pasted game is reviewed, and its mistakes retried", async ({ page }) => {
  await page.clock.install();
  const moves = await transcript(page, 6);
  const sgf = await told(page, "/api/export", { size: 6, moves, format: "sgf", tags: { Black: "Ann", White: "Bob" } });
  await page.goto("/#/analysis");
  await page.getByText("Paste or open").click();
  await page.getByLabel("Game or position").fill(sgf);
  await page.getByRole("button", { name: "Load" }).click();
  await expect(page.locator(".ply-button").first()).toContainText(moves.slice(0, 2));
  await expect(page.locator(".player.black .name")).toHaveText("Ann");
  await reviewQuickly(page);
  await expect(page.locator(".ply-button .mark").first()).toBeVisible();
  await page.locator(".graph").click();
  await expect(page.locator("[aria-current=step]")).toHaveCount(1);
  const retry = page.getByRole("button", { name: /^Retry mistakes of/ });
  await retry.first().click();
  if (!(await page.locator(".status", { hasText: "Find a better one" }).isVisible())) await retry.last().click();
  const asked = page.locator(".status .headline");
  const question = await asked.textContent();
  expect(question).toContain("Find a better one");

  // From here on the test's clock says when the next move of a line comes.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await page.getByRole("button", { name: "Show me" }).click();
  const said = page.locator(".status .verdict");
  await expect(said).toContainText("was better: ");
  const line = (await said.textContent())?.split(": ")[1].split(" ") ?? [];
  await playedOut(page, line);
  await expect(asked).toHaveText(question ?? "");
  const mistakes = await page.locator(".ply-button .mark").count();
  await page.getByRole("button", { name: "Next" }).click();
  if (mistakes > 1) await expect(asked).not.toHaveText(question ?? "");
  await page.getByRole("button", { name: "Leave" }).click();

  await page
    .getByRole("button", { name: /^Retry mistakes of/ })
    .and(page.locator(`:has(.chip.${question?.includes("Black") ? "black" : "white"})`))
    .first()
    .click();
  await page.getByRole("button", { name: new RegExp(`^${line[0]}, legal`) }).click();
  await expect(said).toHaveText(`${line[0]}: right, that was best.`);
  await playedOut(page, line);
  await expect(asked).toHaveText(question ?? "");
  await expect(page.locator(".status")).not.toContainText("was better");
});

/** Has the game that is shown reviewed by somebody who is quick. @param {Page} page */
async function reviewQuickly(page) {
  const panel = page.locator("details", { has: page.locator("#review") });
  await panel.getByLabel("Judged by").selectOption("Emilia 6");
  await panel.getByRole("button", { name: "Review this game" }).click();
  await expect(panel.locator("table", { hasText: "Accuracy" })).toContainText("%", { timeout: 60_000 });
}

/** A line on the board, move after move with its numbers, then the last one marked. @param {Page} page @param {string[]} line */
async function playedOut(page, line) {
  for (const [index, move] of line.entries()) {
    if (move !== "pass") await expect(page.locator(`[data-square=${move}] .text`)).toHaveText(String(index + 1));
    if (move !== "pass") await expect(page.locator(".square.last")).toHaveAttribute("data-square", move);
    await page.clock.fastForward(1000);
  }
}

/** From the WTHOR database: World Championship 1988, Maccheroni – Aas. */
const HISTORICAL = `[Event "World Championship"]
[Date "1988"]
[Black "Maccheroni Alessand"]
[White "Aas Vidar"]
[Result "39-25"]

1. f5 d6 2. c3 d3 3. c4 b3 4. c5 c6 5. b4 e3 6. b5 a3 7. a4 f3 8. f4 a6 9. a5 b6
10. d7 c7 11. d8 e6 12. c2 d2 13. c1 e1 14. f7 e7 15. f2 e2 16. f1 g1 17. f6 b8
18. b2 g3 19. d1 a1 20. h1 g5 21. g6 h6 22. g2 g4 23. c8 a2 24. h2 b1 25. a8 h3
26. h4 h5 27. g7 h8 28. h7 g8 29. a7 f8 30. e8 b7 39-25`;

test("a pasted game of the WTHOR database is reviewed", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#/analysis");
  await expect(page.locator(".square.legal")).toHaveCount(4);
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
  }, HISTORICAL);
  await expect(page.locator(".ply-button")).toHaveCount(60);
  await expect(page.locator(".player.white .name")).toHaveText("Aas Vidar");
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page.locator(".status")).toContainText("The game is over: 39 - 25");
  await expect(page.locator(".status")).toContainText("Opening: Aubrey / Tanaka");
  await reviewQuickly(page);
  await page.locator(".row", { hasText: "Turning points" }).getByRole("button").first().click();
  await expect(page.locator(".status .verdict")).toContainText("loses");

  // Why it is bad: a sentence, and a picture that comes and goes by the keyboard.
  const sentence = page.locator(".status .why");
  await expect(sentence).toContainText(/[a-h][1-8]/);
  const discs = await page.locator(".disc").count();
  await page.locator("#why").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#why")).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator("#why")).toBeFocused();
  await expect(page.locator(".square.wrote .text").first()).toHaveText(/^\d$/);
  await page.keyboard.press("Enter");
  await expect(page.locator("#why")).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator(".disc")).toHaveCount(discs);
});

test("every reason has a sentence without gaps in every language, and a picture", { tag: "@page" }, async () => {
  for (const language of ["en", "ja", "zh"]) {
    const { default: texts } = await import(`../i18n/${language}.js`);
    const gaps = (/** @type {string} */ text) => [...new Set(text.match(/\{\w+\}/g))].sort();
    const { default: english } = await import("../i18n/en.js");
    for (const key of Object.keys(english).filter((name) => name.startsWith("why."))) {
      expect(gaps(texts[key]), `${language} ${key}`).toEqual(gaps(english[/** @type {keyof typeof english} */ (key)]));
    }
  }
  const state = whyState({ kind: "gave_corner", sentence: "", facts: { corner: "a1" }, line: ["b2", "a1"], cells: "-".repeat(64), squares: ["a1"] }, "black");
  expect(state).toMatchObject({ last: "a1", texts: { b2: "1", a1: "2" }, shades: { a1: "other" } });
});

test("losses say how strong somebody played, and how sure that is", { tag: "@page" }, () => {
  expect(playedLike([0, 0, 9])).toBeNull();
  // People who lose 3.4 discs a move are at 1350, and half as much is 555 points more.
  expect(playedLike(Array(20).fill(3.4))?.rating).toBe(1350);
  expect(playedLike(Array(20).fill(1.7))?.rating).toBe(1900);
  const sure = playedLike([...Array(40).fill(0), ...Array(40).fill(4)]);
  const unsure = playedLike([...Array(8).fill(0), ...Array(8).fill(4)]);
  expect(sure?.rating).toBe(unsure?.rating);
  expect(sure?.deviation ?? 999).toBeLessThan(unsure?.deviation ?? 0);
});

test("the opening is named as moves are made, also turned round", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#/analysis");
  for (const square of ["c4", "e3", "f6", "e6", "f5"]) await page.getByRole("button", { name: new RegExp(`^${square}, legal`) }).click();
  await expect(page.locator(".status")).toContainText("Opening: Tiger");
  await sitDown(page, { mode: "local", moves: "f5d6c3d3" });
  await page.getByRole("button", { name: /^c4, legal/ }).click();
  await expect(page.locator(".moves")).toContainText("Opening: Tiger");
});

test("a link without a ply opens with the last position", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#t=f5d6c3");
  await expect(page.locator("[aria-current=step]")).toContainText("c3");
  await page.goto("/#t=f5d6c3&p=0");
  await expect(page.locator(".disc")).toHaveCount(4);
});

/** Drops a WTHOR file with so many games on the page, made of those of one year. @param {Page} page @param {number} games */
async function dropDatabase(page, games) {
  const year = await readFile(new URL("../../data/wthor/WTH_1985.wtb", import.meta.url));
  await page.evaluate(
    ([text, games]) => {
      const year = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const bytes = new Uint8Array(16 + 68 * games);
      const records = year.subarray(16);
      for (let at = 16; at < bytes.length; at += records.length) bytes.set(records.subarray(0, bytes.length - at), at);
      bytes.set(year.subarray(0, 16));
      new DataView(bytes.buffer).setUint32(4, games, true);
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], "WTHOR.wtb"));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer }));
    },
    /** @type {[string, number]} */ ([year.toString("base64"), games]),
  );
}

test("all games of a WTHOR file are listed, found and opened", async ({ page }) => {
  await page.goto("/#/analysis");
  await expect(page.locator(".square.legal")).toHaveCount(4);
  // As many as the whole database has; fewer where the module, which is not optimised for tests, would take half a minute.
  const count = alone() ? 5_000 : 137_548;
  const all = count.toLocaleString("en");
  await dropDatabase(page, count);
  const told = page.locator(".fold", { hasText: "Paste or open" }).getByRole("status").last();
  await expect(told).toHaveText(`${all} of ${all} games`, { timeout: 60_000 });
  // The first one is there at once, with the names that the program knows.
  await expect(page.locator(".ply-button").nth(50)).toBeVisible();
  await expect(page.locator(".player.black .name")).not.toHaveText("Black");

  const list = page.getByRole("listbox");
  const rows = list.getByRole("option");
  await list.focus();
  await page.keyboard.press("End");
  await expect(list.locator("[aria-selected=true]")).toHaveAttribute("aria-posinset", `${count}`);
  expect(await rows.count()).toBeLessThan(40);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await expect.poll(async () => Math.abs(Number(await rows.first().getAttribute("aria-posinset")) - count / 2)).toBeLessThan(100);

  await page.getByLabel("Player or tournament").fill("championnat de france");
  await expect(told).toHaveText(new RegExp(`^[\\d,]+ of ${all} games$`));
  await expect(rows.first()).toContainText("Championnat de France · 1985");
  await page.getByLabel("From year").last().fill("1986");
  await expect(told).toHaveText(`0 of ${all} games`);
  await page.getByLabel("From year").last().fill("");
  await page.getByLabel("Result").last().selectOption("White wins");
  const known = rows.filter({ hasNotText: "unknown" }).first();
  const white = await known.locator("b").textContent();
  await known.click();
  await expect(page.locator(".player.white .name")).toHaveText(white ?? "");

  // Names beside the games go before those that the program knows.
  const names = Buffer.alloc(16 + 20 * 4000);
  Buffer.from([20, 26, 1, 1]).copy(names);
  names.writeUInt16LE(4000, 8);
  for (let number = 0; number < 4000; number++) names.write(`Nobody ${number}`, 16 + 20 * number, "latin1");
  const games = await readFile(new URL("../../data/wthor/WTH_1980.wtb", import.meta.url));
  await page.locator("input[type=file]").setInputFiles([
    { name: "WTH_1980.wtb", mimeType: "application/octet-stream", buffer: games },
    { name: "WTH.JOU", mimeType: "application/octet-stream", buffer: names },
  ]);
  await expect(page.locator(".player.black .name")).toHaveText(/^Nobody \d+$/);
  await expect(told).toHaveText("160 of 160 games");
});

/** The frames of a moving picture: a point of each, and how long it is shown. @param {Page} page @param {Buffer} gif @param {[number, number]} point */
function look(page, gif, point) {
  return page.evaluate(
    async ({ bytes, at: [x, y] }) => {
      const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/gif" });
      await decoder.tracks.ready;
      const frames = [];
      for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex++) {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const context = canvas.getContext("2d");
        context?.drawImage(image, 0, 0);
        frames.push({ color: [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3).join(" "), ms: (image.duration ?? 0) / 1000 });
      }
      return frames;
    },
    { bytes: [...gif], at: point },
  );
}

test("variations, engine, editor and export", async ({ page }) => {
  await page.goto("/#/analysis");
  await page.getByRole("button", { name: "f5, legal, flips 1" }).click();
  await page.getByRole("button", { name: /^f6, legal/ }).click();
  await page.keyboard.press("[");
  await page.getByRole("button", { name: /^d6, legal/ }).click();
  await expect(page.locator(".variation .ply-button")).toContainText("d6");
  await page.getByRole("button", { name: "Engine", exact: true }).click();
  await expect(page.locator(".engine-lines li")).toHaveCount(5);
  await page.locator(".engine-lines button").first().hover();
  await expect(page.locator(".disc.ghost").first()).toBeVisible();

  await page.getByText("Share and export").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  expect(file.suggestedFilename()).toMatch(/\.txt$/);
  await page.getByLabel("Format").selectOption("png");
  const [picture] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  expect(picture.suggestedFilename()).toMatch(/\.png$/);
  for (const [format, begin] of [
    ["svg", "<svg"],
    ["ggf", "(;GM[Othello]"],
  ]) {
    await page.getByLabel("Format").selectOption(format);
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    expect((await readFile(await saved.path(), "utf8")).startsWith(begin)).toBe(true);
  }
  await page.getByLabel("Format").selectOption("gif");
  const [film] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  const frames = await look(page, await readFile(await film.path()), [270, 210]);
  expect(frames).toEqual([
    { color: "79 122 91", ms: 700 },
    { color: "27 26 23", ms: 700 },
    { color: "27 26 23", ms: 3000 },
  ]);

  await page.getByText("Set up a position").click();
  await page.getByRole("button", { name: "Edit the board" }).click();
  await page.getByRole("button", { name: /^a1,/ }).click();
  await page.getByRole("button", { name: "Use this position" }).click();
  await expect(page).toHaveURL(/b=X/);
});

test("overlays are drawn", { tag: "@page" }, async ({ page }) => {
  await page.goto(`/#t=${await transcript(page, 8)}&p=30`);
  await page.locator("summary", { hasText: "On the board" }).click();
  for (const name of ["Mobility", "Frontier", "Unstable discs", "Parity regions"]) {
    await page.getByLabel("Show", { exact: true }).selectOption({ label: name });
    await expect(page.locator(".square[data-shade]").first()).toBeVisible();
  }
});

test("a duel keeps score", async ({ page }) => {
  await page.goto("/#/lab?show=duel");
  await page.getByLabel("First player").selectOption("greedy");
  await page.getByLabel("Second player").selectOption("random");
  await page.getByLabel("Games", { exact: true }).first().fill("3");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.locator(".duel-games li")).toHaveCount(3, { timeout: 60_000 });
  await page.getByRole("link", { name: "Look at it" }).first().click();
  await expect(page.locator(".ply-button").first()).toBeVisible();
});

test("an evolution is started, stopped and resumed, and its fittest played against", async ({ page }) => {
  await page.goto("/#/lab?show=evolution");
  await page.getByLabel("Search in the games").selectOption("alphabeta:depth=2");
  await page.getByLabel("Generations").fill("200");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByRole("status").filter({ hasText: /Generation \d+ of 200 plays/ })).toBeVisible();
  await expect(page.locator(".chart .curve").first()).toBeAttached();
  await expect(page.locator(".genes tr")).toHaveCount(6, { timeout: 60_000 });
  await page.getByRole("button", { name: "Stop" }).click();
  const stopped = page.getByRole("status").filter({ hasText: /Stopped after \d+ of 200 generations/ });
  await expect(stopped).toBeVisible();
  const before = Number((await stopped.textContent())?.match(/\d+/)?.[0]);
  await page.reload();
  await expect(stopped).toBeVisible();
  await page.getByRole("button", { name: "Go on" }).click();
  await expect
    .poll(
      () =>
        page
          .locator(".evolution-bench p[role=status]")
          .textContent()
          .then((text) => Number(text?.match(/\d+/)?.[0])),
      { timeout: 60_000 },
    )
    .toBeGreaterThan(before + 1);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Play against it" }).click();
  await expect(page.locator(".table.game .square")).toHaveCount(36);
  await expect(page.locator(".player.white .name")).toContainText("Generation");
  await page.locator(".square.legal").first().click();
  await expect(page.locator(".move-list li").nth(1)).toBeVisible();
});

test("the lobby shows games and lets people in", { tag: "@server" }, async ({ page }) => {
  const name = `Zoe ${Math.random().toString(36).slice(2, 8)}`;
  await page.request.post("/api/games", { data: { mode: "link", size: 8, black: { name } } });
  await page.goto("/#/lobby");
  const row = page.locator("tr", { hasText: name });
  await expect(row).toContainText("free seat");
  await row.getByRole("link", { name: "Sit" }).click();
  await page.getByRole("button", { name: "Sit down as White" }).click();
  await expect(page.locator(".status")).toContainText(`${name}'s turn to play`);
});

test("an unknown game is said to be unknown", async ({ browser }) => {
  const page = await browser.newPage();
  await page.goto("/#/lobby");
  await page.evaluate(() => {
    location.hash = "#/game/nothing";
  });
  await expect(page.getByText("There is no such game.")).toBeVisible();
});

test("big boards and languages", { tag: "@page" }, async ({ page }) => {
  await sitDown(page, { mode: "local", size: 26 });
  await expect(
    page
      .getByRole("button", { name: /^m12, legal/ })
      .or(page.getByRole("button", { name: /^m13, legal/ }))
      .first(),
  ).toBeVisible();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Language").selectOption("ja");
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await page.locator(".bar button").click();
  await page.locator("dialog select").last().selectOption("zh");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-Hans");
});

test("people without a name are called by their colour in the reader's language", { tag: "@page" }, async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("emilia.settings", JSON.stringify({ language: "ja" })));
  await sitDown(page, { mode: "local", moves: "f5" });
  await expect(page.locator(".player.black .name")).toHaveText("黒");
  await page.getByRole("button", { name: "投了", exact: true }).click();
  await page.getByRole("button", { name: "投了する" }).click();
  await expect(page.locator(".status a[href*='review=1']")).not.toHaveAttribute("href", /&[xw]=/);
});

test("a loss that no deeper search has confirmed is called unsure", { tag: "@server" }, async ({ page }) => {
  const side = {
    cells: "-".repeat(64),
    score: { value: 0 },
    best_score: { value: 0 },
    line: [],
    exact: false,
    depth: 8,
    forced: false,
    lesson: false,
    why: null,
  };
  const lines = [
    { type: "start", plies: 2, player: "emilia", thresholds: { best: 0, good: 2, inaccuracy: 4, mistake: 8 } },
    { ...side, type: "move", ply: 1, color: "black", move: "f5", best: "f5", loss: 0, judgement: "best", mark: "", discs: 0 },
    { ...side, type: "move", ply: 2, color: "white", move: "f6", best: "d6", line: ["d6"], loss: 12, judgement: "good", mark: "", discs: 12 },
    { type: "summary", accuracy: { black: 100, white: 50 }, counts: { black: {}, white: {} }, turning_points: [] },
  ];
  await page.route("**/api/review", (route) =>
    route.fulfill({ contentType: "application/x-ndjson", body: lines.map((line) => `${JSON.stringify(line)}\n`).join("") }),
  );
  await page.goto("/#t=f5f6&p=2&review=1");
  await expect(page.locator(".status .verdict")).toHaveText("2. f6 · may lose 12 discs: the deeper search did not end in time");
});
