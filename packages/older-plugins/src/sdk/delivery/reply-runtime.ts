const INTERRUPT = /^\/(?:stop|interrupt)(?:@\w+)?$/i;
const ASIDE = /^\/btw(?:@\w+)?(?:\s|:|$)/i;

/**
 * Returns true for a text that ends the running turn on this host: `/stop` or `/interrupt`.
 * @param text - text of a message
 * @deprecated The host reads commands.
 */
export function isAbortRequestText(text?: string): boolean {
  return INTERRUPT.test(text?.trim() ?? "");
}

/**
 * Returns true for a text that begins with `/btw`.
 * @param text - text of a message
 * @deprecated The host reads commands.
 */
export function isBtwRequestText(text?: string): boolean {
  return ASIDE.test(text?.trim() ?? "");
}
