/** The site as an app: kept in the browser, used without a network, renewed between visits. */

import { onUnkept } from "./alone-store.js";
import { toast } from "./announce.js";
import { t } from "./i18n.js";

const UPDATED = "emilia.updated";

/** Says what is kept, and what is not. */
export async function offline() {
  onUnkept((reason) => toast(t(reason === "full" ? "alone.full" : "alone.forbidden")));
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
