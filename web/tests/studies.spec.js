/** Studies: made, drawn in, commented, kept, shared, taken away as a file and opened again. */

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test as unwatched } from "@playwright/test";
import { accessible, alone, expect, test, told } from "./page.js";

/** @import {Page} from "@playwright/test" */

// What is refused the browser notes as an error, so that those tests are not watched for errors.

/** Makes a study and waits until it can be played in. @param {Page} page */
async function newStudy(page) {
  await page.goto("/#/study");
  await page.getByRole("button", { name: "New study" }).click();
  await expect(page.locator(".table.study .square")).toHaveCount(64);
  await expect(page.getByRole("button", { name: "f5, legal, flips 1" })).toBeVisible();
}

/** Waits until all that was changed is kept. @param {Page} page */
const kept = (page) => expect(page.locator(".keeping")).toHaveText("Everything is kept.");

/** The square of this name. @param {Page} page @param {string} name */
const square = (page, name) => page.locator(`.square[data-square="${name}"]`);

/** What is drawn, as SGF writes it. @param {Page} page */
const drawn = (page) => page.locator(".squares").getAttribute("aria-description");

/** @param {Page} page @param {string} name */
async function middle(page, name) {
  const box = await square(page, name).boundingBox();
  if (!box) throw new Error(`no square ${name}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {Page} page @param {string} from @param {string} to */
async function rightDrag(page, from, to) {
  const [one, two] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(one.x, one.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(two.x, two.y, { steps: 4 });
  await page.mouse.up({ button: "right" });
}

/** @param {Page} page @param {string} button @returns {Promise<string>} */
async function downloaded(page, button) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  return readFile(await file.path(), "utf8");
}

/** Opens a file as a study. @param {Page} page @param {ReturnType<typeof asFile>} file */
async function openFile(page, file) {
  await page.goto("/#/study");
  await expect(page.getByRole("heading", { name: "Studies" })).toBeVisible();
  await page.locator("input[type=file]").setInputFiles(file);
}

/** Gives a study another title as no window does. @param {Page} page @param {string} id @param {string | null} secret @param {string} title */
async function byProgram(page, id, secret, title) {
  await page.evaluate(
    async ([id, token, title]) => {
      const api = await import(new URL("js/api.js", document.baseURI).href);
      const { version, study } = await api.json(`/api/studies/${id}`);
      await api.json(`/api/studies/${id}`, { body: { version, ...study, title }, token });
    },
    [id, secret, title],
  );
}

/** A study with two chapters, variations, comments and drawings. */
const FILE = `(;FF[4]GM[2]CA[UTF-8]SZ[8]GN[First \\] steps]SN[Parity]AB[e4][d5]AW[d4][e5]PL[B]C[Look here.]TR[c4];B[f5]C[Why not?]LB[d6:A]AR[f5:d6]
(;W[d6];B[c3])
(;W[f6]C[The other way.]))
(;FF[4]GM[2]CA[UTF-8]SZ[6]GN[A small board]AB[d3][c4]AW[c3][d4]PL[B]CR[a1];B[c2])
`;

/** @param {string} text @param {string} [name] */
const asFile = (text, name = "parity.sgf") => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("a study is made, played in, commented and there again after a reload", async ({ page }) => {
  await newStudy(page);
  await accessible(page);
  await page.getByLabel("Title", { exact: true }).fill("My first study");
  await square(page, "f5").click();
  await page.getByLabel("Comment on this move").fill("The only first move there is.");
  await square(page, "d6").click();
  await expect(page.getByLabel("Comment on this move")).toHaveValue("");
  await page.getByRole("button", { name: "Back" }).click();
  await square(page, "f6").click();
  await expect(page.locator(".variation .ply-button")).toContainText("f6");
  await page.getByRole("button", { name: "Make it the main line" }).click();
  await expect(page.locator(".variation .ply-button")).toContainText("d6");
  await kept(page);
  await expect(page).toHaveURL(/#\/study\/[\w-]{22}\/1\/f5f6$/);
  await page.reload();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("My first study");
  await expect(page.locator(".ply-button[aria-current]")).toContainText("f6");
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByLabel("Comment on this move")).toHaveValue("The only first move there is.");
  // What was deleted comes back, and so does what was typed over.
  await page.getByRole("button", { name: "Delete from here" }).click();
  await expect(page.locator(".ply-button")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".ply-button")).toHaveCount(3);
  await kept(page);
  await page.goto("/#/study");
  await expect(page.getByRole("link", { name: "My first study" })).toBeVisible();
});

test("marks and arrows are drawn by mouse, by tools and by keyboard", { tag: "@page" }, async ({ page }) => {
  await newStudy(page);
  await square(page, "c4").click({ button: "right" });
  await expect.poll(() => drawn(page)).toBe("CR c4");
  await rightDrag(page, "a1", "h8");
  await expect.poll(() => drawn(page)).toBe("CR c4, AR a1 h8");
  await expect(page.locator(".markings .arrow")).toHaveCount(1);
  // The same again takes it away.
  await rightDrag(page, "a1", "h8");
  await square(page, "c4").click({ button: "right" });
  await expect.poll(() => drawn(page)).toBe("");

  for (const tool of ["Triangle", "Square", "Cross", "Letter"]) {
    await page.getByRole("button", { name: tool, exact: true }).click();
    await square(page, { Triangle: "a1", Square: "b1", Cross: "c1", Letter: "d1" }[tool] ?? "").click();
  }
  await square(page, "e1").click();
  await expect(page.locator(".board.hints")).toHaveCount(0);
  await page.getByRole("button", { name: "Line", exact: true }).click();
  await square(page, "a8").click();
  await expect(square(page, "a8")).toHaveClass(/planned/);
  await square(page, "h8").click();
  await expect.poll(() => drawn(page)).toBe("TR a1, SQ b1, MA c1, LB d1 A, LB e1 B, LN a8 h8");
  await page.getByRole("button", { name: "Eraser" }).click();
  await square(page, "a8").click();
  await square(page, "b1").click();
  await expect.poll(() => drawn(page)).toBe("TR a1, MA c1, LB d1 A, LB e1 B");
  await page.getByRole("button", { name: "Play moves" }).click();

  await square(page, "d3").focus();
  await page.keyboard.press("Shift+T");
  await expect(page.locator("#announcer")).toContainText("Triangle on d3");
  await page.keyboard.press("Shift+A");
  await expect(page.locator("#announcer")).toContainText("From d3: now choose the other end");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+A");
  await expect(page.locator("#announcer")).toContainText("Arrow from d3 to e4");
  await expect.poll(() => drawn(page)).toBe("TR a1, MA c1, LB d1 A, LB e1 B, TR d3, AR d3 e4");
  await expect(square(page, "d3")).toHaveAccessibleName("d3, legal, flips 1, Triangle, Arrow to e4");
  await page.keyboard.press("Delete");
  await expect.poll(() => drawn(page)).toBe("TR a1, MA c1, LB d1 A, LB e1 B, TR d3");
  await page.keyboard.press("Control+z");
  await expect.poll(() => drawn(page)).toContain("AR d3 e4");
  await kept(page);
  await page.reload();
  await expect.poll(() => drawn(page)).toBe("TR a1, TR d3, MA c1, LB d1 A, LB e1 B, AR d3 e4");
});

test("a file becomes a study, and the study the same file", async ({ page }) => {
  await openFile(page, asFile(FILE));
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Parity");
  await expect(page.locator(".chapters li")).toHaveText(["1First ] steps", "2A small board"]);
  await expect(page.getByLabel("Comment on this move")).toHaveValue("Look here.");
  await expect.poll(() => drawn(page)).toBe("TR c4");
  await page.keyboard.press("]");
  await expect.poll(() => drawn(page)).toBe("LB d6 A, AR f5 d6");
  await page.getByText("Share and export").click();
  expect(await downloaded(page, "Download the study (SGF)")).toBe(FILE);
  expect(await downloaded(page, "Download this chapter")).toContain("GN[First \\] steps]");
  await page.getByLabel("Format").selectOption("pgn");
  expect(await downloaded(page, "Download this chapter")).toContain("The other way.");
  // A lecturer's collection: every game of the file is a chapter.
  await openFile(page, asFile("f5d6c3\nf5f6e6\nd3c5f6\n", "three games.txt"));
  await expect(page.locator(".chapters li")).toHaveCount(3);
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("three games");
});

unwatched("a bad file says what is wrong with it and changes nothing", { tag: "@page" }, async ({ page }) => {
  await openFile(page, asFile("(;GM[2];B[f5];W[a1])"));
  await expect(page.getByRole("alert")).toContainText("there is no game in this file");
  await expect(page.getByRole("alert")).toContainText("a1");
  await expect(page.locator(".studies li")).toHaveCount(0);
  await newStudy(page);
  await page.locator(".side input[type=file]").setInputFiles(asFile("nothing at all", "x.bin"));
  await expect(page.locator(".adding [role=status]")).toContainText("no game record is recognised");
  await expect(page.locator(".chapters li")).toHaveCount(1);
  await page.goto("/#/study?sgf=nonsense");
  await expect(page.getByRole("alert")).toContainText("This link is damaged");
});

test("chapters are added, named, moved, deleted and brought back", { tag: "@page" }, async ({ page }) => {
  await newStudy(page);
  await page.getByText("Add a chapter").click();
  await page.getByRole("combobox", { name: "Board" }).selectOption("6");
  await page.getByRole("button", { name: "From the start" }).click();
  await expect(page.locator(".table.study .square")).toHaveCount(36);
  await page.getByLabel("Title of the chapter").fill("On six");
  await page.getByLabel("Game or position").fill("f5d6c3d3c4");
  await page.getByRole("button", { name: "Add this text" }).click();
  await expect(page.locator(".chapters li")).toHaveText(["1Chapter 1", "2On six", "3Chapter 3"]);
  await page.getByRole("button", { name: "Move up" }).click();
  await expect(page.locator(".chapters li")).toHaveText(["1Chapter 1", "2Chapter 2", "3On six"]);
  await page.locator(".chapters button").nth(2).click();
  await page.getByRole("button", { name: "Delete chapter" }).click();
  await expect(page.locator(".chapters li")).toHaveCount(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator(".chapters li")).toHaveText(["1Chapter 1", "2Chapter 2", "3On six"]);
  await page.getByRole("button", { name: "Set up a board" }).click();
  await page.getByRole("button", { name: /^a1,/ }).click();
  await page.getByRole("button", { name: "Use this position" }).click();
  await expect(page.locator(".chapters li")).toHaveCount(4);
  await expect(square(page, "a1").locator(".disc")).toBeVisible();
  await kept(page);
  await page.reload();
  await expect(page.locator(".chapters li")).toHaveCount(4);
  await expect(square(page, "a1").locator(".disc")).toBeVisible();
});

test("a game of the analysis board becomes a chapter", async ({ page }) => {
  await page.goto("/#t=f5d6c3&p=3");
  await page.getByRole("link", { name: "Add to a study" }).click();
  await page.getByRole("button", { name: "Add to a new study" }).click();
  await expect(page.locator(".ply-button")).toHaveCount(3);
  await page.goto("/#t=f5f6&p=2");
  await expect(page.locator(".ply-button")).toHaveCount(2);
  await page.getByRole("link", { name: "Add to a study" }).click();
  await page.getByRole("link", { name: "Add to New study" }).click();
  await expect(page.locator(".chapters li")).toHaveCount(2);
  await expect(page.locator(".ply-button")).toHaveCount(2);
  await kept(page);
});

test("a link shows a study to others, who cannot change it but keep a copy", { tag: "@page" }, async ({ page, browser }) => {
  await openFile(page, asFile(FILE));
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Parity");
  await page.getByText("Share and export").click();
  await page.getByRole("button", { name: "Link with the study inside" }).click();
  let link = await page.getByLabel("Link with the study inside").inputValue();
  if (!alone()) {
    await page.keyboard.press("]");
    await expect(page.getByLabel("Link to this position")).toHaveValue(/\/1\/f5$/);
    link = await page.getByLabel("Link to this position").inputValue();
  }
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.locator(".headline")).toHaveText("Parity");
  if (alone()) await other.keyboard.press("]");
  await expect(other.locator(".comment")).toHaveText("Why not?");
  await expect.poll(() => drawn(other)).toBe("LB d6 A, AR f5 d6");
  await expect(other.getByRole("toolbar")).toHaveCount(0);
  await expect(other.getByLabel("Comment on this move")).toHaveCount(0);
  await square(other, "c4").click({ button: "right", force: true });
  await expect.poll(() => drawn(other)).toBe("LB d6 A, AR f5 d6");
  await other.getByRole("button", { name: "Keep a copy of my own" }).click();
  await expect(other.getByLabel("Title", { exact: true })).toHaveValue("Parity");
  await expect(other.getByLabel("Comment on this move")).toHaveValue("Why not?");
  await other.close();
});

test("a study goes into a link as far as it fits", { tag: "@page" }, async ({ page, browser }) => {
  await openFile(page, asFile(FILE));
  await page.getByText("Share and export").click();
  await page.getByRole("button", { name: "Link with the study inside" }).click();
  const link = await page.getByLabel("Link with the study inside").inputValue();
  expect(link.length).toBeLessThan(1000);
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.locator(".headline")).toHaveText("Parity");
  await expect(other.locator(".comment")).toHaveText("Look here.");
  await expect(other.locator(".chapters li")).toHaveCount(2);
  await other.close();
  // Words that nothing makes shorter.
  const letters = randomBytes(15_000).toString("hex");
  await page.getByLabel("Comment on this move").fill(letters);
  await page.getByRole("button", { name: "Link with the study inside" }).click();
  await expect(page.getByText("This study is too long for a link.")).toBeVisible();
  await kept(page);
});

unwatched("two windows do not overwrite each other", async ({ page, context }) => {
  await newStudy(page);
  await kept(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(square(other, "f5")).toBeVisible();
  await page.getByLabel("Comment on this move").fill("from the first window");
  await kept(page);
  // Who has changed nothing sees it.
  await expect(other.getByLabel("Comment on this move")).toHaveValue("from the first window");
  // Both at once: the second one is asked.
  const id = /study\/([\w-]{22})/.exec(page.url())?.[1] ?? "";
  const secret = await page.evaluate((id) => localStorage.getItem(`emilia.study.${id}`), id);
  await byProgram(page, id, secret, "by a program");
  await other.getByLabel("Comment on this move").fill("from the second window");
  await expect(other.getByRole("alert")).toContainText("changed in another window");
  await other.getByRole("button", { name: "Keep both" }).click();
  await expect(other.getByLabel("Title", { exact: true })).toHaveValue("New study (copy)");
  await expect(other.getByLabel("Comment on this move")).toHaveValue("from the second window");
  const still = JSON.parse(await told(page, `/api/studies/${id}`));
  expect(still.study.title).toBe("by a program");
  // Or what one wrote goes over it, if one says so.
  await byProgram(page, id, secret, "by a program again");
  await page.getByLabel("Title", { exact: true }).fill("by hand");
  await page.getByRole("button", { name: "Use mine" }).click();
  await kept(page);
  expect(JSON.parse(await told(page, `/api/studies/${id}`)).study.title).toBe("by hand");
  await byProgram(page, id, secret, "by a program at last");
  await page.getByLabel("Title", { exact: true }).fill("by hand again");
  await page.getByRole("button", { name: "Use the other one" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("by a program at last");
  await kept(page);
  await other.close();
});

unwatched("what is changed while the server is away is kept and sent later", { tag: "@server" }, async ({ page }) => {
  await newStudy(page);
  await kept(page);
  const id = /study\/([\w-]{22})/.exec(page.url())?.[1] ?? "";
  await page.route("**/api/**", (route) => route.fulfill({ status: 502, body: "" }));
  await page.getByLabel("Comment on this move").fill("written without a server");
  await expect(page.getByRole("alert")).toContainText("The server is away");
  // It is there also for who leaves and comes back while the server is away.
  await page.getByRole("link", { name: "All studies" }).click();
  await expect(page.locator(".studies li")).toContainText("with changes that are not sent yet");
  await page.getByRole("link", { name: "New study" }).click();
  await expect(page.getByLabel("Comment on this move")).toHaveValue("written without a server");
  await expect(page.locator(".disc")).toHaveCount(4);
  await page.unroute("**/api/**");
  await kept(page);
  expect(await told(page, `/api/studies/${id}`)).toContain("written without a server");
});

unwatched("a study is deleted after a question", async ({ page }) => {
  await newStudy(page);
  await kept(page);
  const address = page.url();
  await page.goto("/#/study");
  await page.getByRole("button", { name: "Delete: New study" }).click();
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByText("No studies yet.")).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole("alert")).toHaveText("there is no such study");
});

test("studies go into the file of all that a browser has, and from there into another browser", async ({ page, browser }) => {
  test.skip(!alone(), "with a server studies are there");
  await openFile(page, asFile(FILE));
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Parity");
  await kept(page);
  const file = await page.evaluate(async () => (await (await import(new URL("js/alone-file.js", document.baseURI).href)).written()).text());
  const other = await (await browser.newContext()).newPage();
  await other.goto(page.url().split("#")[0]);
  await other.evaluate(async (text) => (await import(new URL("js/alone-file.js", document.baseURI).href)).taken(new Blob([text])), file);
  await other.goto(`${page.url().split("#")[0]}#/study`);
  await other.getByRole("link", { name: "Parity" }).click();
  await expect(other.locator(".chapters li")).toHaveCount(2);
  await expect(other.getByLabel("Comment on this move")).toHaveValue("Look here.");
  await other.close();
});

test("a study fits a small phone, light and dark, in every language", { tag: "@page" }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await newStudy(page);
  for (const language of ["en", "ja", "zh"]) {
    await page.evaluate((language) => localStorage.setItem("emilia.settings", JSON.stringify({ language })), language);
    await page.reload();
    await expect(page.locator(".table.study .square")).toHaveCount(64);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await accessible(page);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await accessible(page, "colors");
  await page.goto("/#/study");
  await expect(page.locator(".studies li")).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await accessible(page);
});

test("a chapter stands on a page of somebody else", { tag: "@page" }, async ({ page, browser }) => {
  await openFile(page, asFile(FILE));
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Parity");
  await page.getByText("Share and export").click();
  await page.getByRole("button", { name: "Code for other pages" }).click();
  const code = await page.getByLabel("Code for other pages").inputValue();
  const script = await readFile(new URL("../embed/emilia-board.js", import.meta.url), "utf8");
  const blog = await (await browser.newContext()).newPage();
  // Hosts of files differ in whether they let other pages have a script; what stands in the code is tried here.
  await blog.route("**/embed/emilia-board.js", (route) =>
    route.fulfill({ body: script, contentType: "text/javascript", headers: { "Access-Control-Allow-Origin": "*" } }),
  );
  await blog.route("http://blog.example/", (route) => route.fulfill({ body: `<!doctype html><title>Blog</title>${code}`, contentType: "text/html" }));
  await blog.goto("http://blog.example/");
  const board = blog.locator("emilia-board");
  await expect(board.locator(".comment")).toHaveText("Look here.");
  await board.getByRole("button", { name: "One move on" }).click();
  await expect(board.locator(".comment")).toHaveText("Why not?");
  await expect(board.getByRole("group", { name: "Variations" }).getByRole("button")).toHaveText(["d6", "f6"]);
  await blog.close();
});
