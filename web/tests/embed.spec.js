/** The board for other pages: it stands on a page of another origin, and flips as Emilia does. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { expect, test } from "@playwright/test";
import { legal, line, play, read, start } from "../embed/emilia-board.js";

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
