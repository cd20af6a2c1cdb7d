/** What is refused, which a browser notes as an error of its own: in the reader's language, and never in silence. */

import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import texts from "../i18n/ja.js";
import japanese from "../i18n/refused-ja.js";
import chinese from "../i18n/refused-zh.js";
import { sitDown } from "./page.js";

test("what is refused is said in the reader's language", async ({ page }) => {
  const listed = (await readFile(new URL("../../docs/api.md", import.meta.url), "utf8")).split("## Refusals")[1].split("\n\n")[1];
  const codes = [...listed.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code);
  expect(codes).toContain("unreadable");
  for (const reasons of [chinese, japanese]) expect(codes.filter((code) => !reasons[code])).toEqual([]);
  await page.addInitScript(() => localStorage.setItem("emilia.settings", JSON.stringify({ language: "ja" })));
  await page.goto("/#/analysis");
  await page.getByText(texts["ana.import"], { exact: true }).click();
  await page.getByLabel(texts["ana.importtext"]).fill("no game at all");
  await page.getByRole("button", { name: texts["ana.load"], exact: true }).click();
  await expect(page.locator("body")).toContainText(japanese.unreadable[0]);
});

test("a move that comes too late is said to be lost", { tag: "@server" }, async ({ page, request }) => {
  /** @type {(() => void) | undefined} */
  let cut;
  await page.routeWebSocket(/\/live$/, (wire) => {
    wire.connectToServer();
    cut = () => wire.close();
  });
  const id = await sitDown(page, { mode: "local", black: { name: "Ann" }, white: { name: "Bob" } });
  await page.route("**/moves", (route) => route.abort());
  await page.getByRole("button", { name: "d3, legal, flips 1" }).click();
  await expect(page.locator(".status")).toContainText("Your move d3 waits until the server is back.");
  // Meanwhile the same person moves elsewhere.
  const token = await page.evaluate((key) => localStorage.getItem(key), `emilia.token.${id}`);
  await request.post(`/api/games/${id}/moves`, { data: { move: "c4", ply: 1 }, headers: { Authorization: `Bearer ${token}` } });
  await page.unroute("**/moves");
  cut?.();
  await expect(page.locator(".toast")).toHaveText("Your move d3 was lost: the game has gone on without it.");
  await expect(page.locator(".move-list li")).toHaveText([/c4/]);
});
