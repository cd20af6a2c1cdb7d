/** Playing: by mouse, by keyboard, by link. */

import decodeQR from "qr/decode.js";
import { ask, expect, sitDown, test, watch } from "./page.js";

/** @import {Locator} from "@playwright/test" */

/** What a phone reads in a QR code. @param {Locator} code */
async function scan(code) {
  await expect(code.locator("path")).toBeVisible();
  const { side, data } = await code.evaluate(async (svg) => {
    const picture = new Image(200, 200);
    picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
    await picture.decode();
    const paper = new OffscreenCanvas(240, 240).getContext("2d");
    if (!paper) throw new Error("no canvas");
    paper.fillStyle = "white";
    paper.fillRect(0, 0, 240, 240);
    paper.drawImage(picture, 20, 20, 200, 200);
    return { side: 240, data: [...paper.getImageData(0, 0, 240, 240).data] };
  });
  return decodeQR({ width: side, height: side, data: Uint8Array.from(data) });
}

test("a newcomer plays after one click, and takes a move back", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page).toHaveURL(/#\/game\//);
  await expect(page.locator(".table.game")).toBeVisible();
  await expect(page.locator(".status")).toContainText("Black's turn to play");
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await expect(page.getByRole("button", { name: /^d3, black/ })).toBeVisible();
  await expect(page.locator(".move-list li")).toHaveCount(2);
  await expect(page.locator("#announcer")).toContainText("Black plays d3, turns 1");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "d3, legal, flips 1" })).toBeVisible();
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page.getByRole("button", { name: /^d3, black/ })).toBeVisible();
});

test("a first move made on the start page can be taken back", { tag: "@page" }, async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await expect(page.locator(".move-list li")).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".table.game").getByRole("button", { name: "d3, legal, flips 1" })).toBeVisible();
});

test("one who chooses White keeps the opponent", { tag: "@page" }, async ({ page }) => {
  await page.goto("/");
  await page.getByText("Opponent, names, board, clock").click();
  await page.getByRole("radio", { name: /^Omar/ }).check();
  await page.getByRole("radio", { name: "White", exact: true }).check();
  await expect(page.getByRole("radio", { name: /^Omar/ })).toBeChecked();
  await expect(page.locator(".status")).toContainText("You are White, against Omar");
});

test("the opponents are people of growing strength, the weakest first, then Emilia", { tag: "@page" }, async ({ page }) => {
  await page.goto("/");
  const people = page.locator(".person");
  await expect(people).toHaveCount(10);
  await expect(people.first()).toContainText("Mia");
  await expect(people.first()).toContainText("It is her first game");
  await expect(people.first().getByRole("radio")).toBeChecked();
  await expect(people.last()).toContainText("Emilia herself");
  const ratings = (await people.allInnerTexts()).map((text) => Number(/Rating (\d+)/.exec(text)?.[1] ?? 9999));
  expect(ratings).toEqual([...ratings].sort((one, other) => one - other));
  await people.first().getByRole("radio").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: /^Tom/ })).toBeChecked();
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await expect(page.locator(".player.white .name")).toHaveText("Tom");
  await expect(page.locator(".move-list li")).toHaveCount(2);
});

test("the host of a game by link has a name with either colour", { tag: "@server" }, async ({ page }) => {
  await page.addInitScript(() => {
    Math.random = () => 0.9;
  });
  await page.goto("/");
  await page.getByText("Opponent, names, board, clock").click();
  await page.getByRole("radio", { name: "By link" }).check();
  await page.getByRole("radio", { name: "Random" }).check();
  await page.getByLabel("Your name").fill("Ann");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator(".player.white .name")).toHaveText("Ann");
  await expect(page.locator(".player.white .note")).toHaveText("you");
});

test("a pass of one's own is shown until one has moved", { tag: "@page" }, async ({ page }) => {
  // Black plays a3, White b1, Black has to pass, White plays b3: by then the pass was two moves ago.
  await sitDown(page, { mode: "computer", position: "X-XOOO----X-X-XX X", black: { name: "Ann" }, white: { player: "first" } });
  await page.getByRole("button", { name: /^a3, legal/ }).click();
  await expect(page.locator(".move-list .mono")).toHaveText(["a3", "b1", "pass", "b3"]);
  await expect(page.locator(".status")).toContainText("You have no move and pass");
  await page.getByRole("button", { name: /^c2, legal/ }).click();
  await expect(page.locator(".status")).not.toContainText("You have no move");
});

test("the computer's thinking is open to look at, its time in seconds", { tag: "@page" }, async ({ page }) => {
  await sitDown(page, { mode: "computer", white: { player: "alphabeta:depth=1,eval=static" } });
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await expect(page.locator(".figures div", { hasText: "Time calculated" })).toContainText(/\d\.\d\d s$/);
});

test("the rules are open on the first visit only, unless somebody opens them", { tag: "@page" }, async ({ page }) => {
  const rules = page.locator("details", { hasText: "How to play" });
  await page.goto("/");
  await expect(rules).toHaveAttribute("open");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator(".table.game")).toBeVisible();
  await page.getByRole("link", { name: "Play" }).click();
  await expect(rules).not.toHaveAttribute("open");
  await rules.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(rules).toHaveAttribute("open");
  await page.reload();
  await expect(rules).toHaveAttribute("open");
  await rules.locator("summary").click();
  await page.reload();
  await expect(rules).not.toHaveAttribute("open");
});

test("one looks back at earlier moves without disturbing the game", { tag: "@page" }, async ({ page }) => {
  await sitDown(page, { mode: "local", moves: "f5d6c3d3c4" });
  await expect(page.locator(".disc")).toHaveCount(9);
  await page.locator(".move-list button").nth(1).click();
  await expect(page.locator(".disc")).toHaveCount(6);
  await expect(page.locator(".square.legal")).toHaveCount(0);
  await page.keyboard.press("[");
  await expect(page.locator(".disc")).toHaveCount(5);
  await page.getByRole("button", { name: "Back to the game" }).click();
  await expect(page.locator(".disc")).toHaveCount(9);
  await expect(page.locator(".square.legal").first()).toBeVisible();
});

test("a hasty click makes one game, not two", { tag: "@page" }, async ({ page }) => {
  await page.goto("/");
  await expect(page.locator(".square.legal")).toHaveCount(4);
  await page.evaluate(() => {
    document.getElementById("start")?.click();
    const square = document.querySelector(".square.legal");
    if (square instanceof HTMLElement) square.click();
  });
  await expect(page.locator(".table.game")).toHaveCount(1);
  await page.waitForTimeout(500);
  await expect(page.locator(".table")).toHaveCount(1);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("emilia.token.")).length)).toBe(1);
});

test("views that overtake each other leave one", { tag: "@page" }, async ({ page }) => {
  const first = await sitDown(page, { mode: "local" });
  const second = await sitDown(page, { mode: "local", size: 6 });
  await page.evaluate(
    ([a, b]) => {
      location.hash = `#/game/${a}`;
      setTimeout(() => (location.hash = `#/game/${b}`), 5);
    },
    [first, second],
  );
  await expect(page.locator(".square")).toHaveCount(36);
  await expect(page.locator(".table")).toHaveCount(1);
});

test("a whole 6×6 game by mouse against the computer", { tag: "@page" }, async ({ page }) => {
  const id = await sitDown(page, { mode: "computer", size: 6, black: { name: "Ann" }, white: { player: "greedy", name: "Bot" } });
  await page.locator(".square").first().click({ force: true });
  await expect(page.locator(".status")).toContainText("A disc there would turn nothing.");
  const legal = page.locator(".square.legal");
  const over = page.locator(".status", { has: page.getByRole("link", { name: "Review this game" }) });
  for (let turn = 0; turn < 36; turn++) {
    await expect(legal.first().or(over)).toBeVisible();
    if (await over.isVisible()) break;
    const before = await page.locator(".move-list li").count();
    await legal.first().click();
    await expect.poll(() => page.locator(".move-list li").count(), { intervals: [10, 20, 50, 100] }).toBeGreaterThan(before);
    await expect(page.locator(".thinking")).toHaveCount(0);
  }
  const { result, counts } = await ask(page, id);
  const outcome = result.winner === null ? "Draw" : result.winner === "black" ? "You won" : "You lost";
  await expect(over.locator(".headline")).toHaveText(`${outcome} ${counts.black}–${counts.white}`);
  await expect(over).toContainText(`Ann: ${counts.black} - Bot: ${counts.white}`);
  await expect(page.locator(".player.black .count")).toHaveText(String(counts.black));
  await page.getByRole("link", { name: "Review this game" }).click();
  await expect(page.locator(".graph")).toBeVisible();
});

test("a whole 10×10 game on one screen", { tag: "@page" }, async ({ page }) => {
  const id = await sitDown(page, { mode: "local", size: 10, black: { name: "Ann" }, white: { name: "Bob" } });
  // Clicked by the page itself: a hundred times through the test's own wire takes longer than the game.
  await page.evaluate(async () => {
    const moves = () => document.querySelectorAll(".move-list li").length;
    for (let turn = 0; turn < 100; turn++) {
      const before = moves();
      const square = document.querySelector(".square.legal");
      if (!(square instanceof HTMLElement)) return;
      square.click();
      while (moves() === before) await new Promise((drawn) => requestAnimationFrame(drawn));
    }
  });
  const over = page.locator(".status", { hasText: /(Ann|Bob) won \d+–\d+|Draw/ });
  const { counts, result } = await ask(page, id);
  await expect(over).toContainText(`Ann: ${counts.black} - Bob: ${counts.white}`);
  expect(result.ending).toBe("counted");
  expect(counts.black + counts.white + counts.empty).toBe(100);
});

test("a game begins with eight balanced moves", async ({ page }) => {
  await page.goto("/");
  await page.getByText("Opponent, names, board, clock").click();
  await page.getByRole("radio", { name: "Two on one screen" }).check();
  await page.getByLabel("Opening").selectOption("balanced");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator(".move-list li")).toHaveCount(8);
  await expect(page.locator(".disc")).toHaveCount(12);
});

test("a whole game by keyboard against an earlier program, which keeps its words", { tag: "@page" }, async ({ page }) => {
  const id = await sitDown(page, { mode: "computer", size: 8, black: { name: "Ann" }, white: { player: "s1", name: "Bot" } });
  await page.locator("[data-square=a1]").click({ force: true });
  await expect(page.locator(".status")).toContainText("wrong choice. try again!");
  await page.getByRole("button", { name: "c4, legal, flips 1" }).focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.locator(".square:focus")).toHaveAttribute("data-square", "c3");
  await page.keyboard.press("e");
  await page.keyboard.press("6");
  await expect(page.locator(".square:focus")).toHaveAttribute("data-square", "e6");
  const over = page.locator(".status", { hasText: "GAME OVER" });
  const legal = page.locator(".square.legal");
  for (let turn = 0; turn < 64; turn++) {
    await expect(legal.first().or(over)).toBeVisible();
    if (await over.isVisible()) break;
    const before = await page.locator(".move-list li").count();
    await page.keyboard.press(".");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".move-list li").count(), { intervals: [10, 20, 50, 100] }).toBeGreaterThan(before);
    await expect(page.locator(".thinking")).toHaveCount(0);
  }
  await expect(over).toBeVisible();
  expect((await ask(page, id)).status).toBe("over");
  await expect(page.locator("#announcer")).toContainText("GAME OVER");
  await expect(over).toContainText(/You lost to a machine\.|You beat my Othello bot :\(|Tie! How inconvenient\./);
});

test("two people play by link while a third watches", { tag: "@server" }, async ({ page, browser }) => {
  await page.goto("/");
  await page.getByText("Opponent, names, board, clock").click();
  await page.getByRole("radio", { name: "By link" }).check();
  await page.getByLabel("Your name").fill("Ann");
  await page.getByLabel("Clock").selectOption("5+5");
  await page.locator(".fold").getByLabel("Board", { exact: true }).selectOption("6");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator(".status")).toContainText("Waiting for an opponent");
  const link = await page.getByLabel("Play by link").inputValue();
  expect(await scan(page.locator(".qr"))).toBe(link);

  const second = await (await browser.newContext()).newPage();
  const third = await (await browser.newContext()).newPage();
  const seen = [watch(second), watch(third)];
  await third.goto(link);
  await second.goto(link);
  await expect(second.getByText("Ann invites you to play White.")).toBeVisible();
  await expect(second.getByText("6 × 6 · 5 min + 5 s")).toBeVisible();
  await second.getByLabel("Your name").fill("Bob");
  await second.getByRole("button", { name: "Sit down as White" }).click();
  for (const screen of [page, second, third]) await expect(screen.locator(".status")).toContainText("Ann's turn to play");
  // Players are no watchers.
  for (const screen of [page, second]) await expect(screen.locator(".status")).toContainText("1 watching");
  await expect(third.locator(".status .hint")).toHaveText("You are watching");
  await expect(third.getByRole("button", { name: /Sit down/ })).toHaveCount(0);
  await expect(third.locator(".square.legal")).toHaveCount(0);
  await expect(second.locator(".square.legal")).toHaveCount(0);

  await page.locator(".square.legal").first().click();
  for (const screen of [page, second, third]) await expect(screen.locator(".status")).toContainText("Bob's turn to play");
  await page.getByRole("button", { name: "Ask to take back" }).click();
  await second.getByRole("button", { name: "Decline" }).click();
  await expect(page.locator(".toast", { hasText: "Bob would rather not take it back" })).toBeVisible();
  await page.getByRole("button", { name: "Ask to take back" }).click();
  await second.getByRole("button", { name: "Accept" }).click();
  for (const screen of [page, second, third]) await expect(screen.locator(".status")).toContainText("Ann's turn to play");
  await page.locator(".square.legal").first().click();
  await second.locator(".square.legal").first().click();
  await expect(third.locator(".move-list li")).toHaveCount(2);

  await page.reload();
  await expect(page.locator(".status")).toContainText("Ann's turn to play");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await expect(page.locator(".status .headline")).toHaveText("You lost by resignation");
  await expect(second.locator(".status .headline")).toHaveText("You won by resignation");
  await expect(third.locator(".status .headline")).toHaveText("Bob won by resignation");
  await page.getByRole("button", { name: "Rematch" }).click();
  await expect(second.locator(".status")).toContainText("Ann offers a rematch");
  await second.getByRole("button", { name: "Rematch" }).click();
  await expect(page.locator(".player.white .name")).toHaveText("Ann");
  await expect(second.locator(".status")).toContainText("Bob's turn to play");
  expect(seen).toEqual([[], []]);
});

test("two computers play, pause and step", async ({ page }) => {
  await sitDown(page, {
    mode: "watch",
    size: 10,
    black: { player: "alphabeta:depth=2", name: "Deep" },
    white: { player: "greedy", name: "Greedy" },
    pause_ms: 400,
  });
  await expect(page.locator(".move-list li").nth(1)).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.locator(".status")).toContainText("Paused");
  await page.waitForTimeout(700);
  const before = await page.locator(".move-list li").count();
  await page.getByRole("button", { name: "Step" }).click();
  await expect(page.locator(".move-list li")).toHaveCount(before + 1);
  await expect(page.getByText("Current calculated moves ahead:")).toBeVisible();
  await expect(page.getByText("Nodes examined:")).toBeVisible();
  await expect(page.getByText("Time calculated:")).toBeVisible();
});

test("moves are numbered as in books, where passes have no number", { tag: "@page" }, async ({ page }) => {
  await sitDown(page, { mode: "local", position: "-OX---------XO-- X" });
  await page.getByRole("button", { name: "a1, legal, flips 1" }).click();
  await page.getByRole("button", { name: "c4, legal, flips 1" }).click();
  const numbers = ["1", "", "2"];
  await expect(page.locator(".move-list .ply")).toHaveText(numbers);
  await page.locator(".move-list button").first().click();
  await expect(page.locator(".moves, .offer").getByText("Looking back at move 1")).toBeVisible();
  await page.goto("/#t=a1c4&n=4&b=1OX9XO2X");
  await expect(page.locator(".ply-button .ply")).toHaveText(numbers);
  await expect(page.locator(".status .tally")).toHaveText("2. c4");
});

test("two people on one screen see passes and clocks", async ({ page }) => {
  // White has no move after a1: the server passes, the page says so.
  const board = ["-OX-", "----", "----", "XO--"].join("");
  await sitDown(page, { mode: "local", position: `${board} X`, black: { name: "Ann" }, white: { name: "Bob" }, clock: { main_ms: 60_000, increment_ms: 0 } });
  await expect(page.locator(".player.black .clock")).toHaveText("1:00");
  await page.getByRole("button", { name: "a1, legal, flips 1" }).click();
  await expect(page.locator(".status")).toContainText("Bob has no move and passes");
  await expect(page.locator("#announcer")).toContainText("Bob has no move and passes");
  await expect(page.locator(".player.black .clock")).toHaveText(/0:5\d/);
});
