import { defineConfig } from "@playwright/test";

/** The address of a running server; `cargo xtask test` starts one and says where. */
const base = process.env.EMILIA_URL ?? "http://127.0.0.1:8000";

/** The site without a server, if there is one to test; `tests/site.setup.js` serves it. */
const site = Boolean(process.env.EMILIA_SITE);

export default defineConfig({
  testDir: "tests",
  globalSetup: site ? "./tests/site.setup.js" : undefined,
  projects: [
    { name: "server" },
    // What needs no other person, by the engine in the browser.
    ...(site ? [{ name: "alone", grep: /@alone/, use: { baseURL: process.env.EMILIA_SITE_URL } }] : []),
  ],
  outputDir: "test-results",
  timeout: 90_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test that fails once is broken, or the page is.
  retries: 0,
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
