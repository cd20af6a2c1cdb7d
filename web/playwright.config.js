import { defineConfig } from "@playwright/test";

/** The address of a running server; `cargo xtask test` starts one and says where. */
const base = process.env.EMILIA_URL ?? "http://127.0.0.1:8000";

/** The site without a server, if there is one to test; `tests/site.setup.js` serves it. */
const site = Boolean(process.env.EMILIA_SITE);

/**
 * What asks for something runs twice: against the server, and against the site without one, which must answer the same. What needs
 * another person is tagged `@server`. What the page does by itself, or with answers that other tests ask for, is tagged `@page` and
 * runs once, and so does how everything looks; the other files here have a server or a host of their own, or need none.
 */
const OF_ONE_BACK_END = /(alone|contract|embed|engine|look|openings|pictures|restart|schema)\.spec\.js/;

/** `alone.spec.js` is about what the browser keeps of the site; elsewhere every test would fetch and check all of it anew. */
const NOTHING_KEPT = { serviceWorkers: /** @type {const} */ ("block") };

// Node 20 knows WebSockets only if it is told to; the tests run in processes that are started later.
const WEB_SOCKETS = "--experimental-websocket";
if (!("WebSocket" in globalThis) && process.allowedNodeEnvironmentFlags.has(WEB_SOCKETS)) {
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${WEB_SOCKETS}`;
}

export default defineConfig({
  testDir: "tests",
  globalSetup: site ? "./tests/site.setup.js" : undefined,
  projects: [
    { name: "server" },
    ...(site
      ? [{ name: "alone", grepInvert: /@(server|page)/, testIgnore: OF_ONE_BACK_END, use: { baseURL: process.env.EMILIA_SITE_URL, ...NOTHING_KEPT } }]
      : []),
  ],
  outputDir: "test-results",
  timeout: 90_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A second try tells a page that is broken from a machine that was too busy for a moment; who needed one is named at the end as flaky.
  retries: 1,
  reporter: [["list"]],
  use: {
    baseURL: base,
    actionTimeout: 15_000,
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    reducedMotion: "reduce",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.EMILIA_CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
