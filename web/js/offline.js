/** The site as an app: kept in the browser, used without a network, renewed between visits. */

import { onEngine } from "./alone.js";
import { toast } from "./announce.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

const UPDATED = "emilia.updated";

/** Says what is kept, and what is not. */
export async function offline() {
  watch();
  if (!("serviceWorker" in navigator)) return;
  try {
    if (sessionStorage.getItem(UPDATED)) {
      sessionStorage.removeItem(UPDATED);
      toast(t("alone.updated"));
    }
    const registration = await navigator.serviceWorker.register(new URL("../sw.js", import.meta.url), { updateViaCache: "none" });
    // What was fetched during the last visit is used from this one on. Games lie in the browser, so nothing is lost.
    if (registration.waiting && navigator.serviceWorker.controller) renew(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const next = registration.installing;
      next?.addEventListener("statechange", () => {
        if (next.state === "installed" && navigator.serviceWorker.controller) toast(t("alone.newer"));
      });
    });
  } catch {
    // Where nothing may be kept, the site works as long as there is a network.
  }
}

/** Says, once, what the engine has to do without. */
function watch() {
  let slow = false;
  let stunted = false;
  onEngine((engine) => {
    if (!engine.vectors && !slow) toast(t("alone.slow"));
    if (engine.stunted && !stunted) toast(t("alone.small", { reason: engine.stunted }));
    slow ||= !engine.vectors;
    stunted ||= engine.stunted !== "";
  });
}

/** The engine in this browser, in a sentence that follows it. */
export function engineLine() {
  const line = h("p", { class: "hint" });
  const stop = onEngine(({ vectors, threads, large }) => {
    fill(
      line,
      t("alone.engine", {
        vectors: t(vectors ? "alone.engine.vectors" : "alone.engine.plain"),
        threads: threads > 1 ? t("alone.engine.threads", { n: threads }) : t("alone.engine.one"),
        network: t(large ? "alone.engine.large" : "alone.engine.small"),
      }),
    );
  });
  return { line, stop };
}

/** @param {ServiceWorker} next */
function renew(next) {
  navigator.serviceWorker.addEventListener(
    "controllerchange",
    () => {
      sessionStorage.setItem(UPDATED, "yes");
      location.reload();
    },
    { once: true },
  );
  next.postMessage("use");
}
