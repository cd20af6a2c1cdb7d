/** Moments to come, in words. */

/** How long it is until then: “in 4 days”. @param {number} due milliseconds since 1970 */
export function when(due) {
  const minutes = Math.round((due - Date.now()) / 60_000);
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  if (minutes < 60) return words.format(Math.max(minutes, 0), "minute");
  if (minutes < 24 * 60) return words.format(Math.round(minutes / 60), "hour");
  return words.format(Math.round(minutes / 1440), "day");
}
