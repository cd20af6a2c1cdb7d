/** Tests of the site without a server: each has a host of its own. */

import { test as base } from "@playwright/test";
import { host } from "./host.js";

/** @import {Host} from "./host.js" */

export const test = base.extend(
  /** @type {import("@playwright/test").Fixtures<{site: Host}>} */ ({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs.
    site: async ({}, use) => {
      const site = await host();
      await use(site);
      await site.close();
    },
  }),
);
