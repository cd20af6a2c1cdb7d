/** The board for other pages: it stands on a page of another origin, and flips as Emilia does. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { expect, test } from "@playwright/test";
import { game, legal, line, play, read, start } from "../embed/emilia-board.js";

const TYPES = /** @type {Record<string, string>} */ ({ ".html": "text/html", ".js": "text/javascript" });

/** Serves the folder of the element, as a blog would. @returns {Promise<{address: string, close: () => void}>} */
function blog() {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://blog").pathname;
    try {
      const file = await readFile(new URL(`../embed${path}`, import.meta.url));
      response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(file);
    } catch {
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    }
  });
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      resolve({ address: `http://127.0.0.1:${port}`, close: () => server.close() });
    }),
  );
}

test("the example shows a game, a position and what is wrong, on a page of another origin", async ({ page, baseURL }) => {
  const { address, close } = await blog();
  try {
    expect(new URL(address).origin).not.toBe(new URL(baseURL ?? "").origin);
    /** @type {string[]} */
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    await page.goto(`${address}/example.html`);
    const board = page.locator("#tiger");
    await expect(board.getByRole("group")).toHaveAccessibleName("Othello board after 3 moves: Black 5, White 2, White to move");
    await board.getByRole("button", { name: "To the end" }).click();
    await expect(board.getByRole("status")).toHaveText("6/6 · 5–5, Black to move");
    await page.keyboard.press("ArrowLeft");
    await expect(board.getByRole("status")).toContainText("5/6");
    // A move of one's own makes another line.
    await board.evaluate((element) =>
      element.addEventListener("emilia-move", (event) => element.setAttribute("title", JSON.stringify(/** @type {CustomEvent} */ (event).detail))),
    );
    await board.getByRole("button", { name: "g5, legal" }).click();
    expect(JSON.parse((await board.getAttribute("title")) ?? "")).toMatchObject({ move: "g5", ply: 6, moves: "f5d6c3d3c4g5" });
    await expect(page.locator("#blue").getByRole("img")).toHaveAccessibleName("Othello board after 0 moves: Black 2, White 2, Black to move");
    await expect(page.locator("#wrong").getByRole("alert")).toHaveText("moves: move 3, “a1”, is not legal for Black");
    await board.evaluate((element) => element.setAttribute("ply", "99"));
    await expect(board.getByRole("alert")).toHaveText("ply: 99 is no number from 0 to 6");
    expect(new Set(asked)).toEqual(new Set([address]));
  } finally {
    close();
  }
});

test("a chapter of a study is shown with variations, comments and drawings, on a page of another origin", async ({ page }) => {
  const { address, close } = await blog();
  try {
    await page.goto(`${address}/example.html`);
    const board = page.locator("#study");
    await expect(board.locator(".comment")).toHaveText("Where does White go?");
    await expect(board.getByRole("group", { name: /^Othello board after 0/ })).toHaveAccessibleDescription("TR c4");
    await board.getByRole("button", { name: "One move on" }).click();
    await expect(board.locator(".comment")).toHaveText("Two ways ] to answer.");
    await expect(board.locator(".drawing text")).toHaveText(["A", "B"]);
    await expect(board.locator(".drawing .head")).toHaveCount(1);
    await board.getByRole("group", { name: "Variations" }).getByRole("button", { name: "f6" }).click();
    await expect(board.locator(".comment")).toHaveText("Diagonal.");
    await expect(board.getByRole("status").first()).toContainText("2/2");
    await board.getByRole("button", { name: "One move back" }).click();
    // The same by playing the move.
    await board.getByRole("button", { name: "d6, legal" }).click();
    await expect(board.locator(".comment")).toHaveText("Perpendicular.");
    await expect(board.getByRole("status").first()).toContainText("2/3");
    for (const [sgf, fault] of [
      ["(;GM[2];B[a1])", "sgf: the move “a1” is not legal for Black"],
      ["(;GM[1];B[aa])", "sgf: GM[1] is another game than Othello"],
      ["(;GM[2];B[f5]TR[z9])", "sgf: “z9” is no square of this board"],
      ["(;GM[2];B[f5]", "sgf: a bracket is not closed"],
      ["f5d6", "sgf: a game begins with “(;”"],
    ]) {
      await board.evaluate((element, text) => element.setAttribute("sgf", text), sgf);
      await expect(board.getByRole("alert")).toHaveText(fault);
    }
  } finally {
    close();
  }
});

test("games of SGF are read as Emilia reads them", async ({ page }) => {
  for (const size of [4, 8, 10]) {
    const duel = await page.request.post("/api/duels", { data: { first: "greedy", second: "random:seed=5", size, games: 1, opening_plies: 2, seed: 9 } });
    const played = (await duel.text())
      .trim()
      .split("\n")
      .map((told) => JSON.parse(told))
      .find(({ type }) => type === "game");
    const sgf = await (await page.request.post("/api/export", { data: { size, moves: played.transcript, format: "sgf" } })).text();
    const { from, root } = game(sgf);
    let place = from;
    for (let node = root.next[0]; node; node = node.next[0]) place = play(place, node.at ?? -1);
    const { position } = await (await page.request.post("/api/analyse", { data: { size, moves: played.transcript } })).json();
    expect(place.cells).toBe(position.cells);
  }
});

test("the script comes from Emilia too, for pages of every origin, and is small", async ({ page }) => {
  const script = await page.request.get("/embed/emilia-board.js");
  expect(script.headers()["access-control-allow-origin"]).toBe("*");
  expect((await script.body()).length).toBeLessThan(40_000);
});

test("discs flip as Emilia says, on every size, through passes to the end", async ({ page }) => {
  for (const size of [4, 6, 8, 10, 26]) {
    const duel = await page.request.post("/api/duels", { data: { first: "greedy", second: "random:seed=7", size, games: 2, opening_plies: 4, seed: 3 } });
    const games = (await duel.text())
      .trim()
      .split("\n")
      .map((told) => JSON.parse(told))
      .filter(({ type }) => type === "game");
    expect(games.length).toBe(2);
    for (const { transcript } of games) {
      let place = start(size);
      const squares = line(transcript, place);
      for (const at of squares) place = play(place, at);
      const answer = await page.request.post("/api/analyse", { data: { size, moves: transcript } });
      const { position } = await answer.json();
      expect(place.cells).toBe(position.cells);
      expect([position.status, legal(place)]).toEqual(["over", []]);
    }
    // Halfway, what may be played is what Emilia allows.
    const half = games[0].transcript
      .match(/[a-z]\d+/g)
      .slice(0, (size * size) / 2 - 2)
      .join("");
    const answer = await page.request.post("/api/analyse", { data: { size, moves: half } });
    const { position } = await answer.json();
    const place = read(position.board);
    const allowed = legal(place).map((at) => `${String.fromCharCode(97 + (at % size))}${Math.floor(at / size) + 1}`);
    if (position.status === "to_place") expect(allowed).toEqual(position.legal.map((/** @type {{square: string}} */ { square }) => square));
  }
});
