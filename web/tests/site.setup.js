/** Serves the site without a server while the tests run. */

import { host, SITE } from "./host.js";

export default async function serve() {
  const site = await host(SITE, "/");
  process.env.EMILIA_SITE_URL = site.address;
  return site.close;
}
