/** The site without a server: the engine works in the browser, and whatever the browser lacks costs no game. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { SITE } from "./host.js";
import { watch } from "./page.js";
import { test } from "./site.js";

/** @import {Page} from "@playwright/test" */
/** @import {Host} from "./host.js" */

test.skip(!SITE, "EMILIA_SITE names no folder; cargo xtask web does");

/** Begins a game against a quick player, as Black. @param {Page} page @param {string} address */
async function begin(page, address) {
  await page.goto(address);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.locator(".table.game .square.legal").first()).toBeVisible();
}

/** Plays the first legal move and waits for the reply. @param {Page} page */
async function move(page) {
  const moves = page.locator(".move-list li");
  const before = await moves.count();
  await page.locator(".table.game .square.legal").first().click();
  await expect(async () => expect(await moves.count()).toBeGreaterThanOrEqual(before + 2)).toPass();
  await expect(page.locator(".table.game .square.legal").first()).toBeVisible();
}

/** Until the browser has the whole site. @param {Page} page */
const installed = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

/** @param {Page} page */
const moves = (page) => page.locator(".move-list li").allTextContents();

test("a game is played, kept over a reload, and goes on without a network", async ({ page, context, site }) => {
  const seen = watch(page);
  await begin(page, site.address);
  await move(page);
  const played = await moves(page);
  await page.reload();
  await expect.poll(() => moves(page)).toEqual(played);
  await installed(page);
  await context.setOffline(true);
  await page.reload();
  await expect.poll(() => moves(page)).toEqual(played);
  await move(page);
  // Taking back and the list of games need no network either.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => moves(page)).toEqual(played);
  await page.goto(`${site.address}#/lobby`);
  await expect(page.getByRole("heading", { name: "Games in this browser" })).toBeVisible();
  await expect(page.getByRole("link", { name: "My game" })).toHaveCount(1);
  expect(seen.filter((line) => !line.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
});

test("a permalink opens, a game is reviewed, openings and trees are there", async ({ page, site }) => {
  await page.goto(`${site.address}#t=f5d6c3d3c4&p=5`);
  await expect(page.locator(".square.last")).toHaveCount(1);
  await expect(page.getByText("Tiger").first()).toBeVisible();
  const answers = await page.evaluate(async (address) => {
    const api = await import(`${address}js/api.js`);
    const lines = [];
    for await (const line of api.lines("/api/review", { moves: "f5d6c3d3c4", player: "alphabeta:depth=2" })) lines.push(line.type);
    const duel = [];
    for await (const line of api.lines("/api/duels", { first: "greedy", second: "first", size: 4, games: 2 })) duel.push(line.type);
    const evolution = [];
    for await (const line of api.lines("/api/evolutions", { size: 4, population: 4, generations: 1, search: "alphabeta:depth=1" })) evolution.push(line.type);
    const explored = await api.openings({ moves: "f5d6c3", evaluate: true, time_ms: 100 });
    const watched = await api.steps({ size: 4, player: "alphabeta:depth=2,eval=disc" });
    const refused = await api.createGame({ mode: "link" }).catch((/** @type {{code: string}} */ error) => error.code);
    const imported = await api.importFile("f5d6c3");
    const file = await api.exportPlace({ moves: "f5d6c3", format: "wthor" });
    return {
      lines,
      duel,
      evolution: evolution.at(-1),
      games: explored.total.games,
      steps: watched.steps.letters.length,
      refused,
      format: imported.format,
      file: file.blob.size,
    };
  }, site.address);
  expect(answers.lines).toEqual(["start", "move", "move", "move", "move", "move", "summary"]);
  expect(answers.duel.at(-1)).toBe("end");
  expect(answers.evolution).toBe("end");
  expect(answers.games).toBeGreaterThan(1000);
  expect(answers.steps).toBeGreaterThan(10);
  expect(answers.refused).toBe("not_here");
  expect(answers.format).toBe("transcript");
  expect(answers.file).toBeGreaterThan(16);
});

test("long work stops when nobody waits for it any more", async ({ page, site }) => {
  await page.goto(site.address);
  const outcome = await page.evaluate(async (address) => {
    const api = await import(`${address}js/api.js`);
    const stop = new AbortController();
    let count = 0;
    try {
      for await (const _ of api.lines("/api/duels", { first: "greedy", second: "random", games: 1000 }, stop.signal)) if (++count === 3) stop.abort();
    } catch (error) {
      // The next question is answered by another worker.
      const { position } = await api.analyse({ moves: "f5" });
      return [/** @type {Error} */ (error).name, position.ply];
    }
    return [];
  }, site.address);
  expect(outcome).toEqual(["AbortError", 1]);
});

test("two tabs at one table show the same game, and the computer moves once", async ({ page, context, site }) => {
  await begin(page, site.address);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.locator(".table.game .square.legal").first()).toBeVisible();
  await move(page);
  await expect.poll(() => moves(other)).toEqual(await moves(page));
  await move(other);
  await expect.poll(() => moves(page)).toEqual(await moves(other));
  expect((await moves(page)).length).toBe(4);
});

for (const [what, forbid, sentence] of /** @type {[string, () => void, string][]} */ ([
  [
    "forbidden",
    () => {
      indexedDB.open = () => {
        throw new DOMException("no", "SecurityError");
      };
    },
    "This browser keeps nothing for this site",
  ],
  [
    "full",
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("no", "QuotaExceededError");
      };
    },
    "The browser's storage is full",
  ],
])) {
  test(`where storage is ${what} the page says so and the game goes on`, async ({ page, site }) => {
    await page.addInitScript(forbid);
    await begin(page, site.address);
    await expect(page.locator("#announcer")).toContainText(sentence);
    await move(page);
    await move(page);
  });
}

test("where everything is forbidden, as in some private windows, one plays until the page is closed", async ({ page, site }) => {
  const seen = watch(page);
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException("no", "SecurityError");
        },
      });
    }
    Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined });
    delete (/** @type {{serviceWorker?: unknown}} */ (Navigator.prototype).serviceWorker);
  });
  await begin(page, site.address);
  await expect(page.locator("#announcer")).toContainText("This browser keeps nothing for this site");
  await move(page);
  const played = await moves(page);
  // The seat and the settings last as long as the page.
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Theme").selectOption("dark");
  await page.getByRole("button", { name: "Close" }).click();
  await page.goto(`${site.address}#/lobby`);
  await page.getByRole("link", { name: "My game" }).click();
  await expect.poll(() => moves(page)).toEqual(played);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await move(page);
  expect(seen).toEqual([]);
});

/** Saves all that the browser has as a file. @param {Page} page @returns {Promise<Buffer>} */
async function saved(page) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save everything as a file" }).click()]);
  expect(file.suggestedFilename()).toBe("emilia-games.json");
  return readFile(await file.path());
}

/** Opens such a file. @param {Page} page @param {Buffer} buffer */
const opened = (page, buffer) => page.locator("input[type=file]").setInputFiles({ name: "emilia-games.json", mimeType: "application/json", buffer });

test("games and settings go into a file, and from there into another browser", async ({ page, browser, site }) => {
  await begin(page, site.address);
  await move(page);
  const played = await moves(page);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Theme").selectOption("dark");
  await page.getByRole("button", { name: "Close" }).click();
  await page.goto(`${site.address}#/lobby`);
  const file = await saved(page);
  const context = await browser.newContext();
  try {
    const other = await context.newPage();
    await other.goto(`${site.address}#/lobby`);
    const written = JSON.parse(file.toString());
    // What is no such file, or half of one, changes nothing.
    const [game] = written.games;
    const changed = game.game.replace(/"turns":\[\["[a-h][1-8]"/, '"turns":[["a1"');
    expect(changed).not.toBe(game.game);
    for (const [text, sentence] of [
      ["f5d6c3", "this is no file with the games of a browser"],
      [JSON.stringify({ ...written, format: "pgn" }), "this is no file with the games of a browser"],
      [JSON.stringify({ ...written, games: [{ ...game, version: 99 }] }), "this is no file with the games of a browser"],
      [JSON.stringify({ ...written, small: { other: "x" } }), "this is no file with the games of a browser"],
      [JSON.stringify({ ...written, version: 9 }), "a newer version of Emilia wrote this file"],
      [JSON.stringify({ ...written, games: [game, { ...game, game: changed }] }), "a game of this file cannot be read"],
    ]) {
      await opened(other, Buffer.from(text));
      await expect(other.locator("#announcer p").last()).toContainText(`Nothing was changed: ${sentence}`);
      await expect(other.getByRole("link", { name: "My game" })).toHaveCount(0);
    }
    await opened(other, file);
    await expect(other.locator("#announcer p").last()).toHaveText("1 game, 0 profiles and the settings were taken from the file.");
    await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
    await other.getByRole("link", { name: "My game" }).click();
    await expect.poll(() => moves(other)).toEqual(played);
    await move(other);
    const further = await moves(other);
    // A game that has gone further stays as it is.
    await other.goto(`${site.address}#/lobby`);
    await opened(other, file);
    await other.getByRole("link", { name: "My game" }).click();
    await expect.poll(() => moves(other)).toEqual(further);
  } finally {
    await context.close();
  }
});

test("threads are there from the second visit on, and the settings say what the engine has", async ({ page, site }) => {
  // Two visits, three engines.
  test.slow();
  const engine = async () => {
    await page.getByRole("button", { name: "Settings" }).click();
    const said = page.getByRole("dialog").getByText("The engine in this browser");
    await expect(said).toBeVisible();
    const text = await said.textContent();
    await page.getByRole("button", { name: "Close" }).click();
    return text;
  };
  await begin(page, site.address);
  await move(page);
  // What is needed for a first move comes before the full network.
  const place = (/** @type {string} */ name) => [...site.served].indexOf(`engine/weights/${name}.gz`);
  expect(place("small.bin")).toBeGreaterThan(0);
  await expect.poll(() => place("network.bin")).toBeGreaterThan(Math.max(place("small.bin"), place("people.bin")));
  expect(await engine()).toContain("with vectors; one thread, as this page may not share memory; the small network.");
  await installed(page);
  await move(page);
  expect(await engine()).toContain("the full network.");
  await page.reload();
  await expect(page.locator(".table.game .square.legal").first()).toBeVisible();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await move(page);
  const cores = Math.min(await page.evaluate(() => navigator.hardwareConcurrency), 8);
  if (cores > 1) expect(await engine()).toContain(`with vectors; ${cores} threads; `);
});

test("a browser without vectors and threads plays too, and one without WebAssembly is told what is missing", async ({ browser, site }) => {
  const old = await browser.newContext({ serviceWorkers: "block" });
  try {
    const page = await old.newPage();
    await page.addInitScript("WebAssembly.validate = () => false;");
    await begin(page, site.address);
    await move(page);
    await expect(page.locator("#announcer")).toContainText("no vector instructions for WebAssembly");
    expect([...site.served].filter((path) => path.startsWith("engine/threads"))).toEqual([]);
    await page.addInitScript("delete globalThis.WebAssembly;");
    await page.goto("about:blank");
    await page.goto(site.address);
    await expect(page.getByText("This browser has no WebAssembly")).toBeVisible();
  } finally {
    await old.close();
  }
});

test("a damaged file of weights is named, and the game is there when it is whole again", async ({ browser, site }) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    await begin(page, site.address);
    await move(page);
    const played = await moves(page);
    const address = page.url();
    for (const name of ["engine/weights/network.bin.gz", "engine/weights/small.bin.gz", "engine/weights/people.bin.gz"]) {
      const whole = await site.file(name).catch(() => null);
      if (whole) site.instead.set(name, Buffer.concat([whole.subarray(0, whole.length / 2), Buffer.alloc(64, 7)]));
    }
    await page.goto("about:blank");
    await page.goto(address);
    await expect.poll(() => moves(page)).toEqual(played);
    await page.locator(".table.game .square.legal").first().click();
    await expect(page.locator(".status")).toContainText("is damaged");
    site.instead.clear();
    await page.goto("about:blank");
    await page.goto(address);
    // The move is kept, and the computer answers it.
    await expect(async () => expect((await moves(page)).length).toBeGreaterThanOrEqual(played.length + 2)).toPass();
    expect((await moves(page)).slice(0, played.length)).toEqual(played);
  } finally {
    await context.close();
  }
});

test("weights that are damaged are done without where others are there, and that is said", async ({ browser, site }) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  try {
    const page = await context.newPage();
    const damage = async (/** @type {string} */ name) => {
      const whole = Buffer.from(await site.file(name));
      whole[Math.floor(whole.length / 2)] ^= 1;
      site.instead.set(name, whole);
    };
    await damage("engine/weights/network.bin.gz");
    await begin(page, site.address);
    for (let turn = 0; turn < 4; turn++) {
      await move(page);
      if ((await page.locator("#announcer").textContent())?.includes("small network")) break;
    }
    await expect(page.locator("#announcer")).toContainText("Emilia plays with her small network, as the full one cannot be used: ");
    await move(page);
    // Who errs like people needs them, Emilia does not.
    await damage("engine/weights/people.bin.gz");
    await page.evaluate(async (address) => {
      const api = await import(`${address}js/api.js`);
      const { game } = await api.createGame({ mode: "computer", white: { player: "emilia:level=1" } });
      location.hash = `#/game/${game.id}`;
    }, site.address);
    await page.reload();
    await expect(page.locator(".player.white .name")).toHaveText("emilia:level=1");
    await move(page);
  } finally {
    await context.close();
  }
});

/** Makes another version of the site, whose icon is another. @param {Host} site @param {boolean} whole */
async function renew(site, whole) {
  const icon = Buffer.from((await site.file("icon.svg")).toString().replace("#4f7a5b", "#123456"));
  const digest = createHash("sha256").update(icon).digest("hex");
  const keeper = (await site.file("sw.js")).toString();
  const next = keeper
    .replace(/"icon\.svg":"[0-9a-f]+"/, `"icon.svg":"${digest}"`)
    .replace(/const VERSION = "[^"]*"/, `const VERSION = "${whole ? "next" : "broken"}"`);
  expect(next).not.toBe(keeper);
  site.instead.set("sw.js", Buffer.from(next));
  if (whole) site.instead.set("icon.svg", icon);
}

test("an update in the middle of a game is told, used from the next visit on, and loses nothing", async ({ page, site }) => {
  await begin(page, site.address);
  await move(page);
  await installed(page);
  const played = await moves(page);
  // One that is damaged on its way is not taken.
  await renew(site, false);
  const before = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = new Promise((told) =>
      registration.addEventListener(
        "updatefound",
        () => registration.installing?.addEventListener("statechange", (event) => told(/** @type {ServiceWorker} */ (event.target).state)),
        { once: true },
      ),
    );
    await registration.update().catch(() => {});
    return found;
  });
  expect(before).toBe("redundant");
  await renew(site, true);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect(page.locator("#announcer")).toContainText("A newer version of Emilia is here");
  await move(page);
  const now = await moves(page);
  expect(now.slice(0, played.length)).toEqual(played);
  await page.reload();
  await expect(page.locator("#announcer")).toContainText("Emilia has been renewed");
  await expect.poll(() => moves(page)).toEqual(now);
  expect(await page.evaluate(async () => (await fetch("icon.svg")).text())).toContain("#123456");
});

/** What a finger may aim at, but for squares, which are as large as the screen lets them be, and what only keyboards reach. */
const TARGETS = "a:not(.skip), button:not(.square), summary, select, textarea, label:has(> input), input:not([type=checkbox], [type=radio], .visually-hidden)";

test("on a phone nothing is cut off, and fingers hit what they aim at", async ({ browser, site }) => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  try {
    const page = await context.newPage();
    await begin(page, site.address);
    await move(page);
    const game = page.url().replace(site.address, "");
    for (const view of [
      "#/",
      game,
      "#t=f5d6c3d3c4&p=3",
      "#/lab",
      "#/lab?show=duel",
      "#/lab?show=evolution",
      "#/train",
      "#/train/mistakes",
      "#/train/openings",
      "#/lobby",
    ]) {
      await page.goto(site.address + view);
      await expect(page.locator("#view .stage > *").first()).toBeVisible();
      // The steps of a search come when it is done.
      if (view === "#/lab") await expect(page.locator(".transport input")).toBeVisible();
      await page.evaluate(() => {
        for (const panel of document.querySelectorAll("details")) panel.open = true;
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(320);
      const small = await page.locator(TARGETS).evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility())
          .map((one) => ({ what: `${one.className} ${one.textContent}`.trim(), box: one.getBoundingClientRect() }))
          .filter(({ box: { width, height } }) => Math.min(width, height) < 44)
          .map(({ what, box: { width, height } }) => `${what}: ${width} × ${height}`),
      );
      expect(small, view).toEqual([]);
    }
    const edges = await page.locator("#bar nav a").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(Math.max(...edges)).toBeLessThan(320);
    expect(edges.length).toBe(5);
  } finally {
    await context.close();
  }
});

test("nothing runs while nobody plays", async ({ page, site }) => {
  await page.addInitScript(() => {
    const world = /** @type {Record<string, any>} */ (/** @type {unknown} */ (globalThis));
    world.woken = [];
    for (const name of ["setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback"]) {
      const begin = world[name];
      world[name] = (/** @type {Function} */ act, /** @type {unknown[]} */ ...rest) =>
        begin(
          (/** @type {unknown[]} */ ...given) => {
            world.woken.push(name);
            return act(...given);
          },
          ...rest,
        );
    }
  });
  await begin(page, site.address);
  await move(page);
  for (const view of [page.url().replace(site.address, ""), "#/", "#t=f5d6c3d3c4&p=3", "#/lobby"]) {
    await page.goto(site.address + view);
    await expect(page.locator("#view .stage > *").first()).toBeVisible();
    // Until what was just opened is drawn and the notes are gone.
    await page.waitForTimeout(5000);
    await page.evaluate(() => {
      /** @type {{woken: string[]}} */ (/** @type {unknown} */ (globalThis)).woken.length = 0;
    });
    await page.waitForTimeout(2000);
    const woken = await page.evaluate(() => {
      const moving = document.getAnimations().filter(({ playState }) => playState === "running");
      return [.../** @type {{woken: string[]}} */ (/** @type {unknown} */ (globalThis)).woken, ...moving.map(() => "animation")];
    });
    expect(woken, view).toEqual([]);
  }
});
