/** @typedef {Record<string, [reason: string, detailed?: boolean]>} Reasons what a code means; if detailed, the server's own sentence names the culprit */

/** A refusal, with the sentence the server gave. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Why something was refused, in the user's language: what the code means, and where only the server knows the culprit, its
 * English sentence behind it. In English, and where nobody has translated the code, that sentence alone.
 * @param {string} code
 * @param {string} message
 * @returns {Promise<string>}
 */
export async function inWords(code, message) {
  const language = document.documentElement.lang.slice(0, 2);
  if (language === "en") return message;
  const reasons = await import(`../i18n/refused-${language}.js`).then(({ default: known }) => /** @type {Reasons} */ (known)).catch(() => null);
  const [reason, detailed] = reasons?.[code] ?? [];
  if (!reason) return message;
  return detailed ? `${reason}：${message}` : `${reason}。`;
}
