/** The lab: searches watched step by step, questions, links, sliders, trees of any size. */

import { readFile } from "node:fs/promises";
import { accessible, expect, test, told } from "./page.js";

/** @import {Page} from "@playwright/test" */

/** The tree as it stands: every node with its text. @param {Page} page @param {number} side */
const tree = (page, side) =>
  page
    .locator(".tree-side")
    .nth(side)
    .locator(".tree-canvas > [data-mark]")
    .evaluateAll((nodes) => nodes.map((node) => `${node.className} ${node.textContent} ${node.getAttribute("style")}`).sort());

/** @param {Page} page @param {string} name */
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

const ALPHABETA = "alphabeta:depth=3,eval=disc,order=rows";

test("a search is watched forwards and exactly backwards, and a link names the step", { tag: "@page" }, async ({ page }) => {
  await page.goto(`/#/lab?n=4&t=&search=${ALPHABETA}&step=0`);
  const count = page.locator(".step-count");
  await expect(count).toHaveText(/^Step 0 of \d+$/);
  const said = page.locator(".sentence").first();
  await expect(said).toHaveText("Nothing has been looked at yet.");
  await press(page, "One step forward");
  await expect(said).toContainText("The search begins: Black");
  await press(page, "To the next cut");
  await expect(said).toHaveText("White can already hold it to 3 elsewhere: with 5 here, White will not come this way, so d2 d3 d4 need not be looked at.");
  await expect(page.locator(".tree-canvas .stub")).toHaveCount(1);
  const lit = page.locator(".tree-side .node.lit");
  await expect(lit).toHaveCount(1);
  const label = await lit.getAttribute("aria-label");
  const caption = await page.locator(".caption").textContent();
  const before = await tree(page, 0);
  const step = await count.textContent();
  await press(page, "One step back");
  await expect(page.locator(".tree-canvas .stub")).toHaveCount(0);
  await press(page, "One step back");
  for (let times = 0; times < 2; times++) await press(page, "One step forward");
  await expect(count).toHaveText(step ?? "");
  expect(await tree(page, 0)).toEqual(before);
  // The same by the keyboard, and by the address that has been there all the time.
  await page.locator("h1").click();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(page.locator(".tree-canvas .stub")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await tree(page, 0)).toEqual(before);
  await page.reload();
  await expect(count).toHaveText(step ?? "");
  await expect(lit).toHaveAttribute("aria-label", label ?? "");
  await expect(page.locator(".caption")).toHaveText(caption ?? "");
  expect(await tree(page, 0)).toEqual(before);
  // Playing goes on by itself to the end.
  await page.getByLabel("Speed").selectOption("600");
  await press(page, "Play");
  await expect(said).toContainText("Done:");
  await expect(page.locator(".node-count").first()).toHaveText("32 positions");
  // A node that was picked has its board and a way to its moment; both are in the link.
  const second = page.locator('.tree-side .node[aria-label^="b1 c1,"]');
  await second.click();
  await press(page, "Go to this moment");
  await expect(said).toHaveText("b1 c1: Black to move takes the largest. Max is sure of α = −∞, Min of β = 3.");
});

test("a question has to be answered before it goes on", { tag: "@page" }, async ({ page }) => {
  await page.goto(`/#/lab?n=4&t=&search=${ALPHABETA}&step=0&ask=1`);
  const question = page.getByRole("group", { name: "Question" });
  await page.getByLabel("Speed").selectOption("600");
  await press(page, "Play");
  await expect(question).toContainText("which branch is cut off?");
  const count = page.locator(".step-count");
  const held = await count.textContent();
  await press(page, "One step forward");
  await expect(count).toHaveText(held ?? "");
  await question.getByRole("button").first().click();
  await expect(question.locator(".right")).toHaveCount(1);
  await expect(question).toContainText(/[01] of 1 right\./);
  await press(page, "Go on");
  await expect(question).toBeHidden();
  await expect(count).not.toHaveText(held ?? "");
  // Whoever answers by the sentence that follows a cut is always right.
  for (let asked = 0; asked < 3; asked++) {
    await press(page, "Play");
    await expect(question).toBeVisible();
    await press(page, "Show me");
    await press(page, "Go on");
  }
});

test("two searches go in step, and every search replayed is what it reports", async ({ page }) => {
  await page.goto(`/#/lab?n=6&t=&search=negascout:depth=3,eval=paper,order=rows&beside=minimax:depth=3,eval=paper,transpositions=yes`);
  await expect(page.locator(".tree-side:visible")).toHaveCount(2);
  await expect(page.getByText(/NegaScout looked at \d+% of the positions of Minimax, transpositions, and found the same value/)).toBeVisible();
  await expect(page.locator(".counters .curve")).toHaveCount(4);
  await press(page, "To the beginning");
  for (let step = 0; step < 3; step++) await press(page, "One step forward");
  await expect(page.locator(".node-count")).toHaveText(["3 positions", "3 positions"]);
  const searches = [
    "minimax:depth=3,eval=kukreja,transpositions=yes",
    "alphabeta:depth=4,eval=judge,order=looks",
    "negascout:depth=4,eval=paper,order=rows",
    "iterative:time=10s,depth=3,eval=static",
    "beam:depth=4,width=2,eval=genes,seed=3",
    "mcts:playouts=60,seed=2",
  ];
  for (const player of searches) {
    const answer = await told(page, "/api/steps", { size: 6, moves: "c2b4c5", player });
    const replayed = await page.evaluate(async (text) => {
      const { Course } = await import(new URL("js/lab/course.js", document.baseURI).href);
      const course = new Course(JSON.parse(text));
      const end = course.length;
      const root = course.tree(end).root;
      const best = course.bestChild(root, end);
      return {
        // A position that is reached again is the same node.
        nodes: [course.counters(end).positions + course.letters.split("j").length - 1, course.report.nodes],
        best: [course.name(course.move[best]), course.report.best],
        value: course.isMonteCarlo ? [0, 0] : [course.value(root, end).value, course.report.score.value],
        games: course.visits(root, end).visits,
      };
    }, answer);
    expect(replayed.nodes[0], player).toBe(replayed.nodes[1]);
    expect(replayed.best[0], player).toBe(replayed.best[1]);
    expect(replayed.value[0], player).toBe(replayed.value[1]);
    expect(replayed.games, player).toBe(player.startsWith("mcts") ? 60 : 0);
  }
});

/** A search in which five orders of moves lead to positions that are there already; once that is not enough. */
const JOINED = { moves: "d3b4a2", player: "alphabeta:depth=5,eval=paper,order=rows,transpositions=yes" };
const joinedLab = (/** @type {string} */ rest) => `/#/lab?n=4&t=${JOINED.moves}&search=${JOINED.player}${rest}`;

/** The lines to nodes that stand elsewhere, as they are drawn. @param {Page} page */
const joinLines = (page) =>
  page
    .locator(".tree-side:visible .edges.join")
    .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")?.match(/M/g)?.length ?? 0).reduce((sum, lines) => sum + lines, 0));

test("a position that two orders of moves lead to is one node, going forwards and backwards", { tag: "@page" }, async ({ page }) => {
  const [first, second] = ["b1 a1 d1 d2", "d1 d2 b1 a1"];
  const boards = [];
  for (const way of [first, second]) {
    const { position } = JSON.parse(await told(page, "/api/analyse", { size: 4, moves: JOINED.moves + way.replaceAll(" ", "") }));
    boards.push(`${position.cells} ${position.turn}`);
  }
  expect(boards[0]).toBe(boards[1]);
  await page.goto(joinedLab("&step=219"));
  const node = page.locator(`.tree-side .node[aria-label^="${first},"]`);
  const join = page.locator(`.tree-side .join[aria-label^="${second},"]`);
  const said = page.locator(".sentence").first();
  await expect(page.locator(".step-count")).toHaveText("Step 219 of 489");
  await expect(page.locator(".counter-list")).toContainText("75 positions · 1 way joined");
  const before = await tree(page, 0);
  const lines = await joinLines(page);
  await press(page, "One step forward");
  await expect(said).toHaveText(`${second} leads to the position after ${first}, which is there already: the two are one node.`);
  await expect(page.locator(".tree-side .node.lit")).toHaveAttribute("aria-label", new RegExp(`^${first}, .*also reached by ${second}`));
  await expect(node.locator(".node-ways")).toHaveText("×2");
  await expect(page.locator(`.tree-side .node[aria-label^="${second},"]`)).toHaveCount(0);
  await expect(page.locator(".caption")).toHaveText(`After ${first}, also after ${second}`);
  // It is counted once, and its line is there.
  await expect(page.locator(".counter-list")).toContainText("75 positions · 2 ways joined");
  expect(await joinLines(page)).toBeGreaterThan(0);
  await press(page, "One step forward");
  await expect(said).toHaveText(
    `${first} is known to be at least 917, no less than β = −2,015, which Min has elsewhere. That is enough: a bound is taken over, not a value.`,
  );
  await press(page, "One step forward");
  await expect(join).toHaveText("a1↪≥917");
  await expect(join).toHaveAttribute("aria-label", `${second}, the same position as after ${first}, value at least 917`);
  const after = await tree(page, 0);
  for (let times = 0; times < 3; times++) await press(page, "One step back");
  await expect(join).toHaveCount(0);
  expect(await tree(page, 0)).toEqual(before);
  expect(await joinLines(page)).toBe(lines);
  for (let times = 0; times < 3; times++) await press(page, "One step forward");
  expect(await tree(page, 0)).toEqual(after);
});

test("the same node is searched again where what is known of it is not enough", { tag: "@page" }, async ({ page }) => {
  await page.goto(joinedLab("&step=133"));
  const again = page.locator('.tree-side .node[aria-label^="b1 a4 d2 c4,"]');
  await expect(page.locator(".step-count")).toHaveText("Step 133 of 489");
  await press(page, "One step forward");
  await expect(page.locator(".sentence").first()).toHaveText(
    "b1 c4 d2 a4 leads to the position after b1 a4 d2 c4, which is there already: the two are one node. " +
      "That it is worth at least −5,083 is not enough between α = −∞ and β = −3,217, so it is searched again.",
  );
  await expect(again).toHaveAttribute("aria-label", /searched 2 times/);
  await expect(again.locator(".node-window")).toHaveText(/^↻2 /);
  // What is below it is the same as well, and the last ply is judged anew.
  await press(page, "One step forward");
  await expect(page.locator(".sentence").first()).toHaveText(
    "b1 a4 d2 c4 a3 is reached again: it is the same node. The table keeps nothing of the last ply, so it is judged again.",
  );
  await expect(page.locator(".counter-list")).toContainText("1 searched again");
  for (let times = 0; times < 2; times++) await press(page, "One step back");
  await expect(page.locator(".counter-list")).toContainText("0 searched again");
  const searches = [
    { size: 4, moves: JOINED.moves, player: JOINED.player },
    { size: 4, moves: "", player: "negascout:depth=7,eval=judge,transpositions=yes" },
    { size: 6, moves: "c2b4c5", player: "iterative:time=10s,depth=5,eval=static,transpositions=yes" },
    { size: 4, moves: "", player: "minimax:depth=9,eval=disc,transpositions=yes" },
  ];
  for (const asked of searches) {
    const answer = await told(page, "/api/steps", { ...asked, steps: 300_000 });
    const found = await page.evaluate(sameBoards, answer);
    expect(found.wrong, asked.player).toEqual([]);
    expect(found.twice, asked.player).toEqual([]);
    expect(found.joins, asked.player).toBeGreaterThan(4);
  }
});

/**
 * What is not as it should be in the trees of a search: joins whose way leads to another board than their node, and boards that two nodes have.
 * @param {string} text
 */
async function sameBoards(text) {
  const { Course } = await import(new URL("js/lab/course.js", document.baseURI).href);
  const course = new Course(JSON.parse(text));
  const board = (/** @type {number} */ node) => ({ cells: [...course.board(node).cells], turn: course.turn(node) });
  const wrong = course.joins.filter((/** @type {{parent: number, node: number, move: number}} */ { parent, node, move }) => {
    const [before, after] = [board(parent), board(node)];
    // A move puts one disc on an empty square and takes none away; a pass changes nothing.
    const placed = after.cells.flatMap((cell, square) => (before.cells[square] === "-" && cell !== "-" ? [square] : []));
    return before.turn === after.turn || placed.join() !== (move < 0 ? "" : String(move));
  });
  /** @type {string[]} */
  const twice = [];
  for (const { root, end } of course.trees) {
    const seen = new Set();
    for (let node = root; node < end; node++) {
      const { cells, turn } = board(node);
      const key = cells.join("") + turn;
      if (seen.has(key)) twice.push(key);
      seen.add(key);
    }
  }
  return { wrong, twice, joins: course.joins.length };
}

test("one goes from a join to its node and back by keyboard, by a press, and by link", { tag: "@page" }, async ({ page }) => {
  const [first, second] = ["b1 a1 d1 d2", "d1 d2 b1 a1"];
  await page.goto(joinedLab("&step=222"));
  const scroll = page.locator(".tree-scroll").first();
  const lit = page.locator(".tree-side [aria-selected=true]");
  await expect(lit).toHaveAttribute("aria-label", /^d1 d2 b1, /);
  await scroll.focus();
  await page.keyboard.press("ArrowRight");
  await expect(lit).toHaveAttribute("aria-label", new RegExp(`^${second}, the same position as after ${first}`));
  await expect(scroll).toHaveAttribute("aria-activedescendant", (await lit.getAttribute("id")) ?? "");
  await expect(page.locator(".sentence").first()).toContainText(`the same position as after ${first}`);
  await page.keyboard.press("Enter");
  await expect(lit).toHaveAttribute("aria-label", new RegExp(`^${first}, `));
  await expect(lit).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(lit).toHaveAttribute("aria-label", new RegExp(`^${second}, `));
  await page.keyboard.press("ArrowLeft");
  await expect(lit).toHaveAttribute("aria-label", /^d1 d2 b1, /);
  await page.keyboard.press("ArrowDown");
  await expect(lit).toHaveAttribute("aria-label", new RegExp(`^${second}, `));
  // Its number is in the link.
  await page.reload();
  await expect(lit).toHaveAttribute("aria-label", new RegExp(`^${second}, `));
  // On a small screen, by a press, with the branch of the node shut: it opens.
  await page.setViewportSize({ width: 320, height: 800 });
  const holder = page.locator('.tree-side .node[aria-label^="b1,"]');
  await scroll.evaluate((element) => element.scrollTo(0, 0));
  await holder.click();
  await scroll.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(holder).toHaveAttribute("aria-expanded", "false");
  await expect(page).toHaveURL(/shut=1(&|$)/);
  expect(await joinLines(page)).toBeGreaterThan(0);
  const join = page.locator(`.tree-side .join[aria-label^="${second},"]`);
  await expect(async () => {
    await scroll.evaluate((element) => element.scrollBy(0, element.clientHeight / 2));
    await expect(join).toBeVisible({ timeout: 200 });
  }).toPass();
  await join.click();
  await expect(lit).toHaveAttribute("aria-label", new RegExp(`^${first}, `));
  await expect(lit).toBeInViewport();
  await expect(holder).toHaveAttribute("aria-expanded", "true");
  const ways = page.getByRole("group", { name: "Also reached by" });
  await ways.getByRole("button", { name: second }).click();
  await expect(join).toHaveAttribute("aria-selected", "true");
  await expect(join).toBeInViewport();
  await expect(ways.getByRole("button")).toHaveText([first]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await accessible(page);
});

test("the picture for a slide has joins, and of a large tree with many only what is seen is in the page", { tag: "@server" }, async ({ page }) => {
  await page.goto(joinedLab(""));
  await expect(page.locator(".tree-side .node").first()).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as SVG" }).first().click();
  const picture = await readFile(await (await saving).path(), "utf8");
  expect(picture.match(/<g class="join/g)?.length).toBe(5);
  expect(picture.match(/<rect x=/g)?.length).toBe(165);
  expect(picture.match(/<path class="h" d="([^"]*)"/)?.[1].match(/M/g)?.length).toBe(5);
  await page.goto("/#/lab?n=4&t=&search=minimax:depth=14,eval=disc,transpositions=yes");
  await expect(page.locator(".node-count").first()).toHaveText("62,765 positions", { timeout: 60_000 });
  const scroll = page.locator(".tree-scroll").first();
  for (const share of [0.2, 0.6, 0.9]) {
    await scroll.evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), share);
    await expect(scroll.locator(".join").first()).toBeAttached();
    expect(await scroll.locator("[data-mark]").count()).toBeLessThan(250);
    expect(await joinLines(page)).toBeLessThan(500);
  }
});

test("an evaluator is taken apart on the board, and its sliders change the tree at once", async ({ page }) => {
  await page.goto("/#/lab?n=6&t=c2b4c5&search=alphabeta:depth=2,eval=paper");
  const total = page.locator(".judgement tfoot td");
  await expect(total).not.toBeEmpty();
  await page.getByRole("button", { name: "mobility" }).click();
  await expect(page.locator(".small-board .square[data-shade=own]").first()).toBeVisible();
  await expect(page.locator(".small-board .square[data-shade=other]").first()).toBeVisible();
  const before = await total.textContent();
  const value = page.locator(".tree-side .found").first();
  const found = await value.textContent();
  const slider = page.getByRole("slider", { name: "Weight of coin parity" });
  await slider.focus();
  await slider.fill("60");
  await expect(total).not.toHaveText(before ?? "");
  await expect(value).not.toHaveText(found ?? "");
  await expect(page).toHaveURL(/weights=60\/5\/30\/25/);
  await expect(slider).toBeFocused();
});

test("of a tree with more than 100,000 nodes only what is seen is in the page", { tag: "@server" }, async ({ page }) => {
  await page.goto("/#/lab?t=f5d6c3d3c4f4f6f3e6&search=minimax:depth=5,eval=disc");
  const many = page.locator(".node-count").first();
  await expect(many).toHaveText(/^1\d\d,\d\d\d positions$/, { timeout: 60_000 });
  const scroll = page.locator(".tree-scroll").first();
  const drawn = () => scroll.locator("[data-mark]").count();
  await press(page, "Close all");
  await expect.poll(drawn).toBeLessThan(30);
  await press(page, "Open all");
  for (const share of [0, 0.37, 1]) {
    await scroll.evaluate((element, part) => element.scrollTo(0, element.scrollHeight * part), share);
    await expect(scroll.locator(".node.best-line").first()).toBeAttached();
    await expect.poll(drawn).toBeGreaterThan(10);
    expect(await drawn()).toBeLessThan(250);
  }
  await press(page, "One step back");
  await expect(page.locator(".tree-side .node.lit")).toBeVisible();
});

test("the lab for a classroom: projector, larger type, a picture for a slide, links to experiments", { tag: "@page" }, async ({ page }) => {
  await page.goto("/#/lab");
  await expect(page.locator(".tree-side .stub").first()).toBeVisible();
  await expect(page.locator("dl.legend")).toHaveCSS("display", "grid");
  const size = () =>
    page
      .locator(".tree-scroll")
      .first()
      .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  const plain = await size();
  await press(page, "Projector");
  await press(page, "Larger type");
  expect(await size()).toBeGreaterThan(plain * 1.4);
  await expect(page).toHaveURL(/font=120.*projector=1/);
  await accessible(page);
  await page.keyboard.press("Escape");
  await expect(page.locator(".projector")).toHaveCount(0);
  await press(page, "Smaller type");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as SVG" }).first().click();
  const picture = await readFile(await (await saving).path(), "utf8");
  expect(picture).toContain("<svg");
  expect(picture.match(/<rect x=/g)?.length).toBe(32);
  // A duel and an evolution by link, large, begun at once.
  await page.goto("/#/lab?show=duel&first=greedy&second=first&size=4&games=2&seed=7&go=1&projector=1");
  await expect(page.locator(".projector .duel-games li")).toHaveCount(2);
  await expect(page).toHaveURL(/seed=7/);
  await page.goto("/#/lab?show=evolution&size=4&population=4&generations=2&seed=3&go=1&projector=1");
  await expect(page.getByText("All 2 generations done", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/generations=2/);
});
